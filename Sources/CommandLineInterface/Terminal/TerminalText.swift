/// Text as a terminal shows it: what is safe to print, and how many columns it occupies.
public enum TerminalText {
  /// The alignment of text in a field wider than the text.
  public enum Alignment: Equatable, Sendable {
    /// At the left edge, for words.
    case left
    /// At the right edge, for numbers.
    case right
  }
}
