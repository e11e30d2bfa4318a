import EventSourcing

extension AppProtectionState {
  /// Whether a remediation of the account is in progress (`remediationInProgress`); whether a queued one counts is an
  /// assumption.
  public func remediationInProgress(_ account: AccountNumber) -> Bool {
    compliance.active == account
      || (settings.app.assumptions.queuedRemediationIsInProgress && compliance.isInProgress(account))
  }

  mutating func fold(_ event: TokenDenied, _ context: EventContext) {
    guard accounts[event.account] != nil, event.error == TokenDenied.protectionRequired else { return }
    compliance.update(event.account) { record in
      if record.status == .compliant { record.refusalsAfterCompliance &+= 1 }
      if record.status != .queued && record.status != .remediating { record.status = .blocked }
    }
  }

  mutating func fold(_ event: RemediationRequested, _ context: EventContext) {
    guard accounts[event.account] != nil, !compliance.isInProgress(event.account) else { return }
    compliance.queue.append(event.account)
    compliance.update(event.account) { record in
      record.isSilent = event.isSilent
      record.requestedBy = context.sequence
    }
  }

  mutating func fold(_ event: RemediationQueued, _ context: EventContext) {
    guard compliance.isInProgress(event.account) else { return }
    compliance.update(event.account) { $0.status = .queued }
  }

  mutating func fold(_ event: RemediationStarted, _ context: EventContext) {
    guard compliance.active == event.account else { return }
    compliance.update(event.account) { $0.status = .remediating }
  }

  mutating func fold(_ event: RemediationFinished, _ context: EventContext) {
    guard compliance.isInProgress(event.account) else { return }
    compliance.queue.removeAll { $0 == event.account }
    compliance.update(event.account) { record in
      record.status = RemediationStatus(event.status)
      record.requestedBy = 0
      record.interactionDemands = event.status == .interactionRequired ? record.interactionDemands &+ 1 : 0
    }
    compliance.untold.removeAll { $0.account == event.account }
    guard event.awaitsNotice else { return }
    compliance.untold.append(
      UntoldRemediation(
        event.account, event.status, message: event.$message, title: event.$title, finishedBy: context.sequence))
  }

  mutating func fold(_ event: RemediationTold, _ context: EventContext) {
    compliance.untold.removeAll { $0.account == event.account }
  }
}

extension ComplianceSlice {
  /// Changes an account's record, creating it if necessary.
  mutating func update(_ account: AccountNumber, _ change: (inout RemediationRecord) -> Void) {
    if accounts[account] == nil { accounts.set(RemediationRecord(account: account)) }
    accounts.update(account, change)
  }

  /// A completed check-in resets loop detection.
  mutating func noteCheckIn(of account: AccountNumber) {
    accounts.update(account) { $0.refusalsAfterCompliance = 0 }
  }
}

extension RemediationStatus {
  /// The account's status after a remediation with this outcome.
  init(_ status: ComplianceStatus) {
    self =
      switch status {
      case .compliant: .compliant
      case .notCompliant: .notCompliant
      case .serviceFailure: .serviceFailure
      case .networkFailure: .networkFailure
      case .interactionRequired: .interactionRequired
      case .userCancelled: .userCancelled
      }
  }
}
