import AppProtection

extension AppProtectionEvent {
  /// The account that begins to leave with this event: from here on, no answer of the service about it matters.
  var leavingAccount: AccountNumber? {
    switch self {
    case .unenrollmentRequested(let event): event.account
    case .accountDeregistered(let event): event.account
    case .wipeRequested(let event): event.account
    default: unread(by: .leaving, nil)
    }
  }
}
