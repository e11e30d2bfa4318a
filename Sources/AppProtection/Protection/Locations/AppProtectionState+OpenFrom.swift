import EventSourcing

extension AppProtectionState {
  /// Whether data may be opened from a location (`isOpenFromAllowedForLocation:withAccountId:`).
  ///
  /// Both sides are asked: the policy of the account that receives the data, and that of the account that owns the
  /// location, which may keep its data even where the receiver has no policy.
  ///
  /// - Parameters:
  ///   - location: the source of the data.
  ///   - account: the account that owns the location; `nil` for none. One that the journal does not know is
  ///     ``LocationAccount/unknown``, in the other form.
  ///   - receiver: the account that receives the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  @inlinable
  public func openFrom(
    _ location: OpenLocation, account: AccountNumber?, receiver: AccountNumber?
  ) -> Decision<TransferOutcome> {
    openFrom(location, account: LocationAccount(account), receiver: receiver)
  }

  /// Whether data may be opened from a location of an account that the journal may not know.
  @inlinable
  public func openFrom(
    _ location: OpenLocation, account: LocationAccount, receiver: AccountNumber?
  ) -> Decision<TransferOutcome> {
    var explanation = Explanation()
    return openFrom(location, account: account, receiver: receiver, explanation: &explanation)
  }

  /// The decision for every location, in the order of their numbers (`getOpenFromLocations`).
  public func openFromLocations(
    account: AccountNumber?, receiver: AccountNumber?
  ) -> [(location: OpenLocation, decision: Decision<TransferOutcome>)] {
    OpenLocation.allCases.map { ($0, openFrom($0, account: account, receiver: receiver)) }
  }

  /// The rules of the receiver come first, then those of the location's account; both are evaluated, regardless of the
  /// first result.
  @usableFromInline
  package func openFrom(
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
    guard isForeign else { return received }
    let sent = decide(
      OpenFromRule.sender, if: isRefused, of: sender.account, decides: received.isAllowed, in: &explanation)
    return received.isAllowed ? sent ?? received : received
  }

  /// Rows 1 and 2: the receiver is unmanaged, or no account at all.
  private func openUnmanaged(
    sender: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    guard sender.isManaged else { return decide(OpenFromRule.receiverAndSourceUnmanaged, in: &explanation) }
    return decide(
      sender.send == .allApps ? OpenFromRule.unmanagedReceiver : .unmanagedReceiverRefused, of: sender.account,
      in: &explanation)
  }

  /// Rows 3 to 8: the policy of the receiver. `staysUndecided` means that permission here is not final.
  private func openIntoManaged(
    _ location: OpenLocation, receiver: EffectivePolicy, locationAccount: LocationAccount, staysUndecided: Bool,
    explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    let account = receiver.account
    if let free = decide(
      OpenFromRule.receivesFromAllApps, if: receiver.receive == .allApps, of: account, decides: !staysUndecided,
      in: &explanation)
    {
      return free
    }
    if let blocked = decide(
      OpenFromRule.receivesFromNoApp, if: receiver.receive != .managedApps, of: account, in: &explanation)
    {
      return blocked
    }
    let isOwn = locationAccount.number == account
    let rule =
      check(.openingIsBlocked, receiver.isOpeningBlocked, of: account, in: &explanation)
      ? exception(location, receiver, isOwn, explanation: &explanation)
      : opening(receiver, isOwn, explanation: &explanation)
    return decide(
      rule, of: account, .named(location.name), decides: rule.outcome == .denied || !staysUndecided, in: &explanation)
  }

  /// Rows 5 and 6: opening is not blocked.
  private func opening(_ receiver: EffectivePolicy, _ isOwn: Bool, explanation: inout Explanation) -> OpenFromRule {
    if isOwn { return .openingAllowedInAccount }
    check(.openLocationIsOwn, false, of: receiver.account, in: &explanation)
    return settings.app.assumptions.openAllowCoversForeignLocations
      ? .openingAllowedElsewhere : .openingRefusedElsewhere
  }

  /// Rows 7 and 8: whether a location is an exception from blocked opening.
  private func exception(
    _ location: OpenLocation, _ receiver: EffectivePolicy, _ isOwn: Bool, explanation: inout Explanation
  ) -> OpenFromRule {
    guard receiver.lists(location) else { return .notListed }
    check(.openLocationIsListed, true, of: receiver.account, .named(location.name), in: &explanation)
    if location.isAccountless { return .listedWithoutAccount }
    return isOwn ? .listedInAccount : .listedOutsideAccount
  }
}
