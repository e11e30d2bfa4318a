/// How much a part of the state says about the event that changed it: the one table by which a log chooses the change that
/// stands in an event's line.
///
/// A status comes first, then what an evaluation came to, then the rule that settled it. Bookkeeping (clocks, the numbers
/// of events, when something is tried again) never stands before anything else.
public enum HeadlineRank: Int, Comparable, Sendable {
  /// How far something is: the answer to most questions.
  case status
  /// What an evaluation came to.
  case outcome
  /// The rule that settled an evaluation.
  case rule
  /// Everything that is not in the table.
  case ordinary
  /// What the rules need to go on, and people mostly do not.
  case bookkeeping
  /// What changes with almost every event.
  case clock

  /// Whether people ask for it by itself, wherever it stands.
  public var isAnswer: Bool { self < .ordinary }

  /// Orders from what says most to what says least.
  public static func < (one: HeadlineRank, other: HeadlineRank) -> Bool { one.rawValue < other.rawValue }

  /// The rank of a path in the state, such as `/accounts/a1/enrollment/status`.
  public init(ofPath path: String) {
    let names = path.split(separator: "/")
    self = Self.table.first { row in Self.matches(row.path, names) }?.rank ?? .ordinary
  }

  private static func matches(_ pattern: [Substring], _ names: [Substring]) -> Bool {
    pattern.count == names.count && zip(pattern, names).allSatisfy { $0 == "*" || $0 == $1 }
  }

  /// The paths that are not ordinary, where `*` stands for any one name.
  static let paths: [(path: String, rank: HeadlineRank)] = [
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
    ("/wipes/*/nextRetry", .bookkeeping),
    ("/wipes/*/requestedBy", .bookkeeping),
    ("/accounts/*/enrollment/dueElapsed", .clock),
    ("/process/restart/dueElapsed", .clock),
    ("/wipes/*/dueElapsed", .clock),
    ("/launch/clock/elapsed", .clock),
    ("/launch/clock/uptime", .clock),
    ("/launch/clock/wall", .clock),
  ]

  private static let table = paths.map { (path: $0.path.split(separator: "/"), rank: $0.rank) }
}
