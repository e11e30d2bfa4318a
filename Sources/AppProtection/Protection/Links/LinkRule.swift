/// The rules of URLs (`isURLAllowed`, `isUniversalLinkAllowed`) with those of browsers, dialers and messaging apps.
enum LinkRule: CaseIterable, OutcomeRule {
  /// S004 Identity overview.
  case unmanaged
  /// H: what is no URL cannot be opened.
  case malformed
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
  case browserUnmanaged
  /// D: Restrict web content transfer with other apps, Any app.
  case anyBrowser
  /// DERIVED: the same where nothing may be sent.
  case anyBrowserWithoutSending
  /// D: the same, Microsoft Edge.
  case edge
  /// D: the same, Unmanaged browser.
  case customBrowser
  /// D: the same, without a name.
  case protectedBrowser
  /// D: `com.microsoft.intune.useEdge` = yes; that the policy's own browser counts before it is DERIVED:
  /// the configuration chooses between browsers that are protected.
  case edgeByConfiguration
  case dialerUnmanaged
  /// D: known from SDK 12.7.0 on.
  case dialerTooOld
  /// D: Transfer telecommunication data to, Any dialer app.
  case anyDialer
  /// D: the same, Any policy-managed dialer app.
  case managedDialer
  /// D: the same, A specific dialer app.
  case customDialer
  /// D: the same, None.
  case noDialer
  case messagingUnmanaged
  /// D: known from SDK 19.0.0 on.
  case messagingTooOld
  /// D: Transfer messaging data to, Any messaging app.
  case anyMessagingApp
  /// D: the same, Any policy-managed messaging app.
  case managedMessagingApp
  /// D: the same, A specific messaging app.
  case customMessagingApp
  /// D: the same, None.
  case noMessagingApp

  var id: String {
    switch self {
    case .unmanaged: "url.1"
    case .malformed: "url.2"
    case .sendsToAllApps: "url.3"
    case .exempt, .exemptByDefault, .exemptWithoutSending: "url.4"
    case .managedScheme: "url.5"
    case .otherScheme: "url.6"
    case .webWithoutSending: "url.7"
    case .exemptUniversalLink: "universalLink.1"
    case .managedUniversalLink: "universalLink.2"
    case .universalLinkInBrowser: "universalLink.3"
    case .otherUniversalLink, .otherUniversalLinkDenied: "universalLink.4"
    case .browserUnmanaged: "browser.1"
    case .anyBrowser, .anyBrowserWithoutSending: "browser.2"
    case .edge: "browser.3"
    case .customBrowser: "browser.4"
    case .protectedBrowser: "browser.5"
    case .edgeByConfiguration: "browser.6"
    case .dialerUnmanaged: "dialer.1"
    case .dialerTooOld: "dialer.2"
    case .anyDialer: "dialer.3"
    case .managedDialer: "dialer.4"
    case .customDialer: "dialer.5"
    case .noDialer: "dialer.6"
    case .messagingUnmanaged: "messaging.1"
    case .messagingTooOld: "messaging.2"
    case .anyMessagingApp: "messaging.3"
    case .managedMessagingApp: "messaging.4"
    case .customMessagingApp: "messaging.5"
    case .noMessagingApp: "messaging.6"
    }
  }

  var outcome: LinkOutcome {
    switch self {
    case .malformed, .otherScheme, .webWithoutSending, .universalLinkInBrowser, .otherUniversalLinkDenied,
      .dialerTooOld, .noDialer, .messagingTooOld, .noMessagingApp:
      .denied
    case .managedScheme: .managedScheme
    case .managedUniversalLink, .managedDialer, .managedMessagingApp: .managedApp
    case .edge, .edgeByConfiguration: .edge
    case .customBrowser: .customBrowser
    case .protectedBrowser: .protectedBrowser
    case .customDialer: .customDialer
    case .customMessagingApp: .customMessagingApp
    default: .allowed
    }
  }

  var assumption: String? {
    switch self {
    case .exemptByDefault: "absentExemptionsMeanDefaults"
    case .exemptWithoutSending: "exemptSchemesNeedManagedSending"
    case .webWithoutSending, .anyBrowserWithoutSending: "webLinksFollowBrowserRule"
    case .otherUniversalLink, .otherUniversalLinkDenied: "universalLinksFollowBrowserRule"
    default: nil
    }
  }

  var ground: DecisionGround { .link(self) }
}

extension LinkRule {
  var reason: String {
    switch self {
    case .unmanaged, .browserUnmanaged, .dialerUnmanaged, .messagingUnmanaged:
      "no policy is in force for the account"
    case .malformed: "there is no scheme in front, so that it is no URL"
    case .sendsToAllApps: "the account may send data to all apps"
    case .exempt: "the URL's scheme is among the account's exempt ones"
    case .exemptByDefault: "the policy has no exempt schemes, and the URL's is taken to be exempt by default"
    case .exemptWithoutSending: "the URL's scheme is exempt, which is taken to count although nothing may be sent"
    case .managedScheme: "the URL's scheme is known to belong to a managed app"
    case .otherScheme: "the URL's scheme is neither exempt nor known to belong to a managed app"
    case .webWithoutSending: "the account may send data to no app, which is taken to cover browsers"
    case .exemptUniversalLink: "the link is among the exempt universal links"
    case .managedUniversalLink: "the link is among the managed universal links"
    case .universalLinkInBrowser: "the link is in neither list of universal links, and web links need a browser"
    case .otherUniversalLink:
      "the link is in neither list of universal links, and is taken to be free where no browser is required"
    case .otherUniversalLinkDenied: "the link is in neither list of universal links, which is taken to be needed"
    case .anyBrowser: "the account's policy requires no browser"
    case .anyBrowserWithoutSending:
      "the account's policy requires no browser, which is taken to count although nothing may be sent"
    case .edge: "the account's policy requires Edge for web links"
    case .customBrowser: "the account's policy requires a browser for web links, and gives its scheme"
    case .protectedBrowser: "the account's policy requires a protected browser for web links, and gives none"
    case .edgeByConfiguration:
      "the account's policy requires a protected browser and gives none, and the app configuration says Edge"
    case .dialerTooOld: "the SDK does not know the rules of dialers, and the scheme is not exempt"
    case .anyDialer: "the account's policy allows any dialer"
    case .managedDialer: "the account's policy allows managed dialers"
    case .customDialer: "the account's policy prescribes a dialer"
    case .noDialer: "the account's policy allows no dialer"
    case .messagingTooOld: "the SDK does not know the rules of messages, and the scheme is not exempt"
    case .anyMessagingApp: "the account's policy allows any messaging app"
    case .managedMessagingApp: "the account's policy allows managed messaging apps"
    case .customMessagingApp: "the account's policy prescribes a messaging app"
    case .noMessagingApp: "the account's policy allows no messaging app"
    }
  }
}
