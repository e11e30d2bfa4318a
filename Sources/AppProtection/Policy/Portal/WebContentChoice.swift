/// What an administrator chooses in the portal under "Restrict web content transfer with other apps": three settings of
/// Graph together.
///
/// Ordered from the least to the most restrictive.
public enum WebContentChoice: String, CaseIterable, Hashable, Sendable {
  /// Web links open in any app.
  case anyApp = "Any app"
  /// Web links open in the browser whose URL scheme the document names.
  case unmanagedBrowser = "Unmanaged browser"
  /// Web links open in a protected browser, and the document does not name it. Documents from before Edge was the only
  /// one have this form.
  case managedBrowser = "Policy managed browsers"
  /// Web links open in Microsoft Edge.
  case microsoftEdge = "Microsoft Edge"
}

extension PolicyDocument.Redirection {
  /// The portal's choice of where web links open. `nil` if the document does not set it, and for combinations that the
  /// portal lacks: a browser that is named but not required, or two browsers.
  public var webContentChoice: WebContentChoice? {
    let namesEdge = managedBrowser?.isEmpty == false
    let namesScheme = customBrowserProtocol?.isEmpty == false
    switch (managedBrowserToOpenLinksRequired, namesEdge, namesScheme) {
    case (nil, false, false): return nil
    case (false?, false, false): return .anyApp
    case (true?, false, false): return .managedBrowser
    case (true?, true, false): return .microsoftEdge
    case (true?, false, true): return .unmanagedBrowser
    case (nil, _, _), (false?, _, _), (true?, true, true): return nil
    }
  }
}
