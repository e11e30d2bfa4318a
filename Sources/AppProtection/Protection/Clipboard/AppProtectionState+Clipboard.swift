import EventSourcing

extension AppProtectionState {
  /// Whether what was cut or copied may be pasted.
  ///
  /// Both sides are asked, as far as they are accounts of this app. A refused text passes if it is no longer than the
  /// exception of the side that refuses it (SDK 9.0.14 and later). Exempt URL schemes have no effect here.
  ///
  /// - Parameters:
  ///   - source: the party copied from. A document that was never saved is unmanaged.
  ///   - destination: the party pasted into.
  ///   - characters: the length of the text; `nil` for content other than text.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  @inlinable
  public func paste(
    from source: DataParty, into destination: DataParty, characters: Int?
  ) -> Decision<Permission> {
    var explanation = Explanation()
    return paste(from: source, into: destination, characters: characters, explanation: &explanation)
  }

  @usableFromInline
  package func paste(
    from source: DataParty, into destination: DataParty, characters: Int?, explanation: inout Explanation
  ) -> Decision<Permission> {
    let owner = effectivePolicy(of: source, explanation: &explanation)
    if case .account(let account) = source, destination == source, account != nil {
      return decide(ClipboardRule.withinAccount, of: account, in: &explanation)
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
    if let copied {
      _ = decide(
        copied, of: owner.account, .named(destination.shown), decides: copied == decisive, in: &explanation)
    }
    if let pasted {
      _ = decide(pasted, of: receiver.account, .named(source.shown), decides: pasted == decisive, in: &explanation)
    }
    guard decisive != copied && decisive != pasted else { return decisive.decision }
    return decide(
      decisive, of: (isCopyRefused ? owner : receiver).account, .account(receiver.account), in: &explanation)
  }

  /// The answer of the source account's policy.
  private static func copying(_ owner: EffectivePolicy, to destination: DataParty) -> ClipboardRule {
    let isManaged = destination.actsFor(owner.account)
    switch owner.clipboard {
    case .allApps: return .copyToAnyApp
    case .managedAppsWithPasteIn: return isManaged ? .copyWithPasteIn : .copyWithPasteInElsewhere
    case .managedApps: return isManaged ? .copyToManagedApp : .copyElsewhere
    case .blocked, .unrecognized: return .copyNowhere
    }
  }

  /// The answer of the destination account's policy.
  private static func pasting(_ receiver: EffectivePolicy, from source: DataParty) -> ClipboardRule {
    switch receiver.clipboard {
    case .allApps: .pasteFromAnyApp
    case .managedAppsWithPasteIn: .pasteIn
    case .managedApps: source.actsFor(receiver.account) ? .pasteFromManagedApp : .pasteFromElsewhere
    case .blocked, .unrecognized: .pasteFromNowhere
    }
  }

  /// Whether a text is short enough to cross despite a policy. An exception of zero means none.
  private func lifts(_ policy: EffectivePolicy, _ characters: Int?) -> Bool {
    guard let characters, policy.clipboardExceptionLength > 0, !process.isSDK(before: SDKVersion(9, 0, 14)) else {
      return false
    }
    return characters <= Int(policy.clipboardExceptionLength)
  }
}
