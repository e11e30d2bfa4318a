import EventSourcing

extension AppProtectionEvent {
  /// The fields that only tell one run of a device from another one, as a clock does.
  public static let clockFields: Set<String> = ["bootSession"]
}

extension StateChange {
  /// Whether two devices differ here by nature: in a point in time, in a reading of the clock by which launch
  /// conditions are judged, or in the boot session.
  ///
  /// Both devices must have a value: one that waits for a time differs from one that does not wait.
  public var isOfClock: Bool {
    guard let before, let after else { return false }
    switch (before, after) {
    case (.time, .time): return true
    // Points in time by the launch clock, which begins with the journal.
    case (.duration, .duration):
      return AppProtectionMachine.headlineRank(ofPath: path) == .clock || path.hasPrefix("/launch/")
    case _: return path == "/process/bootSession"
    }
  }
}
