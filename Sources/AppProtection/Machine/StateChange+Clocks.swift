import EventSourcing

extension AppProtectionEvent {
  /// The fields that, like a clock, only distinguish one run of a device from another.
  public static let clockFields: Set<String> = ["bootSession"]
}

extension StateChange {
  /// Whether two devices always differ here: in a point in time, a reading of the clock that launch conditions use, or
  /// the boot session.
  ///
  /// Both devices must have a value: a device waiting for a time differs from one that is not.
  public var isOfClock: Bool {
    guard let before, let after else { return false }
    switch (before, after) {
    case (.time, .time): return true
    // Points in time by the launch clock, which starts with the journal.
    case (.duration, .duration):
      return AppProtectionMachine.headlineRank(ofPath: path) == .clock || path.hasPrefix("/launch/")
    case _: return path == "/process/bootSession"
    }
  }
}
