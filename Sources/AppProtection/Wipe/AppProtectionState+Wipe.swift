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
      wipe.lastError = event.error
      wipe.retryDue = due
    }
  }

  mutating func fold(_ event: WipeCompleted, _ context: EventContext) {
    guard let wipe = wipes[event.account], wipe.phase != .completed else { return }
    wipes.update(event.account) { $0.phase = .completed }
    accounts.update(event.account) { $0.mayHaveOrganizationData = false }
    remove(event.account, code: .unenrollmentSuccess)
  }
}

extension AppProtectionState {
  /// Takes from an account that leaves, once its data is gone, what must not wait for the service: its policy, and whatever
  /// stands in the way of others. What is left is to tell the service.
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

  /// Ends the pauses of wipes whose files could not be removed, of all accounts or of one: they are resumed at once.
  mutating func resumeWipes(of account: AccountNumber? = nil) {
    // A slice that nothing changes is not touched, which keeps it comparable at no cost.
    for wipe in wipes.records where wipe.retryDue != nil && (account ?? wipe.account) == wipe.account {
      wipes.update(wipe.account) { $0.retryDue = nil }
    }
  }
}

extension WipeRecord {
  /// When the removal of its files is tried again, where that is what it waits for.
  var dueTime: DueTime? { phase == .removingFiles ? retryDue : nil }

  fileprivate mutating func count(_ files: UInt64) {
    let (sum, overflow) = filesRemoved.addingReportingOverflow(files)
    filesRemoved = overflow ? .max : sum
  }
}
