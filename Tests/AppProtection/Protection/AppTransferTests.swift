import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Transfers between apps")
struct AppTransferTests {
  static let owner = ProtectionSituation.owner
  static let personal = ProtectionSituation.personal
  static let colleague = ProtectionSituation.colleague

  /// What an owner's policy can say about sending, by the portal's words.
  enum Sending: CaseIterable {
    case absent, all, none, unknown, managed, osSharing, filtered, contradictory, ineffective

    var level: DataTransferLevel? {
      switch self {
      case .absent: nil
      case .all, .ineffective: .allApps
      case .none: .noApps
      case .unknown: .unrecognized
      case .managed, .osSharing, .filtered, .contradictory: .managedApps
      }
    }

    var isManaged: Bool { level == .managedApps }
    var disablesProtection: Bool { self == .osSharing || self == .contradictory || self == .ineffective }
    var filters: Bool { self == .filtered || self == .contradictory || self == .ineffective }
  }

  static func state(
    _ sending: Sending, colleagueReceives: DataTransferLevel?, receives: DataTransferLevel? = nil,
    device: AccountNumber? = nil, sdk: String = "19.2.0"
  ) -> AppProtectionState {
    var situation = ProtectionSituation {
      $0.dataTransfer.allowedOutboundDataTransferDestinations = sending.level
      $0.dataTransfer.allowedInboundDataTransferSources = receives
      $0.dataTransfer.disableProtectionOfManagedOutboundOpenInData = sending.disablesProtection
      $0.dataTransfer.filterOpenInToOnlyManagedApps = sending.filters
    }
    situation.colleaguePolicy.dataTransfer.allowedInboundDataTransferSources = colleagueReceives
    situation.deviceAccount = device
    situation.sdk = sdk
    return situation.state()
  }

  /// What comes of it, restated from the reference's table.
  static func expected(
    _ sending: Sending, _ source: DataParty, _ destination: DataParty, _ surface: TransferSurface,
    receives: DataTransferLevel?, colleagueReceives: DataTransferLevel?, device: AccountNumber?, sdk: String
  ) -> TransferOutcome {
    func account(_ party: DataParty) -> AccountNumber? {
      switch party {
      case .account(let account), .managedApp(let account): account == personal ? nil : account
      default: nil
      }
    }
    let (from, to) = (account(source), account(destination))
    if case .account(let one?) = source, case .account(one) = destination { return .allowed }
    if let to {
      // The colleague sends freely.
      switch to == owner ? receives : colleagueReceives {
      case .allApps, nil: break
      case .managedApps: if from != to { return .denied }
      default: return .denied
      }
    }
    guard from == owner, sending.level != .allApps, sending.level != nil else { return .allowed }
    let encryptsInstead = surface == .openIn || surface == .shareExtension && device == nil
    guard sending.isManaged else { return encryptsInstead ? .allowedEncrypted : .denied }
    if to == owner { return .allowed }
    if sending == .osSharing || sending == .contradictory {
      if destination == .deviceManagedApp && device == owner { return .allowed }
    }
    if sending == .filtered && surface != .app && sdk == "8.1.1" { return .denied }
    return encryptsInstead ? .allowedEncrypted : .denied
  }

  @Test("Every combination of levels, variants, parties and surfaces answers as the table says")
  func table() {
    let levels: [DataTransferLevel?] = [nil] + DataTransferLevel.allCases
    var wrong: [String] = []
    var answered: Set<String> = []
    for sending in Sending.allCases {
      for colleagueReceives in levels {
        for receives in levels {
          for device in [nil, Self.owner, Self.colleague] {
            for sdk in ["8.1.0", "8.1.1"] {
              let state = Self.state(
                sending, colleagueReceives: colleagueReceives, receives: receives, device: device, sdk: sdk)
              for source in ClipboardTests.parties {
                for destination in ClipboardTests.parties {
                  for surface in TransferSurface.allCases {
                    // Where both are the same, and neither is this app, nobody asks.
                    let expected = Self.expected(
                      sending, source, destination, surface, receives: receives, colleagueReceives: colleagueReceives,
                      device: device, sdk: sdk)
                    let decision = state.transfer(from: source, to: destination, through: surface)
                    answered.insert("\(decision.rule) \(decision.outcome)")
                    if decision.outcome != expected {
                      wrong.append(
                        "\(decision.rule) \(decision.outcome) instead of \(expected): \(sending) \(source) "
                          + "\(destination) \(surface) \(String(describing: receives)) \(sdk)")
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
    // Of a managed app's data, its owner's policy speaks first.
    let rules = Set(TransferRule.allCases.filter { $0 != .receivesFromManagedApp }.map { "\($0.id) \($0.outcome)" })
    expectEqual(answered, rules, "\(rules.symmetricDifference(answered))")
  }

  @Test("An explanation ends with the rule that decided, gives the same answer, and read what is in the state")
  func explanations() throws {
    for sending in Sending.allCases {
      for receives in [DataTransferLevel.allApps, .managedApps, .noApps] {
        for device in [nil, Self.owner] {
          let state = Self.state(sending, colleagueReceives: receives, receives: receives, device: device)
          let tree = state.tree()
          for source in ClipboardTests.parties {
            for destination in ClipboardTests.parties {
              for surface in TransferSurface.allCases {
                var explanation = Explanation(recording: true)
                let decision = state.transfer(
                  from: source, to: destination, through: surface, explanation: &explanation)
                expectEqual(decision, state.transfer(from: source, to: destination, through: surface))
                try expectSound(explanation, of: decision, in: tree)
              }
            }
          }
        }
      }
    }
  }

  @Test("Another app's policy is taken to be the account's own, or to be unknown")
  func otherApps() throws {
    var situation = ProtectionSituation.level2
    situation.policy.dataTransfer.allowedInboundDataTransferSources = .managedApps
    for (isSame, rule, reverse) in [
      (true, "transfer.send.3", "transfer.receive.4"), (false, "transfer.receive.3", "transfer.1"),
    ] {
      situation.assumptions.otherAppsHaveSamePolicy = isSame
      let state = situation.state()
      expectEqual(state.transfer(from: .managedApp(Self.owner), to: .account(Self.owner)).rule, rule)
      expectEqual(state.transfer(from: .account(Self.personal), to: .managedApp(Self.owner)).rule, reverse)
    }
  }

  @Test("S-58: personal data stays out of a managed account that receives from managed apps only")
  func personalData() {
    let state = Self.state(.managed, colleagueReceives: .managedApps, receives: .managedApps)
    let refused = state.transfer(from: .account(Self.personal), to: .managedApp(Self.owner))
    #expect(refused.outcome == .denied && refused.rule == "transfer.receive.4")
    expectEqual(state.transfer(from: .account(Self.personal), to: .unmanagedApp).rule, "transfer.1")
  }

  @Test("S-59: organization data for an unmanaged app is blocked, or leaves encrypted where it cannot be blocked")
  func handedOver() {
    let state = Self.state(.managed, colleagueReceives: nil)
    let blocked = state.transfer(from: .account(Self.owner), to: .unmanagedApp)
    #expect(blocked.outcome == .denied && !blocked.isAllowed && blocked.rule == "transfer.send.6")
    for surface in [TransferSurface.openIn, .shareExtension] {
      let decision = state.transfer(from: .account(Self.owner), to: .unmanagedApp, through: surface)
      #expect(decision.outcome == .allowedEncrypted && !decision.isAllowed && decision.rule == "transfer.send.6")
    }
    let enrolled = Self.state(.managed, colleagueReceives: nil, device: Self.owner)
    let extensions = enrolled.transfer(from: .account(Self.owner), to: .unmanagedApp, through: .shareExtension)
    expectEqual(extensions.outcome, .denied)
  }

  @Test("S-66: variants that contradict the level of sending, or each other, do not count")
  func contradictions() {
    let owner = Self.owner
    for sending in Sending.allCases {
      let policy = Self.state(sending, colleagueReceives: nil).effectivePolicy(for: owner)
      expectEqual(policy.switches.contains(.osSharing), sending == .osSharing || sending == .contradictory)
      expectEqual(policy.switches.contains(.openInFiltered), sending == .filtered)
    }
  }

  @Test("A filtered share sheet lists managed apps of the account that can take what is encrypted")
  func shareSheet() throws {
    let owner = Self.owner
    for (sending, sdk, app, takesEncrypted, account, rule) in [
      (Sending.filtered, "8.1.1", DataParty.managedApp(owner), true, owner, "shareSheet.4"),
      (.filtered, "8.1.1", .managedApp(owner), false, owner, "shareSheet.5"),
      (.filtered, "8.1.1", .managedApp(Self.colleague), true, owner, "shareSheet.5"),
      (.filtered, "8.1.1", .unmanagedApp, true, owner, "shareSheet.5"),
      (.filtered, "8.1.0", .unmanagedApp, false, owner, "shareSheet.3"),
      (.managed, "8.1.1", .unmanagedApp, false, owner, "shareSheet.2"),
      (.contradictory, "8.1.1", .unmanagedApp, false, owner, "shareSheet.2"),
      (.filtered, "8.1.1", .unmanagedApp, false, Self.personal, "shareSheet.1"),
    ] {
      let state = Self.state(sending, colleagueReceives: nil, sdk: sdk)
      var explanation = Explanation(recording: true)
      let decision = state.shareSheet(
        lists: app, takesEncrypted: takesEncrypted, owner: account, explanation: &explanation)
      expectEqual(decision, state.shareSheet(lists: app, takesEncrypted: takesEncrypted, owner: account))
      #expect(decision.rule == rule && decision.isAllowed == (rule != "shareSheet.5"))
      try expectSound(explanation, of: decision, in: state.tree())
    }
  }
}
