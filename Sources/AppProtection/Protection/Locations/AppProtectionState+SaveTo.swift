import EventSourcing

extension AppProtectionState {
  /// Whether data may be saved to a location (`isSaveToAllowedForLocation:withAccountId:`).
  ///
  /// Both sides are asked: the policy of the data's owner, and that of the account that owns the location, which may
  /// refuse data even where the owner has no policy.
  ///
  /// - Parameters:
  ///   - location: the destination of the data.
  ///   - account: the account that owns the location; `nil` for none. One that the journal does not know is
  ///     ``LocationAccount/unknown``, in the other form.
  ///   - owner: the account that owns the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  @inlinable
  public func saveTo(
    _ location: SaveLocation, account: AccountNumber?, owner: AccountNumber?
  ) -> Decision<TransferOutcome> {
    saveTo(location, account: LocationAccount(account), owner: owner)
  }

  /// Whether data may be saved to a location of an account that the journal may not know.
  @inlinable
  public func saveTo(
    _ location: SaveLocation, account: LocationAccount, owner: AccountNumber?
  ) -> Decision<TransferOutcome> {
    var explanation = Explanation()
    return saveTo(location, account: account, owner: owner, explanation: &explanation)
  }

  /// The decision for every location, in the order of their numbers (`getSaveToLocations`).
  public func saveToLocations(
    account: AccountNumber?, owner: AccountNumber?
  ) -> [(location: SaveLocation, decision: Decision<TransferOutcome>)] {
    SaveLocation.allCases.map { ($0, saveTo($0, account: account, owner: owner)) }
  }

  /// The rules of the owner come first, then those of the location's account; both are evaluated, regardless of the
  /// first result.
  @usableFromInline
  package func saveTo(
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
    guard isForeign else { return sent }
    let received = decide(
      SaveToRule.receiver, if: isRefused, of: receiver.account, decides: sent.isAllowed, in: &explanation)
    return sent.isAllowed ? received ?? sent : sent
  }

  /// Rows 1 and 2: the data belongs to no account, or to an unmanaged one.
  private func saveUnmanaged(
    receiver: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    guard receiver.isManaged else { return decide(SaveToRule.ownerAndLocationUnmanaged, in: &explanation) }
    return decide(
      receiver.receive == .allApps ? SaveToRule.unmanagedOwner : .unmanagedOwnerRefused, of: receiver.account,
      in: &explanation)
  }

  /// Rows 3 to 13: the policy of the data's owner. `staysUndecided` means that permission here is not final.
  private func saveFromManaged(
    _ location: SaveLocation, owner: EffectivePolicy, locationAccount: LocationAccount, staysUndecided: Bool,
    explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    let account = owner.account
    if let free = decide(
      SaveToRule.sendsToAllApps, if: owner.send == .allApps, of: account, decides: !staysUndecided, in: &explanation)
    {
      return free
    }
    if let blocked = decide(
      SaveToRule.sendsToNoApp, if: owner.send != .managedApps, of: account, in: &explanation)
    {
      return blocked
    }
    let isOwn = locationAccount.number == account
    let rule =
      check(.savingIsBlocked, owner.isSavingBlocked, of: account, in: &explanation)
      ? exception(location, owner, isOwn, isNamed: locationAccount != .unnamed, explanation: &explanation)
      : saving(owner, isOwn, explanation: &explanation)
    return decide(
      rule, of: account, .named(location.name), decides: rule.outcome == .denied || !staysUndecided, in: &explanation)
  }

  /// Rows 5 and 6: saving is not blocked.
  private func saving(_ owner: EffectivePolicy, _ isOwn: Bool, explanation: inout Explanation) -> SaveToRule {
    if isOwn { return .savingAllowedInAccount }
    check(.saveLocationIsOwn, false, of: owner.account, in: &explanation)
    return settings.app.assumptions.saveAllowCoversForeignLocations ? .savingAllowedElsewhere : .savingRefusedElsewhere
  }

  /// Rows 7 to 13: whether a location is an exception from blocked saving.
  private func exception(
    _ location: SaveLocation, _ owner: EffectivePolicy, _ isOwn: Bool, isNamed: Bool, explanation: inout Explanation
  ) -> SaveToRule {
    let assumptions = settings.app.assumptions
    if location == .accountDocument && isOwn {
      return assumptions.accountDocumentStaysInAccount ? .accountDocument : .accountDocumentRefused
    }
    guard owner.lists(location) else { return .notListed }
    check(.saveLocationIsListed, true, of: owner.account, .named(location.name), in: &explanation)
    if location == .cameraRoll { return .listedPhotoLibrary }
    if isOwn { return location == .localDrive ? .listedLocalDriveInAccount : .listedInAccount }
    check(.saveLocationIsOwn, false, of: owner.account, in: &explanation)
    if location == .localDrive && !isNamed {
      return assumptions.listedLocalDriveNeedsOwnerAccount ? .listedLocalDriveUnnamed : .listedLocalDriveWithoutAccount
    }
    return assumptions.listedLocationNeedsOwnerAccount ? .listedOutsideAccount : .listedElsewhere
  }
}
