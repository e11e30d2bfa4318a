import AppProtection
import AppProtectionInsight

/// The settings of an app's property list that decide about data and that no event records: an app passes them with each
/// question.
public struct ProtectionSettings: Equatable, Sendable {
  /// The strongest file protection that the app supports (`MaxFileProtectionLevel`); `nil` for any.
  public var maximumFileProtection: FileProtectionClass?
  /// Whether web views count as unmanaged unless set otherwise (`TreatAllWebViewsAsUnmanaged`).
  public var treatsAllWebViewsAsUnmanaged = false

  /// Without limits.
  public init() {}
}

extension ProtectionQuestion {
  /// The question as an app with these settings asks it: they decide where it leaves them open.
  public func asked(with settings: ProtectionSettings) -> ProtectionQuestion {
    switch self {
    case .fileProtection(let account, maximum: nil):
      return .fileProtection(account, maximum: settings.maximumFileProtection)
    case .webView(let view):
      return .webView(view.asked(with: settings))
    case .paste(let source, let target, let characters):
      return .paste(from: source.asked(with: settings), into: target.asked(with: settings), characters: characters)
    case .managed, .offline, .launch, .due, .pin, .identity, .saveTo, .openFrom, .transfer, .shareSheet, .receive,
      .thirdPartyKeyboards, .dictation, .use, .notification, .screenCapture, .url, .universalLink, .browser, .dialer,
      .messaging, .fileProtection, .fileEncryption, .fileProvider, .protect, .unprotect, .protectionInfo, .config:
      return self
    }
  }
}

extension ProtectionQuestion.WebView {
  /// The web view as one of an app with these settings.
  func asked(with settings: ProtectionSettings) -> Self {
    var view = self
    view.treatsAllAsUnmanaged = treatsAllAsUnmanaged || settings.treatsAllWebViewsAsUnmanaged
    return view
  }
}

extension ProtectionQuestion.ClipboardPlace {
  fileprivate func asked(with settings: ProtectionSettings) -> Self {
    switch self {
    case .party: self
    case .webView(let view): .webView(view.asked(with: settings))
    }
  }
}
