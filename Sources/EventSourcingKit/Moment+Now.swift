import EventSourcing

extension Moment {
  /// The time by the system's two clocks.
  ///
  /// Programs call this once for each command and pass the moment on, so that rules and replays depend on the journal
  /// alone.
  public static func now() -> Moment {
    Moment(wallNanoseconds: SystemTime.wallNanoseconds, uptimeNanoseconds: SystemTime.uptimeNanoseconds)
  }
}
