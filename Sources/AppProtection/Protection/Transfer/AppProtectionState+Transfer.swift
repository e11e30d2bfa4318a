import EventSourcing

extension AppProtectionState {
  /// Whether data may go from one party to another: between apps, or between the accounts of this app.
  ///
  /// Both sides are asked: the policy of the data's owner, and that of the receiver, as far as they are accounts of
  /// this app. If the operating system cannot forbid the transfer, the outcome is ``TransferOutcome/allowedEncrypted``.
  ///
  /// - Parameters:
  ///   - source: the party that releases the data.
  ///   - destination: the party that receives it.
  ///   - surface: the means of the transfer.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func transfer(
    from source: DataParty, to destination: DataParty, through surface: TransferSurface = .app
  ) -> Decision<TransferOutcome> {
    var explanation = Explanation()
    return transfer(from: source, to: destination, through: surface, explanation: &explanation)
  }

  package func transfer(
    from source: DataParty, to destination: DataParty, through surface: TransferSurface = .app,
    explanation: inout Explanation
  ) -> Decision<TransferOutcome> {
    let owner = effectivePolicy(of: source, explanation: &explanation)
    if case .account(let account) = source, destination == source, account != nil {
      return decide(TransferRule.withinAccount, of: account, in: &explanation)
    }
    let receiver = effectivePolicy(of: destination, explanation: &explanation)
    let sent = owner.isManaged ? sending(owner, to: destination, through: surface) : nil
    let received = receiver.isManaged ? Self.receiving(receiver, from: source) : nil
    let decisive: TransferRule
    if let sent, sent.outcome == .denied || received == nil || received?.outcome == .allowed {
      decisive = sent
    } else {
      decisive = received ?? .unmanaged
    }
    if let sent {
      _ = decide(sent, of: owner.account, .named(destination.shown), decides: decisive == sent, in: &explanation)
    }
    if let received {
      _ = decide(
        received, of: receiver.account, .named(source.shown), decides: decisive == received, in: &explanation)
    }
    return sent == nil && received == nil ? decide(decisive, in: &explanation) : decisive.decision
  }

  /// The answer of the owner's policy.
  private func sending(
    _ owner: EffectivePolicy, to destination: DataParty, through surface: TransferSurface
  ) -> TransferRule {
    // Device management can block a share extension.
    let canBeBlocked =
      switch surface {
      case .app: true
      case .openIn: false
      case .shareExtension: settings.deviceAccount != nil
      }
    switch owner.send {
    case .allApps: return .sendsToAllApps
    case .managedApps: break
    case .noApps, .unrecognized: return canBeBlocked ? .sendsToNoApp : .sendsToNoAppEncrypted
    }
    if destination.actsFor(owner.account) { return .sendsToManagedApp }
    if owner.switches.contains(.osSharing) && destination == .deviceManagedApp
      && settings.deviceAccount == owner.account
    {
      return .sharesThroughOS
    }
    if surface != .app && filtersShareSheet(owner) { return .filtered }
    return canBeBlocked ? .sendsElsewhere : .sendsElsewhereEncrypted
  }

  /// The answer of the receiver's policy.
  private static func receiving(_ receiver: EffectivePolicy, from source: DataParty) -> TransferRule {
    switch receiver.receive {
    case .allApps: .receivesFromAllApps
    case .managedApps: source.actsFor(receiver.account) ? .receivesFromManagedApp : .receivesFromElsewhere
    case .noApps, .unrecognized: .receivesFromNoApp
    }
  }
}
