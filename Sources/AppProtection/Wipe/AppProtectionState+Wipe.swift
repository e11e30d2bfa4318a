import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: WipeRequested, _ context: EventContext) {
    guard let account = accounts[event.account], account.enrollment.status.isRegistered,
      account.enrollment.status != .wiping
    else { return }
    wipes.set(
      WipeRecord(
        account: event.account, reason: event.reason, origin: event.origin, requestedBy: context.sequence))
    accounts.update(event.account) { account in
      account.enrollment.stopAsking()
      account.enrollment.unenrollmentRequest = 0
      account.enrollment.unenrollmentWipes = false
      account.enrollment.status = .wiping
      if event.origin == .service {
        account.enrollment.lastCode = .wipeReceived
        account.enrollment.lastError = ""
        account.enrollment.lastCompletedCheckIn = context.moment.wallNanoseconds
      }
    }
  }

  mutating func fold(_ event: WipeDelegateAnswered, _ context: EventContext) {
    guard !event.removedEverything else { return }
    wipes.update(event.account) { if $0.phase == .requested { $0.phase = .removingFiles } }
  }

  mutating func fold(_ event: WipeFilesRemoved, _ context: EventContext) {
    wipes.update(event.account) { wipe in
      guard wipe.phase == .removingFiles else { return }
      wipe.count(event.count)
      wipe.lastError = ""
      wipe.retryDue = nil
    }
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
