import EventSourcing

extension AppProtectionState {
  /// The identity that a web view's content belongs to.
  ///
  /// - Parameters:
  ///   - own: the policy that the app set for the web view (`setWebViewPolicy:forWebViewer:`).
  ///   - parents: the policies that it set for the enclosing views, nearest first; they cover even children that are
  ///     added later.
  ///   - treatsAllAsUnmanaged: the app's `TreatAllWebViewsAsUnmanaged`.
  ///   - isExternalPage: the answer of the app's delegate about the page (`isExternalURL:`); `nil` without a delegate.
  ///   - window: the window that it is in; `nil` for the default window. The policy of the window's account decides
  ///     whether an external page opens in a browser.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing, except for an external page.
  public func webView(
    _ own: WebViewPolicy, parents: [WebViewPolicy] = [], treatsAllAsUnmanaged: Bool, isExternalPage: Bool? = nil,
    window: UInt32? = nil
  ) -> Decision<WebViewOutcome> {
    var explanation = Explanation()
    return webView(
      own, parents: parents, treatsAllAsUnmanaged: treatsAllAsUnmanaged, isExternalPage: isExternalPage,
      window: window, explanation: &explanation)
  }

  package func webView(
    _ own: WebViewPolicy, parents: [WebViewPolicy] = [], treatsAllAsUnmanaged: Bool, isExternalPage: Bool? = nil,
    window: UInt32? = nil, explanation: inout Explanation
  ) -> Decision<WebViewOutcome> {
    if let isExternalPage, check(.pageIsExternal, isExternalPage, in: &explanation) {
      // The policy concerns an external page only if the page could carry the organization's data away.
      let account = effectiveIdentity(of: .ui(window: window)).identity.account
      let policy = effectivePolicy(for: account, explanation: &explanation)
      let opensInBrowser = policy.isManaged && policy.switches.contains(.browserRequired)
      return decide(opensInBrowser ? WebViewRule.externalPageInBrowser : .externalPage, of: account, in: &explanation)
    }
    let ofOwn: WebViewRule? =
      switch own {
      case .unset: nil
      case .unmanaged: .unmanaged
      case .currentIdentity: .currentIdentity
      case .currentIdentityBlockUpload: .currentIdentityBlockUpload
      }
    if let decision = decide(ofOwn ?? .currentIdentity, if: ofOwn != nil, in: &explanation) { return decision }
    let nearestCounts = settings.app.assumptions.nearestWebViewPolicyCounts
    let parent = nearestCounts ? parents.first { $0 != .unset } : parents.last { $0 != .unset }
    let ofParent: WebViewRule? =
      switch parent {
      case nil, .unset: nil
      case .unmanaged: .parentUnmanaged
      case .currentIdentity: .parentCurrentIdentity
      case .currentIdentityBlockUpload: .parentCurrentIdentityBlockUpload
      }
    if let decision = decide(ofParent ?? .parentUnmanaged, if: ofParent != nil, in: &explanation) { return decision }
    return decide(treatsAllAsUnmanaged ? WebViewRule.allUnmanaged : .standard, in: &explanation)
  }
}
