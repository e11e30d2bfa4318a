/// The rules of the offline intervals, by their stable names.
enum OfflineRule: String {
  case unmanaged = "offline.managed"
  case wipe = "offline.wipe"
  case access = "offline.access"
  case recent = "offline.recent"

  /// The rule as a reason for its outcome.
  var reason: String {
    switch self {
    case .unmanaged: "no policy is enforced for the account"
    case .wipe: "the interval before an offline wipe is over"
    case .access: "the interval of offline access is over"
    case .recent: "the account checked in recently enough"
    }
  }

  /// The outcome with its reason.
  var decision: Decision<OfflineOutcome> {
    let outcome: OfflineOutcome =
      switch self {
      case .unmanaged, .recent: .open
      case .wipe: .wipeDue
      case .access: .blocked
      }
    return Decision(outcome: outcome, ground: .offline(self))
  }
}
