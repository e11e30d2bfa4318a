/// Text as a terminal shows it: what is safe to print, and how many columns it occupies.
public enum TerminalText {
  /// The alignment of text in a field wider than the text.
  public enum Alignment: Equatable, Sendable {
    /// At the left edge, for words.
    case left
    /// At the right edge, for numbers.
    case right
  }

  /// A number with a comma between groups of three digits, such as `9,112`. The same in every locale.
  public static func thousands(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var result = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return result
  }
}
