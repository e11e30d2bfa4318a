import EventSourcing

extension AppProtectionState {
  /// Under whose identity a web view's content is.
  ///
  /// - Parameters:
  ///   - own: what the app set for the web view (`setWebViewPolicy:forWebViewer:`).
  ///   - parents: what it set for the views above, the nearest first; they cover children that are added later, too.
  ///   - treatsAllAsUnmanaged: the app's `TreatAllWebViewsAsUnmanaged`.
  ///   - isExternalPage: what the app's delegate says about the page (`isExternalURL:`); `nil` without a delegate.
  ///   - window: the window that it is in; `nil` for the default window. Whose the window is, that account's policy says
  ///     whether an external page opens in a browser.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing, but for an external page.
  public func webView(
    _ own: WebViewPolicy, parents: [WebViewPolicy] = [], treatsAllAsUnmanaged: Bool, isExternalPage: Bool? = nil,
    window: UInt32? = nil
  ) -> Decision<WebViewOutcome> {
    var explanation = Explanation()
    return webView(
      own, parents: parents, treatsAllAsUnmanaged: treatsAllAsUnmanaged, isExternalPage: isExternalPage,
      window: window, explanation: &explanation)
  }

  /// Under whose identity a web view's content is, with every rule that was evaluated and every field it read.
  public func webView(
    _ own: WebViewPolicy, parents: [WebViewPolicy] = [], treatsAllAsUnmanaged: Bool, isExternalPage: Bool? = nil,
    window: UInt32? = nil, explanation: inout Explanation
  ) -> Decision<WebViewOutcome> {
    if let isExternalPage,
      explanation.evaluate(WebViewRule.externalPage.id, "the page is not the organization's", isExternalPage)
    {
      // An external page is the policy's business only where it could carry the organization's data away.
      let account = effectiveIdentity(of: .ui(window: window)).identity.account
      let policy = effectivePolicy(for: account, explanation: &explanation)
      let opensInBrowser = policy.isManaged && policy.switches.contains(.browserRequired)
      let reads = settingRead("managedBrowserToOpenLinksRequired", of: account, in: explanation)
      return (opensInBrowser ? WebViewRule.externalPageInBrowser : .externalPage).settles(
        "\(Self.shown(account))'s policy requires a browser", opensInBrowser,
        reads: reads, in: &explanation)
    }
    let ofOwn: WebViewRule? =
      switch own {
      case .unset: nil
      case .unmanaged: .unmanaged
      case .currentIdentity: .currentIdentity
      case .currentIdentityBlockUpload: .currentIdentityBlockUpload
      }
    explanation.evaluate(
      WebViewRule.currentIdentity.id, "the app set a policy for the web view", ofOwn != nil, decides: ofOwn != nil)
    if let ofOwn { return ofOwn.decision }
    let nearestCounts = settings.app.assumptions.nearestWebViewPolicyCounts
    let parent = nearestCounts ? parents.first { $0 != .unset } : parents.last { $0 != .unset }
    let ofParent: WebViewRule? =
      switch parent {
      case nil, .unset: nil
      case .unmanaged: .parentUnmanaged
      case .currentIdentity: .parentCurrentIdentity
      case .currentIdentityBlockUpload: .parentCurrentIdentityBlockUpload
      }
    explanation.evaluate(
      WebViewRule.parentUnmanaged.id, "the app set a policy for a parent of the web view", ofParent != nil,
      reads: assumptionRead("nearestWebViewPolicyCounts", nearestCounts), decides: ofParent != nil)
    if let ofParent { return ofParent.decision }
    return (treatsAllAsUnmanaged ? WebViewRule.allUnmanaged : .standard).settles(
      "the app treats all web views as unmanaged", treatsAllAsUnmanaged, in: &explanation)
  }
}
