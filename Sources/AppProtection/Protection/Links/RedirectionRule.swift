/// The rules that choose the browser, dialer or messaging app for a link.
package enum RedirectionRule: UInt8, DecisionRule {
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
  /// D: supported from SDK 12.7.0 on.
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
  /// D: supported from SDK 19.0.0 on.
  case messagingTooOld
  /// D: Transfer messaging data to, Any messaging app.
  case anyMessagingApp
  /// D: the same, Any policy-managed messaging app.
  case managedMessagingApp
  /// D: the same, A specific messaging app.
  case customMessagingApp
  /// D: the same, None.
  case noMessagingApp

  @inline(__always)
  package var row: RuleRow<LinkOutcome> {
    switch self {
    case .browserUnmanaged:
      RuleRow("browser.1", .allowed, "no policy is in force for the account", when: "{account} is unmanaged")
    case .anyBrowser:
      RuleRow(
        "browser.2", .allowed, "the account's policy requires no browser",
        unless: "{account}'s policy requires a browser", reads: .setting { .managedBrowserToOpenLinksRequired })
    case .anyBrowserWithoutSending:
      RuleRow(
        "browser.2", .allowed,
        "the account's policy requires no browser, which is taken to count although nothing may be sent",
        unless: "{account}'s policy requires a browser", reads: .assumption,
        .setting { .managedBrowserToOpenLinksRequired }, assumes: "webLinksFollowBrowserRule")
    case .edge:
      RuleRow(
        "browser.3", .edge, "the account's policy requires Edge for web links", when: "the browser is Edge",
        reads: .setting { .managedBrowser })
    case .customBrowser:
      RuleRow(
        "browser.4", .customBrowser, "the account's policy requires a browser for web links, and gives its scheme",
        when: "the policy gives the browser's scheme", reads: .setting { .customBrowserProtocol })
    case .protectedBrowser:
      RuleRow(
        "browser.5", .protectedBrowser,
        "the account's policy requires a protected browser for web links, and gives none",
        unless: "the policy gives the browser's scheme", reads: .setting { .customBrowserProtocol })
    case .edgeByConfiguration:
      RuleRow(
        "browser.6", .edge,
        "the account's policy requires a protected browser and gives none, and the app configuration says Edge",
        when: "the app configuration chooses Edge", reads: .found)
    case .dialerUnmanaged:
      RuleRow("dialer.1", .allowed, "no policy is in force for the account", when: "{account} is unmanaged")
    case .dialerTooOld:
      RuleRow(
        "dialer.2", .denied, "the SDK does not know the rules of dialers, and the scheme is not exempt",
        unless: "the SDK knows the rules of dialers", reads: .sdkVersion)
    case .anyDialer:
      RuleRow(
        "dialer.3", .allowed, "the account's policy allows any dialer", when: "{account} may dial",
        reads: .setting { .dialerRestrictionLevel })
    case .managedDialer:
      RuleRow(
        "dialer.4", .managedApp, "the account's policy allows managed dialers", when: "{account} may dial",
        reads: .setting { .dialerRestrictionLevel })
    case .customDialer:
      RuleRow(
        "dialer.5", .customDialer, "the account's policy prescribes a dialer", when: "{account} may dial",
        reads: .setting { .dialerRestrictionLevel })
    case .noDialer:
      RuleRow(
        "dialer.6", .denied, "the account's policy allows no dialer", unless: "{account} may dial",
        reads: .setting { .dialerRestrictionLevel })
    case .messagingUnmanaged:
      RuleRow("messaging.1", .allowed, "no policy is in force for the account", when: "{account} is unmanaged")
    case .messagingTooOld:
      RuleRow(
        "messaging.2", .denied, "the SDK does not know the rules of messages, and the scheme is not exempt",
        unless: "the SDK knows the rules of messages", reads: .sdkVersion)
    case .anyMessagingApp:
      RuleRow(
        "messaging.3", .allowed, "the account's policy allows any messaging app", when: "{account} may begin a message",
        reads: .setting { .protectedMessagingRedirectAppType })
    case .managedMessagingApp:
      RuleRow(
        "messaging.4", .managedApp, "the account's policy allows managed messaging apps",
        when: "{account} may begin a message", reads: .setting { .protectedMessagingRedirectAppType })
    case .customMessagingApp:
      RuleRow(
        "messaging.5", .customMessagingApp, "the account's policy prescribes a messaging app",
        when: "{account} may begin a message", reads: .setting { .protectedMessagingRedirectAppType })
    case .noMessagingApp:
      RuleRow(
        "messaging.6", .denied, "the account's policy allows no messaging app", unless: "{account} may begin a message",
        reads: .setting { .protectedMessagingRedirectAppType })
    }
  }
}

extension RuleCondition {
  static var policyRequiresBrowser: RuleCondition {
    RuleCondition(
      "browser.required", "{account}'s policy requires a browser",
      reads: .setting { .managedBrowserToOpenLinksRequired })
  }
}
