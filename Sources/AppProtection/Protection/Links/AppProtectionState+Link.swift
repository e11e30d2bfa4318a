import EventSourcing

extension AppProtectionState {
  /// The schemes that are exempt where a policy does not say: the service's list since June 2020.
  static let defaultExemptSchemes: StaticString =
    "skype;app-settings;calshow;itms;itmss;itms-apps;itms-appss;itms-services;"

  /// Whether, and in which app, a URL may be opened (`isURLAllowed`).
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - account: the account that owns it; `nil` for none.
  ///   - isManagedScheme: whether its scheme is known to belong to a managed app: the app says so
  ///     (`isKnownManagedAppScheme`), or the system says that the scheme that ends with `-intunemam` can be opened.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func url(
    _ url: String, for account: AccountNumber?, isManagedScheme: Bool = false
  ) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return self.url(url, for: account, isManagedScheme: isManagedScheme, explanation: &explanation)
  }

  /// Whether a URL may be opened, with every rule that was evaluated and every field it read.
  public func url(
    _ url: String, for account: AccountNumber?, isManagedScheme: Bool = false, explanation: inout Explanation
  ) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else {
      return LinkRule.unmanaged.settles("\(Self.shown(account)) is unmanaged", true, in: &explanation)
    }
    return url.withBytes { bytes in
      guard let link = LinkText(bytes) else {
        return LinkRule.malformed.settles("the URL has a scheme", false, in: &explanation)
      }
      return link.isWeb
        ? webLink(link, policy, explanation: &explanation)
        : appLink(link, policy, isManagedScheme: isManagedScheme, explanation: &explanation)
    }
  }

  /// Whether a universal link may open in its app (`isUniversalLinkAllowed`).
  ///
  /// - Parameters:
  ///   - url: the link.
  ///   - account: the account that owns it; `nil` for none.
  /// - Returns: ``LinkOutcome/denied`` for one that opens in a browser, with the rule that settled it. Allocates nothing.
  public func universalLink(_ url: String, for account: AccountNumber?) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return universalLink(url, for: account, explanation: &explanation)
  }

  /// Whether a universal link may open in its app, with every rule that was evaluated and every field it read.
  public func universalLink(
    _ url: String, for account: AccountNumber?, explanation: inout Explanation
  ) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else {
      return LinkRule.unmanaged.settles("\(Self.shown(account)) is unmanaged", true, in: &explanation)
    }
    return url.withBytes { bytes in
      guard let link = LinkText(bytes), link.isWeb else {
        return LinkRule.malformed.settles("the URL is a link of the web", false, in: &explanation)
      }
      if let listed = listedLink(link, policy, explanation: &explanation) { return listed }
      if explanation.evaluate(
        LinkRule.universalLinkInBrowser.id, "\(Self.shown(account))'s policy requires a browser",
        policy.switches.contains(.browserRequired),
        reads: settingRead("managedBrowserToOpenLinksRequired", of: account),
        decides: policy.switches.contains(.browserRequired))
      {
        return LinkRule.universalLinkInBrowser.decision
      }
      let follows = settings.app.assumptions.universalLinksFollowBrowserRule
      return (follows ? LinkRule.otherUniversalLink : .otherUniversalLinkDenied).settles(
        "a link in neither list is free where no browser is required", follows,
        reads: assumptionRead("universalLinksFollowBrowserRule", follows), in: &explanation)
    }
  }

  /// A page of the web: exempt schemes, both lists of universal links, then the rule of the browser.
  private func webLink(
    _ link: LinkText, _ policy: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<LinkOutcome> {
    if policy.send != .allApps, let exempt = exemption(link, policy, explanation: &explanation) { return exempt }
    if let listed = listedLink(link, policy, explanation: &explanation) { return listed }
    if policy.send == .noApps && !settings.app.assumptions.webLinksFollowBrowserRule {
      return LinkRule.webWithoutSending.settles(
        "web links follow the rule of the browser alone", false,
        reads: settingRead("allowedOutboundDataTransferDestinations", of: policy.account)
          + assumptionRead("webLinksFollowBrowserRule", false), in: &explanation)
    }
    return browser(policy, explanation: &explanation)
  }

  /// A URL for an app of the device.
  private func appLink(
    _ link: LinkText, _ policy: EffectivePolicy, isManagedScheme: Bool, explanation: inout Explanation
  ) -> Decision<LinkOutcome> {
    let account = policy.account
    if explanation.evaluate(
      LinkRule.sendsToAllApps.id, "\(Self.shown(account)) may send data to all apps", policy.send == .allApps,
      reads: settingRead("allowedOutboundDataTransferDestinations", of: account), decides: policy.send == .allApps)
    {
      return LinkRule.sendsToAllApps.decision
    }
    if let exempt = exemption(link, policy, explanation: &explanation) { return exempt }
    if link.isScheme("tel") || link.isScheme("telprompt") { return dialer(for: account, explanation: &explanation) }
    if link.isScheme("sms") { return messaging(for: account, explanation: &explanation) }
    let isManaged = policy.send == .managedApps && (isManagedScheme || link.schemeEnds(with: "-intunemam"))
    return (isManaged ? LinkRule.managedScheme : .otherScheme).settles(
      "\(Self.shown(account)) may send data to managed apps, and the scheme is known to be one's", isManaged,
      reads: settingRead("allowedOutboundDataTransferDestinations", of: account), in: &explanation)
  }

  /// Whether the link's scheme is exempt; `nil` where it is not.
  private func exemption(
    _ link: LinkText, _ policy: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<LinkOutcome>? {
    guard let account = policy.account, let index = policies.index(of: account) else { return nil }
    let choices = settings.app.assumptions
    let list = policies.records[index].document.storage.dataTransfer.exemptedAppProtocols
    var rule: LinkRule?
    if let list {
      let isListed = list.contains { pair in pair.value?.withBytes { link.isScheme(in: $0) } ?? false }
      if isListed { rule = .exempt }
    } else if choices.absentExemptionsMeanDefaults
      && Self.defaultExemptSchemes.withUTF8Buffer({ link.isScheme(in: $0) })
    {
      rule = .exemptByDefault
    }
    var reads = settingRead("exemptedAppProtocols", of: account, in: explanation)
    if rule == .exemptByDefault && explanation.isRecording {
      reads += assumptionRead("absentExemptionsMeanDefaults", true)
    }
    if rule != nil && policy.send != .managedApps {
      rule = choices.exemptSchemesNeedManagedSending ? nil : .exemptWithoutSending
      if explanation.isRecording {
        reads = assumptionRead("exemptSchemesNeedManagedSending", choices.exemptSchemesNeedManagedSending)
      }
    }
    explanation.evaluate(
      LinkRule.exempt.id, "the scheme is exempt for \(Self.shown(account))", rule != nil, reads: reads,
      decides: rule != nil)
    return rule?.decision
  }

  /// Whether the link is in one of the lists of universal links, the exempt ones first; `nil` where it is in neither.
  private func listedLink(
    _ link: LinkText, _ policy: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<LinkOutcome>? {
    guard let account = policy.account, let index = policies.index(of: account) else { return nil }
    let storage = policies.records[index].document.storage
    func isListed(_ patterns: [String]?) -> Bool {
      patterns?.contains { $0.withBytes { link.matches(LinkText(pattern: $0)) } } ?? false
    }
    let isExempt = isListed(storage.redirection.exemptedUniversalLinks)
    explanation.evaluate(
      LinkRule.exemptUniversalLink.id, "the link is an exempt universal link", isExempt,
      reads: settingRead("exemptedUniversalLinks", of: account), decides: isExempt)
    if isExempt { return LinkRule.exemptUniversalLink.decision }
    let isManaged = isListed(storage.redirection.managedUniversalLinks)
    explanation.evaluate(
      LinkRule.managedUniversalLink.id, "the link is a managed universal link", isManaged,
      reads: settingRead("managedUniversalLinks", of: account), decides: isManaged)
    return isManaged ? LinkRule.managedUniversalLink.decision : nil
  }
}
