import AppProtection
import EventSourcing

extension AppProtectionState {
  /// Answers a question.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - moment: the time of the question, for answers that depend on it.
  ///   - explanation: receives every evaluated rule with the fields it reads, if it is recording.
  public func answer(
    _ question: ProtectionQuestion, at moment: Moment, explanation: inout Explanation
  ) -> ProtectionAnswer {
    switch question {
    case .managed(let account): managed(account, explanation: &explanation)
    case .offline(let account):
      ProtectionAnswer(offlineDecision(for: account, at: moment, explanation: &explanation))
    case .launch(let account):
      ProtectionAnswer(conditionalLaunch(for: account, at: moment, explanation: &explanation))
    case .due(let account): ProtectionAnswer(due(account, at: moment, explanation: &explanation))
    case .pin(let account): ProtectionAnswer(pinDemand(for: account, explanation: &explanation))
    case .identity(let task, let thread):
      ProtectionAnswer(
        effectiveIdentity(
          of: task, onThread: thread, isMainThread: thread == nil || thread == IdentityScope.mainThread,
          explanation: &explanation))
    case .saveTo(let location, let account, let owner):
      ProtectionAnswer(saveTo(location, account: account, owner: owner, explanation: &explanation))
    case .openFrom(let location, let account, let receiver):
      ProtectionAnswer(openFrom(location, account: account, receiver: receiver, explanation: &explanation))
    case .transfer(let source, let destination, let surface):
      ProtectionAnswer(transfer(from: source, to: destination, through: surface, explanation: &explanation))
    case .shareSheet(let app, let takesEncrypted, let owner):
      ProtectionAnswer(shareSheet(lists: app, takesEncrypted: takesEncrypted, owner: owner, explanation: &explanation))
    case .receive(let source, let receiver, let identitySwitch, let isInstalled):
      ProtectionAnswer(
        receive(
          from: source, as: receiver, identitySwitch: identitySwitch, isInstalledByManagement: isInstalled,
          explanation: &explanation))
    case .paste(let source, let destination, let characters):
      ProtectionAnswer(
        paste(from: party(source), into: party(destination), characters: characters, explanation: &explanation))
    case .thirdPartyKeyboards: ProtectionAnswer(thirdPartyKeyboards(explanation: &explanation))
    case .dictation(let account, let blocking):
      ProtectionAnswer(dictation(for: account, blockedBy: blocking, explanation: &explanation))
    case .use(let feature, let account): ProtectionAnswer(use(feature, for: account, explanation: &explanation))
    case .notification(let account, let isSupported):
      ProtectionAnswer(notification(for: account, isSupported: isSupported, explanation: &explanation))
    case .screenCapture(let account, let configuration):
      ProtectionAnswer(screenCapture(for: account, configuration: configuration, explanation: &explanation))
    case .webView(let view): ProtectionAnswer(webView(view, explanation: &explanation))
    case .url(let url, let account, let isManagedScheme):
      ProtectionAnswer(self.url(url, for: account, isManagedScheme: isManagedScheme, explanation: &explanation))
    case .universalLink(let url, let account):
      ProtectionAnswer(universalLink(url, for: account, explanation: &explanation))
    case .browser(let account): ProtectionAnswer(browser(for: account, explanation: &explanation))
    case .dialer(let account): ProtectionAnswer(dialer(for: account, explanation: &explanation))
    case .messaging(let account): ProtectionAnswer(messaging(for: account, explanation: &explanation))
    case .fileProtection(let account, let maximum):
      ProtectionAnswer(fileProtection(for: account, maximum: maximum, explanation: &explanation))
    case .fileEncryption(let account): ProtectionAnswer(fileEncryption(for: account, explanation: &explanation))
    case .fileProvider(let account):
      ProtectionAnswer(fileProviderEncryption(for: account, explanation: &explanation))
    case .protect(let data, let account, let cipherFails):
      ProtectionAnswer(protect(data, for: account, cipherFails: cipherFails, explanation: &explanation))
    case .unprotect(let data, let cipherFails):
      ProtectionAnswer(unprotect(data, cipherFails: cipherFails, explanation: &explanation))
    case .protectionInfo(let data): ProtectionAnswer(protectionInfo(of: data, explanation: &explanation))
    case .config(let key, let account):
      ProtectionAnswer(configuration(key, of: account, explanation: &explanation))
    }
  }

  private func managed(_ account: AccountNumber, explanation: inout Explanation) -> ProtectionAnswer {
    let decision = managementDecision(for: account, explanation: &explanation)
    return ProtectionAnswer(decision, refusal: refusal(behind: decision, of: account))
  }

  private func webView(
    _ view: ProtectionQuestion.WebView, explanation: inout Explanation
  ) -> Decision<WebViewOutcome> {
    webView(
      view.policy, parents: view.parents, treatsAllAsUnmanaged: view.treatsAllAsUnmanaged,
      isExternalPage: view.isExternalPage, window: view.window, explanation: &explanation)
  }

  /// The party that copies or pastes. A page that opens in the browser is in another app.
  private func party(_ place: ProtectionQuestion.ClipboardPlace) -> DataParty {
    switch place {
    case .party(let party): return party
    case .webView(let view):
      var explanation = Explanation()
      let account = effectiveIdentity(of: .ui(window: view.window)).identity.account
      return webView(view, explanation: &explanation).outcome.party(for: account) ?? .unmanagedApp
    }
  }
}
