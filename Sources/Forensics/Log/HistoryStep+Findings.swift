import AppProtection
import EventSourcing

extension HistoryStep where Machine == AppProtectionMachine {
  /// What the event says about mistakes of the app; `nil` when a state around it is unknown. Computed anew at each call.
  public var findings: [TraceFinding]? {
    guard let before, let after else { return nil }
    return record.event.map { AppProtectionMachine.findings(for: $0, before: before, after: after) } ?? []
  }
}
