import EventSourcing

extension AppProtectionMachine {
  /// How well a part of the state, such as `/accounts/a1/enrollment/status`, summarizes the event that changed it.
  public static func headlineRank(ofPath path: String) -> HeadlineRank {
    // Every event that a log lists asks for several paths, and nearly all of them end like no path of the table.
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    guard let rows = headlineTable[end] else { return .ordinary }
    let names = path.split(separator: "/")
    return rows.first { row in matches(row.path, names) }?.rank ?? .ordinary
  }

  private static func matches(_ pattern: [Substring], _ names: [Substring]) -> Bool {
    pattern.count == names.count && zip(pattern, names).allSatisfy { $0 == "*" || $0 == $1 }
  }

  /// The paths with a special rank; `*` matches any single name.
  static let headlinePaths: [(path: String, rank: HeadlineRank)] = [
    ("/accounts/*/enrollment/status", .status),
    ("/wipes/*/status", .status),
    ("/compliance/*/status", .status),
    ("/launch/accounts/*/outcome", .outcome),
    ("/launch/accounts/*/rule", .rule),
    ("/accounts/*/additionQuestion", .bookkeeping),
    ("/accounts/*/enrollment/lastAttemptedCheckIn", .bookkeeping),
    ("/accounts/*/enrollment/nextCheckIn", .bookkeeping),
    ("/accounts/*/enrollment/nextRetry", .bookkeeping),
    ("/accounts/*/enrollment/backoffStep", .bookkeeping),
    ("/accounts/*/enrollment/enrollmentRequest", .bookkeeping),
    ("/accounts/*/enrollment/checkInRequest", .bookkeeping),
    ("/accounts/*/enrollment/unenrollmentRequest", .bookkeeping),
    ("/accounts/*/enrollment/switchQuestion", .bookkeeping),
    ("/compliance/*/requestedBy", .bookkeeping),
    ("/compliance/untold/*/finishedBy", .bookkeeping),
    ("/identities/requests/*/requestedBy", .bookkeeping),
    ("/launch/accounts/*/checkedInAt", .bookkeeping),
    ("/launch/accounts/*/evaluatedBy", .bookkeeping),
    ("/launch/accounts/*/passedAt", .bookkeeping),
    ("/launch/accounts/*/trigger", .bookkeeping),
    ("/policies/*/receivedBy", .bookkeeping),
    ("/process/bootSession", .bookkeeping),
    ("/process/loginQuestion", .bookkeeping),
    ("/process/reducerRevision", .bookkeeping),
    ("/process/startedBy", .bookkeeping),
    ("/process/utcOffset", .bookkeeping),
    ("/wipes/*/nextRetry", .bookkeeping),
    ("/wipes/*/requestedBy", .bookkeeping),
    ("/accounts/*/enrollment/dueElapsed", .clock),
    ("/process/restart/dueElapsed", .clock),
    ("/wipes/*/dueElapsed", .clock),
    ("/launch/clock/elapsed", .clock),
    ("/launch/clock/uptime", .clock),
    ("/launch/clock/wall", .clock),
  ]

  /// Those paths by their last names, none of which is `*`.
  private static let headlineTable = Dictionary(
    grouping: headlinePaths.map { (path: $0.path.split(separator: "/"), rank: $0.rank) }, by: { $0.path.last ?? "" })
}

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
