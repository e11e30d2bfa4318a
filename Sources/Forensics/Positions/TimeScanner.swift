import PlainText

/// Parses RFC 3339 dates and times that may be truncated; a truncated one denotes a period.
struct TimeScanner {
  private let characters: [UInt8]
  private var index = 0

  init(_ text: String) {
    characters = Array(text.utf8)
  }

  var isAtEnd: Bool { index == characters.count }

  /// A year, month, day, or time on a day; returns its first and last nanosecond.
  mutating func dateAndTime() -> (first: Int64, last: Int64)? {
    guard let year = digits(4) else { return nil }
    guard consume("-") else { return span(from: CivilTime(year: year), to: CivilTime(year: year + 1)) }
    guard let month = digits(2) else { return nil }
    guard consume("-") else {
      let next = month == 12 ? CivilTime(year: year + 1) : CivilTime(year: year, month: month + 1)
      return span(from: CivilTime(year: year, month: month), to: next)
    }
    guard let day = digits(2), let midnight = CivilTime(year: year, month: month, day: day)?.nanoseconds else {
      return nil
    }
    if isAtEnd { return Self.sum(midnight, (0, Self.nanosecondsPerDay - 1)) }
    guard consume("T") || consume("t") || consume(" "), let time = timeOfDay(), let offset = consumeOffset() else {
      return nil
    }
    return Self.sum(midnight, (time.first - offset, time.last - offset))
  }

  /// Hours and minutes, optionally followed by seconds and a fraction.
  mutating func timeOfDay() -> (first: Int64, last: Int64)? {
    let second = CivilTime.nanosecondsPerSecond
    guard let hour = digits(2) ?? digits(1), hour < 24, consume(":"), let minute = digits(2), minute < 60 else {
      return nil
    }
    let minutes = Int64(hour * 60 + minute) * 60 * second
    guard consume(":") else { return (minutes, minutes + 60 * second - 1) }
    guard let seconds = digits(2), seconds < 60 else { return nil }
    let whole = minutes + Int64(seconds) * second
    guard consume(".") else { return (whole, whole + second - 1) }
    var unit = second
    var fraction: Int64 = 0
    let start = index
    while unit > 1, let digit = digits(1) {
      unit /= 10
      fraction += Int64(digit) * unit
    }
    guard index > start else { return nil }
    return (whole + fraction, whole + fraction + unit - 1)
  }

  /// Skips a `Z` if there is one and nothing else. Always returns `true`.
  mutating func consumeUTC() -> Bool {
    _ = consume("Z") || consume("z")
    return true
  }

  /// The offset from UTC in nanoseconds; no offset means UTC.
  private mutating func consumeOffset() -> Int64? {
    if isAtEnd || consume("Z") || consume("z") { return 0 }
    let isNegative = consume("-")
    guard isNegative || consume("+"), let hour = digits(2), hour < 24, consume(":"), let minute = digits(2), minute < 60
    else { return nil }
    let offset = Int64(hour * 60 + minute) * 60 * CivilTime.nanosecondsPerSecond
    return isNegative ? -offset : offset
  }

  private static let nanosecondsPerDay = CivilTime.secondsPerDay * CivilTime.nanosecondsPerSecond

  private func span(from first: CivilTime?, to next: CivilTime?) -> (first: Int64, last: Int64)? {
    guard let first = first?.nanoseconds, let next = next?.nanoseconds else { return nil }
    return (first, next - 1)
  }

  private static func sum(_ base: Int64, _ span: (first: Int64, last: Int64)) -> (first: Int64, last: Int64)? {
    let (first, overflow) = base.addingReportingOverflow(span.first)
    let (last, carry) = base.addingReportingOverflow(span.last)
    return overflow || carry ? nil : (first, last)
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard index < characters.count, UInt32(characters[index]) == character.value else { return false }
    index += 1
    return true
  }

  private mutating func digits(_ count: Int) -> Int? {
    guard count <= characters.count - index else { return nil }
    var number = 0
    for digit in characters[index..<index + count] {
      guard digit >= 0x30 && digit <= 0x39 else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    index += count
    return number
  }
}
