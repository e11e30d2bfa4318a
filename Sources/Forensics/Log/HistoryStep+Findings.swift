import EventSourcing

extension HistoryStep where Machine: HistoryDomain {
  /// Likely mistakes in the app that the event reveals; `nil` if a state around it is unknown. Recomputed on each call.
  public var findings: [Machine.Finding]? {
    guard let before, let after else { return nil }
    return record.event.map { Machine.findings(for: $0, before: before, after: after) } ?? []
  }
}
