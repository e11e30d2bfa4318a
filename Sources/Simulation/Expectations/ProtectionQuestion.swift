import AppProtection
import JSON

/// A scenario's question about data protection. Accounts are named as in the scenario; `nil` means no account.
public enum ProtectionQuestion: Equatable, Sendable {
  /// The sender or receiver of data.
  public enum Party: Equatable, Sendable {
    /// This app, acting for an account.
    case account(String?)
    /// Another app with a policy, acting for an account; `nil` is an account unknown to the journal.
    case managedApp(String?)
    /// Another app without a policy.
    case unmanagedApp
    /// An app without a policy, installed by device management.
    case deviceManagedApp
    /// A web view of this app.
    indirect case webView(WebViewQuestion)
  }

  /// A web view whose content may belong to an account.
  public struct WebViewQuestion: Equatable, Sendable {
    /// The policy that the app set for it.
    public var policy: WebViewPolicy
    /// The policies set for the enclosing views, nearest first.
    public var parents: [WebViewPolicy]
    /// The app's `TreatAllWebViewsAsUnmanaged`.
    public var treatsAllAsUnmanaged: Bool
    /// What its delegate says about the page; `nil` if it was not asked.
    public var isExternalPage: Bool?
    /// The window that contains it; `nil` is the default window.
    public var window: UInt32?
  }

  /// Data to protect or unprotect.
  public enum Form: Equatable, Sendable {
    /// No data.
    case missing
    /// Empty data.
    case empty
    /// Data that was never protected.
    case plain
    /// Data marked with its owner.
    case marked(String?)
    /// Data encrypted for an account.
    case encrypted(String?)
  }

  /// Whether data may go from one party to another.
  case transfer(from: Party, to: Party, through: TransferSurface)
  /// Whether a share sheet lists an app.
  case shareSheet(Party, takesEncrypted: Bool, owner: String?)
  /// How incoming data is treated.
  case receive(from: Party, as: String?, identitySwitch: SwitchIdentityResult?, isInstalledByManagement: Bool)
  /// Whether copied data may be pasted.
  case paste(from: Party, into: Party, characters: Int?)
  /// Whether third-party keyboards may be used.
  case thirdPartyKeyboards
  /// Whether an account may dictate.
  case dictation(String?, blockedBy: String?)
  /// Whether a feature may be used.
  case use(ProtectedFeature, String?)
  /// How much of a notification may be shown.
  case notification(String?, isSupported: Bool)
  /// Whether the screen may be captured.
  case screenCapture(String?, configuration: String?)
  /// The owner of a web view's content.
  case webView(WebViewQuestion)
  /// How a URL is opened, and what is opened in its place.
  case url(String, String?, isManagedScheme: Bool, opens: String?)
  /// Whether a universal link may open in its app.
  case universalLink(String, String?)
  /// The browser in which web links open.
  case browser(String?)
  /// The apps with which an account dials.
  case dialer(String?)
  /// The apps with which an account starts messages.
  case messaging(String?)
  /// The protection class of files.
  case fileProtection(String?, maximum: FileProtectionClass?)
  /// Whether files must be encrypted.
  case fileEncryption(String?)
  /// Whether a file provider must encrypt files.
  case fileProvider(String?)
  /// Whether the app PIN protects an account's data.
  case pin(String?)
  /// The result of protecting data.
  case protect(Form, String?, cipherFails: Bool)
  /// The result of unprotecting data.
  case unprotect(Form, cipherFails: Bool)
}

extension ProtectionQuestion {
  /// The question in messages: `transfer alice to an unmanaged app`, `url, account alice`.
  var subject: String {
    func by(_ account: String?) -> String { account.map { "account \($0)" } ?? "no account" }
    return switch self {
    case .transfer(let from, let to, let surface): "transfer \(from.shown) to \(to.shown) through \(surface.rawValue)"
    case .shareSheet(let app, _, let owner): "shareSheet \(app.shown), owner \(owner ?? "none")"
    case .receive(let from, let receiver, _, _): "receive \(from.shown) as \(receiver ?? "no account")"
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
    case .account(let name): name ?? "no account"
    case .managedApp(let name): "managedApp of \(name ?? "an unknown account")"
    case .unmanagedApp: "unmanagedApp"
    case .deviceManagedApp: "deviceManagedApp"
    case .webView(let view): "webView \(view.policy.name)"
    }
  }
}
