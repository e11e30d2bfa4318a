import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: WipeRequested, _ context: EventContext) {
    guard let account = accounts[event.account], account.enrollment.status.isRegistered,
      account.enrollment.status != .wiping
    else { return }
    var wipe = WipeRecord(
      account: event.account, reason: event.reason, origin: event.origin, requestedBy: context.sequence)
    wipe.precedesUnenrollment = event.precedesUnenrollment
    wipes.set(wipe)
    withdrawAddition(of: event.account)
    accounts.update(event.account) { account in
      account.enrollment.stopAsking()
      if !event.precedesUnenrollment {
        account.enrollment.unenrollmentRequest = 0
        account.enrollment.unenrollmentWipes = false
      }
      account.enrollment.status = .wiping
      if event.origin == .service {
        account.enrollment.lastCode = .wipeReceived
        account.enrollment.lastError = ""
        account.enrollment.lastCompletedCheckIn = context.moment.wallNanoseconds
      }
    }
  }

  mutating func fold(_ event: WipeDelegateAnswered, _ context: EventContext) {
    guard !event.removedEverything else {
      noteDataGone(of: event.account, after: .requested)
      return
    }
    wipes.update(event.account) { if $0.phase == .requested { $0.phase = .removingFiles } }
  }

  mutating func fold(_ event: WipeFilesRemoved, _ context: EventContext) {
    wipes.update(event.account) { wipe in
      guard wipe.phase == .removingFiles else { return }
      wipe.count(event.count)
      wipe.lastError = ""
      wipe.retryDue = nil
    }
    noteDataGone(of: event.account, after: .removingFiles)
  }

  mutating func fold(_ event: WipeFailed, _ context: EventContext) {
    let due = due(at: event.nextRetry, for: event.account, context)
    wipes.update(event.account) { wipe in
      guard wipe.phase == .removingFiles else { return }
      wipe.count(event.count)
      wipe.$lastError = event.$error
      wipe.retryDue = due
    }
  }

  mutating func fold(_ event: WipeCompleted, _ context: EventContext) {
    guard let wipe = wipes[event.account], wipe.phase != .completed else { return }
    wipes.update(event.account) { $0.phase = .completed }
    accounts.update(event.account) { $0.mayHaveOrganizationData = false }
    remove(event.account, code: .unenrollmentSuccess)
    endOverrides()
  }
}

extension AppProtectionState {
  /// Once a leaving account's data is gone, removes what must not wait for the service: its policy, and everything that
  /// blocks other accounts. Only the notification of the service remains.
  private mutating func noteDataGone(of account: AccountNumber, after phase: WipePhase) {
    guard let wipe = wipes[account], wipe.phase == phase, wipe.precedesUnenrollment else { return }
    wipes.update(account) { $0.phase = .unenrolling }
    accounts.update(account) { account in
      account.mayHaveOrganizationData = false
      account.enrollment.status = .unenrolling
    }
    policies.remove(account)
    dropRestart(for: account)
  }

  /// Resumes at once the wipes that paused because files could not be removed, of one account or of all.
  mutating func resumeWipes(of account: AccountNumber? = nil) {
    // An unchanged slice is not touched, so that comparing it stays free.
    for wipe in wipes.records where wipe.retryDue != nil && (account ?? wipe.account) == wipe.account {
      wipes.update(wipe.account) { $0.retryDue = nil }
    }
  }
}

extension WipeRecord {
  /// When removing its files is tried again, if the wipe waits for that.
  var dueTime: DueTime? { phase == .removingFiles ? retryDue : nil }

  fileprivate mutating func count(_ files: UInt64) {
    let (sum, overflow) = filesRemoved.addingReportingOverflow(files)
    filesRemoved = overflow ? .max : sum
  }
}
