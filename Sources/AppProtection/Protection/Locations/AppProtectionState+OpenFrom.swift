import EventSourcing

extension AppProtectionState {
  /// Whether data may be opened from a location (`isOpenFromAllowedForLocation:withAccountId:`).
  ///
  /// Both sides are asked: the policy of the account that receives the data, and that of the account that owns the
  /// location, which may keep its data even where the receiver has no policy.
  ///
  /// - Parameters:
  ///   - location: where the data comes from.
  ///   - account: the account that owns the location; `nil` for none. One that the journal does not know is
  ///     ``LocationAccount/unknown``, in the other form.
  ///   - receiver: the account that receives the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func openFrom(
    _ location: OpenLocation, account: AccountNumber?, receiver: AccountNumber?
  ) -> Decision<TransferOutcome> {
    openFrom(location, account: LocationAccount(account), receiver: receiver)
  }

  /// Whether data may be opened from a location of an account that the journal may not know.
  public func openFrom(
    _ location: OpenLocation, account: LocationAccount, receiver: AccountNumber?
  ) -> Decision<TransferOutcome> {
    var explanation = Explanation()
    return openFrom(location, account: account, receiver: receiver, explanation: &explanation)
  }

  /// Whether data may be opened from a location, with every rule that was evaluated and every field of the state it read.
  ///
  /// The rules of the receiver come first, then those of the location's account; both are evaluated, whatever the first
  /// ones say.
  public func openFrom(
    _ location: OpenLocation, account: LocationAccount, receiver: AccountNumber?, explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    let receiverPolicy = effectivePolicy(for: receiver, explanation: &explanation)
    let locationAccount = locationOwner(
      account, isAccountless: location.isAccountless, isSandbox: location == .localStorage, current: receiver,
      explanation: &explanation)
    let sender =
      locationAccount == LocationAccount(receiver)
      ? receiverPolicy : effectivePolicy(for: locationAccount.number, explanation: &explanation)
    guard receiverPolicy.isManaged else {
      return openUnmanaged(sender: sender, explanation: &explanation)
    }
    // Data of one account is foreign to every other: `managedApps` admits the same managed account only.
    let isForeign = sender.isManaged && sender.account != receiverPolicy.account
    let isRefused = isForeign && sender.send != .allApps
    let received = openIntoManaged(
      location, receiver: receiverPolicy, locationAccount: locationAccount, staysUndecided: isRefused,
      explanation: &explanation)
    if isForeign {
      explanation.evaluate(
        OpenFromRule.sender.id, "\(Self.shown(sender.account)) may send data to another account", !isRefused,
        reads: settingRead("allowedOutboundDataTransferDestinations", of: sender.account),
        decides: isRefused && received.isAllowed)
    }
    return isRefused && received.isAllowed ? OpenFromRule.sender.decision(false) : received
  }

  /// The decision for every location there is, in the order of their numbers (`getOpenFromLocations`).
  public func openFromLocations(
    account: AccountNumber?, receiver: AccountNumber?
  ) -> [(location: OpenLocation, decision: Decision<TransferOutcome>)] {
    OpenLocation.allCases.map { ($0, openFrom($0, account: account, receiver: receiver)) }
  }

  /// Rows 1 and 2: the receiver is no account, or an unmanaged one.
  private func openUnmanaged(
    sender: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    guard sender.isManaged else {
      explanation.evaluate(
        OpenFromRule.receiverAndSourceUnmanaged.id, "neither side is managed", true, decides: true)
      return OpenFromRule.receiverAndSourceUnmanaged.decision(true)
    }
    let allows = explanation.evaluate(
      OpenFromRule.unmanagedReceiver.id, "\(Self.shown(sender.account)) may send data to all apps",
      sender.send == .allApps, reads: settingRead("allowedOutboundDataTransferDestinations", of: sender.account),
      decides: true)
    return OpenFromRule.unmanagedReceiver.decision(allows)
  }

  /// Rows 3 to 8: what the policy of the receiver says. `staysUndecided` tells that leave given here is not the last
  /// word.
  private func openIntoManaged(
    _ location: OpenLocation, receiver: EffectivePolicy, locationAccount: LocationAccount, staysUndecided: Bool,
    explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    // Row 3: blocking can only be configured together with restricted receiving.
    if explanation.evaluate(
      OpenFromRule.receivesFromAllApps.id, "\(Self.shown(receiver.account)) may receive data from all apps",
      receiver.receive == .allApps, reads: settingRead("allowedInboundDataTransferSources", of: receiver.account),
      decides: receiver.receive == .allApps && !staysUndecided)
    {
      return OpenFromRule.receivesFromAllApps.decision(true)
    }
    // Row 4: without any receiving, opening is blocked and has no exceptions.
    guard
      explanation.evaluate(
        OpenFromRule.receivesFromNoApp.id, "\(Self.shown(receiver.account)) may receive data from managed apps",
        receiver.receive == .managedApps,
        reads: settingRead("allowedInboundDataTransferSources", of: receiver.account),
        decides: receiver.receive != .managedApps)
    else {
      return OpenFromRule.receivesFromNoApp.decision(false)
    }
    let isOwn = locationAccount.number == receiver.account
    let covers = settings.app.assumptions.openAllowCoversForeignLocations
    let (rule, allows): (OpenFromRule, Bool)
    if !receiver.isOpeningBlocked {
      // Rows 5 and 6.
      (rule, allows) = isOwn ? (.openingAllowedInAccount, true) : (.openingAllowedElsewhere, covers)
    } else if !receiver.lists(location) {
      (rule, allows) = (.notListed, false)
    } else {
      // Rows 7 and 8.
      allows = isOwn || location.isAccountless
      rule = allows ? .listedInAccount : .listedOutsideAccount
    }
    explainException(
      rule, allows, location, receiver, isOwn: isOwn, decides: !(allows && staysUndecided), explanation: &explanation)
    return rule.decision(allows)
  }

  /// Notes what rows 5 to 8 compared, up to the rule that answered.
  private func explainException(
    _ rule: OpenFromRule, _ allows: Bool, _ location: OpenLocation, _ receiver: EffectivePolicy, isOwn: Bool,
    decides: Bool, explanation: inout Explanation
  ) {
    guard explanation.isRecording else { return }
    let name = Self.shown(receiver.account)
    explanation.evaluate(
      "openFrom.blockDataIngestion", "opening data into \(name)'s documents is blocked", receiver.isOpeningBlocked,
      reads: settingRead("blockDataIngestionIntoOrganizationDocuments", of: receiver.account))
    if receiver.isOpeningBlocked {
      let isListed = receiver.lists(location)
      explanation.evaluate(
        isListed ? "openFrom.listed" : rule.id, "\(location.name) is among the allowed sources", isListed,
        reads: settingRead("allowedDataIngestionLocations", of: receiver.account), decides: !isListed)
      guard isListed else { return }
    }
    let belongs = isOwn || location.isAccountless
    let statement =
      location.isAccountless && receiver.isOpeningBlocked
      ? "\(location.name) belongs to no account" : "the location belongs to \(name)"
    guard rule == .openingAllowedElsewhere else {
      explanation.evaluate(rule.id, statement, belongs, decides: decides)
      return
    }
    explanation.evaluate("openFrom.ownAccount", statement, isOwn)
    let choice = settings.app.assumptions.openAllowCoversForeignLocations
    explanation.evaluate(
      rule.id, "leave to open covers sources that are not \(name)'s", allows,
      reads: assumptionRead("openAllowCoversForeignLocations", choice), decides: decides)
  }
}
