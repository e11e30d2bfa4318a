import AppProtection
import EventSourcing

extension PolicyEngine {
  /// Carries out one piece of pending work and sends its outcome.
  func perform(_ work: PendingWork) throws(EngineError) {
    switch work.kind {
    case .startDueWork:
      try send(.startDueWork)
    case .enroll:
      guard let (account, request) = request(for: work) else { return }
      try send(.answerEnrollment(account, service.enroll(request), intent: work.cause), cause: work.cause)
    case .checkIn:
      guard let (account, request) = request(for: work) else { return }
      try send(.answerCheckIn(account, service.checkIn(request), intent: work.cause), cause: work.cause)
    case .unenroll:
      guard let (account, request) = request(for: work) else { return }
      try send(
        .answerUnenrollment(account, failure: service.unenroll(request), intent: work.cause), cause: work.cause)
    case .remediate(let isSilent):
      guard let (account, request) = request(for: work) else { return }
      let outcome = service.remediate(request, isSilent: isSilent)
      try send(
        .answerRemediation(
          account, outcome.status, message: outcome.message, title: outcome.title, intent: work.cause),
        cause: work.cause)
    case .tellRemediation:
      try tellRemediation(work)
    case .askDelegateToWipe, .removeFiles:
      try wipe(work)
    case .askRestart(let reason):
      try askRestart(reason, work)
    case .restart(let reason):
      leaveOpen(work)
      observer?.willDeliver("\(EngineQuestion.restartOverdue.rawValue) \(reason.name)")
      delegates.presentation?.restartOverdue(reason: reason)
    case .askAccountSwitch(let existing):
      try askAccountSwitch(existing, work)
    case .askLogin:
      try askLogin(work)
    case .askIdentitySwitch(let scope, let identity, let reason):
      observer?.willDeliver("\(Callback.identitySwitchRequired(scope, identity, reason))")
      let reply = delegates.policy?.identitySwitchReply(scope: scope, identity: identity, reason: reason)
      try send(
        .answerIdentitySwitch(
          scope, reply?.result ?? .failed, isAddIdentityResult: reply?.isAddIdentityResult ?? false),
        cause: work.cause)
    case .askToAddAccount:
      guard let account = work.account else { return }
      observer?.willDeliver("\(Callback.addAccount(account))")
      let result = delegates.policy?.addAccount(account: account) ?? .failed
      try send(.answerAddition(AccountReference(account), result, intent: work.cause), cause: work.cause)
    }
  }

  private func request(for work: PendingWork) -> (AccountReference, ServiceRequest)? {
    guard let number = work.account else { return nil }
    let account = state.accounts[number]
    let request = ServiceRequest(
      account: number, objectID: account?.objectID, userPrincipalName: account?.userPrincipalName, intent: work.cause)
    return (AccountReference(number), request)
  }

  private func tellRemediation(_ work: PendingWork) throws(EngineError) {
    guard let outcome = state.compliance.untold.first(where: { $0.finishedBy == work.cause }) else { return }
    observer?.willDeliver("\(Callback.complianceStatus(outcome.account, outcome.status))")
    delegates.compliance?.complianceStatus(
      account: outcome.account, status: outcome.status, message: outcome.message, title: outcome.title)
    try send(.confirmRemediation(AccountReference(outcome.account), intent: work.cause), cause: work.cause)
  }

  private func wipe(_ work: PendingWork) throws(EngineError) {
    guard let account = work.account else { return }
    let reference = AccountReference(account)
    if case .removeFiles = work.kind {
      let removal = files.removeFiles(of: account)
      if let failure = removal.failure {
        try send(
          .reportFilesLeft(reference, count: removal.count, error: failure, intent: work.cause), cause: work.cause)
      } else {
        try send(.reportFilesRemoved(reference, count: removal.count, intent: work.cause), cause: work.cause)
      }
    } else {
      observer?.willDeliver("\(Callback.wipeData(account))")
      let removedEverything = delegates.policy?.wipeData(account: account) ?? false
      try send(
        .answerWipe(reference, removedEverything: removedEverything, intent: work.cause), cause: work.cause)
    }
  }

  private func askRestart(_ reason: RestartReason, _ work: PendingWork) throws(EngineError) {
    observer?.willDeliver("\(Callback.restartApplication)")
    if delegates.policy?.restartApplication() == true {
      try send(.answerRestart(.appRestartsItself), cause: work.cause)
      return
    }
    switch delegates.presentation?.restartNeeded(reason: reason) ?? .acknowledged {
    case .acknowledged: try send(.answerRestart(.dialogShown), cause: work.cause)
    case .postponed(let minutes):
      try send(.answerRestart(.postponed, postponedMinutes: minutes), cause: work.cause)
    }
  }

  private func askAccountSwitch(_ existing: AccountNumber, _ work: PendingWork) throws(EngineError) {
    guard let account = work.account else { return }
    observer?.willDeliver("\(EngineQuestion.chooseAccount.rawValue) \(account) \(existing)")
    guard let choice = delegates.presentation?.chooseAccount(account, existing: existing) else {
      leaveOpen(work)
      return
    }
    try send(.answerAccountSwitch(AccountReference(account), choice, intent: work.cause), cause: work.cause)
  }

  private func askLogin(_ work: PendingWork) throws(EngineError) {
    observer?.willDeliver(EngineQuestion.askLogin.rawValue)
    switch delegates.presentation?.askLogin() {
    case nil: leaveOpen(work)
    case .canceled: try send(.answerLogin(nil), cause: work.cause)
    case .account(let account): try send(.answerLogin(account), cause: work.cause)
    }
  }
}
