/// The result for a URL that an app wants to open. ``AppProtectionState/address(of:for:as:)`` gives the address to
/// open.
public enum LinkOutcome: DecisionOutcome {
  /// It is opened unchanged.
  case allowed
  /// Only a managed app may open it.
  case managedApp
  /// The managed app is addressed by the scheme that ends with `-intunemam`.
  case managedScheme
  /// It opens in Edge.
  case edge
  /// It opens in the browser whose scheme the policy gives.
  case customBrowser
  /// It opens in a protected browser; the user is asked to install one.
  case protectedBrowser
  /// It opens in the dialer whose scheme the policy gives.
  case customDialer
  /// It opens in the messaging app whose scheme the policy gives.
  case customMessagingApp
  /// It is not opened.
  case denied

  /// The name of the case.
  public var name: String { "\(self)" }
}

extension Decision where Outcome == LinkOutcome {
  /// Whether the URL is opened, in any app.
  public var isAllowed: Bool { outcome != .denied }
}
