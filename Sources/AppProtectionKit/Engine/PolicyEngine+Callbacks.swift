import AppProtection
import EventSourcing

extension PolicyEngine {
  /// The callbacks for the events of one command. Questions, and notifications that must survive a crash, are excluded:
  /// they are pending work.
  static func callbacks(for result: Result) -> [Callback] {
    var callbacks: [Callback] = []
    result.forEachStep { event, before, after in
      callbacks += AppProtectionMachine.callbacks(for: event, before: before, after: after).filter { !$0.isWork }
    }
    return callbacks
  }

  /// The callback for a refused command, if the app has a delegate method for it. Its account is the one that the app
  /// named, if `state` knows it (T3, T4).
  static func callback(
    for rejection: AppProtectionRejection, of command: AppProtectionCommand, in state: AppProtectionState
  ) -> Callback? {
    guard let code = rejection.statusCode else { return nil }
    func known(_ reference: AccountReference?) -> AccountNumber? {
      reference.flatMap { state.account(for: $0)?.account }
    }
    return switch command.answeredRequest {
    case .enrollment(let account)?: .enrollmentRequest(known(account), code)
    case .unenrollment(let account)?: .unenrollRequest(known(account), code)
    case nil: nil
    }
  }

  /// Makes the waiting callbacks in order, including those added meanwhile.
  func deliver() throws(EngineError) {
    while true {
      let callback = outbox.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      guard let callback else { return }
      observer?.willDeliver("\(callback)")
      deliver(callback)
    }
  }

  private func deliver(_ callback: Callback) {
    switch callback {
    case .enrollmentRequest(let account, let code):
      delegates.enrollment?.enrollmentRequest(account: account, code: code)
    case .policyRequest(let account, let code): delegates.enrollment?.policyRequest(account: account, code: code)
    case .unenrollRequest(let account, let code): delegates.enrollment?.unenrollRequest(account: account, code: code)
    case .policyDidChange(let account): delegates.policy?.policyDidChange(account: account)
    case .dataProtectionDidChange(let account): delegates.policy?.dataProtectionDidChange(account: account)
    case .wipeDidComplete(let account): delegates.policy?.wipeDidComplete(account: account)
    case .allowedAccountsDidChange: delegates.policy?.allowedAccountsDidChange()
    case .userStatusDidChange(let account): delegates.policy?.userStatusDidChange(account: account)
    case .conditionalLaunch(let account, let outcome, let rule):
      delegates.presentation?.conditionalLaunch(account: account, outcome: outcome, rule: rule)
    case .configurationDidChange(let account): delegates.policy?.configurationDidChange(account: account)
    case .accountConflict(let account, let existing):
      delegates.presentation?.accountConflict(account, existing: existing)
    case .wipeData, .restartApplication, .identitySwitchRequired, .addAccount, .complianceStatus: break
    }
  }
}

extension Callback {
  /// Whether the app's answer matters, or the app has no other way to learn of it. Such a callback is made when the
  /// state calls for it, and again after a crash.
  fileprivate var isWork: Bool {
    switch self {
    case .wipeData, .restartApplication, .identitySwitchRequired, .addAccount, .complianceStatus: true
    case .enrollmentRequest, .policyRequest, .unenrollRequest, .policyDidChange, .dataProtectionDidChange,
      .wipeDidComplete, .allowedAccountsDidChange, .configurationDidChange, .accountConflict, .conditionalLaunch,
      .userStatusDidChange:
      false
    }
  }
}
