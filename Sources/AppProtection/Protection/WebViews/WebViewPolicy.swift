/// The owner of a web view (`IntuneMAMWebViewPolicy`; names and numbers are those of the SDK).
public enum WebViewPolicy: UInt8, CaseIterable, Sendable {
  /// As its parent says, or the app's `TreatAllWebViewsAsUnmanaged`.
  case unset = 0
  /// No account's policy.
  case unmanaged = 1
  /// The current identity's.
  case currentIdentity = 2
  /// The current identity's, and nothing may be uploaded.
  case currentIdentityBlockUpload = 3

  /// The policy with this name, such as `currentIdentity`; `nil` for none. Case-sensitive.
  public init?(name: some StringProtocol) {
    guard let policy = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = policy
  }

  /// The name: that of the case.
  public var name: String { "\(self)" }
}

/// The identity under which a web view's content is cut, copied and pasted; ``party(for:)`` is the side to pass to
/// ``AppProtectionState/paste(from:into:characters:)``.
public enum WebViewOutcome: DecisionOutcome {
  /// Unmanaged: no policy applies.
  case unmanaged
  /// The identity that is set for the UI.
  case currentIdentity
  /// The identity that is set for the UI, and nothing may be uploaded.
  case currentIdentityWithoutUpload
  /// The page is not shown there: it opens in the browser that the policy requires, which
  /// ``AppProtectionState/browser(for:)`` names.
  case requiredBrowser

  /// The name of the case.
  public var name: String { "\(self)" }

  /// The party that cuts, copies and pastes in the web view, for questions about the clipboard.
  ///
  /// - Parameter account: the window's account (``AppProtectionState/effectiveIdentity(of:onThread:isMainThread:)``);
  ///   `nil` for none.
  /// - Returns: `nil` for a page that the web view does not show.
  public func party(for account: AccountNumber?) -> DataParty? {
    switch self {
    case .unmanaged: .account(nil)
    case .currentIdentity, .currentIdentityWithoutUpload: .account(account)
    case .requiredBrowser: nil
    }
  }
}
