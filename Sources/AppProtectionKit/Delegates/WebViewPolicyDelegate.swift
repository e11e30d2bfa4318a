/// Tells an app's own pages from others (`IntuneMAMWebViewPolicyDelegate`).
public protocol WebViewPolicyDelegate: Sendable {
  /// Whether a page could carry the organization's data away. Called for each page that a web view goes to.
  ///
  /// `false` says that the page is the organization's. `true` has it opened in the browser that the policy requires, if it
  /// requires one; otherwise what it shows counts as unmanaged.
  func isExternalURL(_ url: String) async -> Bool
}
