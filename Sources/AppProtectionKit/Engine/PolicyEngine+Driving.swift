import AppProtection

extension PolicyEngine {
  /// Makes a callback, puts a question or makes a request, and hands the answer to the core.
  func carryOut(_ step: EngineStep) async throws(EngineError) {
    switch step {
    case .tell(let callback): await deliver(callback)
    case .tellRestartOverdue(let reason): await delegates.presentation?.restartOverdue(reason: reason)
    case .tellRemediation(let inquiry):
      let (account, outcome) = (inquiry.subject.account, inquiry.subject.outcome)
      await delegates.compliance?.complianceStatus(
        account: account, status: outcome.status, message: outcome.message, title: outcome.title)
      try core.answer(inquiry, with: ())
    case .enroll(let inquiry):
      let answer = await service.enroll(inquiry.subject)
      try core.answer(inquiry, with: try completed(answer, isFailure: answer.isFailure))
      try await takeDeliveries(inquiry.subject)
    case .checkIn(let inquiry):
      let answer = await service.checkIn(inquiry.subject)
      try core.answer(inquiry, with: try completed(answer, isFailure: answer.isFailure))
      try await takeDeliveries(inquiry.subject)
    case .unenroll(let inquiry):
      let failure = await service.unenroll(inquiry.subject)
      try core.answer(inquiry, with: try completed(failure, isFailure: failure != nil))
    case .remediate(let inquiry, let isSilent):
      let outcome = await service.remediate(inquiry.subject, isSilent: isSilent)
      try core.answer(inquiry, with: try completed(outcome, isFailure: outcome.status != .compliant))
    case .wipeData(let inquiry):
      try core.answer(inquiry, with: await delegates.policy?.wipeData(account: inquiry.subject) ?? false)
    case .removeFiles(let inquiry):
      try core.answer(inquiry, with: await files.removeFiles(of: inquiry.subject))
    case .restart(let inquiry): try core.answer(inquiry, with: await restart(inquiry.subject))
    case .chooseAccount(let inquiry):
      let (account, existing) = (inquiry.subject.account, inquiry.subject.existing)
      try core.answer(inquiry, with: await delegates.presentation?.chooseAccount(account, existing: existing))
    case .askLogin(let inquiry): try core.answer(inquiry, with: await delegates.presentation?.askLogin())
    case .switchIdentity(let inquiry):
      let (scope, identity, reason) = (inquiry.subject.scope, inquiry.subject.identity, inquiry.subject.reason)
      let reply = await delegates.policy?.identitySwitchReply(scope: scope, identity: identity, reason: reason)
      try core.answer(inquiry, with: reply ?? .result(.failed))
    case .addAccount(let inquiry):
      try core.answer(inquiry, with: await delegates.policy?.addAccount(account: inquiry.subject) ?? .failed)
    }
  }

  /// Makes a callback that expects no answer.
  func deliver(_ callback: Callback) async {
    switch callback {
    case .enrollmentRequest(let account, let code):
      await delegates.enrollment?.enrollmentRequest(withState { EnrollmentResult(account, code, in: $0) })
    case .policyRequest(let account, let code):
      await delegates.enrollment?.policyRequest(withState { EnrollmentResult(account, code, in: $0) })
    case .unenrollRequest(let account, let code):
      if code.isSuccess, let left = account.flatMap({ state.accounts[$0]?.reference }) { tokens?.forget(left) }
      await delegates.enrollment?.unenrollRequest(withState { EnrollmentResult(account, code, in: $0) })
    case .policyDidChange(let account): await delegates.policy?.policyDidChange(account: account)
    case .dataProtectionDidChange(let account): await delegates.policy?.dataProtectionDidChange(account: account)
    case .wipeDidComplete(let account): await delegates.policy?.wipeDidComplete(account: account)
    case .allowedAccountsDidChange: await delegates.policy?.allowedAccountsDidChange()
    case .userStatusDidChange(let account): await delegates.policy?.userStatusDidChange(account: account)
    case .conditionalLaunch(let account, let outcome, let rule):
      await delegates.presentation?.conditionalLaunch(account: account, outcome: outcome, rule: rule)
    case .configurationDidChange(let account): await delegates.policy?.configurationDidChange(account: account)
    case .accountConflict(let account, let existing):
      await delegates.presentation?.accountConflict(account, existing: existing)
    // Their answers matter: these are steps of their own.
    case .wipeData, .restartApplication, .identitySwitchRequired, .addAccount, .complianceStatus: break
    }
  }

  private func restart(_ reason: RestartReason) async -> RestartReply {
    if await delegates.policy?.restartApplication() == true { return .appRestartsItself }
    return .user(await delegates.presentation?.restartNeeded(reason: reason) ?? .acknowledged)
  }

  /// The answer of the service, unless the run was canceled meanwhile: a failure may then be the cancelation's doing, and
  /// is not recorded.
  private func completed<Answer>(_ answer: Answer, isFailure: Bool) throws(EngineError) -> Answer {
    if isFailure, Task.isCancelled { throw interruption() }
    return answer
  }

  func interruption() -> EngineError {
    core.stopRun()
    return .canceled
  }
}

extension ServiceAnswer {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
