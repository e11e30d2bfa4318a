import EventSourcing

extension HistoryStep where Machine: HistoryDomain {
  /// What the event says about mistakes of the app; `nil` when a state around it is unknown. Computed anew at each call.
  public var findings: [Machine.Finding]? {
    guard let before, let after else { return nil }
    return record.event.map { Machine.findings(for: $0, before: before, after: after) } ?? []
  }
}
