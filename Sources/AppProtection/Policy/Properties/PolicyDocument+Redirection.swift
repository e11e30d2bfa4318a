extension PolicyDocument {
  /// Which apps open links, numbers and messages of the organization.
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
  public struct Redirection: Equatable, Sendable {
    /// Whether web links must open in a protected browser.
    public var managedBrowserToOpenLinksRequired: Bool?
    /// Which protected browser opens web links.
    public var managedBrowser: ManagedBrowsers?
    /// The URL scheme of the browser that opens web links; an empty text means no browser.
    public var customBrowserProtocol: String?
    /// Universal links that open in managed apps: URL patterns with wildcards.
    public var managedUniversalLinks: [String]?
    /// Universal links that open in any app: URL patterns with wildcards.
    public var exemptedUniversalLinks: [String]?
    /// The apps with which a phone number may be dialed.
    public var dialerRestrictionLevel: DialerRestrictionLevel?
    /// The URL scheme of the dialer when one is prescribed.
    public var customDialerAppProtocol: String?
    /// The apps with which a message may be started.
    public var protectedMessagingRedirectAppType: MessagingRedirectAppType?
    /// The URL scheme of the messaging app when one is prescribed.
    public var messagingRedirectAppUrlScheme: String?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/redirection``: numbers 80 to 99.
  static let redirection: [PolicyProperty] = [
    managedBrowserToOpenLinksRequired, managedBrowser, customBrowserProtocol, managedUniversalLinks,
    exemptedUniversalLinks, dialerRestrictionLevel, customDialerAppProtocol, protectedMessagingRedirectAppType,
    messagingRedirectAppUrlScheme,
  ]

  package static let managedBrowserToOpenLinksRequired: PolicyProperty = row(
    80, "managedBrowserToOpenLinksRequired", .flag,
    "Whether web links must open in a protected browser", { $0.redirection.managedBrowserToOpenLinksRequired },
    { $0.redirection.managedBrowserToOpenLinksRequired = $1 }, of: .protection, combines: .together(.browser),
    feeds: .on(.browserRequired),
    portal: .entry(
      .functionality, 40, "Restrict web content transfer with other apps",
      .document { policy in
        let redirection = policy.redirection
        if let choice = redirection.webContentChoice { return choice.rawValue }
        let browsers = PortalWords.flags(redirection.managedBrowser, [0: "no browser", 1: "Microsoft Edge"])
        guard redirection.managedBrowserToOpenLinksRequired != nil || browsers != nil else { return nil }
        let required = redirection.managedBrowserToOpenLinksRequired == true ? "required" : "not required"
        return "No choice of the portal: \(browsers ?? "no browser"), \(required)"
      }, standard: "Any app",
      with: [.managedBrowser]),
    device: .flag("ManagedBrowserRequired"))

  package static let managedBrowser: PolicyProperty = row(
    81, "managedBrowser", .flags,
    "Which protected browser opens web links", { $0.redirection.managedBrowser },
    { $0.redirection.managedBrowser = $1 }, of: .protection, combines: .together(.browser),
    feeds: .on(.edge) { browsers, _ in browsers.contains(.microsoftEdge) },
    portal: .beside(.functionality))

  package static let customBrowserProtocol: PolicyProperty = row(
    82, "customBrowserProtocol", .text,
    "The URL scheme of the browser that opens web links; an empty text is no browser",
    { $0.redirection.customBrowserProtocol }, { $0.redirection.customBrowserProtocol = $1 }, of: [.ios, .standard],
    combines: .together(.browser), feeds: .on(.customBrowser) { scheme, _ in !scheme.isEmpty },
    portal: .entry(.functionality, 50, "Unmanaged Browser Protocol", .text), device: .text("UnmanagedBrowserProtocol"))

  package static let managedUniversalLinks: PolicyProperty = row(
    83, "managedUniversalLinks", .texts,
    "Universal links that open in managed apps: URL patterns with wildcards", { $0.redirection.managedUniversalLinks },
    { $0.redirection.managedUniversalLinks = $1 }, of: .ios, effect: .steersDecisions,
    combines: .common(where: \.restrictsSending),
    portal: .entry(.dataTransfer, 50, "Select managed universal links", .list),
    device: .links("ManagedUniversalLinks", or: "ManageableUniversalLinks"))

  package static let exemptedUniversalLinks: PolicyProperty = row(
    84, "exemptedUniversalLinks", .texts,
    "Universal links that open in any app: URL patterns with wildcards", { $0.redirection.exemptedUniversalLinks },
    { $0.redirection.exemptedUniversalLinks = $1 }, of: .ios, effect: .steersDecisions,
    combines: .common(where: \.restrictsSending),
    portal: .entry(.dataTransfer, 40, "Select universal links to exempt", .list),
    device: .links("UniversalLinkExclusions"))

  package static let dialerRestrictionLevel: PolicyProperty = row(
    85, "dialerRestrictionLevel", .choice,
    "With which apps a phone number may be dialed", { $0.redirection.dialerRestrictionLevel },
    { $0.redirection.dialerRestrictionLevel = $1 }, of: .protection, effect: .steersDecisions,
    combines: .together(.dialer),
    portal: .entry(
      .dataTransfer, 80, "Transfer telecommunication data to",
      .choice([
        .allApps: "Any dialer app", .managedApps: "Any policy-managed dialer app",
        .customApp: "A specific dialer app", .blocked: "None, do not transfer this data between apps",
      ]), standard: "Any dialer app"),
    device: .choice("DialerRestrictionLevel", [0: .blocked, 1: .customApp, 3: .allApps]))

  package static let customDialerAppProtocol: PolicyProperty = row(
    86, "customDialerAppProtocol", .text,
    "The URL scheme of the dialer when one is prescribed", { $0.redirection.customDialerAppProtocol },
    { $0.redirection.customDialerAppProtocol = $1 }, of: [.ios, .standard], effect: .steersDecisions,
    combines: .together(.dialer),
    portal: .entry(.dataTransfer, 90, "Dialer App URL Scheme", .text), device: .text("SpecificDialerProtocol"))

  package static let protectedMessagingRedirectAppType: PolicyProperty = row(
    87, "protectedMessagingRedirectAppType", .choice,
    "With which apps a message may be begun", { $0.redirection.protectedMessagingRedirectAppType },
    { $0.redirection.protectedMessagingRedirectAppType = $1 }, of: .protection, effect: .steersDecisions,
    combines: .together(.messaging),
    portal: .entry(
      .dataTransfer, 100, "Transfer messaging data to",
      .choice([
        .anyApp: "Any messaging app", .anyManagedApp: "Any policy-managed messaging app",
        .specificApps: "A specific messaging app", .blocked: "None, do not transfer this data between apps",
      ]), standard: "Any messaging app"))

  package static let messagingRedirectAppUrlScheme: PolicyProperty = row(
    88, "messagingRedirectAppUrlScheme", .text,
    "The URL scheme of the messaging app when one is prescribed", { $0.redirection.messagingRedirectAppUrlScheme },
    { $0.redirection.messagingRedirectAppUrlScheme = $1 }, of: [.ios, .standard], effect: .steersDecisions,
    combines: .together(.messaging),
    portal: .entry(.dataTransfer, 110, "Messaging App URL Scheme", .text))
}

extension PolicySwitches {
  /// Web links open in a protected browser.
  public static let browserRequired = PolicySwitches(rawValue: 1 << 6)
  /// That browser is Edge.
  public static let edge = PolicySwitches(rawValue: 1 << 7)
  /// That browser has the scheme `customBrowserProtocol`.
  public static let customBrowser = PolicySwitches(rawValue: 1 << 8)
}
