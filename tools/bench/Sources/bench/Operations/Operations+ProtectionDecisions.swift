import AppProtection

extension Operations {
  private static let parties: [DataParty] =
    accounts.map { .account($0) } + [.managedApp(accounts[1]), .managedApp(nil), .unmanagedApp, .deviceManagedApp]

  private static let links = [
    "https://www.contoso.com/docs/1", "http://maps.apple.com/?q=1", "skype:echo", "ms-word-intunemam://x", "tel:+1",
    "sms:1",
    "other-app://somewhere/else",
  ]

  /// Asks about the clipboard between every two of eight parties, one after the other.
  @inline(never)
  static func askToPaste(_ calls: Int, _ withState: ((borrowing AppProtectionState) -> Void) -> Void) {
    let parties = parties
    var allowed = 0
    for index in 0..<calls {
      withState {
        let decision = $0.paste(from: parties[index % 8], into: parties[index / 8 % 8], characters: index & 31)
        if decision.isAllowed { allowed += 1 }
      }
    }
    // The answers are used, so that all of them are computed.
    precondition(allowed <= calls, "more answers than questions")
  }

  /// Asks about URLs of three accounts and nobody, one after the other.
  @inline(never)
  static func askToOpenURLs(_ calls: Int, _ withState: ((borrowing AppProtectionState) -> Void) -> Void) {
    let accounts = accounts
    let links = links
    var allowed = 0
    for index in 0..<calls {
      withState {
        if $0.url(links[index % links.count], for: accounts[index / 8 % 4]).isAllowed { allowed += 1 }
      }
    }
    precondition(allowed <= calls, "more answers than questions")
  }

  /// Asks every other question there is, as often.
  @inline(never)
  static func askTheRest(_ calls: Int, _ withState: ((borrowing AppProtectionState) -> Void) -> Void) {
    let parties = parties
    let accounts = accounts
    let links = links
    let features = ProtectedFeature.allCases
    let surfaces = TransferSurface.allCases
    let views = WebViewPolicy.allCases
    var allowed = 0
    for index in 0..<calls {
      let account = accounts[index / 8 % 4]
      let (one, other) = (parties[index % 8], parties[index / 8 % 8])
      withState {
        if $0.transfer(from: one, to: other, through: surfaces[index % 3]).isAllowed { allowed += 1 }
        if $0.shareSheet(lists: one, takesEncrypted: true, owner: account).isAllowed { allowed += 1 }
        if $0.receive(from: one, as: account).outcome == .allowed { allowed += 1 }
        if $0.thirdPartyKeyboards().isAllowed { allowed += 1 }
        if $0.dictation(for: account, blockedBy: accounts[1]).isAllowed { allowed += 1 }
        if $0.use(features[index % features.count], for: account).isAllowed { allowed += 1 }
        if $0.notification(for: account).outcome == .shown { allowed += 1 }
        if $0.screenCapture(for: account).isAllowed { allowed += 1 }
        if $0.webView(views[index % 4], treatsAllAsUnmanaged: true).outcome == .unmanaged { allowed += 1 }
        if $0.universalLink(links[index % links.count], for: account).isAllowed { allowed += 1 }
        if $0.browser(for: account).isAllowed { allowed += 1 }
        if $0.dialer(for: account).isAllowed { allowed += 1 }
        if $0.messaging(for: account).isAllowed { allowed += 1 }
        if $0.fileProtection(for: account).outcome == .complete { allowed += 1 }
        if $0.fileEncryption(for: account).outcome == .required { allowed += 1 }
        if $0.fileProviderEncryption(for: account).outcome == .required { allowed += 1 }
        if $0.protect(.plain, for: account).outcome == .encrypted { allowed += 1 }
        if $0.unprotect(.encrypted(LocationAccount(account))).outcome == .restored { allowed += 1 }
        if $0.protectionInfo(of: .plain).outcome == .described { allowed += 1 }
      }
    }
    precondition(allowed <= 19 * calls, "more answers than questions")
  }
}
