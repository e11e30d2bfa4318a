import AppProtectionKit

/// What the engine tells the app and asks it. The user's own questions go to the terminal presentation.
@MainActor
final class NotesDelegate: EnrollmentDelegate, PolicyDelegate, ComplianceDelegate {
  private let store: EventStore<AppProtectionMachine>
  private let phone: Phone
  private let terminal: Terminal
  /// The requests to the service that did not succeed, since a command last took them.
  private var failures: [Failure] = []

  private struct Failure {
    let account: AccountNumber?
    let isByUser: Bool
  }

  init(_ store: EventStore<AppProtectionMachine>, _ phone: Phone, _ terminal: Terminal) {
    self.store = store
    self.phone = phone
    self.terminal = terminal
  }

  func enrollmentRequest(_ result: EnrollmentResult) {
    say(result.account, "enrollment: \(words(of: result))")
    if result.account != nil, result.statusCode.requiresRemoval {
      say(result.account, "this account may not be used here: sign out")
    }
  }

  func policyRequest(_ result: EnrollmentResult) { say(result.account, "check-in: \(words(of: result))") }

  func unenrollRequest(_ result: EnrollmentResult) { say(result.account, "sign-out: \(words(of: result))") }

  /// A user who was renamed goes by the new name: the app keeps none of its own.
  func shouldRename(account: AccountNumber, to name: String) -> Bool {
    say(account, "is now \(name)")
    return true
  }

  func policyDidChange(account: AccountNumber) { say(account, "the policy has changed") }

  func configurationDidChange(account: AccountNumber?) { say(account, "the configuration has changed") }

  /// Removes what the app keeps of an account outside of its notes. Those say whose they are: the engine removes them after this,
  /// and destroys their key.
  nonisolated func wipeData(account: AccountNumber) async -> Bool {
    do throws(PhoneError) { try phone.forgetShown(account) } catch { terminal.write("\(error)") }
    return false
  }

  func wipeDidComplete(account: AccountNumber) { say(account, "the organization's data is gone from this phone") }

  func complianceStatus(account: AccountNumber, status: ComplianceStatus, message: String, title: String) {
    say(account, "remediation: \(status.name)\(message.isEmpty ? "" : " (\(message))")")
    if status != .compliant { failures.append(Failure(account: account, isByUser: status == .userCancelled)) }
  }

  /// The engine sets the identity once this agrees. The app has no unsaved note that would stand in the way.
  func identitySwitchRequired(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) -> SwitchIdentityResult { .success }

  /// Forgets what failed, and returns how a command about this account ends; `nil` if nothing failed that concerns it.
  ///
  /// - Parameter account: `nil` for whichever account it was about.
  func takeFailure(of account: AccountNumber?) -> ExitStatus? {
    defer { failures = [] }
    let failure = failures.first { account == nil || $0.account == nil || $0.account == account }
    return failure.map { $0.isByUser ? .refused : .failed }
  }

  /// The code's name and, if the request failed, what that means and what the service said.
  private func words(of result: EnrollmentResult) -> String {
    if result.didSucceed { return "\(result.statusCode)" }
    failures.append(Failure(account: result.account, isByUser: result.statusCode.classification == .user))
    return result.errorString
  }

  private func say(_ account: AccountNumber?, _ text: String) {
    terminal.write("\(account.map { store.state.name(of: $0) } ?? "the phone"): \(text)")
  }
}
