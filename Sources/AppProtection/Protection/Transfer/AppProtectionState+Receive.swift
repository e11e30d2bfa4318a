import EventSourcing

extension AppProtectionState {
  /// Whether an item or a file may come in (`canReceiveSharedItemProvider`, `canReceiveSharedFile`).
  ///
  /// - Parameters:
  ///   - source: whose the data is.
  ///   - receiver: the account that the app acts for; `nil` for none.
  ///   - identitySwitch: what came of asking the app to go on for an unmanaged account; `nil` when it was not asked.
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

  /// Whether an item or a file may come in, with every rule that was evaluated and every field it read.
  public func receive(
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
    guard isOrganizations else {
      return ReceiveRule.unmanaged.settles("neither side is managed", true, in: &explanation)
    }
    guard sender.isManaged else {
      return ReceiveRule.unknownDataForNobody.settles(
        "the data of \(source.shown) is managed here", false, in: &explanation)
    }
    let isFree = sender.send == .allApps
    return (isFree ? ReceiveRule.freeData : .ownedDataForNobody).settles(
      "\(Self.shown(sender.account)) may send data to all apps", isFree,
      reads: settingRead("allowedOutboundDataTransferDestinations", of: sender.account), in: &explanation)
  }

  /// A managed account receives unmanaged data.
  private func receiveUnmanaged(
    _ source: DataParty, _ receiver: EffectivePolicy, identitySwitch: SwitchIdentityResult?,
    explanation: inout Explanation
  ) -> Decision<ReceiveOutcome> {
    let level = settingRead("allowedInboundDataTransferSources", of: receiver.account, in: explanation)
    guard receiver.receive != .allApps else {
      let isProtected = receiver.switches.contains(.unknownSourcesProtected) && settings.deviceAccount != nil
      return (isProtected ? ReceiveRule.protected : .taken).settles(
        "data without an identity becomes organization data", isProtected,
        reads: settingRead("protectInboundDataFromUnknownSources", of: receiver.account) + deviceAccountRead() + level,
        in: &explanation)
    }
    if settings.app.multiIdentity {
      explanation.evaluate(
        "receive.6", "\(Self.shown(receiver.account)) may receive data from \(source.shown)", false, reads: level)
      let rule: ReceiveRule =
        switch identitySwitch {
        case nil: .switchNeeded
        case .success: .switched
        default: .switchFailed
        }
      return rule.settles(
        "the app went on for an unmanaged account", rule == .switched,
        reads: [.init("/settings/multiIdentity", .bool(true))], in: &explanation)
    }
    let isClosed = receiver.receive != .managedApps
    return (isClosed ? ReceiveRule.nothingUnmanaged : .onlyOrganizationData).settles(
      "\(Self.shown(receiver.account)) may receive data from \(source.shown)", false, reads: level, in: &explanation)
  }

  /// A managed account gets data of an organization.
  private func receiveOrganizations(
    _ source: DataParty, _ receiver: EffectivePolicy, sender: EffectivePolicy, isInstalledByManagement: Bool,
    explanation: inout Explanation
  ) -> Decision<ReceiveOutcome> {
    let name = Self.shown(receiver.account)
    guard receiver.receive == .allApps || receiver.receive == .managedApps else {
      return ReceiveRule.nothing.settles(
        "\(name) may receive data from managed apps", false,
        reads: settingRead("allowedInboundDataTransferSources", of: receiver.account), in: &explanation)
    }
    let choices = settings.app.assumptions
    let isShared = sender.switches.contains(.osSharing) && settings.deviceAccount == sender.account
    if isShared && !isInstalledByManagement && choices.osSharingNeedsManagedInstallation {
      return ReceiveRule.managedInstallation.settles(
        "the device's management installed the app", false,
        reads: settingRead("disableProtectionOfManagedOutboundOpenInData", of: sender.account) + deviceAccountRead()
          + assumptionRead("osSharingNeedsManagedInstallation", true), in: &explanation)
    }
    if source.actsFor(receiver.account) {
      return ReceiveRule.ownData.settles("the data is \(name)'s", true, in: &explanation)
    }
    guard sender.isManaged else {
      let isTaken = receiver.receive == .allApps && !choices.unknownSendersAreRefused
      return (isTaken ? ReceiveRule.unknownDataTaken : .unknownData).settles(
        "data of an organization that is not managed here may come in", isTaken,
        reads: settingRead("allowedInboundDataTransferSources", of: receiver.account)
          + assumptionRead("unknownSendersAreRefused", choices.unknownSendersAreRefused), in: &explanation)
    }
    let passes = sender.send == .allApps && receiver.receive == .allApps
    return (passes ? ReceiveRule.foreignDataTaken : .foreignData).settles(
      "data may pass from \(Self.shown(sender.account)) to \(name)", passes,
      reads: settingRead("allowedOutboundDataTransferDestinations", of: sender.account)
        + settingRead("allowedInboundDataTransferSources", of: receiver.account), in: &explanation)
  }
}
