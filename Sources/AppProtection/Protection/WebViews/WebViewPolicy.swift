/// Whose a web view is (`IntuneMAMWebViewPolicy`; names and numbers are those of the SDK).
public enum WebViewPolicy: UInt8, CaseIterable, Sendable {
  /// As its parent says, or the app's `TreatAllWebViewsAsUnmanaged`.
  case unset = 0
  /// Nobody's.
  case unmanaged = 1
  /// The current identity's.
  case currentIdentity = 2
  /// The current identity's, and nothing may be uploaded.
  case currentIdentityBlockUpload = 3

  /// The policy with this name, such as `currentIdentity`; `nil` when there is none. Case counts.
  public init?(name: some StringProtocol) {
    guard let policy = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = policy
  }

  /// The name: that of the case.
  public var name: String { "\(self)" }
}

/// Under whose identity a web view's content is cut, copied and pasted.
public enum WebViewOutcome: DecisionOutcome {
  /// Nobody's: no policy applies.
  case unmanaged
  /// The identity that is set for the UI.
  case currentIdentity
  /// The identity that is set for the UI, and nothing may be uploaded.
  case currentIdentityWithoutUpload

  /// The name of the case.
  public var name: String { "\(self)" }
}
