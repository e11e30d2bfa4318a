/// Commands that answer the same kind of question, listed under one title.
public struct CommandGroup: Equatable, Sendable {
  /// The title, such as `look` or `ask why`.
  public var title: String
  /// The commands in the order listed.
  public var commands: [CommandDescription]

  /// Keeps the order of `commands`.
  public init(_ title: String, _ commands: [CommandDescription]) {
    self.title = title
    self.commands = commands
  }
}
