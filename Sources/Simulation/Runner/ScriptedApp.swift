import AppProtection
import AppProtectionKit
import Synchronization

/// The app and its user as the scenario plays them, answering as scripted.
///
/// ``RunObserver`` records what reaches the app, because it sees questions and notifications in one order.
final class ScriptedApp: EnrollmentDelegate, PolicyDelegate, ComplianceDelegate, PresentationDelegate {
  private let answers = Mutex(DelegateAnswers())
  /// The service, with the files on the device.
  let service: ScriptedService

  init(_ service: ScriptedService) {
    self.service = service
  }

  /// Replaces the answers that the script names.
  func answer(_ changed: DelegateAnswers) {
    answers.withLock { answers in
      answers.wipeData = changed.wipeData ?? answers.wipeData
      answers.restartApplication = changed.restartApplication ?? answers.restartApplication
      answers.accountChoice = changed.accountChoice ?? answers.accountChoice
      answers.identitySwitch = changed.identitySwitch ?? answers.identitySwitch
      answers.login = changed.login ?? answers.login
      answers.addAccount = changed.addAccount ?? answers.addAccount
    }
  }

  func wipeData(account: AccountNumber) -> Bool {
    let removesEverything = answers.withLock { $0.wipeData ?? false }
    if removesEverything { service.forgetFiles(of: account) }
    return removesEverything
  }

  func restartApplication() -> Bool {
    answers.withLock { $0.restartApplication == .appRestartsItself }
  }

  func restartNeeded(reason: RestartReason) -> RestartChoice {
    if case .postponed(let minutes) = answers.withLock({ $0.restartApplication }) {
      .postponed(minutes: minutes)
    } else {
      .acknowledged
    }
  }

  func identitySwitchReply(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) -> SwitchReply {
    answers.withLock { $0.identitySwitch ?? .result(.success) }
  }

  func addAccount(account: AccountNumber) -> AddIdentityResult {
    answers.withLock { $0.addAccount ?? .success }
  }

  func chooseAccount(_ account: AccountNumber, existing: AccountNumber) -> AccountChoice? {
    answers.withLock { $0.accountChoice }
  }

  func askLogin() -> LoginReply? {
    answers.withLock { $0.login }
  }

  func complianceStatus(account: AccountNumber, status: ComplianceStatus, message: String, title: String) {}
}
