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
