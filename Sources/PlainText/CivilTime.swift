/// A point in time as a date and time of day in UTC, in the Gregorian calendar.
///
/// ```swift
/// CivilTime(nanoseconds: 0).text  // 1970-01-01T00:00:00Z
/// ```
package struct CivilTime: Equatable, Sendable {
  /// The year, 1677...2262 if converted from nanoseconds.
  package var year: Int
  /// The month, 1...12.
  package var month: Int
  /// The day of the month, from 1.
  package var day: Int
  /// The hour, 0...23.
  package var hour: Int
  /// The minute, 0...59.
  package var minute: Int
  /// The second, 0...59; leap seconds are not represented.
  package var second: Int
  /// The fraction of the second, 0...999,999,999.
  package var nanosecond: Int

  package static let nanosecondsPerSecond: Int64 = 1_000_000_000
  package static let secondsPerDay: Int64 = 86_400

  /// The date and time of `nanoseconds` after 1970-01-01T00:00:00Z.
  package init(nanoseconds: Int64) {
    var seconds = nanoseconds / Self.nanosecondsPerSecond
    var fraction = nanoseconds % Self.nanosecondsPerSecond
    if fraction < 0 {
      fraction += Self.nanosecondsPerSecond
      seconds -= 1
    }
    var days = seconds / Self.secondsPerDay
    var rest = seconds % Self.secondsPerDay
    if rest < 0 {
      rest += Self.secondsPerDay
      days -= 1
    }
    (year, month, day) = Self.date(daysSince1970: Int(days))
    hour = Int(rest / 3600)
    minute = Int(rest / 60 % 60)
    second = Int(rest % 60)
    nanosecond = Int(fraction)
  }

  /// Midnight of the day with this number; day 0 is 1970-01-01.
  ///
  /// The first day that 64-bit nanoseconds can represent counts as a whole day here, although its midnight is out of
  /// range.
  package init(daysSince1970 days: Int64) {
    (year, month, day) = Self.date(daysSince1970: Int(days))
    (hour, minute, second, nanosecond) = (0, 0, 0, 0)
  }

  /// The time is midnight unless given; `nil` if the day or time does not exist.
  package init?(
    year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0
  ) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day), (0...23).contains(hour), (0...59).contains(minute),
      (0...59).contains(second), (0...999_999_999).contains(nanosecond)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.nanosecond = nanosecond
  }

  /// Nanoseconds since 1970-01-01T00:00:00Z; `nil` if they do not fit in 64 bits (outside 1677...2262).
  package var nanoseconds: Int64? { Int64(exactly: wideNanoseconds) }

  /// The same for any year: the first second of the range begins before it but ends inside it.
  var wideNanoseconds: Int128 {
    let days = Int64(Self.daysSince1970(year: year, month: month, day: day))
    let seconds = days * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
    return Int128(seconds) * Int128(Self.nanosecondsPerSecond) + Int128(nanosecond)
  }

  /// The RFC 3339 form in UTC, with no trailing zeros in the fraction.
  package var text: String { String(utf8: appendText) }

  /// The date alone: `2026-10-05`.
  package var dateText: String { String(utf8: appendDate) }

  /// The time of day in whole seconds: `10:14:41`.
  package var timeText: String { String(utf8: appendTime) }

  /// The short form for lists, without the year: `05 Oct 10:14:41`.
  package var listText: String { String(utf8: appendListText) }

  /// Appends ``text``.
  package func appendText(to bytes: inout [UInt8]) {
    appendDate(to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    appendTime(to: &bytes)
    bytes.append(fraction: UInt64(clamping: nanosecond))
    bytes.append(UInt8(ascii: "Z"))
  }

  private func appendDate(to bytes: inout [UInt8]) {
    bytes.append(year, digits: 4)
    bytes.append(pairs: (month, day), after: UInt8(ascii: "-"))
  }

  /// Appends ``timeText``.
  package func appendTime(to bytes: inout [UInt8]) {
    bytes.append(hour, digits: 2)
    bytes.append(pairs: (minute, second), after: UInt8(ascii: ":"))
  }

  /// Appends ``listText``.
  package func appendListText(to bytes: inout [UInt8]) {
    bytes.append(day, digits: 2)
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: Self.monthNames[month - 1].utf8)
    bytes.append(UInt8(ascii: " "))
    appendTime(to: &bytes)
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Number of days in `month` (1...12) of `year`.
  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // Both conversions use eras of 400 years that begin on 1 March, so that the leap day is the last day of a year (the
  // method of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms").

  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
