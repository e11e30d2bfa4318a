/// The rules of web views. Sources: S000 Web View APIs; H:IntuneMAMPolicyManager.
package enum WebViewRule: UInt8, DecisionRule {
  case externalPage
  case externalPageInBrowser
  case unmanaged
  case currentIdentity
  case currentIdentityBlockUpload
  case allUnmanaged
  case standard
  /// DERIVED: which of several parents counts.
  case parentUnmanaged
  case parentCurrentIdentity
  case parentCurrentIdentityBlockUpload

  @inline(__always)
  package var row: RuleRow<WebViewOutcome> {
    switch self {
    case .externalPage:
      RuleRow(
        "webView.1", .unmanaged,
        "the app says that the page is not the organization's, and no browser is required for it",
        unless: "{account}'s policy requires a browser", reads: .setting { .managedBrowserToOpenLinksRequired })
    case .externalPageInBrowser:
      RuleRow(
        "webView.1", .requiredBrowser,
        "the app says that the page is not the organization's, and a browser is required for it",
        when: "{account}'s policy requires a browser", reads: .setting { .managedBrowserToOpenLinksRequired })
    case .unmanaged:
      RuleRow(
        "webView.2", .unmanaged, "the app set the web view to unmanaged", when: "the app set a policy for the web view")
    case .currentIdentity:
      RuleRow(
        "webView.2", .currentIdentity, "the app set the web view to the current identity",
        when: "the app set a policy for the web view")
    case .currentIdentityBlockUpload:
      RuleRow(
        "webView.2", .currentIdentityWithoutUpload, "the app set the web view to the current identity, without uploads",
        when: "the app set a policy for the web view")
    case .allUnmanaged:
      RuleRow(
        "webView.4", .unmanaged, "the app treats all web views as unmanaged unless it says otherwise",
        when: "the app treats all web views as unmanaged")
    case .standard:
      RuleRow(
        "webView.5", .currentIdentity, "a web view is the current identity's unless the app says otherwise",
        unless: "the app treats all web views as unmanaged")
    case .parentUnmanaged:
      RuleRow(
        "webView.3", .unmanaged, "the app set a parent of the web view to unmanaged",
        when: "the app set a policy for a parent of the web view", reads: .assumption,
        assumes: "nearestWebViewPolicyCounts")
    case .parentCurrentIdentity:
      RuleRow(
        "webView.3", .currentIdentity, "the app set a parent of the web view to the current identity",
        when: "the app set a policy for a parent of the web view", reads: .assumption,
        assumes: "nearestWebViewPolicyCounts")
    case .parentCurrentIdentityBlockUpload:
      RuleRow(
        "webView.3", .currentIdentityWithoutUpload,
        "the app set a parent of the web view to the current identity, without uploads",
        when: "the app set a policy for a parent of the web view", reads: .assumption,
        assumes: "nearestWebViewPolicyCounts")
    }
  }
}

extension RuleCondition {
  static var pageIsExternal: RuleCondition { RuleCondition("webView.1", "the page is not the organization's") }
}
