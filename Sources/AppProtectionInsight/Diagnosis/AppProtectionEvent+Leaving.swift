import AppProtection
import EventSourcing

extension AppProtectionEvent {
  /// The events with which an account begins to leave.
  static let leaving: [any EventPayload.Type] = [
    AccountDeregistered.self, UnenrollmentRequested.self, WipeRequested.self,
  ]

  /// The account that begins to leave with this event: from here on, no answer of the service about it matters.
  var leavingAccount: AccountNumber? {
    switch self {
    case .unenrollmentRequested(let event): event.account
    case .accountDeregistered(let event): event.account
    case .wipeRequested(let event): event.account
    default: nil
    }
  }
}
