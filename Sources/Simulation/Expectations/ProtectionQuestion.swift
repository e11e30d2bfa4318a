import AppProtection
import JSON

/// A question about data protection, as a scenario asks it. Accounts are named as in the scenario; `nil` is nobody.
public enum ProtectionQuestion: Equatable, Sendable {
  /// Who gives data away, or gets it.
  public enum Party: Equatable, Sendable {
    /// This app, acting for an account.
    case account(String?)
    /// Another app with a policy, acting for an account; `nil` is one that the journal does not know.
    case managedApp(String?)
    /// Another app without policy.
    case unmanagedApp
    /// Such an app that the device's management installed.
    case deviceManagedApp
    /// A web view of this app.
    indirect case webView(WebViewQuestion)
  }

  /// A web view, of which is asked whose its content is.
  public struct WebViewQuestion: Equatable, Sendable {
    /// What the app set for it.
    public var policy: WebViewPolicy
    /// What it set for the views above, the nearest first.
    public var parents: [WebViewPolicy]
    /// The app's `TreatAllWebViewsAsUnmanaged`.
    public var treatsAllAsUnmanaged: Bool
    /// What its delegate says about the page.
    public var isExternalPage: Bool?
    /// The window that it is in; `nil` for the default window.
    public var window: UInt32?
  }

  /// Data that is to be protected, or no longer.
  public enum Form: Equatable, Sendable {
    /// There is none.
    case missing
    /// Nothing is in it.
    case empty
    /// It was never protected.
    case plain
    /// It says whose it is.
    case marked(String?)
    /// It is encrypted for an account.
    case encrypted(String?)
  }

  /// Whether data may go from one party to another.
  case transfer(from: Party, to: Party, through: TransferSurface)
  /// Whether a share sheet lists an app.
  case shareSheet(Party, takesEncrypted: Bool, owner: String?)
  /// What becomes of data that comes in.
  case receive(from: Party, as: String?, identitySwitch: SwitchIdentityResult?, isInstalledByManagement: Bool)
  /// Whether what was copied may be pasted.
  case paste(from: Party, into: Party, characters: Int?)
  /// Whether keyboards of other makers may be used.
  case thirdPartyKeyboards
  /// Whether an account may dictate.
  case dictation(String?, blockedBy: String?)
  /// Whether a feature may be used.
  case use(ProtectedFeature, String?)
  /// What may be shown of a notification.
  case notification(String?, isSupported: Bool)
  /// Whether the screen may be captured.
  case screenCapture(String?, configuration: String?)
  /// Whose the content of a web view is.
  case webView(WebViewQuestion)
  /// What becomes of a URL, and what is opened in its place.
  case url(String, String?, isManagedScheme: Bool, opens: String?)
  /// Whether a universal link may open in its app.
  case universalLink(String, String?)
  /// In which browser web links open.
  case browser(String?)
  /// With which apps an account dials.
  case dialer(String?)
  /// With which apps an account begins messages.
  case messaging(String?)
  /// When files are protected.
  case fileProtection(String?, maximum: FileProtectionClass?)
  /// Whether files must be encrypted.
  case fileEncryption(String?)
  /// Whether a file provider must encrypt files.
  case fileProvider(String?)
  /// Whether an account's data is behind the app PIN.
  case pin(String?)
  /// What becomes of data that is protected.
  case protect(Form, String?, cipherFails: Bool)
  /// What becomes of data whose protection is taken away.
  case unprotect(Form, cipherFails: Bool)
}

extension ProtectionQuestion {
  /// What is asked, for messages: `transfer alice to an unmanaged app`, `url, account alice`.
  var subject: String {
    func by(_ account: String?) -> String { "account \(account ?? "nobody")" }
    return switch self {
    case .transfer(let from, let to, let surface): "transfer \(from.shown) to \(to.shown) through \(surface.rawValue)"
    case .shareSheet(let app, _, let owner): "shareSheet \(app.shown), owner \(owner ?? "nobody")"
    case .receive(let from, let receiver, _, _): "receive \(from.shown) as \(receiver ?? "nobody")"
    case .paste(let from, let into, _): "paste \(from.shown) into \(into.shown)"
    case .thirdPartyKeyboards: "input thirdPartyKeyboards"
    case .dictation(let account, _): "input dictation, \(by(account))"
    case .use(let feature, let account): "use \(feature.rawValue), \(by(account))"
    case .notification(let account, _): "notification, \(by(account))"
    case .screenCapture(let account, _): "screenCapture, \(by(account))"
    case .webView(let view): "webView \(view.policy.name)"
    case .url(_, let account, _, _): "url, \(by(account))"
    case .universalLink(_, let account): "universalLink, \(by(account))"
    case .browser(let account): "redirection browser, \(by(account))"
    case .dialer(let account): "redirection dialer, \(by(account))"
    case .messaging(let account): "redirection messaging, \(by(account))"
    case .fileProtection(let account, _): "fileProtection, \(by(account))"
    case .fileEncryption(let account): "encryption files, \(by(account))"
    case .fileProvider(let account): "encryption fileProvider, \(by(account))"
    case .pin(let account): "pin, \(by(account))"
    case .protect(_, let account, _): "protect, \(by(account))"
    case .unprotect: "unprotect"
    }
  }
}

extension ProtectionQuestion.Party {
  var shown: String {
    switch self {
    case .account(let name): name ?? "nobody"
    case .managedApp(let name): "managedApp of \(name ?? "an unknown account")"
    case .unmanagedApp: "unmanagedApp"
    case .deviceManagedApp: "deviceManagedApp"
    case .webView(let view): "webView \(view.policy.name)"
    }
  }
}
