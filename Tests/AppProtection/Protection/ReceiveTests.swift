import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Items and files that come in")
struct ReceiveTests {
  static let owner = ProtectionSituation.owner
  static let personal = ProtectionSituation.personal
  static let colleague = ProtectionSituation.colleague
  static let levels: [DataTransferLevel?] = [nil] + DataTransferLevel.allCases

  struct Case {
    var receives: DataTransferLevel?
    var colleagueSends: DataTransferLevel?
    var protects: Bool
    var shares: Bool
    var device: AccountNumber?
    var multiIdentity: Bool
    var identitySwitch: SwitchIdentityResult?
    var isInstalled: Bool
    var refusesUnknown = true
    var needsInstallation = true

    /// What comes of it, restated from the reference.
    func expected(_ source: DataParty, _ receiver: AccountNumber?) -> String {
      let isReceiverManaged = receiver == owner
      var data: AccountNumber?
      var isOrganizations = false
      switch source {
      case .account(let account):
        data = account
        isOrganizations = account == owner || account == colleague
      case .managedApp(let account):
        data = account
        isOrganizations = true
      default: break
      }
      let isKnown = data == owner || data == colleague
      let sendsFreely = data == colleague && (colleagueSends == .allApps || colleagueSends == nil)
      guard isReceiverManaged else {
        if !isOrganizations { return "allowed" }
        if !isKnown { return "senderNotManaged" }
        return sendsFreely ? "allowed" : "otherAccount"
      }
      let takesAll = receives == .allApps || receives == nil
      let takesNothing = !takesAll && receives != .managedApps
      if !isOrganizations {
        if takesAll { return protects && device != nil ? "allowedAsOrganizationData" : "allowed" }
        if multiIdentity {
          return identitySwitch == nil
            ? "needsUnmanagedIdentity" : identitySwitch == .success ? "allowed" : "identitySwitchFailed"
        }
        return takesNothing ? "nothingComesIn" : "onlyOrganizationData"
      }
      if takesNothing { return "nothingComesIn" }
      if data == owner && shares && device == owner && !isInstalled && needsInstallation {
        return "managedInstallationNeeded"
      }
      if data == owner { return "allowed" }
      if !isKnown { return takesAll && !refusesUnknown ? "allowed" : "senderNotManaged" }
      return takesAll && sendsFreely ? "allowed" : "otherAccount"
    }

    func state() -> AppProtectionState {
      var situation = ProtectionSituation {
        $0.dataTransfer.allowedInboundDataTransferSources = receives
        $0.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
        $0.dataTransfer.disableProtectionOfManagedOutboundOpenInData = shares
        $0.dataTransfer.protectInboundDataFromUnknownSources = protects
      }
      situation.colleaguePolicy.dataTransfer.allowedOutboundDataTransferDestinations = colleagueSends
      situation.deviceAccount = device
      situation.multiIdentity = multiIdentity
      situation.assumptions.unknownSendersAreRefused = refusesUnknown
      situation.assumptions.osSharingNeedsManagedInstallation = needsInstallation
      return situation.state()
    }
  }

  static func cases() -> [Case] {
    var cases: [Case] = []
    for receives in levels {
      for colleagueSends in levels {
        for bits in 0..<16 {
          for device in [nil, owner, colleague] {
            for identitySwitch in [nil, SwitchIdentityResult.success, .canceled, .notAllowed, .failed] {
              var one = Case(
                receives: receives, colleagueSends: colleagueSends, protects: bits & 1 != 0, shares: bits & 2 != 0,
                device: device, multiIdentity: bits & 4 != 0, identitySwitch: identitySwitch, isInstalled: bits & 8 != 0
              )
              cases.append(one)
              one.refusesUnknown = false
              one.needsInstallation = false
              if identitySwitch == nil { cases.append(one) }
            }
          }
        }
      }
    }
    return cases
  }

  @Test("Every combination answers as the reference says, and all six refusals occur")
  func table() {
    var wrong: [String] = []
    var answered: Set<String> = []
    for one in Self.cases() {
      let state = one.state()
      for source in ClipboardTests.parties {
        for receiver in [nil, Self.owner, Self.personal] {
          let decision = state.receive(
            from: source, as: receiver, identitySwitch: one.identitySwitch, isInstalledByManagement: one.isInstalled)
          answered.insert("\(decision.rule) \(decision.outcome)")
          let expected = one.expected(source, receiver)
          if decision.outcome.name != expected {
            wrong.append("\(decision.rule) \(decision.outcome) instead of \(expected): \(source) \(one)")
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
    let rules = Set(ReceiveRule.allCases.map { "\($0.id) \($0.outcome)" })
    expectEqual(answered, rules, "\(rules.symmetricDifference(answered))")
    for refusal in ReceiveRefusal.allCases {
      #expect(answered.contains { $0.contains("refused") && $0.contains("\(refusal))") }, "\(refusal)")
    }
  }

  @Test("An explanation ends with the rule that decided, gives the same answer, and read what is in the state")
  func explanations() throws {
    for one in Self.cases().enumerated().filter({ $0.offset.isMultiple(of: 23) }).map(\.element) {
      let state = one.state()
      let tree = state.tree()
      for source in ClipboardTests.parties {
        for receiver in [nil, Self.owner, Self.personal] {
          var explanation = Explanation(recording: true)
          let decision = state.receive(
            from: source, as: receiver, identitySwitch: one.identitySwitch, isInstalledByManagement: one.isInstalled,
            explanation: &explanation)
          expectEqual(
            decision,
            state.receive(
              from: source, as: receiver, identitySwitch: one.identitySwitch, isInstalledByManagement: one.isInstalled
            ))
          try expectSound(explanation, of: decision, in: tree)
        }
      }
    }
  }

  @Test("S-60: what a managed app sends comes in while its account is active, and not while a personal one is")
  func managedSender() {
    let state = ProtectionSituation {
      $0.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
      $0.dataTransfer.allowedInboundDataTransferSources = .managedApps
    }.state()
    let refused = state.receive(from: .managedApp(Self.owner), as: Self.personal)
    #expect(refused.outcome == .refused(.otherAccount) && refused.rule == "receive.4")
    expectEqual(state.receive(from: .managedApp(Self.owner), as: Self.owner).outcome, .allowed)
    expectEqual(state.receive(from: .unmanagedApp, as: Self.personal).outcome, .allowed)
  }

  @Test("Data without an identity becomes that of the device's user, where there is one")
  func protected() {
    var situation = ProtectionSituation {
      $0.dataTransfer.allowedInboundDataTransferSources = .allApps
      $0.dataTransfer.protectInboundDataFromUnknownSources = true
    }
    expectEqual(situation.state().receive(from: .unmanagedApp, as: Self.owner).rule, "receive.11")
    situation.deviceAccount = Self.owner
    let decision = situation.state().receive(from: .unmanagedApp, as: Self.owner)
    #expect(decision.outcome == .allowedAsOrganizationData && decision.rule == "receive.10")
  }
}
