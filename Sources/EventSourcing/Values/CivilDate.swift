/// A day of the calendar, without a time or a time zone: a birthday, or the day from which something holds.
///
/// ```swift
/// let due = CivilDate(year: 2026, month: 10, day: 5)
/// due?.description  // 2026-10-05
/// ```
public struct CivilDate: Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// The number of days since 1970-01-01.
  public let daysSince1970: Int64

  /// 1970-01-01.
  public static let zero = CivilDate(unchecked: 0)

  private init(unchecked days: Int64) { daysSince1970 = days }

  /// The day that is so many days after 1970-01-01; `nil` before the year 1 and after the year 9999.
  public init?(daysSince1970 days: Int64) {
    guard (-719_162...2_932_896).contains(days) else { return nil }
    daysSince1970 = days
  }

  /// A day of the Gregorian calendar; `nil` for one that it does not have, and outside the years 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    // Counted from 1 March, so that the leap day is the last of its year; 400 years have 146,097 days.
    let shifted = month > 2 ? year : year - 1
    let (era, yearOfEra) = (shifted / 400, shifted % 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(unchecked: Int64(era * 146_097 + dayOfEra - 719_468))
    guard components == (year, month, day) else { return nil }
  }

  /// Reads a day as `2026-10-05`; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The year, the month from 1 and the day from 1.
  public var components: (year: Int, month: Int, day: Int) {
    let days = Int(daysSince1970) + 719_468
    let (era, dayOfEra) = (days / 146_097, days % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (era * 400 + yearOfEra + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9, day)
  }

  /// The day in ISO 8601, such as `2026-10-05`.
  public var description: String {
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (year, month, day) = components
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }

  /// The earlier day is less.
  public static func < (one: CivilDate, other: CivilDate) -> Bool { one.daysSince1970 < other.daysSince1970 }
}
