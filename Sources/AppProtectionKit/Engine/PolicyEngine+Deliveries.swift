import AppProtection

extension PolicyEngine {
  /// Records what the service has for an account besides its policy, if the account is enrolled.
  func takeDeliveries(_ request: ServiceRequest) async throws(EngineError) {
    guard state.accounts[request.account]?.enrollment.status.isEnrolled == true else { return }
    let deliveries = await service.deliveries(request)
    let account = AccountReference(request.account)
    if let reference = deliveries.reference { try identify(request.account, as: reference, cause: request.intent) }
    if let configuration = deliveries.configuration {
      try record(.deliverConfiguration(account, configuration), cause: request.intent)
    }
    if let user = deliveries.user {
      let clockStatus = user.clockStatus ?? state.launch.accounts[request.account]?.clockStatus ?? .notConfigured
      try record(.reportUserStatus(account, clockStatus, isDisabled: user.isDisabled), cause: request.intent)
    }
  }

  /// Adds to an account's id and name what the app did not give. A name that changed is left to the app, which may go on to
  /// use the old one; and what another account has by now stays with that.
  private func identify(
    _ number: AccountNumber, as reference: AccountReference, cause: UInt64
  ) throws(EngineError) {
    let state = state
    guard let account = state.accounts[number] else { return }
    var added = AccountReference(number)
    if account.$objectID.isAbsent, let id = reference.objectID,
      state.account(for: AccountReference(objectID: id)) == nil
    {
      added.objectID = id
    }
    if account.$userPrincipalName.isAbsent, let name = reference.userPrincipalName,
      state.account(for: AccountReference(userPrincipalName: name)) == nil
    {
      added.userPrincipalName = name
    }
    guard added != AccountReference(number) else { return }
    try record(.identifyAccount(added), cause: cause)
  }

  /// Tells the service of the wipes that it ordered and that are recorded, of one account or all.
  func acknowledgeWipes(of account: AccountNumber? = nil) async {
    for wipe in core.unacknowledgedWipes where account == nil || wipe.account == account {
      // Whatever the policy of syncs: what is not durable may still be lost.
      guard !Task.isCancelled, (try? store.journal.sync()) != nil else { return }
      let known = state.accounts[wipe.account]
      let request = ServiceRequest(
        account: wipe.account, objectID: known?.objectID, userPrincipalName: known?.userPrincipalName,
        intent: wipe.requestedBy)
      if await service.acknowledgeWipe(request) { core.didAcknowledge(wipe) }
    }
  }

  /// Records a delivery unless the rules refuse it: an account that left meanwhile, or a configuration that is too large,
  /// must not stop the work of others.
  private func record(_ command: AppProtectionCommand, cause: UInt64) throws(EngineError) {
    do throws(EngineError) {
      try core.send(command, cause: cause)
    } catch {
      guard error.rejection != nil else { throw error }
    }
  }
}
