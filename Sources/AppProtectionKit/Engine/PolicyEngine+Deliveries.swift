import AppProtection

extension PolicyEngine {
  /// Records what the service has for an account besides its policy, if the account is enrolled.
  func recordDeliveries(_ request: ServiceRequest) async throws(EngineError) {
    guard state.accounts[request.account]?.enrollment.status.isEnrolled == true else { return }
    // With what the answer brought.
    let deliveries = await service.deliveries(ServiceRequest(request.account, intent: request.intent, in: state))
    let account = AccountReference(request.account)
    if let reference = deliveries.reference {
      try await identify(request.account, as: reference, cause: request.intent)
    }
    if let configuration = deliveries.configuration {
      try record(.deliverConfiguration(account, configuration), cause: request.intent)
    }
    if let user = deliveries.user {
      let clockStatus = user.clockStatus ?? state.launch.accounts[request.account]?.clockStatus ?? .notConfigured
      try record(.reportUserStatus(account, clockStatus, isDisabled: user.isDisabled), cause: request.intent)
    }
  }

  /// Asks the service to enroll an account. A person whom the app knows by one name may sign in by another one, as after a
  /// change of names: the service says that it is the same, who must not be enrolled twice.
  func enroll(_ request: ServiceRequest) async -> ServiceAnswer {
    let answer = await service.enroll(request)
    switch answer {
    case .policy, .unchanged, .noPolicy: break
    case .wipe, .gone, .failure: return answer
    }
    func isOther(_ account: Account) -> Bool {
      account.account != request.account && account.enrollment.status.isEnrolled && account.objectID != nil
    }
    // Only then is there anything to compare with.
    guard request.objectID == nil, state.accounts.records.contains(where: isOther),
      let id = await service.deliveries(request).reference?.objectID,
      let same = state.account(for: AccountReference(objectID: id)), isOther(same)
    else { return answer }
    return .failure(
      ServiceFailure(.alreadyEnrolled, error: "this is \(same.userPrincipalName ?? "\(id)") under another name"))
  }

  /// Adds to an account's id and name what the app did not give. A name that changed is the app's decision, which may go on to
  /// use the old one; and what another account has by now stays with that.
  private func identify(
    _ number: AccountNumber, as reference: AccountReference, cause: UInt64
  ) async throws(EngineError) {
    guard let account = state.accounts[number] else { return }
    var added = AccountReference(number)
    if account.$objectID.isAbsent, let id = reference.objectID,
      state.account(for: AccountReference(objectID: id)) == nil
    {
      added.objectID = id
    }
    if let name = reference.userPrincipalName, await isName(name, of: account, reference) {
      added.userPrincipalName = name
    }
    guard added != AccountReference(number) else { return }
    try record(.identifyAccount(added), cause: cause)
  }

  /// Whether an account gets a name: its first one, or that of a user who was renamed, if the app agrees.
  private func isName(_ name: String, of account: Account, _ reference: AccountReference) async -> Bool {
    let other = state.account(for: AccountReference(userPrincipalName: name))
    if account.$userPrincipalName.isAbsent { return other == nil }
    guard let id = account.objectID, id == reference.objectID, let known = account.userPrincipalName,
      known.lowercased() != name.lowercased(), other?.enrollment.status.isRegistered != true
    else { return false }
    return await delegates.enrollment?.shouldRename(account: account.account, to: name) ?? false
  }

  /// Tells the service of the wipes that it ordered and that are recorded, of one account or all.
  func acknowledgeWipes(of account: AccountNumber? = nil) async {
    for wipe in core.unacknowledgedWipes where account == nil || wipe.account == account {
      // Whatever the policy of syncs: what is not durable may still be lost.
      guard !Task.isCancelled, (try? store.journal.sync()) != nil else { return }
      let request = ServiceRequest(wipe.account, intent: wipe.requestedBy, in: state)
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
