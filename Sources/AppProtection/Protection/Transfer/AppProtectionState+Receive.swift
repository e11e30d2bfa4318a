import EventSourcing

extension AppProtectionState {
  /// Whether an item or a file may come in (`canReceiveSharedItemProvider`, `canReceiveSharedFile`).
  ///
  /// - Parameters:
  ///   - source: the owner of the data.
  ///   - receiver: the account that the app acts for; `nil` for none.
  ///   - identitySwitch: the result of asking the app to continue as unmanaged; `nil` if it was not asked.
  ///   - isInstalledByManagement: whether the device's management installed this app.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func receive(
    from source: DataParty, as receiver: AccountNumber?, identitySwitch: SwitchIdentityResult? = nil,
    isInstalledByManagement: Bool = true
  ) -> Decision<ReceiveOutcome> {
    var explanation = Explanation()
    return receive(
      from: source, as: receiver, identitySwitch: identitySwitch, isInstalledByManagement: isInstalledByManagement,
      explanation: &explanation)
  }

  package func receive(
    from source: DataParty, as receiver: AccountNumber?, identitySwitch: SwitchIdentityResult? = nil,
    isInstalledByManagement: Bool = true, explanation: inout Explanation
  ) -> Decision<ReceiveOutcome> {
    let policy = effectivePolicy(for: receiver, explanation: &explanation)
    let sender = effectivePolicy(of: source, explanation: &explanation)
    let isOrganizations: Bool
    if case .managedApp = source { isOrganizations = true } else { isOrganizations = sender.isManaged }
    guard policy.isManaged else {
      return receiveForNobody(source, sender: sender, isOrganizations: isOrganizations, explanation: &explanation)
    }
    guard isOrganizations else {
      return receiveUnmanaged(source, policy, identitySwitch: identitySwitch, explanation: &explanation)
    }
    return receiveOrganizations(
      source, policy, sender: sender, isInstalledByManagement: isInstalledByManagement, explanation: &explanation)
  }

  /// The app acts without an account, or for an unmanaged one.
  private func receiveForNobody(
    _ source: DataParty, sender: EffectivePolicy, isOrganizations: Bool, explanation: inout Explanation
  ) -> Decision<ReceiveOutcome> {
    guard isOrganizations else { return decide(ReceiveRule.unmanaged, in: &explanation) }
    guard sender.isManaged else {
      return decide(ReceiveRule.unknownDataForNobody, .named(source.shown), in: &explanation)
    }
    return decide(
      sender.send == .allApps ? ReceiveRule.freeData : .ownedDataForNobody, of: sender.account, in: &explanation)
  }

  /// A managed account receives unmanaged data.
  private func receiveUnmanaged(
    _ source: DataParty, _ receiver: EffectivePolicy, identitySwitch: SwitchIdentityResult?,
    explanation: inout Explanation
  ) -> Decision<ReceiveOutcome> {
    let account = receiver.account
    guard receiver.receive != .allApps else {
      let isProtected = receiver.switches.contains(.unknownSourcesProtected) && settings.deviceAccount != nil
      return decide(isProtected ? ReceiveRule.protected : .taken, of: account, in: &explanation)
    }
    if settings.app.multiIdentity {
      _ = decide(
        ReceiveRule.nothingUnmanaged, of: account, .named(source.shown), decides: false, in: &explanation)
      let rule: ReceiveRule =
        identitySwitch == nil ? .switchNeeded : identitySwitch == .success ? .switched : .switchFailed
      return decide(rule, in: &explanation)
    }
    return decide(
      receiver.receive == .managedApps ? ReceiveRule.onlyOrganizationData : .nothingUnmanaged, of: account,
      .named(source.shown), in: &explanation)
  }

  /// A managed account gets data of an organization.
  private func receiveOrganizations(
    _ source: DataParty, _ receiver: EffectivePolicy, sender: EffectivePolicy, isInstalledByManagement: Bool,
    explanation: inout Explanation
  ) -> Decision<ReceiveOutcome> {
    let account = receiver.account
    guard receiver.receive == .allApps || receiver.receive == .managedApps else {
      return decide(ReceiveRule.nothing, of: account, in: &explanation)
    }
    let choices = settings.app.assumptions
    let isShared = sender.switches.contains(.osSharing) && settings.deviceAccount == sender.account
    if isShared && !isInstalledByManagement && choices.osSharingNeedsManagedInstallation {
      return decide(ReceiveRule.managedInstallation, of: sender.account, in: &explanation)
    }
    if source.actsFor(account) { return decide(ReceiveRule.ownData, of: account, in: &explanation) }
    guard sender.isManaged else {
      let isTaken = receiver.receive == .allApps && !choices.unknownSendersAreRefused
      return decide(isTaken ? ReceiveRule.unknownDataTaken : .unknownData, of: account, in: &explanation)
    }
    let passes = sender.send == .allApps && receiver.receive == .allApps
    return decide(
      passes ? ReceiveRule.foreignDataTaken : .foreignData, of: sender.account, .account(account), in: &explanation)
  }
}
