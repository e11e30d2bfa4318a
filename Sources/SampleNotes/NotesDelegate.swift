import AppProtectionKit

/// What the engine tells the app and asks it. The user's own questions go to the terminal presentation.
///
/// A wipe is not answered here: by default, the engine removes the account's files and destroys their key.
@MainActor
final class NotesDelegate: EnrollmentDelegate, PolicyDelegate, ComplianceDelegate {
  private let store: EventStore<AppProtectionMachine>
  private let terminal: Terminal

  init(_ store: EventStore<AppProtectionMachine>, _ terminal: Terminal) {
    self.store = store
    self.terminal = terminal
  }

  func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) {
    say(account, "enrollment: \(code)")
    if let account, code.requiresRemoval { say(account, "this account may not be used here: sign out") }
  }

  func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) { say(account, "check-in: \(code)") }

  func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) { say(account, "sign-out: \(code)") }

  func policyDidChange(account: AccountNumber) { say(account, "the policy has changed") }

  func configurationDidChange(account: AccountNumber?) { say(account, "the configuration has changed") }

  func wipeDidComplete(account: AccountNumber) { say(account, "the organization's data is gone from this phone") }

  func complianceStatus(account: AccountNumber, status: ComplianceStatus, message: String, title: String) {
    say(account, "remediation: \(status.name)\(message.isEmpty ? "" : " (\(message))")")
  }

  /// The engine sets the identity once this agrees. The app has no unsaved note that would stand in the way.
  func identitySwitchRequired(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) -> SwitchIdentityResult { .success }

  private func say(_ account: AccountNumber?, _ text: String) {
    terminal.write("\(account.map { store.state.name(of: $0) } ?? "the phone"): \(text)")
  }
}
