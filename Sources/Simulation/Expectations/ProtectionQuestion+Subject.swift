import AppProtection
import AppProtectionInsight

extension ProtectionQuestion {
  /// The question in messages: `managed alice`, `saveTo box of alice, owner alice`, `url, account alice`.
  ///
  /// - Parameter accounts: The names of the scenario's accounts, in their order.
  func subject(_ accounts: [String]) -> String {
    func name(_ account: AccountNumber) -> String {
      let place = Int(account.rawValue) - 1
      return accounts.indices.contains(place) ? accounts[place] : account.description
    }
    func by(_ account: AccountNumber?) -> String { account.map { "account \(name($0))" } ?? "no account" }
    func owner(_ account: LocationAccount) -> String {
      if case .account(let number) = account { " of \(name(number))" } else { "" }
    }
    func shown(_ party: DataParty) -> String {
      switch party {
      case .account(let account): account.map(name) ?? "no account"
      case .managedApp(let account): "managedApp of \(account.map(name) ?? "an unknown account")"
      case .unmanagedApp: "unmanagedApp"
      case .deviceManagedApp: "deviceManagedApp"
      }
    }
    func shown(_ place: ClipboardPlace) -> String {
      switch place {
      case .party(let party): shown(party)
      case .webView(let view): "webView \(view.policy.name)"
      }
    }
    switch self {
    case .managed(let account): return "managed \(name(account))"
    case .offline(let account): return "offline \(name(account))"
    case .launch(let account): return "launch \(name(account))"
    case .due(let account): return "due \(name(account))"
    case .pin(let account): return "pin, \(by(account))"
    case .identity(let task, let thread):
      var text = "identity file"
      if case .ui(let window) = task { text = "identity ui" + (window.map { ", window \($0)" } ?? "") }
      return text + (thread.map { ", thread \($0)" } ?? "")
    case .saveTo(let location, let account, let data):
      return "saveTo \(location.name)\(owner(account)), owner \(data.map(name) ?? "none")"
    case .openFrom(let location, let account, let receiver):
      return "openFrom \(location.name)\(owner(account)), receiver \(receiver.map(name) ?? "none")"
    case .transfer(let from, let to, let surface):
      return "transfer \(shown(from)) to \(shown(to)) through \(surface.rawValue)"
    case .shareSheet(let app, _, let data): return "shareSheet \(shown(app)), owner \(data.map(name) ?? "none")"
    case .receive(let from, let receiver, _, _):
      return "receive \(shown(from)) as \(receiver.map(name) ?? "no account")"
    case .paste(let from, let into, _): return "paste \(shown(from)) into \(shown(into))"
    case .thirdPartyKeyboards: return "input thirdPartyKeyboards"
    case .dictation(let account, _): return "input dictation, \(by(account))"
    case .use(let feature, let account): return "use \(feature.rawValue), \(by(account))"
    case .notification(let account, _): return "notification, \(by(account))"
    case .screenCapture(let account, _): return "screenCapture, \(by(account))"
    case .webView(let view): return "webView \(view.policy.name)"
    case .url(_, let account, _): return "url, \(by(account))"
    case .universalLink(_, let account): return "universalLink, \(by(account))"
    case .browser(let account): return "redirection browser, \(by(account))"
    case .dialer(let account): return "redirection dialer, \(by(account))"
    case .messaging(let account): return "redirection messaging, \(by(account))"
    case .fileProtection(let account, _): return "fileProtection, \(by(account))"
    case .fileEncryption(let account): return "encryption files, \(by(account))"
    case .fileProvider(let account): return "encryption fileProvider, \(by(account))"
    case .protect(_, let account, _): return "protect, \(by(account))"
    case .unprotect: return "unprotect"
    case .protectionInfo: return "protectionInfo"
    case .config(let key, let account): return "config \(key), \(by(account))"
    }
  }
}
