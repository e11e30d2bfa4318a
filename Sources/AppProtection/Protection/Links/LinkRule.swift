/// The result for a URL that an app wants to open. ``AppProtectionState/address(of:for:as:)`` gives the address to
/// open.
public enum LinkOutcome: DecisionOutcome {
  /// It is opened unchanged.
  case allowed
  /// Only a managed app may open it.
  case managedApp
  /// The managed app is addressed by the scheme that ends with `-intunemam`.
  case managedScheme
  /// It opens in Edge.
  case edge
  /// It opens in the browser whose scheme the policy gives.
  case customBrowser
  /// It opens in a protected browser; the user is asked to install one.
  case protectedBrowser
  /// It opens in the dialer whose scheme the policy gives.
  case customDialer
  /// It opens in the messaging app whose scheme the policy gives.
  case customMessagingApp
  /// It is not opened.
  case denied

  /// The name of the case.
  public var name: String { "\(self)" }
}

extension Decision where Outcome == LinkOutcome {
  /// Whether the URL is opened, in any app.
  public var isAllowed: Bool { outcome != .denied }
}

/// The rules of URLs and universal links (`isURLAllowed`, `isUniversalLinkAllowed`).
package enum LinkRule: UInt8, DecisionRule {
  /// S004 Identity overview.
  case unmanaged
  /// H: text that is not a URL cannot be opened.
  case malformed
  /// H: the same for a universal link.
  case notOfTheWeb
  /// D: Send org data to other apps, All apps.
  case sendsToAllApps
  /// D: Select apps to exempt.
  case exempt
  /// DERIVED: the service's list where the policy has none.
  case exemptByDefault
  /// DERIVED: exemptions where nothing may be sent.
  case exemptWithoutSending
  /// S000, H: the scheme that ends with `-intunemam`, and `isKnownManagedAppScheme`.
  case managedScheme
  /// D: everything else.
  case otherScheme
  /// DERIVED: web links where nothing may be sent.
  case webWithoutSending
  /// D: Select universal links to exempt.
  case exemptUniversalLink
  /// D: Select managed universal links.
  case managedUniversalLink
  /// D: the browser is required instead.
  case universalLinkInBrowser
  /// DERIVED: no browser is required.
  case otherUniversalLink
  case otherUniversalLinkDenied

  @inline(__always)
  package var row: RuleRow<LinkOutcome> {
    switch self {
    case .unmanaged:
      RuleRow("url.1", .allowed, "no policy is in force for the account", when: "{account} is unmanaged")
    case .malformed:
      RuleRow("url.2", .denied, "there is no scheme in front, so that it is no URL", unless: "the URL has a scheme")
    case .notOfTheWeb:
      RuleRow(
        "url.2", .denied, "there is no scheme in front, so that it is no URL", unless: "the URL is a link of the web")
    case .sendsToAllApps:
      RuleRow(
        "url.3", .allowed, "the account may send data to all apps", when: "{account} may send data to all apps",
        reads: .sending)
    case .exempt:
      RuleRow(
        "url.4", .allowed, "the URL's scheme is among the account's exempt ones",
        when: "the scheme is exempt for {account}", reads: .setting { .exemptedAppProtocols })
    case .exemptByDefault:
      RuleRow(
        "url.4", .allowed, "the policy has no exempt schemes, and the URL's is taken to be exempt by default",
        when: "the scheme is exempt for {account}", reads: .setting { .exemptedAppProtocols }, .assumption,
        assumes: "absentExemptionsMeanDefaults")
    case .exemptWithoutSending:
      RuleRow(
        "url.4", .allowed, "the URL's scheme is exempt, which is taken to count although nothing may be sent",
        when: "the scheme is exempt for {account}", reads: .assumption, assumes: "exemptSchemesNeedManagedSending")
    case .managedScheme:
      RuleRow(
        "url.5", .managedScheme, "the URL's scheme is known to belong to a managed app",
        when: "{account} may send data to managed apps, and the scheme is known to be one's", reads: .sending)
    case .otherScheme:
      RuleRow(
        "url.6", .denied, "the URL's scheme is neither exempt nor known to belong to a managed app",
        unless: "{account} may send data to managed apps, and the scheme is known to be one's", reads: .sending)
    case .webWithoutSending:
      RuleRow(
        "url.7", .denied, "the account may send data to no app, which is taken to cover browsers",
        unless: "web links follow the rule of the browser alone", reads: .sending, .assumption,
        assumes: "webLinksFollowBrowserRule")
    case .exemptUniversalLink:
      RuleRow(
        "universalLink.1", .allowed, "the link is among the exempt universal links",
        when: "the link is an exempt universal link", reads: .setting { .exemptedUniversalLinks })
    case .managedUniversalLink:
      RuleRow(
        "universalLink.2", .managedApp, "the link is among the managed universal links",
        when: "the link is a managed universal link", reads: .setting { .managedUniversalLinks })
    case .universalLinkInBrowser:
      RuleRow(
        "universalLink.3", .denied, "the link is in neither list of universal links, and web links need a browser",
        when: "{account}'s policy requires a browser", reads: .setting { .managedBrowserToOpenLinksRequired })
    case .otherUniversalLink:
      RuleRow(
        "universalLink.4", .allowed,
        "the link is in neither list of universal links, and is taken to be free where no browser is required",
        when: "a link in neither list is free where no browser is required", reads: .assumption,
        assumes: "universalLinksFollowBrowserRule")
    case .otherUniversalLinkDenied:
      RuleRow(
        "universalLink.4", .denied, "the link is in neither list of universal links, which is taken to be needed",
        unless: "a link in neither list is free where no browser is required", reads: .assumption,
        assumes: "universalLinksFollowBrowserRule")
    }
  }
}
