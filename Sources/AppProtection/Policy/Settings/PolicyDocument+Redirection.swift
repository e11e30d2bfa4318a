extension PolicyDocument {
  /// Which apps open links, numbers and messages of the organization.
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
  public struct Redirection: Equatable, Sendable {
    /// Whether web links must open in a protected browser.
    public var managedBrowserToOpenLinksRequired: Bool?
    /// Which protected browser opens web links.
    public var managedBrowser: ManagedBrowsers?
    /// The URL scheme of the browser that opens web links; an empty text is no browser.
    public var customBrowserProtocol: String?
    /// Universal links that open in managed apps: URL patterns with wildcards.
    public var managedUniversalLinks: [String]?
    /// Universal links that open in any app: URL patterns with wildcards.
    public var exemptedUniversalLinks: [String]?
    /// With which apps a phone number may be dialed.
    public var dialerRestrictionLevel: DialerRestrictionLevel?
    /// The URL scheme of the dialer when one is prescribed.
    public var customDialerAppProtocol: String?
    /// With which apps a message may be begun.
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
    .flag(
      80, "managedBrowserToOpenLinksRequired", { $0.redirection.managedBrowserToOpenLinksRequired },
      { $0.redirection.managedBrowserToOpenLinksRequired = $1 }, .dataProtection, effect: .steersDecisions,
      "Whether web links must open in a protected browser"),
    .flags(
      81, "managedBrowser", { $0.redirection.managedBrowser }, { $0.redirection.managedBrowser = $1 }, .dataProtection,
      effect: .steersDecisions,
      "Which protected browser opens web links"),
    .text(
      82, "customBrowserProtocol", { $0.redirection.customBrowserProtocol },
      { $0.redirection.customBrowserProtocol = $1 }, .dataProtection, effect: .steersDecisions,
      "The URL scheme of the browser that opens web links; an empty text is no browser"),
    .texts(
      83, "managedUniversalLinks", { $0.redirection.managedUniversalLinks },
      { $0.redirection.managedUniversalLinks = $1 }, .dataProtection, effect: .steersDecisions,
      "Universal links that open in managed apps: URL patterns with wildcards"),
    .texts(
      84, "exemptedUniversalLinks", { $0.redirection.exemptedUniversalLinks },
      { $0.redirection.exemptedUniversalLinks = $1 }, .dataProtection, effect: .steersDecisions,
      "Universal links that open in any app: URL patterns with wildcards"),
    .choice(
      85, "dialerRestrictionLevel", { $0.redirection.dialerRestrictionLevel },
      { $0.redirection.dialerRestrictionLevel = $1 }, .dataProtection, effect: .steersDecisions,
      "With which apps a phone number may be dialed"),
    .text(
      86, "customDialerAppProtocol", { $0.redirection.customDialerAppProtocol },
      { $0.redirection.customDialerAppProtocol = $1 }, .dataProtection, effect: .steersDecisions,
      "The URL scheme of the dialer when one is prescribed"),
    .choice(
      87, "protectedMessagingRedirectAppType", { $0.redirection.protectedMessagingRedirectAppType },
      { $0.redirection.protectedMessagingRedirectAppType = $1 }, .dataProtection, effect: .steersDecisions,
      "With which apps a message may be begun"),
    .text(
      88, "messagingRedirectAppUrlScheme", { $0.redirection.messagingRedirectAppUrlScheme },
      { $0.redirection.messagingRedirectAppUrlScheme = $1 }, .dataProtection, effect: .steersDecisions,
      "The URL scheme of the messaging app when one is prescribed"),
  ]
}
