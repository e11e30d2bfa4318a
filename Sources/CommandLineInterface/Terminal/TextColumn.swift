/// One column of a ``TextTable``, or of lines printed one by one.
public struct TextColumn: Equatable, Sendable {
  /// The heading; may be empty.
  public var title: String
  /// The alignment of its cells.
  public var alignment: TerminalText.Alignment
  /// The width up to which later columns stay aligned; a wider cell pushes the rest of its line to the right. `nil` for
  /// no limit.
  public var maximumWidth: Int?

  /// Left-aligned and of unlimited width unless told otherwise.
  public init(_ title: String, _ alignment: TerminalText.Alignment = .left, maximumWidth: Int? = nil) {
    self.title = title
    self.alignment = alignment
    self.maximumWidth = maximumWidth
  }
}
