extension AppProtectionMachine {
  /// The event that caused an order decided together with it: the evaluation, refusal or failure that demands a wipe,
  /// or the evaluation or sign-in that needs a check-in.
  public static func cause(of index: Int, among events: [AppProtectionEvent]) -> Int? {
    switch events[index] {
    case .wipeRequested(let order): lastDemand(of: order.account, before: index, among: events)
    case .checkInRequested(let order): lastDemand(of: order.account, before: index, among: events)
    default: nil
    }
  }

  private static func lastDemand(
    of account: AccountNumber, before index: Int, among events: [AppProtectionEvent]
  ) -> Int? {
    events[..<index].lastIndex { event in
      switch event {
      case .launchEvaluated(let event): event.account == account
      case .launchCanceled(let event): event.account == account
      case .launchSignedIn(let event): event.account == account
      case .checkInFailed(let event): event.account == account
      case .enrollmentFailed(let event): event.account == account
      case .accountSwitchAnswered(let event): event.existing == account
      case .unenrollmentRequested(let event): event.account == account
      default: false
      }
    }
  }
}
