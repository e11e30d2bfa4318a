/// Points in time in RFC 3339 form, always printed in UTC.
enum WallTime {
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// Parses a time such as `2020-03-05T09:00:00Z` or `2020-03-05T10:00:00.25+01:00` into nanoseconds since
  /// 1970-01-01T00:00:00Z; `nil` if the form is different, the day does not exist, or the year is outside 1678 to 2261.
  ///
  /// A leap second is rejected: the clocks that scenarios drive have none.
  static func nanoseconds(_ text: String) -> Int64? {
    var scanner = Scanner(text)
    guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
      scanner.take("-"), let day = scanner.number(digits: 2), scanner.take("T") || scanner.take("t"),
      let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
      scanner.take(":"), let second = scanner.number(digits: 2)
    else { return nil }
    guard (1678...2261).contains(year), (1...12).contains(month), (1...daysIn(month, of: year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction: Int64 = 0
    if scanner.take(".") {
      guard let nanoseconds = scanner.fraction() else { return nil }
      fraction = nanoseconds
    }
    guard let offset = scanner.offsetSeconds(), scanner.isAtEnd else { return nil }
    let seconds = daysSince1970(year, month, day) * 86_400 + Int64(hour * 3_600 + minute * 60 + second) - offset
    return seconds * nanosecondsPerSecond + fraction
  }

  /// `2020-03-05T09:00:00Z`, with as many decimals as needed.
  static func text(_ nanoseconds: Int64) -> String {
    let seconds = nanoseconds.flooredQuotient(nanosecondsPerSecond)
    // The first second within 64-bit nanoseconds begins before their range.
    let fraction = nanoseconds &- seconds &* nanosecondsPerSecond
    let day = seconds.flooredQuotient(86_400)
    let second = Int(seconds - day * 86_400)
    let date = civil(day)
    var text = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    text += "T\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    if fraction != 0 {
      var digits = padded(Int(fraction), 9)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += ".\(digits)"
    }
    return text + "Z"
  }

  // Days are counted in years that begin in March, so that the leap day is the last of its year (Howard Hinnant's
  // days_from_civil algorithm).
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era) * 146_097 + Int64(dayOfEra) - 719_468
  }

  private static func civil(_ days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(146_097)
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func daysIn(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Parses a time from left to right.
  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
      rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func digit() -> Int? {
      guard let byte = rest.first, byte >= 0x30, byte <= 0x39 else { return nil }
      rest.removeFirst()
      return Int(byte - 0x30)
    }

    mutating func number(digits: Int) -> Int? {
      var number = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    /// One to nine digits after the point, as nanoseconds.
    mutating func fraction() -> Int64? {
      var number: Int64 = 0
      var count = 0
      while let digit = digit() {
        guard count < 9 else { return nil }
        number = number * 10 + Int64(digit)
        count += 1
      }
      guard count > 0 else { return nil }
      for _ in count..<9 { number *= 10 }
      return number
    }

    /// `Z` or `+hh:mm`.
    mutating func offsetSeconds() -> Int64? {
      if take("Z") || take("z") { return 0 }
      let isEast = take("+")
      guard isEast || take("-"), let hours = number(digits: 2), take(":"), let minutes = number(digits: 2), hours < 24,
        minutes < 60
      else { return nil }
      return Int64(hours * 3_600 + minutes * 60) * (isEast ? 1 : -1)
    }
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity; `divisor` must be positive.
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
