/// A point in time in a policy: the original text, and its time.
///
/// The text is what Graph calls a `DateTimeOffset`: `2021-09-30T17:05:00.1234567Z`, or with an offset such as `-08:00`.
public struct PolicyDate: Hashable, Sendable, CustomStringConvertible {
  /// The original text.
  public let text: String
  /// Nanoseconds since 1970-01-01T00:00:00Z. `nil` outside the years 1678 to 2261: exports have `0001-01-01T00:00:00Z`
  /// where a date is not set.
  public let nanoseconds: Int64?

  /// Reads a date with a time and an offset from UTC.
  public init(_ text: String) throws(PolicyTextError) {
    self.text = text
    nanoseconds = try Self.nanoseconds(of: Array(text.utf8))
  }

  /// The original text.
  public var description: String { text }

  private static func nanoseconds(of bytes: [UInt8]) throws(PolicyTextError) -> Int64? {
    let malformed = PolicyTextError(
      .malformed, "the text is not a date with a time and an offset",
      remedy: "write for instance 2021-09-30T17:05:00Z or 2021-09-30T17:05:00.1234567-08:00")
    var rest = bytes[...]
    func take(_ separator: UInt8, _ digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
      if separator != 0 { guard rest.popFirst() == separator else { return nil } }
      let text = rest.prefix(digits)
      guard text.count == digits, text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
        let value = Int64(String(decoding: text, as: UTF8.self)), range.contains(value)
      else { return nil }
      rest.removeFirst(digits)
      return value
    }
    guard let year = take(0, 4, 1...9999), let month = take(UInt8(ascii: "-"), 2, 1...12),
      let day = take(UInt8(ascii: "-"), 2, 1...days(in: month, of: year)),
      let hour = take(UInt8(ascii: "T"), 2, 0...23), let minute = take(UInt8(ascii: ":"), 2, 0...59),
      let second = take(UInt8(ascii: ":"), 2, 0...59)
    else { throw malformed }
    var fraction: Int64 = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard !digits.isEmpty else { throw malformed }
      fraction = try nanoseconds(ofFraction: digits)
      rest.removeFirst(digits.count)
    }
    var offset: Int64 = 0
    if rest.first == UInt8(ascii: "Z") {
      rest.removeFirst()
    } else {
      guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
        let hours = take(sign, 2, 0...14), let minutes = take(UInt8(ascii: ":"), 2, 0...59)
      else { throw malformed }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "+") ? 60 : -60)
    }
    guard rest.isEmpty else { throw malformed }
    let seconds = daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (all, sumOverflow) = whole.addingReportingOverflow(fraction)
    return overflow || sumOverflow ? nil : all
  }

  /// The value of the digits after the decimal point of seconds.
  static func nanoseconds(ofFraction digits: ArraySlice<UInt8>) throws(PolicyTextError) -> Int64 {
    guard digits.count <= 9 else {
      throw PolicyTextError(
        .tooFine, "the fraction of a second has more than nine digits", remedy: "write at most nine digits")
    }
    var value: Int64 = 0
    for index in 0..<9 {
      let digit = index < digits.count ? digits[digits.startIndex + index] - 0x30 : 0
      value = value * 10 + Int64(digit)
    }
    return value
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar, counted in eras of 400 years that begin on 1 March, so
  /// that the leap day is the last of its year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
