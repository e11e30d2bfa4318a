/// A length of time in words: `13 hours`, `91 days`.
package enum SpanWords {
  /// The words for a number of nanoseconds, rounded down to its largest unit.
  package static func words(_ nanoseconds: Int64) -> String {
    let unit = unit(of: nanoseconds)
    let count = nanoseconds / unit.nanoseconds
    return count == 0 ? "less than a minute" : count.counted(unit.name)
  }

  /// The words for a time within which something happened: the same, rounded up, and at least a minute.
  package static func limit(_ nanoseconds: Int64) -> String {
    let unit = unit(of: nanoseconds)
    let isWhole = nanoseconds > 0 && nanoseconds % unit.nanoseconds == 0
    return (nanoseconds / unit.nanoseconds + (isWhole ? 0 : 1)).counted(unit.name)
  }

  private static func unit(of nanoseconds: Int64) -> (nanoseconds: Int64, name: String) {
    let minute = 60 * CivilTime.nanosecondsPerSecond
    let units: [(nanoseconds: Int64, name: String)] = [
      (24 * 60 * minute, "day"), (60 * minute, "hour"), (minute, "minute"),
    ]
    // Their hours distinguish two days from one.
    return units.first { nanoseconds >= 2 * $0.nanoseconds } ?? (minute, "minute")
  }
}
