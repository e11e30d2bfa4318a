import EventSourcing

extension AppProtectionState {
  /// Whether data may be saved to a location (`isSaveToAllowedForLocation:withAccountId:`).
  ///
  /// Both sides are asked: the policy of the data's owner, and that of the account that owns the location, which may
  /// refuse data even where the owner has no policy.
  ///
  /// - Parameters:
  ///   - location: where the data goes.
  ///   - account: the account that owns the location; `nil` for none. One that the journal does not know is
  ///     ``LocationAccount/unknown``, in the other form.
  ///   - owner: the account that owns the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func saveTo(
    _ location: SaveLocation, account: AccountNumber?, owner: AccountNumber?
  ) -> Decision<TransferOutcome> {
    saveTo(location, account: LocationAccount(account), owner: owner)
  }

  /// Whether data may be saved to a location of an account that the journal may not know.
  public func saveTo(
    _ location: SaveLocation, account: LocationAccount, owner: AccountNumber?
  ) -> Decision<TransferOutcome> {
    var explanation = Explanation()
    return saveTo(location, account: account, owner: owner, explanation: &explanation)
  }

  /// Whether data may be saved to a location, with every rule that was evaluated and every field of the state it read.
  ///
  /// The rules of the owner come first, then those of the location's account; both are evaluated, whatever the first
  /// ones say.
  public func saveTo(
    _ location: SaveLocation, account: LocationAccount, owner: AccountNumber?, explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    let ownerPolicy = effectivePolicy(for: owner, explanation: &explanation)
    let locationAccount = locationOwner(
      account, isAccountless: location.isAccountless, isSandbox: location == .localDrive, current: owner,
      explanation: &explanation)
    let receiver =
      locationAccount == LocationAccount(owner)
      ? ownerPolicy : effectivePolicy(for: locationAccount.number, explanation: &explanation)
    guard ownerPolicy.isManaged else {
      return saveUnmanaged(receiver: receiver, explanation: &explanation)
    }
    // Data of one account is foreign to every other: `managedApps` admits the same managed account only.
    let isForeign = receiver.isManaged && receiver.account != ownerPolicy.account
    let isRefused = isForeign && receiver.receive != .allApps
    let sent = saveFromManaged(
      location, owner: ownerPolicy, locationAccount: locationAccount, staysUndecided: isRefused,
      explanation: &explanation)
    if isForeign {
      explanation.evaluate(
        SaveToRule.receiver.id, "\(Self.shown(receiver.account)) may receive data of another account", !isRefused,
        reads: settingRead("allowedInboundDataTransferSources", of: receiver.account),
        decides: isRefused && sent.isAllowed)
    }
    return isRefused && sent.isAllowed ? SaveToRule.receiver.decision(false) : sent
  }

  /// The decision for every location there is, in the order of their numbers (`getSaveToLocations`).
  public func saveToLocations(
    account: AccountNumber?, owner: AccountNumber?
  ) -> [(location: SaveLocation, decision: Decision<TransferOutcome>)] {
    SaveLocation.allCases.map { ($0, saveTo($0, account: account, owner: owner)) }
  }

  /// Rows 1 and 2: the data belongs to no account, or to an unmanaged one.
  private func saveUnmanaged(
    receiver: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    guard receiver.isManaged else {
      explanation.evaluate(
        SaveToRule.ownerAndLocationUnmanaged.id, "neither side is managed", true, decides: true)
      return SaveToRule.ownerAndLocationUnmanaged.decision(true)
    }
    let allows = explanation.evaluate(
      SaveToRule.unmanagedOwner.id, "\(Self.shown(receiver.account)) may receive data from all apps",
      receiver.receive == .allApps, reads: settingRead("allowedInboundDataTransferSources", of: receiver.account),
      decides: true)
    return SaveToRule.unmanagedOwner.decision(allows)
  }

  /// Rows 3 to 13: what the policy of the data's owner says. `staysUndecided` tells that leave given here is not the last
  /// word.
  private func saveFromManaged(
    _ location: SaveLocation, owner: EffectivePolicy, locationAccount: LocationAccount, staysUndecided: Bool,
    explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    // Row 3: blocking saves can only be configured together with restricted sending.
    if explanation.evaluate(
      SaveToRule.sendsToAllApps.id, "\(Self.shown(owner.account)) may send data to all apps", owner.send == .allApps,
      reads: settingRead("allowedOutboundDataTransferDestinations", of: owner.account),
      decides: owner.send == .allApps && !staysUndecided)
    {
      return SaveToRule.sendsToAllApps.decision(true)
    }
    // Row 4: without any sending, saving is blocked and has no exceptions.
    guard
      explanation.evaluate(
        SaveToRule.sendsToNoApp.id, "\(Self.shown(owner.account)) may send data to managed apps",
        owner.send == .managedApps,
        reads: settingRead("allowedOutboundDataTransferDestinations", of: owner.account),
        decides: owner.send != .managedApps)
    else {
      return SaveToRule.sendsToNoApp.decision(false)
    }
    let assumptions = settings.app.assumptions
    let isOwn = locationAccount.number == owner.account
    let (rule, allows): (SaveToRule, Bool)
    if !owner.isSavingBlocked {
      // Rows 5 and 6.
      (rule, allows) =
        isOwn
        ? (.savingAllowedInAccount, true)
        : (.savingAllowedElsewhere, assumptions.saveAllowCoversForeignLocations)
    } else {
      (rule, allows) = Self.exception(location, owner, isOwn, isNamed: locationAccount != .unnamed, assumptions)
    }
    explainException(
      rule, allows, location, owner, isOwn: isOwn, decides: !(allows && staysUndecided), explanation: &explanation)
    return rule.decision(allows)
  }

  /// Rows 7 to 13: whether a location is an exception from blocked saving.
  private static func exception(
    _ location: SaveLocation, _ owner: EffectivePolicy, _ isOwn: Bool, isNamed: Bool, _ assumptions: Assumptions
  ) -> (SaveToRule, Bool) {
    if location == .accountDocument && isOwn {
      return (.accountDocument, assumptions.accountDocumentStaysInAccount)
    }
    guard owner.lists(location) else { return (.notListed, false) }
    if location == .cameraRoll { return (.listedPhotoLibrary, true) }
    if isOwn { return (location == .localDrive ? .listedLocalDriveInAccount : .listedInAccount, true) }
    if location == .localDrive && !isNamed {
      return (.listedLocalDriveWithoutAccount, !assumptions.listedLocalDriveNeedsOwnerAccount)
    }
    return (.listedOutsideAccount, !assumptions.listedLocationNeedsOwnerAccount)
  }

  /// Notes what rows 5 to 13 compared, up to the rule that answered.
  private func explainException(
    _ rule: SaveToRule, _ allows: Bool, _ location: SaveLocation, _ owner: EffectivePolicy, isOwn: Bool,
    decides: Bool, explanation: inout Explanation
  ) {
    guard explanation.isRecording else { return }
    let name = Self.shown(owner.account)
    let choices = settings.app.assumptions
    func note(_ id: String, _ statement: String, _ holds: Bool, _ reads: [Explanation.Read] = [], last: Bool = false) {
      explanation.evaluate(id, statement, holds, reads: reads, decides: last && decides)
    }
    note(
      "saveTo.saveAsBlocked", "saving copies of \(name)'s data is blocked", owner.isSavingBlocked,
      settingRead("saveAsBlocked", of: owner.account))
    if owner.isSavingBlocked && rule != .accountDocument {
      let isListed = owner.lists(location)
      note(
        isListed ? "saveTo.listed" : rule.id, "\(location.name) is among the allowed locations", isListed,
        settingRead("allowedDataStorageLocations", of: owner.account), last: !isListed)
      guard isListed else { return }
    }
    switch rule {
    case .savingAllowedElsewhere:
      note("saveTo.ownAccount", "the location belongs to \(name)", isOwn)
      note(
        rule.id, "leave to save covers locations that are not \(name)'s", allows,
        assumptionRead("saveAllowCoversForeignLocations", choices.saveAllowCoversForeignLocations), last: true)
    case .listedOutsideAccount:
      note("saveTo.ownAccount", "the location belongs to \(name)", isOwn)
      note(
        rule.id, "an allowed location counts for any account", allows,
        assumptionRead("listedLocationNeedsOwnerAccount", choices.listedLocationNeedsOwnerAccount), last: true)
    case .listedLocalDriveWithoutAccount:
      note("saveTo.ownAccount", "the location belongs to \(name)", isOwn)
      note(
        rule.id, "allowed local storage counts without an account", allows,
        assumptionRead("listedLocalDriveNeedsOwnerAccount", choices.listedLocalDriveNeedsOwnerAccount), last: true)
    case .accountDocument:
      note(
        rule.id, "a document of \(name) stays in the account", allows,
        assumptionRead("accountDocumentStaysInAccount", choices.accountDocumentStaysInAccount), last: true)
    case .listedPhotoLibrary:
      note(rule.id, "the photo library belongs to no account", true, last: true)
    default:
      note(rule.id, "the location belongs to \(name)", isOwn, last: true)
    }
  }

  /// An account in a statement.
  static func shown(_ account: AccountNumber?) -> String {
    account?.description ?? "nobody"
  }
}
