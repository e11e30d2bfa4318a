import AppProtection
import AppProtectionInsight

/// A scenario knows accounts by name. Its questions number them by their places in the scenario, from 1, until they are
/// asked: only then does the journal have numbers for them.
extension ProtectionQuestion {
  /// The same question with the numbers that the journal has for the accounts. `number` returns `nil` for one that the journal
  /// does not know, which counts as no account; the result is `nil` if the question is about that account itself.
  func renumbered(_ number: (AccountNumber) -> AccountNumber?) -> ProtectionQuestion? {
    func known(_ account: AccountNumber?) -> AccountNumber? { account.flatMap(number) }
    return switch self {
    case .managed(let account): number(account).map { .managed($0) }
    case .offline(let account): number(account).map { .offline($0) }
    case .launch(let account): number(account).map { .launch($0) }
    case .due(let account): number(account).map { .due($0) }
    case .pin(let account): .pin(known(account))
    case .identity, .thirdPartyKeyboards: self
    case .saveTo(let location, let account, let owner):
      .saveTo(location, account: account.renumbered(number), owner: known(owner))
    case .openFrom(let location, let account, let receiver):
      .openFrom(location, account: account.renumbered(number), receiver: known(receiver))
    case .transfer(let from, let to, let surface):
      .transfer(from: from.renumbered(number), to: to.renumbered(number), through: surface)
    case .shareSheet(let app, let takesEncrypted, let owner):
      .shareSheet(app.renumbered(number), takesEncrypted: takesEncrypted, owner: known(owner))
    case .receive(let from, let receiver, let identitySwitch, let isInstalled):
      .receive(
        from: from.renumbered(number), as: known(receiver), identitySwitch: identitySwitch,
        isInstalledByManagement: isInstalled)
    case .paste(let from, let into, let characters):
      .paste(from: from.renumbered(number), into: into.renumbered(number), characters: characters)
    case .dictation(let account, let blocking): .dictation(known(account), blockedBy: known(blocking))
    case .use(let feature, let account): .use(feature, known(account))
    case .notification(let account, let isSupported): .notification(known(account), isSupported: isSupported)
    case .screenCapture(let account, let configuration): .screenCapture(known(account), configuration: configuration)
    case .webView: self
    case .url(let url, let account, let isManagedScheme): .url(url, known(account), isManagedScheme: isManagedScheme)
    case .universalLink(let url, let account): .universalLink(url, known(account))
    case .browser(let account): .browser(known(account))
    case .dialer(let account): .dialer(known(account))
    case .messaging(let account): .messaging(known(account))
    case .fileProtection(let account, let maximum): .fileProtection(known(account), maximum: maximum)
    case .fileEncryption(let account): .fileEncryption(known(account))
    case .fileProvider(let account): .fileProvider(known(account))
    case .protect(let data, let account, let fails):
      .protect(data.renumbered(number), known(account), cipherFails: fails)
    case .unprotect(let data, let fails): .unprotect(data.renumbered(number), cipherFails: fails)
    case .protectionInfo(let data): .protectionInfo(data.renumbered(number))
    case .config(let key, let account): number(account).map { .config(key: key, $0) }
    }
  }
}

extension LocationAccount {
  fileprivate func renumbered(_ number: (AccountNumber) -> AccountNumber?) -> LocationAccount {
    guard case .account(let account) = self else { return self }
    return number(account).map { .account($0) } ?? .unknown
  }
}

extension DataParty {
  fileprivate func renumbered(_ number: (AccountNumber) -> AccountNumber?) -> DataParty {
    switch self {
    case .account(let account): .account(account.flatMap(number))
    case .managedApp(let account): .managedApp(account.flatMap(number))
    case .unmanagedApp, .deviceManagedApp: self
    }
  }
}

extension ProtectionQuestion.ClipboardPlace {
  fileprivate func renumbered(_ number: (AccountNumber) -> AccountNumber?) -> Self {
    switch self {
    case .party(let party): .party(party.renumbered(number))
    case .webView: self
    }
  }
}

extension DataForm {
  fileprivate func renumbered(_ number: (AccountNumber) -> AccountNumber?) -> DataForm {
    switch self {
    case .missing, .empty, .plain: self
    case .marked(let owner): .marked(owner.renumbered(number))
    case .encrypted(let owner): .encrypted(owner.renumbered(number))
    }
  }
}
