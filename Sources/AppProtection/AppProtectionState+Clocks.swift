import EventSourcing

extension AppProtectionEvent {
  /// The fields that only tell one run of a device from another one, as a clock does.
  public static let clockFields: Set<String> = ["bootSession"]
}

extension StateChange {
  /// Whether two devices differ here by nature: a point in time, a reading of the clock that launch conditions are judged
  /// by, or the boot session.
  public var isOfClock: Bool {
    if path == "/process/bootSession" || path.hasPrefix("/launch/clock/") { return true }
    return [before, after].contains { value in
      switch value {
      case .time?: true
      // Points in time by the launch clock, which begins with the journal.
      case .duration?: path.hasPrefix("/launch/")
      default: false
      }
    }
  }
}
