/// A version in a policy, for comparison: of an operating system, an app or the SDK.
///
/// Versions are compared number by number, and missing numbers are 0: `15`, `15.0` and `15.0.0` are equal. Anything
/// after the first character that is not part of a number is ignored: `16.4.1.a` and `16.4.1 (a)`, the forms of a
/// security response, are `16.4.1`. A hyphen separates numbers as a point does, for patch levels such as `2020-01-05`.
/// An empty text, `0.0` and `0000-00-00` are not versions (D app protection settings; D review app protection logs).
public struct PolicyVersionNumber: Comparable, Sendable {
  /// The numbers, without zeros at the end. Never empty.
  public let numbers: [UInt32]

  /// Reads a version. `nil` if the text means that none is set (an empty text, or one whose numbers are all 0), or does
  /// not begin with a number.
  public init?(_ text: String) {
    var numbers: [UInt32] = []
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "-" }) {
      let digits = part.prefix { $0.isASCII && $0.isWholeNumber }
      guard !digits.isEmpty else { break }
      numbers.append(UInt32(digits) ?? .max)
      guard digits.count == part.count else { break }
    }
    while numbers.last == 0 { numbers.removeLast() }
    guard !numbers.isEmpty else { return nil }
    self.numbers = numbers
  }

  /// Whether a text means that no version is set.
  public static func isUnset(_ text: String?) -> Bool {
    guard let text, !text.isEmpty else { return true }
    let digits = text.utf8
    return digits.contains(0x30)
      && digits.allSatisfy { $0 == 0x30 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
  }

  /// Whether the first version is lower.
  public static func < (one: PolicyVersionNumber, other: PolicyVersionNumber) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
}
