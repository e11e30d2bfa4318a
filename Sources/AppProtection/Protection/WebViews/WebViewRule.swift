/// The rules of web views. Sources: S000 Web View APIs; H:IntuneMAMPolicyManager.
enum WebViewRule: CaseIterable, OutcomeRule {
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

  var id: String {
    switch self {
    case .externalPage, .externalPageInBrowser: "webView.1"
    case .unmanaged, .currentIdentity, .currentIdentityBlockUpload: "webView.2"
    case .parentUnmanaged, .parentCurrentIdentity, .parentCurrentIdentityBlockUpload: "webView.3"
    case .allUnmanaged: "webView.4"
    case .standard: "webView.5"
    }
  }

  var outcome: WebViewOutcome {
    switch self {
    case .externalPage, .unmanaged, .allUnmanaged, .parentUnmanaged: .unmanaged
    case .externalPageInBrowser: .requiredBrowser
    case .currentIdentity, .standard, .parentCurrentIdentity: .currentIdentity
    case .currentIdentityBlockUpload, .parentCurrentIdentityBlockUpload: .currentIdentityWithoutUpload
    }
  }

  var assumption: String? { id == "webView.3" ? "nearestWebViewPolicyCounts" : nil }

  var reason: String {
    switch self {
    case .externalPage: "the app says that the page is not the organization's, and no browser is required for it"
    case .externalPageInBrowser:
      "the app says that the page is not the organization's, and a browser is required for it"
    case .unmanaged: "the app set the web view to unmanaged"
    case .currentIdentity: "the app set the web view to the current identity"
    case .currentIdentityBlockUpload: "the app set the web view to the current identity, without uploads"
    case .allUnmanaged: "the app treats all web views as unmanaged unless it says otherwise"
    case .standard: "a web view is the current identity's unless the app says otherwise"
    case .parentUnmanaged: "the app set a parent of the web view to unmanaged"
    case .parentCurrentIdentity: "the app set a parent of the web view to the current identity"
    case .parentCurrentIdentityBlockUpload:
      "the app set a parent of the web view to the current identity, without uploads"
    }
  }

  var ground: DecisionGround { .webView(self) }
}
