import EventSourcing

extension AppProtectionMachine {
  /// The evaluation of launch conditions that ordered an event written before revision 4; `nil` for any other event.
  ///
  /// Since revision 4, an order's envelope names the evaluation as its cause. Before, an evaluation and the wipe or
  /// check-in it orders share a cause, and the state shows which of the two led to the other.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - sequence: its number.
  ///   - before: the state before the event.
  public static func evaluation(
    ordering event: AppProtectionEvent, at sequence: UInt64, before: AppProtectionState
  ) -> UInt64? {
    guard before.process.isRevision(before: 4) else { return nil }
    let record: LaunchRecord?
    switch event {
    case .wipeRequested(let wipe):
      record =
        wipe.reason == .conditionalLaunch || wipe.reason == .offlineInterval
        ? before.launch.accounts[wipe.account] : nil
    case .checkInRequested(let checkIn):
      // A silent attempt before the user is blocked; other retries come from the schedule.
      record = before.launch.accounts[checkIn.account].flatMap {
        checkIn.trigger == .retry && $0.rule == .offlineAccess && $0.evaluatedBy == sequence &- 1 ? $0 : nil
      }
    default: return nil
    }
    guard let evaluation = record?.evaluatedBy, evaluation > 0, evaluation < sequence else { return nil }
    return evaluation
  }
}

extension AppProtectionEvent {
  /// The account of an order: a wipe or a check-in.
  var orderedAccount: AccountNumber? {
    switch self {
    case .wipeRequested(let order): order.account
    case .checkInRequested(let order): order.account
    default: nil
    }
  }
}
