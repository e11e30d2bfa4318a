import EventSourcing

extension AppProtectionMachine {
  /// The evaluation of launch conditions that ordered an event of a revision before 4; `nil` for any other event.
  ///
  /// Since revision 4 the envelope of an order names the evaluation as its cause. Before, an evaluation and the wipe or the
  /// check-in that it orders have a cause in common, and which of the two led to the other follows from the state.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - sequence: its number.
  ///   - before: the state into which it was folded.
  public static func evaluation(
    ordering event: AppProtectionEvent, at sequence: UInt64, before: AppProtectionState
  ) -> UInt64? {
    guard before.process.reducerRevision < 4 else { return nil }
    let record: LaunchRecord?
    switch event {
    case .wipeRequested(let wipe) where wipe.reason == .conditionalLaunch || wipe.reason == .offlineInterval:
      record = before.launch.accounts[wipe.account]
    case .checkInRequested(let checkIn) where checkIn.trigger == .retry:
      // Tried in silence before the user is stopped; other retries come from the schedule.
      record = before.launch.accounts[checkIn.account].flatMap {
        $0.rule == .offlineAccess && $0.evaluatedBy == sequence &- 1 ? $0 : nil
      }
    default: return nil
    }
    guard let evaluation = record?.evaluatedBy, evaluation > 0, evaluation < sequence else { return nil }
    return evaluation
  }
}
