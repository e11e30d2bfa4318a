import PlainText

/// A point in time in a policy: the original text, and its time.
///
/// The text is what Graph calls a `DateTimeOffset`: `2021-09-30T17:05:00.1234567Z`, or with an offset such as `-08:00`.
public struct PolicyDate: Hashable, Sendable, CustomStringConvertible {
  /// The original text.
  public let text: String
  /// Nanoseconds since 1970-01-01T00:00:00Z. `nil` outside 1677 to 2262: exports have `0001-01-01T00:00:00Z`
  /// where a date is not set.
  public let nanoseconds: Int64?

  /// Reads a date with a time and an offset from UTC.
  public init(_ text: String) throws(PolicyTextError) {
    self.text = text
    do {
      // As .NET, which Graph is written in, limits an offset.
      nanoseconds = try CivilTime.nanoseconds(rfc3339: text, mostHours: 14)
    } catch {
      switch error {
      case .malformed:
        throw PolicyTextError(
          .malformed, "the text is not a date with a time and an offset",
          remedy: "write for instance 2021-09-30T17:05:00Z or 2021-09-30T17:05:00.1234567-08:00")
      case .tooFine: throw Self.tooFine
      }
    }
  }

  /// The original text.
  public var description: String { text }

  private static let tooFine = PolicyTextError(
    .tooFine, "the fraction of a second has more than nine digits", remedy: "write at most nine digits")

  /// The value of the digits after the decimal point of seconds.
  static func nanoseconds(ofFraction digits: ArraySlice<UInt8>) throws(PolicyTextError) -> Int64 {
    guard digits.count <= 9 else { throw tooFine }
    var value: Int64 = 0
    for index in 0..<9 {
      let digit = index < digits.count ? digits[digits.startIndex + index] - 0x30 : 0
      value = value * 10 + Int64(digit)
    }
    return value
  }
}
