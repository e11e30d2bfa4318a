import AppProtection
import EventSourcing

extension ProtectionQuestion {
  /// The answer of the rules.
  struct Answer {
    var name: String
    var rule: String
    var reason: String

    init<Outcome: DecisionOutcome>(_ decision: Decision<Outcome>) {
      name = decision.outcome.name
      rule = decision.rule
      reason = decision.reason
    }
  }

  /// Evaluates the rules. `number` returns the journal's number for an account; `nil` if the journal does not know it.
  func ask(
    _ state: AppProtectionState, explanation: inout Explanation, number: (String) -> AccountNumber?
  ) -> Answer {
    func account(_ name: String?) -> AccountNumber? { name.flatMap(number) }
    return switch self {
    case .transfer(let from, let to, let surface):
      Answer(
        state.transfer(from: from.party(number), to: to.party(number), through: surface, explanation: &explanation))
    case .shareSheet(let app, let takesEncrypted, let owner):
      Answer(
        state.shareSheet(
          lists: app.party(number), takesEncrypted: takesEncrypted, owner: account(owner), explanation: &explanation))
    case .receive(let from, let receiver, let identitySwitch, let isInstalled):
      Answer(
        state.receive(
          from: from.party(number), as: account(receiver), identitySwitch: identitySwitch,
          isInstalledByManagement: isInstalled, explanation: &explanation))
    case .paste(let from, let into, let characters):
      Answer(
        state.paste(
          from: from.party(number, in: state), into: into.party(number, in: state), characters: characters,
          explanation: &explanation))
    case .thirdPartyKeyboards: Answer(state.thirdPartyKeyboards(explanation: &explanation))
    case .dictation(let owner, let blocking):
      Answer(state.dictation(for: account(owner), blockedBy: account(blocking), explanation: &explanation))
    case .use(let feature, let owner): Answer(state.use(feature, for: account(owner), explanation: &explanation))
    case .notification(let owner, let isSupported):
      Answer(state.notification(for: account(owner), isSupported: isSupported, explanation: &explanation))
    case .screenCapture(let owner, let configuration):
      Answer(state.screenCapture(for: account(owner), configuration: configuration, explanation: &explanation))
    case .webView(let view): Answer(view.ask(state, explanation: &explanation))
    case .url(let url, let owner, let isManagedScheme, let opens):
      Self.answer(url, account(owner), isManagedScheme: isManagedScheme, opens, in: state, explanation: &explanation)
    case .universalLink(let url, let owner):
      Answer(state.universalLink(url, for: account(owner), explanation: &explanation))
    case .browser(let owner): Answer(state.browser(for: account(owner), explanation: &explanation))
    case .dialer(let owner): Answer(state.dialer(for: account(owner), explanation: &explanation))
    case .messaging(let owner): Answer(state.messaging(for: account(owner), explanation: &explanation))
    case .fileProtection(let owner, let maximum):
      Answer(state.fileProtection(for: account(owner), maximum: maximum, explanation: &explanation))
    case .fileEncryption(let owner): Answer(state.fileEncryption(for: account(owner), explanation: &explanation))
    case .fileProvider(let owner):
      Answer(state.fileProviderEncryption(for: account(owner), explanation: &explanation))
    case .pin(let owner): Answer(state.pinDemand(for: account(owner), explanation: &explanation))
    case .protect(let form, let owner, let fails):
      Answer(state.protect(form.data(number), for: account(owner), cipherFails: fails, explanation: &explanation))
    case .unprotect(let form, let fails):
      Answer(state.unprotect(form.data(number), cipherFails: fails, explanation: &explanation))
    }
  }

  /// The outcome for a URL; if something other than the expected URL is opened, the answer names it.
  private static func answer(
    _ url: String, _ owner: AccountNumber?, isManagedScheme: Bool, _ opens: String?, in state: AppProtectionState,
    explanation: inout Explanation
  ) -> Answer {
    let decision = state.url(url, for: owner, isManagedScheme: isManagedScheme, explanation: &explanation)
    var answer = Answer(decision)
    let address = state.address(of: url, for: owner, as: decision.outcome)
    if let opens, address != opens { answer.name += " opening \(address ?? "nothing")" }
    return answer
  }
}

extension ProtectionQuestion.Party {
  /// The party meant. A web view takes its owner from `state`.
  func party(_ number: (String) -> AccountNumber?, in state: AppProtectionState? = nil) -> DataParty {
    var explanation = Explanation()
    return switch self {
    case .account(let name): .account(name.flatMap(number))
    case .managedApp(let name): .managedApp(name.flatMap(number))
    case .unmanagedApp: .unmanagedApp
    case .deviceManagedApp: .deviceManagedApp
    case .webView(let view):
      // A page that opens in the browser is in another app.
      state.flatMap { state in
        let identity = state.effectiveIdentity(of: .ui(window: view.window)).identity
        return view.ask(state, explanation: &explanation).outcome.party(for: identity.account)
      } ?? .unmanagedApp
    }
  }
}

extension ProtectionQuestion.WebViewQuestion {
  fileprivate func ask(
    _ state: AppProtectionState, explanation: inout Explanation
  ) -> Decision<WebViewOutcome> {
    state.webView(
      policy, parents: parents, treatsAllAsUnmanaged: treatsAllAsUnmanaged, isExternalPage: isExternalPage,
      window: window, explanation: &explanation)
  }
}

extension ProtectionQuestion.Form {
  func data(_ number: (String) -> AccountNumber?) -> DataForm {
    func owner(_ name: String?) -> LocationAccount {
      guard let name else { return .unnamed }
      return number(name).map { .account($0) } ?? .unknown
    }
    return switch self {
    case .missing: .missing
    case .empty: .empty
    case .plain: .plain
    case .marked(let name): .marked(owner(name))
    case .encrypted(let name): .encrypted(owner(name))
    }
  }
}
