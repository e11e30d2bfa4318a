/// One column of a ``TextTable``, or of lines that are printed one by one.
public struct TextColumn: Equatable, Sendable {
  /// What stands above it; may be empty.
  public var title: String
  /// Where its cells stand.
  public var alignment: TerminalText.Alignment
  /// The widest cell to which later columns are aligned; a wider one pushes the rest of its line to the right. `nil` for
  /// no bound.
  public var maximumWidth: Int?

  /// Creates a column.
  public init(_ title: String, _ alignment: TerminalText.Alignment = .left, maximumWidth: Int? = nil) {
    self.title = title
    self.alignment = alignment
    self.maximumWidth = maximumWidth
  }
}
