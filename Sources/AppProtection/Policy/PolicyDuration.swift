/// A length of time in a policy: the original text, and its length.
///
/// The text is ISO 8601 in the subset that has a fixed length: weeks, or days, hours, minutes and seconds with up to nine
/// digits of fraction, such as `PT12H`, `P90D`, `PT2M4.5004762S`, `P2W`. A day is 24 hours. Negative durations, years and
/// months are refused.
///
/// Two durations of the same length with different texts, such as `PT24H` and `P1D`, are not equal: the documents differ.
public struct PolicyDuration: Hashable, Sendable, CustomStringConvertible {
  /// The original text.
  public let text: String
  /// The length in nanoseconds, 0 or more.
  public let nanoseconds: Int64

  /// Reads a duration.
  public init(_ text: String) throws(PolicyTextError) {
    self.text = text
    nanoseconds = try Self.nanoseconds(of: Array(text.utf8))
  }

  /// The original text.
  public var description: String { text }

  private static func nanoseconds(of bytes: [UInt8]) throws(PolicyTextError) -> Int64 {
    var rest = bytes[...]
    let malformed = PolicyTextError(
      .malformed, "the text is not an ISO 8601 duration", remedy: "write for instance PT12H, PT30M or P90D")
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { throw malformed }
    if isNegative {
      throw PolicyTextError(
        .negativeDuration, "the duration is negative", remedy: "write a duration of zero or more, such as PT12H")
    }
    var total: Int64 = 0
    var isTime = false
    // Units come in this order, each at most once.
    var allowed = Array("WDHMS".utf8)[...]
    while let first = rest.first {
      if first == UInt8(ascii: "T"), !isTime {
        isTime = true
        rest.removeFirst()
        allowed = allowed.drop { $0 == UInt8(ascii: "W") || $0 == UInt8(ascii: "D") }
        guard !rest.isEmpty else { throw malformed }
      }
      guard let number = try number(from: &rest), let unit = rest.popFirst() else { throw malformed }
      if unit == UInt8(ascii: "Y") || (unit == UInt8(ascii: "M") && !isTime) {
        throw PolicyTextError(
          .calendarDuration, "the duration has years or months, whose length is not fixed",
          remedy: "write it in days, such as P90D")
      }
      guard let index = allowed.firstIndex(of: unit), isTime == "HMS".utf8.contains(unit),
        unit == UInt8(ascii: "S") || !number.hasFraction
      else { throw malformed }
      // Weeks cannot be combined with other units.
      allowed = unit == UInt8(ascii: "W") ? [] : allowed[(index + 1)...]
      if unit == UInt8(ascii: "W"), !rest.isEmpty { throw malformed }
      let (part, partOverflow) = number.whole.multipliedReportingOverflow(by: nanosecondsPerUnit(unit))
      let (sum, sumOverflow) = total.addingReportingOverflow(part)
      let (all, allOverflow) = sum.addingReportingOverflow(number.fractionNanoseconds)
      if number.isTooLarge || partOverflow || sumOverflow || allOverflow {
        throw PolicyTextError(.tooLong, "the duration is longer than 292 years", remedy: "write a shorter one")
      }
      total = all
    }
    return total
  }

  private static func nanosecondsPerUnit(_ unit: UInt8) -> Int64 {
    switch unit {
    case UInt8(ascii: "W"): 604_800_000_000_000
    case UInt8(ascii: "D"): 86_400_000_000_000
    case UInt8(ascii: "H"): 3_600_000_000_000
    case UInt8(ascii: "M"): 60_000_000_000
    default: 1_000_000_000
    }
  }

  private struct Number {
    var whole: Int64 = 0
    var isTooLarge = false
    var hasFraction = false
    var fractionNanoseconds: Int64 = 0
  }

  /// Reads digits with an optional fraction; `nil` without digits, or when a point lacks digits on one side.
  private static func number(from rest: inout ArraySlice<UInt8>) throws(PolicyTextError) -> Number? {
    var number = Number()
    let whole = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard !whole.isEmpty else { return nil }
    if let value = Int64(String(decoding: whole, as: UTF8.self)) {
      number.whole = value
    } else {
      number.isTooLarge = true
    }
    rest = rest[whole.endIndex...]
    guard rest.first == UInt8(ascii: ".") else { return number }
    rest.removeFirst()
    let fraction = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard !fraction.isEmpty else { return nil }
    number.hasFraction = true
    number.fractionNanoseconds = try PolicyDate.nanoseconds(ofFraction: fraction)
    rest = rest[fraction.endIndex...]
    return number
  }
}
