extension AppProtectionState {
  /// The address that is opened in place of a URL, according to the outcome of a question about it.
  ///
  /// | outcome | `https://x/y` becomes |
  /// |---|---|
  /// | ``LinkOutcome/allowed``, ``LinkOutcome/managedApp``, ``LinkOutcome/protectedBrowser`` | itself |
  /// | ``LinkOutcome/managedScheme`` | `https-intunemam://x/y` |
  /// | ``LinkOutcome/edge`` | `microsoft-edge-https://x/y` |
  /// | ``LinkOutcome/customBrowser`` | `mybrowsers://x/y` for `mybrowser`; `http` becomes `mybrowser` |
  /// | ``LinkOutcome/customDialer``, ``LinkOutcome/customMessagingApp`` | the URL with the policy's scheme |
  /// | ``LinkOutcome/denied`` | nothing |
  ///
  /// - Returns: the text; `nil` if nothing is opened: the URL has no scheme, or the policy in force names none.
  public func address(of url: String, for account: AccountNumber?, as outcome: LinkOutcome) -> String? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(url[..<colon]).lowercased()
    let rest = url[colon...]
    let redirection = enforcedPolicy(for: account.map { .account($0) } ?? .unset)?.redirection
    func named(_ text: String?, _ suffix: String = "") -> String? {
      guard let name = text?.prefix(while: { $0 != ":" }), !name.isEmpty else { return nil }
      return "\(name)\(suffix)\(rest)"
    }
    switch outcome {
    case .allowed, .managedApp, .protectedBrowser: return url
    case .managedScheme: return scheme.hasSuffix("-intunemam") ? url : "\(scheme)-intunemam\(rest)"
    case .edge: return "microsoft-edge-\(scheme)\(rest)"
    case .customBrowser: return named(redirection?.customBrowserProtocol, scheme == "https" ? "s" : "")
    case .customDialer: return named(redirection?.customDialerAppProtocol)
    case .customMessagingApp: return named(redirection?.messagingRedirectAppUrlScheme)
    case .denied: return nil
    }
  }
}
