import PlainText

extension CivilTime {
  /// The local date and time of `nanoseconds` after 1970-01-01T00:00:00Z where clocks differ from UTC by `offset`.
  package init(nanoseconds: Int64, utcOffset offset: Int64) {
    let (sum, isOverflow) = nanoseconds.addingReportingOverflow(offset)
    self.init(nanoseconds: isOverflow ? (offset < 0 ? .min : .max) : sum)
  }

  /// An offset from UTC in nanoseconds as in RFC 3339: `+02:00`.
  package static func text(utcOffset nanoseconds: Int64) -> String {
    let minutes = Int(clamping: nanoseconds.magnitude / 60_000_000_000)
    return (nanoseconds < 0 ? "-" : "+") + (minutes / 60).padded(to: 2) + ":" + (minutes % 60).padded(to: 2)
  }
}
