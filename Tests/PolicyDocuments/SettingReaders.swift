import EventSourcing

@testable import AppProtection

/// Which questions read which setting of a policy. Rules of launch conditions and of PINs name their settings; every other
/// question is asked of many policies, and its explanations say what it read.
struct SettingReaders {
  private static let owner = AccountNumber.first
  private static let colleague = AccountNumber(2) ?? .first

  /// The readers of each setting, by its name in Graph, in the order in which they are asked.
  private(set) var readers: [String: [String]] = [:]

  init() {
    for policy in Self.policies {
      var state = Self.state(policy)
      ask(about: Self.owner, in: state, policy)
      state.settings.deviceAccount = Self.owner
      askAboutTransfers(of: Self.owner, in: state)
    }
    for rule in LaunchRule.allCases {
      for outcome in LaunchOutcome.allCases { for name in rule.settings(for: outcome) { add(rule.id, to: name) } }
    }
    for refusal in PINRefusal.allCases { add("pin.\(refusal.rawValue)", to: refusal.setting) }
  }

  private mutating func add(_ reader: String, to name: String) {
    guard readers[name]?.contains(reader) != true else { return }
    readers[name, default: []].append(reader)
  }

  private mutating func note<Outcome>(
    _ reader: String, _ question: (inout Explanation) -> Decision<Outcome>
  ) {
    var explanation = Explanation(recording: true)
    _ = question(&explanation)
    for read in explanation.steps.flatMap(\.reads) {
      let parts = read.path.split(separator: "/")
      guard parts.count >= 3, parts[0] == "policies", let property = PolicyProperty.named(String(parts[2])) else {
        continue
      }
      add(reader, to: property.name)
    }
  }

  private mutating func ask(about owner: AccountNumber, in state: AppProtectionState, _ policy: PolicyDocument) {
    for account in [LocationAccount.account(owner), .account(Self.colleague), .unnamed] {
      for place in SaveLocation.allCases {
        note("saveTo") { state.saveTo(place, account: account, owner: owner, explanation: &$0) }
      }
      for place in OpenLocation.allCases {
        note("openFrom") { state.openFrom(place, account: account, receiver: owner, explanation: &$0) }
      }
    }
    askAboutTransfers(of: owner, in: state)
    note("thirdPartyKeyboards") { state.thirdPartyKeyboards(explanation: &$0) }
    for blocking in [nil, owner, Self.colleague] {
      note("dictation") { state.dictation(for: owner, blockedBy: blocking, explanation: &$0) }
    }
    for feature in ProtectedFeature.allCases {
      note(feature.rawValue) { state.use(feature, for: owner, explanation: &$0) }
    }
    note("notification") { state.notification(for: owner, explanation: &$0) }
    note("screenCapture") { state.screenCapture(for: owner, explanation: &$0) }
    askAboutLinks(of: owner, in: state, policy)
    note("fileProtection") { state.fileProtection(for: owner, explanation: &$0) }
    note("fileEncryption") { state.fileEncryption(for: owner, explanation: &$0) }
    note("fileProviderEncryption") { state.fileProviderEncryption(for: owner, explanation: &$0) }
    note("pinDemand") { state.pinDemand(for: owner, explanation: &$0) }
    note("protect") { state.protect(.plain, for: owner, explanation: &$0) }
  }

  private mutating func askAboutTransfers(of owner: AccountNumber, in state: AppProtectionState) {
    let parties: [DataParty] = [
      .account(Self.colleague), .account(nil), .managedApp(owner), .managedApp(nil), .unmanagedApp, .deviceManagedApp,
    ]
    for party in parties {
      for surface in TransferSurface.allCases {
        note("transfer") { state.transfer(from: .account(owner), to: party, through: surface, explanation: &$0) }
      }
      for takesEncrypted in [true, false] {
        note("shareSheet") {
          state.shareSheet(lists: party, takesEncrypted: takesEncrypted, owner: owner, explanation: &$0)
        }
      }
      for answer in [nil, SwitchIdentityResult.success, .failed] {
        for isInstalled in [true, false] {
          note("receive") {
            state.receive(
              from: party, as: owner, identitySwitch: answer, isInstalledByManagement: isInstalled, explanation: &$0)
          }
        }
      }
      for characters in [nil, 1, 100_000] {
        note("paste") { state.paste(from: .account(owner), into: party, characters: characters, explanation: &$0) }
        note("paste") { state.paste(from: party, into: .account(owner), characters: characters, explanation: &$0) }
      }
    }
  }

  private mutating func askAboutLinks(
    of owner: AccountNumber, in state: AppProtectionState, _ policy: PolicyDocument
  ) {
    for url in ["https://www.example.com", "skype:alice", "other:x", "tel:1", "sms:1", "mailto:x"] {
      for isManaged in [true, false] {
        note("url") { state.url(url, for: owner, isManagedScheme: isManaged, explanation: &$0) }
      }
    }
    for url in ["http://maps.example.com", "http://www.contoso.com/x", "http://other.example.org"] {
      note("universalLink") { state.universalLink(url, for: owner, explanation: &$0) }
    }
    note("browser") { state.browser(for: owner, explanation: &$0) }
    note("dialer") { state.dialer(for: owner, explanation: &$0) }
    note("messaging") { state.messaging(for: owner, explanation: &$0) }
    // Explains nothing: it reads what it cannot do without.
    let outcomes: [LinkOutcome] = [.customBrowser, .customDialer, .customMessagingApp]
    for property in PolicyProperty.all {
      var other = policy
      other[property] = .absent
      let reduced = Self.state(other)
      for outcome in outcomes
      where state.address(of: "tel:1", for: owner, as: outcome) != reduced.address(of: "tel:1", for: owner, as: outcome)
      {
        add("address", to: property.name)
      }
    }
  }

  private static func state(_ policy: PolicyDocument) -> AppProtectionState {
    var state = AppProtectionState()
    for account in [owner, colleague] {
      var record = Account(account, objectID: nil, userPrincipalName: "\(account)@contoso.example")
      record.enrollment.status = .enrolledWithPolicy
      state.accounts.set(record)
      let document = account == owner ? policy : PolicyDocument()
      state.policies.set(
        PolicyRecord(account: account, document: document, version: 1, receivedBy: 1, isEnforced: true))
    }
    return state
  }

  /// Policies in which every level meets every other, with flags all on, all off, and each half of them on.
  private static var policies: [PolicyDocument] {
    let levels: [DataTransferLevel] = [.allApps, .managedApps, .noApps]
    return levels.flatMap { send in
      levels.flatMap { receive in
        (0..<5).flatMap { place in
          (0..<4).map { pattern in policy(send, receive, choice: place, flags: pattern) }
        }
      }
    }
  }

  private static func policy(
    _ send: DataTransferLevel, _ receive: DataTransferLevel, choice: Int, flags: Int
  ) -> PolicyDocument {
    var policy = PolicyDocument()
    for property in PolicyProperty.all
    where [.dataTransfer, .encryption, .functionality, .access].contains(property.portalGroup) {
      switch property.kind {
      case .flag: policy[property] = .value(.flag(flags == 0 || flags - 2 == property.number % 2))
      case .choice(let names):
        // The first time without a choice.
        guard choice > 0 else { continue }
        policy[property] = .value(.choice(names.members[(choice - 1) % names.members.count].number))
      case .flags(let names): policy[property] = .value(.flags(names.members[choice % names.members.count].number))
      case .choices(let names): policy[property] = .value(.choices(names.members.prefix(choice + 1).map(\.number)))
      case .number(let range): policy[property] = .value(.number(min(10, range.upperBound)))
      case .text: if choice > 0 { policy[property] = .value(.text("scheme")) }
      case .texts: policy[property] = .value(.texts(["http://maps.example.com"]))
      case .pairs: policy[property] = .value(.pairs([PolicyPair("Default", "skype;")]))
      case .duration, .date, .apps, .assignments: break
      }
    }
    policy.dataTransfer.allowedOutboundDataTransferDestinations = send
    policy.dataTransfer.allowedInboundDataTransferSources = receive
    return policy
  }
}
