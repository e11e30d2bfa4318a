import AppProtection
import Synchronization

/// A web view, or a view that may hold some.
///
/// It stands for the app's own view and lives as long: what is set for it is over with the process, so no journal records it.
public final class WebViewer: Sendable {
  /// The view that holds it; `nil` for none.
  public let parent: WebViewer?
  /// The window that shows it; `nil` for the default window.
  public let window: UInt32?
  private let settings = Mutex<(policy: WebViewPolicy, delegate: (any WebViewPolicyDelegate)?)>((.unset, nil))

  /// A view in another one, whose window it shares, or in none.
  public init(in parent: WebViewer? = nil, window: UInt32? = nil) {
    self.parent = parent
    self.window = window ?? parent?.window
  }

  /// The policy that was set for it; `unset` at first.
  public internal(set) var policy: WebViewPolicy {
    get { settings.withLock { $0.policy } }
    set { settings.withLock { $0.policy = newValue } }
  }

  var delegate: (any WebViewPolicyDelegate)? {
    get { settings.withLock { $0.delegate } }
    set { settings.withLock { $0.delegate = newValue } }
  }

  /// The policies of the views that hold it, nearest first.
  var policiesOfParents: [WebViewPolicy] {
    var policies: [WebViewPolicy] = []
    var next = parent
    while let viewer = next {
      policies.append(viewer.policy)
      next = viewer.parent
    }
    return policies
  }
}

extension PolicyManager {
  /// Says whose a web view's content is (`setWebViewPolicy:forWebViewer:`). For a view that holds web views, it counts for all
  /// of them, present and future, that have none of their own.
  public func setWebViewPolicy(_ policy: WebViewPolicy, for viewer: WebViewer) { viewer.policy = policy }

  /// Sets who tells the pages of a web view apart (`setWebViewPolicyDelegate:forWebViewer:`); `nil` counts every page as the
  /// organization's.
  public func setWebViewPolicyDelegate(_ delegate: (any WebViewPolicyDelegate)?, for viewer: WebViewer) {
    viewer.delegate = delegate
  }

  /// Under whose identity a web view shows a page, or whether the page opens in a browser instead. Ask before each page.
  ///
  /// - Parameters:
  ///   - viewer: The web view.
  ///   - url: The page; its delegate is asked about it. `nil` for content that the app loads itself.
  public func webView(_ viewer: WebViewer, showing url: String? = nil) async -> Decision<WebViewOutcome> {
    var isExternal: Bool?
    if let url, let delegate = viewer.delegate { isExternal = await delegate.isExternalURL(url) }
    let treatsAllAsUnmanaged = engine.settings.propertyList.webViewsAreUnmanaged
    return engine.withState { [isExternal] state in
      state.webView(
        viewer.policy, parents: viewer.policiesOfParents, treatsAllAsUnmanaged: treatsAllAsUnmanaged,
        isExternalPage: isExternal, window: viewer.window)
    }
  }
}
