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

extension AppProtectionMachine {
  /// The event that caused an order decided together with it: the evaluation, refusal or failure that demands a wipe,
  /// or the evaluation or sign-in that needs a check-in.
  public static func cause(of index: Int, among events: [AppProtectionEvent]) -> Int? {
    guard let account = events[index].orderedAccount else { return nil }
    return events[..<index].lastIndex { $0.demandingAccount == account }
  }
}

extension AppProtectionEvent {
  /// The account for which the event may demand an order.
  fileprivate var demandingAccount: AccountNumber? {
    switch self {
    case .launchEvaluated(let event): event.account
    case .launchCanceled(let event): event.account
    case .launchSignedIn(let event): event.account
    case .checkInFailed(let event): event.account
    case .enrollmentFailed(let event): event.account
    case .accountSwitchAnswered(let event): event.existing
    case .unenrollmentRequested(let event): event.account
    default: nil
    }
  }
}
