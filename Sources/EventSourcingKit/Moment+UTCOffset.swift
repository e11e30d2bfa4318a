import EventSourcing

extension Moment {
  /// Local time minus UTC at this moment, in nanoseconds, by the time zone that the system is set to; `nil` if the system does
  /// not know.
  ///
  /// Looks the zone up again on each call, so that a change is seen while the program runs.
  public var utcOffset: Int64? { SystemTime.utcOffset(atSecond: wallNanoseconds / 1_000_000_000) }
}
