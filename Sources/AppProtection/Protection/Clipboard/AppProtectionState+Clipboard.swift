import EventSourcing

extension AppProtectionState {
  /// Whether what was cut or copied may be pasted.
  ///
  /// Both sides are asked, as far as they are accounts of this app. A text that is refused goes through when it is no longer
  /// than the exception of the side that refuses it (SDK 9.0.14 and later). Exempt URL schemes lift nothing here.
  ///
  /// - Parameters:
  ///   - source: the party copied from. A document that was never saved is unmanaged.
  ///   - destination: the party pasted into.
  ///   - characters: the length of the text; `nil` for content other than text.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func paste(
    from source: DataParty, into destination: DataParty, characters: Int?
  ) -> Decision<Permission> {
    var explanation = Explanation()
    return paste(from: source, into: destination, characters: characters, explanation: &explanation)
  }

  /// Whether what was cut or copied may be pasted, with every rule that was evaluated and every field it read.
  public func paste(
    from source: DataParty, into destination: DataParty, characters: Int?, explanation: inout Explanation
  ) -> Decision<Permission> {
    let owner = effectivePolicy(of: source, explanation: &explanation)
    if case .account(let account) = source, destination == source, account != nil {
      return ClipboardRule.withinAccount.settles("the text stays with \(source.shown)", true, in: &explanation)
    }
    let receiver = effectivePolicy(of: destination, explanation: &explanation)
    let copied = owner.isManaged ? Self.copying(owner, to: destination) : nil
    let pasted = receiver.isManaged ? Self.pasting(receiver, from: source) : nil
    let isCopyRefused = copied?.outcome == .denied
    let isPasteRefused = pasted?.outcome == .denied
    let decisive: ClipboardRule
    if isCopyRefused || isPasteRefused {
      let liftsCopy = isCopyRefused && lifts(owner, characters)
      let liftsPaste = isPasteRefused && lifts(receiver, characters)
      let needsBoth = settings.app.assumptions.clipboardExceptionNeedsBothSides
      if isCopyRefused && isPasteRefused && (needsBoth ? liftsCopy && liftsPaste : liftsCopy || liftsPaste) {
        decisive = liftsCopy && liftsPaste ? .exceptionOfBoth : .exceptionOfOne
      } else if isCopyRefused && !liftsCopy {
        decisive = copied ?? .copyNowhere
      } else if isPasteRefused && !liftsPaste {
        decisive = pasted ?? .pasteFromNowhere
      } else {
        decisive = .exception
      }
    } else {
      decisive = copied ?? pasted ?? .unmanaged
    }
    explainPaste(decisive, source, destination, (owner, copied), (receiver, pasted), explanation: &explanation)
    return decisive.decision
  }

  /// What the policy of the account that was copied from says.
  private static func copying(_ owner: EffectivePolicy, to destination: DataParty) -> ClipboardRule {
    let isManaged = destination.actsFor(owner.account)
    switch owner.clipboard {
    case .allApps: return .copyToAnyApp
    case .managedAppsWithPasteIn: return isManaged ? .copyWithPasteIn : .copyWithPasteInElsewhere
    case .managedApps: return isManaged ? .copyToManagedApp : .copyElsewhere
    case .blocked, .unrecognized: return .copyNowhere
    }
  }

  /// What the policy of the account that is pasted into says.
  private static func pasting(_ receiver: EffectivePolicy, from source: DataParty) -> ClipboardRule {
    switch receiver.clipboard {
    case .allApps: .pasteFromAnyApp
    case .managedAppsWithPasteIn: .pasteIn
    case .managedApps: source.actsFor(receiver.account) ? .pasteFromManagedApp : .pasteFromElsewhere
    case .blocked, .unrecognized: .pasteFromNowhere
    }
  }

  /// Whether a text is short enough to cross despite a policy. An exception of zero is none.
  private func lifts(_ policy: EffectivePolicy, _ characters: Int?) -> Bool {
    guard let characters, policy.clipboardExceptionLength > 0, !process.isSDK(before: SDKVersion(9, 0, 14)) else {
      return false
    }
    return characters <= Int(policy.clipboardExceptionLength)
  }

  private func explainPaste(
    _ decisive: ClipboardRule, _ source: DataParty, _ destination: DataParty,
    _ copied: (policy: EffectivePolicy, rule: ClipboardRule?),
    _ pasted: (policy: EffectivePolicy, rule: ClipboardRule?),
    explanation: inout Explanation
  ) {
    guard explanation.isRecording else { return }
    var exceptions: [Explanation.Read] = []
    for (policy, rule) in [copied, pasted] {
      guard let rule else { continue }
      let reads = settingRead("allowedOutboundClipboardSharingLevel", of: policy.account)
      let length = settingRead("allowedOutboundClipboardSharingExceptionLength", of: policy.account)
      if rule.outcome == .denied { exceptions += length }
      let name = Self.shown(policy.account)
      explanation.evaluate(
        rule.id,
        policy.account == copied.policy.account
          ? "\(name)'s clipboard reaches \(destination.shown)" : "\(name) may paste from \(source.shown)",
        rule.outcome == .allowed, reads: rule == decisive && rule.outcome == .denied ? length + reads : reads,
        decides: rule == decisive)
    }
    switch decisive {
    case .exception, .exceptionOfBoth, .exceptionOfOne:
      if decisive != .exception {
        let needsBoth = settings.app.assumptions.clipboardExceptionNeedsBothSides
        exceptions += assumptionRead("clipboardExceptionNeedsBothSides", needsBoth)
      }
      explanation.evaluate(
        decisive.id, "the text is short enough to cross", true, reads: sdkRead() + exceptions, decides: true)
    case .unmanaged: explanation.evaluate(decisive.id, "neither side is managed", true, decides: true)
    default: break
    }
  }
}
