/// A day of the week, by UTC.
package enum Weekday: Int {
  case thursday, friday, saturday, sunday, monday, tuesday, wednesday

  /// The day of a time in nanoseconds since 1970.
  package init?(ofNanoseconds nanoseconds: Int64) {
    let day = CivilTime.secondsPerDay * CivilTime.nanosecondsPerSecond
    let time = nanoseconds % (7 * day)
    self.init(rawValue: Int((time < 0 ? time + 7 * day : time) / day))
  }

  /// The day's name.
  package var name: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }
}
