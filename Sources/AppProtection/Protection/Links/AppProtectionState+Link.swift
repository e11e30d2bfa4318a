import EventSourcing

extension AppProtectionState {
  /// The schemes that are exempt if a policy does not list any: the service's list since June 2020.
  static let defaultExemptSchemes: StaticString =
    "skype;app-settings;calshow;itms;itmss;itms-apps;itms-appss;itms-services;"

  /// Whether, and in which app, a URL may be opened (`isURLAllowed`).
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - account: the account that owns it; `nil` for none.
  ///   - isManagedScheme: whether its scheme is known to belong to a managed app: according to the app
  ///     (`isKnownManagedAppScheme`), or because the system can open the scheme that ends with `-intunemam`.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func url(
    _ url: String, for account: AccountNumber?, isManagedScheme: Bool = false
  ) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return self.url(url, for: account, isManagedScheme: isManagedScheme, explanation: &explanation)
  }

  package func url(
    _ url: String, for account: AccountNumber?, isManagedScheme: Bool = false, explanation: inout Explanation
  ) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(LinkRule.unmanaged, of: account, in: &explanation) }
    return url.withBytes { bytes in
      guard let link = LinkText(bytes) else { return decide(LinkRule.malformed, in: &explanation) }
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

  package func universalLink(
    _ url: String, for account: AccountNumber?, explanation: inout Explanation
  ) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(LinkRule.unmanaged, of: account, in: &explanation) }
    return url.withBytes { bytes in
      guard let link = LinkText(bytes), link.isWeb else {
        return decide(LinkRule.notOfTheWeb, in: &explanation)
      }
      if let listed = listedLink(link, policy, explanation: &explanation) { return listed }
      if let refused = decide(
        LinkRule.universalLinkInBrowser, if: policy.switches.contains(.browserRequired), of: account, in: &explanation)
      {
        return refused
      }
      let follows = settings.app.assumptions.universalLinksFollowBrowserRule
      return decide(follows ? LinkRule.otherUniversalLink : .otherUniversalLinkDenied, in: &explanation)
    }
  }

  /// A web page: exempt schemes, both lists of universal links, then the rule of the browser.
  private func webLink(
    _ link: LinkText, _ policy: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<LinkOutcome> {
    if policy.send != .allApps, let exempt = exemption(link, policy, explanation: &explanation) { return exempt }
    if let listed = listedLink(link, policy, explanation: &explanation) { return listed }
    if policy.send == .noApps && !settings.app.assumptions.webLinksFollowBrowserRule {
      return decide(LinkRule.webWithoutSending, of: policy.account, in: &explanation)
    }
    return browser(policy, explanation: &explanation)
  }

  /// A URL for an app of the device.
  private func appLink(
    _ link: LinkText, _ policy: EffectivePolicy, isManagedScheme: Bool, explanation: inout Explanation
  ) -> Decision<LinkOutcome> {
    let account = policy.account
    if let free = decide(
      LinkRule.sendsToAllApps, if: policy.send == .allApps, of: account, in: &explanation)
    {
      return free
    }
    if let exempt = exemption(link, policy, explanation: &explanation) { return exempt }
    if link.isScheme("tel") || link.isScheme("telprompt") { return dialer(for: account, explanation: &explanation) }
    if link.isScheme("sms") { return messaging(for: account, explanation: &explanation) }
    let isManaged = policy.send == .managedApps && (isManagedScheme || link.schemeEnds(with: "-intunemam"))
    return decide(isManaged ? LinkRule.managedScheme : .otherScheme, of: account, in: &explanation)
  }

  /// Whether the link's scheme is exempt; `nil` where it is not.
  private func exemption(
    _ link: LinkText, _ policy: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<LinkOutcome>? {
    guard let account = policy.account, let index = policies.index(of: account) else { return nil }
    let choices = settings.app.assumptions
    let list = policies.records[index].document.storage.dataTransfer.exemptedAppProtocols
    var rule = LinkRule.exempt
    var isExempt = false
    if let list {
      isExempt = list.contains { pair in pair.value?.withBytes { link.isScheme(in: $0) } ?? false }
    } else if choices.absentExemptionsMeanDefaults
      && Self.defaultExemptSchemes.withUTF8Buffer({ link.isScheme(in: $0) })
    {
      (rule, isExempt) = (.exemptByDefault, true)
    }
    if isExempt && policy.send != .managedApps {
      (rule, isExempt) = (.exemptWithoutSending, !choices.exemptSchemesNeedManagedSending)
    }
    return decide(rule, if: isExempt, of: account, in: &explanation)
  }

  /// Whether the link is in one of the lists of universal links, the exempt ones first; `nil` where it is in neither.
  private func listedLink(
    _ link: LinkText, _ policy: EffectivePolicy, explanation: inout Explanation
  ) -> Decision<LinkOutcome>? {
    guard let account = policy.account, let index = policies.index(of: account) else { return nil }
    let redirection = policies.records[index].document.storage.redirection
    func isListed(_ patterns: [String]?) -> Bool {
      patterns?.contains { $0.withBytes { link.matches(LinkText(pattern: $0)) } } ?? false
    }
    if let exempt = decide(
      LinkRule.exemptUniversalLink, if: isListed(redirection.exemptedUniversalLinks), of: account, in: &explanation)
    {
      return exempt
    }
    return decide(
      LinkRule.managedUniversalLink, if: isListed(redirection.managedUniversalLinks), of: account, in: &explanation)
  }
}

extension AppProtectionState {
  /// The address that is opened in place of a URL, according to the outcome of a question about it.
  ///
  /// | outcome | `https://x/y` becomes |
  /// |---|---|
  /// | ``LinkOutcome/allowed``, ``LinkOutcome/managedApp``, ``LinkOutcome/protectedBrowser`` | itself |
  /// | ``LinkOutcome/managedScheme`` | `https-intunemam://x/y` |
  /// | ``LinkOutcome/edge`` | `microsoft-edge-https://x/y` |
  /// | ``LinkOutcome/customBrowser`` | `mybrowsers://x/y` for `mybrowser`; `http` becomes `mybrowser` |
  /// | ``LinkOutcome/customDialer``, ``LinkOutcome/customMessagingApp`` | the URL with the policy's scheme |
  /// | ``LinkOutcome/denied`` | nothing |
  ///
  /// - Returns: the text; `nil` if nothing is opened: the URL has no scheme, or the policy in force names none.
  public func address(of url: String, for account: AccountNumber?, as outcome: LinkOutcome) -> String? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(url[..<colon]).lowercased()
    let rest = url[colon...]
    let redirection = enforcedPolicy(for: account.map { .account($0) } ?? .unset)?.redirection
    func named(_ text: String?, _ suffix: String = "") -> String? {
      guard let name = text?.prefix(while: { $0 != ":" }), !name.isEmpty else { return nil }
      return "\(name)\(suffix)\(rest)"
    }
    switch outcome {
    case .allowed, .managedApp, .protectedBrowser: return url
    case .managedScheme: return scheme.hasSuffix("-intunemam") ? url : "\(scheme)-intunemam\(rest)"
    case .edge: return "microsoft-edge-\(scheme)\(rest)"
    case .customBrowser: return named(redirection?.customBrowserProtocol, scheme == "https" ? "s" : "")
    case .customDialer: return named(redirection?.customDialerAppProtocol)
    case .customMessagingApp: return named(redirection?.messagingRedirectAppUrlScheme)
    case .denied: return nil
    }
  }
}
