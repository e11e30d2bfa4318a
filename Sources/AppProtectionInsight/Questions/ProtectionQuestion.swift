import AppProtection

/// A question that the rules answer: whether something may be done with an organization's data, and how.
///
/// Scenarios, explanations and comparisons of policies ask in this one form, through
/// `AppProtectionState.answer(_:at:explanation:)`. An app that asks one particular question calls its method, such as
/// `AppProtectionState.saveTo(_:account:owner:)`: it returns a specific type, without an explanation. Both
/// evaluate the same rules. A `nil` account means no account.
public enum ProtectionQuestion: Equatable, Sendable {
  /// A web view of the app, whose content may belong to an account.
  public struct WebView: Equatable, Sendable {
    /// The policy that the app set for it.
    public var policy: WebViewPolicy
    /// The policies set for the enclosing views, nearest first.
    public var parents: [WebViewPolicy]
    /// The app's `TreatAllWebViewsAsUnmanaged`.
    public var treatsAllAsUnmanaged: Bool
    /// What the app's delegate says about the page; `nil` if it was not asked.
    public var isExternalPage: Bool?
    /// The window that contains it; `nil` is the default window.
    public var window: UInt32?

    /// A web view of the default window, without a page that was asked about.
    public init(
      _ policy: WebViewPolicy, parents: [WebViewPolicy] = [], treatsAllAsUnmanaged: Bool = false,
      isExternalPage: Bool? = nil, window: UInt32? = nil
    ) {
      self.policy = policy
      self.parents = parents
      self.treatsAllAsUnmanaged = treatsAllAsUnmanaged
      self.isExternalPage = isExternalPage
      self.window = window
    }
  }

  /// Where text is copied from or pasted into.
  public enum ClipboardPlace: Equatable, Sendable {
    /// An app, acting for an account.
    case party(DataParty)
    /// A web view of this app.
    case webView(WebView)
  }

  /// Whether policy is applied to an account.
  case managed(AccountNumber)
  /// What the offline intervals of an account's policy require.
  case offline(AccountNumber)
  /// The outcome of an account's launch conditions.
  case launch(AccountNumber)
  /// What time alone brings to an account next: a check-in, a block, a wipe, or a question for the user.
  case due(AccountNumber)
  /// Whether the app PIN protects an account's data.
  case pin(AccountNumber?)
  /// The identity under which a task runs on the thread with this label; `nil` is the main thread.
  case identity(EffectiveIdentity.Task, thread: String?)
  /// Whether data of `owner` may be saved to a location of `account`.
  case saveTo(SaveLocation, account: LocationAccount, owner: AccountNumber?)
  /// Whether `receiver` may open data from a location of `account`.
  case openFrom(OpenLocation, account: LocationAccount, receiver: AccountNumber?)
  /// Whether data may go from one party to another.
  case transfer(from: DataParty, to: DataParty, through: TransferSurface)
  /// Whether a share sheet lists an app.
  case shareSheet(DataParty, takesEncrypted: Bool, owner: AccountNumber?)
  /// How incoming data is treated.
  case receive(
    from: DataParty, as: AccountNumber?, identitySwitch: SwitchIdentityResult?, isInstalledByManagement: Bool)
  /// Whether copied data may be pasted.
  case paste(from: ClipboardPlace, into: ClipboardPlace, characters: Int?)
  /// Whether third-party keyboards may be used.
  case thirdPartyKeyboards
  /// Whether an account may dictate.
  case dictation(AccountNumber?, blockedBy: AccountNumber?)
  /// Whether a feature may be used.
  case use(ProtectedFeature, AccountNumber?)
  /// How much of a notification may be shown.
  case notification(AccountNumber?, isSupported: Bool)
  /// Whether the screen may be captured.
  case screenCapture(AccountNumber?, configuration: String?)
  /// The owner of a web view's content.
  case webView(WebView)
  /// How a URL is opened.
  case url(String, AccountNumber?, isManagedScheme: Bool)
  /// Whether a universal link may open in its app.
  case universalLink(String, AccountNumber?)
  /// The browser in which web links open.
  case browser(AccountNumber?)
  /// The apps with which an account dials.
  case dialer(AccountNumber?)
  /// The apps with which an account starts messages.
  case messaging(AccountNumber?)
  /// The protection class of files.
  case fileProtection(AccountNumber?, maximum: FileProtectionClass?)
  /// Whether files must be encrypted.
  case fileEncryption(AccountNumber?)
  /// Whether a file provider must encrypt files.
  case fileProvider(AccountNumber?)
  /// The result of protecting data.
  case protect(DataForm, AccountNumber?, cipherFails: Bool)
  /// The result of unprotecting data.
  case unprotect(DataForm, cipherFails: Bool)
  /// Whether data names its owner.
  case protectionInfo(DataForm)
  /// Where the value of a key in an account's app configuration comes from.
  case config(key: String, AccountNumber)
}
