import AppProtection
import EventSourcing

extension EngineCore {
  /// The step that carries out one piece of pending work; `nil` if it is done without the app.
  func step(for work: PendingWork) throws(EngineError) -> EngineStep? {
    switch work.kind {
    case .startDueWork:
      try send(.startDueWork)
      return nil
    case .enroll:
      return inquiry(work).map { account, request in
        .enroll(.init(subject: request, work: work) { .answerEnrollment(account, $0, intent: work.cause) })
      }
    case .checkIn:
      return inquiry(work).map { account, request in
        .checkIn(.init(subject: request, work: work) { .answerCheckIn(account, $0, intent: work.cause) })
      }
    case .unenroll:
      return inquiry(work).map { account, request in
        .unenroll(.init(subject: request, work: work) { .answerUnenrollment(account, failure: $0, intent: work.cause) })
      }
    case .remediate(let isSilent):
      return inquiry(work).map { account, request in
        .remediate(
          .init(subject: request, work: work) {
            .answerRemediation(account, $0.status, message: $0.message, title: $0.title, intent: work.cause)
          }, isSilent: isSilent)
      }
    case .tellRemediation: return remediationNotice(work)
    case .askDelegateToWipe, .removeFiles: return work.account.map { wipe($0, work) }
    case .askRestart(let reason): return restartQuestion(reason, work)
    case .restart(let reason):
      willDeliver("\(EngineQuestion.restartOverdue.rawValue) \(reason.name)")
      // Nothing records it: once a process is enough.
      return .tellRestartOverdue(.init(subject: reason, work: work) { nil })
    case .askAccountSwitch(let existing): return work.account.map { accountChoice($0, existing, work) }
    case .askLogin: return loginQuestion(work)
    case .askIdentitySwitch(let scope, let identity, let reason):
      willDeliver("\(Callback.identitySwitchRequired(scope, identity, reason))")
      return .switchIdentity(
        .init(subject: IdentitySwitchInquiry(scope: scope, identity: identity, reason: reason), work: work) {
          .answerIdentitySwitch(
            scope, $0.result, isAddIdentityResult: $0.isAddIdentityResult, intent: work.cause)
        })
    case .askToAddAccount:
      guard let account = work.account else { return nil }
      willDeliver("\(Callback.addAccount(account))")
      return .addAccount(
        .init(subject: account, work: work) { .answerAddition(AccountReference(account), $0, intent: work.cause) })
    }
  }

  private func inquiry(_ work: PendingWork) -> (AccountReference, ServiceRequest)? {
    guard let number = work.account else { return nil }
    return (AccountReference(number), ServiceRequest(number, intent: work.cause, in: state))
  }

  private func restartQuestion(_ reason: RestartReason, _ work: PendingWork) -> EngineStep {
    willDeliver("\(Callback.restartApplication)")
    return .restart(
      .init(subject: reason, work: work) { reply in
        switch reply {
        case .appRestartsItself: .answerRestart(.appRestartsItself, intent: work.cause)
        case .user(.acknowledged): .answerRestart(.dialogShown, intent: work.cause)
        case .user(.postponed(let minutes)):
          .answerRestart(.postponed, postponedMinutes: minutes, intent: work.cause)
        }
      })
  }

  private func accountChoice(_ account: AccountNumber, _ existing: AccountNumber, _ work: PendingWork) -> EngineStep {
    willDeliver("\(EngineQuestion.chooseAccount.rawValue) \(account) \(existing)")
    return .chooseAccount(
      .init(subject: AccountRivalry(account: account, existing: existing), work: work) { choice in
        choice.map { .answerAccountSwitch(AccountReference(account), $0, intent: work.cause) }
      })
  }

  private func loginQuestion(_ work: PendingWork) -> EngineStep {
    willDeliver(EngineQuestion.askLogin.rawValue)
    return .askLogin(
      .init(subject: (), work: work) { reply in
        switch reply {
        case nil: nil
        case .canceled: .answerLogin(nil, intent: work.cause)
        case .account(let account): .answerLogin(account, intent: work.cause)
        }
      })
  }

  private func remediationNotice(_ work: PendingWork) -> EngineStep? {
    guard let outcome = state.compliance.untold.first(where: { $0.finishedBy == work.cause }) else { return nil }
    willDeliver("\(Callback.complianceStatus(outcome.account, outcome.status))")
    let notice = RemediationNotice(
      account: outcome.account,
      outcome: RemediationOutcome(outcome.status, message: outcome.message, title: outcome.title))
    return .tellRemediation(
      .init(subject: notice, work: work) { .confirmRemediation(AccountReference(notice.account), intent: work.cause) })
  }

  private func wipe(_ account: AccountNumber, _ work: PendingWork) -> EngineStep {
    let reference = AccountReference(account)
    if case .removeFiles = work.kind {
      let recorded = state.wipes[account]?.filesRemoved ?? 0
      return .removeFiles(
        .init(subject: account, work: work) { removal in
          let count = removal.count(unknownTo: recorded)
          return if let failure = removal.failure {
            .reportFilesLeft(reference, count: count, error: failure, intent: work.cause)
          } else {
            .reportFilesRemoved(reference, count: count, intent: work.cause)
          }
        })
    }
    willDeliver("\(Callback.wipeData(account))")
    return .wipeData(
      .init(subject: account, work: work) { .answerWipe(reference, removedEverything: $0, intent: work.cause) })
  }
}
