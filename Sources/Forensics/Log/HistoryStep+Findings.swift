import AppProtection
import EventSourcing

extension HistoryStep where Machine == AppProtectionMachine {
  /// Likely mistakes in the app that the event reveals; `nil` if a state around it is unknown. Recomputed on each call.
  public var findings: [TraceFinding]? {
    guard let before, let after else { return nil }
    return record.event.map { AppProtectionMachine.findings(for: $0, before: before, after: after) } ?? []
  }
}
