/// Commands that answer the same kind of question and are shown under one title.
public struct CommandGroup: Equatable, Sendable {
  /// The title, such as `look` or `ask why`.
  public var title: String
  /// The commands in the order in which they are shown.
  public var commands: [CommandDescription]

  /// Creates a group.
  public init(_ title: String, _ commands: [CommandDescription]) {
    self.title = title
    self.commands = commands
  }
}
