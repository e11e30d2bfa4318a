import EventSourcing

extension AppProtectionState {
  /// The notices that the app must still receive, then announced work that is not finished, in the order of the
  /// announcing events, then one item for each account with work due at `moment`.
  ///
  /// When an engine starts, even after a crash, it works through this list and needs to remember nothing else.
  public func pendingWork(at moment: Moment) -> [PendingWork] {
    var work: [PendingWork] = []
    for account in accounts.records(among: { $0.isAsking }) { work += pendingEnrollment(of: account) }
    for wipe in wipes.records(among: { $0 }) {
      switch wipe.phase {
      case .requested: work.append(.init(.askDelegateToWipe(wipe.reason), wipe.account, cause: wipe.requestedBy))
      case .removingFiles where wipe.dueTime.map { isReached($0, at: moment) } ?? true:
        work.append(.init(.removeFiles, wipe.account, cause: wipe.requestedBy))
      case .removingFiles, .unenrolling, .completed: break
      }
    }
    if let active = compliance.active, let record = compliance.accounts[active], isReadyToRemediate(active) {
      work.append(.init(.remediate(isSilent: record.isSilent), active, cause: record.requestedBy))
    }
    if let restart = process.restart {
      if restart.answer == .none {
        work.append(.init(.askRestart(restart.reason), restart.account, cause: restart.requestedBy))
      } else if let due = restart.dueTime, isReached(due, at: moment) {
        work.append(.init(.restart(restart.reason), restart.account, cause: restart.requestedBy))
      }
    }
    if process.loginQuestion != 0 { work.append(.init(.askLogin, nil, cause: process.loginQuestion)) }
    for request in identities.requests {
      work.append(
        .init(
          .askIdentitySwitch(request.scope, request.identity, request.reason), request.identity.account,
          cause: request.requestedBy))
    }
    // A stable order: by announcing event, then in the order in which the kinds are listed here.
    work = work.enumerated().sorted { ($0.element.cause, $0.offset) < ($1.element.cause, $1.offset) }.map(\.element)
    // An extension is not the app that made the request.
    if !process.isExtension {
      work = compliance.untold.map { .init(.tellRemediation($0.status), $0.account, cause: $0.finishedBy) } + work
    }
    var last: AccountNumber?
    while let account = firstDue(after: last, in: accounts, at: moment)?.account {
      assert(last.map { $0 < account } ?? true, "accounts with due work are not in order")
      work.append(.init(.startDueWork, account, cause: 0))
      last = account
    }
    return work
  }

  /// The earliest time after `moment`, in nanoseconds since 1970, at which ``pendingWork(at:)`` grows without a further
  /// event: the time a scheduler sets its alarm to. `nil` when nothing is scheduled.
  ///
  /// Work already due at `moment`, such as a restart the user has not made, does not hide later work.
  public func nextDue(after moment: Moment) -> Int64? {
    nextDue(after: moment, at: moment)
  }

  /// The same by the clocks of `moment`, for a caller that last looked at an earlier moment: it includes, with a time
  /// in the past, work that fell due in between.
  public func nextDue(after looked: Moment, at moment: Moment) -> Int64? {
    var least: Int64?
    func consider(_ due: DueTime?) {
      guard let due, !isReached(due, at: looked) || !isReached(due, at: moment) else { return }
      let remaining = launch.clock.remaining(until: due, at: moment)
      least = min(least ?? remaining, remaining)
    }
    consider(process.restart?.dueTime)
    for wipe in wipes.records(among: { $0 }) { consider(wipe.dueTime) }
    // Of the accounts, only those are looked at that may be due earlier than the ones before them.
    var last: AccountNumber?
    while let account = accounts.records.first(
      after: last?.key,
      among: { outline in
        guard let due = outline.due else { return false }
        return least.map { launch.clock.leastRemaining(until: due, at: moment) < $0 } ?? true
      })
    {
      assert(last.map { $0 < account.account } ?? true, "accounts with due times are not in order")
      consider(dueTime(of: account))
      last = account.account
    }
    return least.map(moment.wallNanoseconds.advancedClamping)
  }

  /// The requests and questions about an account; ``Account/isAsking`` says whether there are any.
  private func pendingEnrollment(of account: Account) -> [PendingWork] {
    let enrollment = account.enrollment
    var work: [PendingWork] = []
    if enrollment.enrollmentRequest != 0 {
      work.append(.init(.enroll(enrollment.trigger), account.account, cause: enrollment.enrollmentRequest))
    }
    if enrollment.checkInRequest != 0 {
      work.append(.init(.checkIn, account.account, cause: enrollment.checkInRequest))
    }
    if enrollment.awaitsUnenrollment {
      work.append(.init(.unenroll, account.account, cause: enrollment.unenrollmentRequest))
    }
    if enrollment.switchQuestion != 0, let existing = enrollment.switchesFrom {
      work.append(.init(.askAccountSwitch(existing: existing), account.account, cause: enrollment.switchQuestion))
    }
    if account.additionQuestion != 0 {
      work.append(.init(.askToAddAccount, account.account, cause: account.additionQuestion))
    }
    return work
  }
}
