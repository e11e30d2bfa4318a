import EventSourcing

extension HistoryStep where Machine: HistoryDomain {
  /// Likely mistakes in the app that the event reveals; `nil` if a state around it is unknown. Recomputed on each call.
  @inlinable public var findings: [Machine.Finding]? {
    withStates { before, after in
      guard let event = record.event else { return [] }
      return Machine.findings(for: event, before: before, after: after)
    }
  }
}
