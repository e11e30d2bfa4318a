import AppProtection
import EventSourcing

extension EngineCore {
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
