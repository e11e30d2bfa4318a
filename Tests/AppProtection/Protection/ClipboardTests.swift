import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Clipboard")
struct ClipboardTests {
  static let parties: [DataParty] = [
    .account(nil), .account(ProtectionSituation.owner), .account(ProtectionSituation.personal),
    .account(ProtectionSituation.colleague), .managedApp(ProtectionSituation.owner),
    .managedApp(ProtectionSituation.colleague), .managedApp(nil), .unmanagedApp, .deviceManagedApp,
  ]
  static let levels: [ClipboardSharingLevel?] = [nil] + ClipboardSharingLevel.allCases

  /// The levels as the reference's table has them: by what may be done with apps of the same account, and with others.
  struct Level {
    var copiesToManaged: Bool
    var copiesElsewhere: Bool
    var pastesFromManaged: Bool
    var pastesFromElsewhere: Bool

    init(_ level: ClipboardSharingLevel?) {
      switch level {
      case nil, .allApps:
        (copiesToManaged, copiesElsewhere, pastesFromManaged, pastesFromElsewhere) = (true, true, true, true)
      case .managedAppsWithPasteIn:
        (copiesToManaged, copiesElsewhere, pastesFromManaged, pastesFromElsewhere) = (true, false, true, true)
      case .managedApps:
        (copiesToManaged, copiesElsewhere, pastesFromManaged, pastesFromElsewhere) = (true, false, true, false)
      case .blocked, .unrecognized:
        (copiesToManaged, copiesElsewhere, pastesFromManaged, pastesFromElsewhere) = (false, false, false, false)
      }
    }
  }

  struct Case {
    var level: ClipboardSharingLevel?
    var colleagueLevel: ClipboardSharingLevel?
    var limit: Int?
    var colleagueLimit: Int?
    var sdk: String
    var characters: Int?
    var needsBoth: Bool
    var isSamePolicy = true

    /// Whether the paste goes through, restated from the reference.
    func allows(_ source: DataParty, _ destination: DataParty) -> Bool {
      func managed(_ party: DataParty) -> AccountNumber? {
        switch party {
        case .account(let account): account == ProtectionSituation.personal ? nil : account
        case .managedApp(let account): isSamePolicy ? account : nil
        default: nil
        }
      }
      func account(_ party: DataParty) -> AccountNumber? {
        switch party {
        case .account(let account), .managedApp(let account): account
        default: nil
        }
      }
      let (from, to) = (managed(source), managed(destination))
      if case .account(let one?) = source, case .account(one) = destination { return true }
      func level(_ account: AccountNumber) -> Level {
        Level(account == ProtectionSituation.owner ? self.level : colleagueLevel)
      }
      func isShort(_ account: AccountNumber) -> Bool {
        let limit = (account == ProtectionSituation.owner ? self.limit : colleagueLimit) ?? 0
        return sdk != "9.0.13" && limit > 0 && (characters ?? .max) <= limit
      }
      var refusals: [Bool] = []
      if let from {
        let table = level(from)
        let passes = account(destination) == from ? table.copiesToManaged : table.copiesElsewhere
        if !passes { refusals.append(isShort(from)) }
      }
      if let to {
        let table = level(to)
        let passes = account(source) == to ? table.pastesFromManaged : table.pastesFromElsewhere
        if !passes { refusals.append(isShort(to)) }
      }
      if refusals.isEmpty { return true }
      return needsBoth ? refusals.allSatisfy { $0 } : refusals.contains(true)
    }
  }

  static func cases() -> [Case] {
    var cases: [Case] = []
    for level in levels {
      for colleagueLevel in levels {
        for (limit, colleagueLimit) in [(nil, 0), (10, 10), (10, 12), (12, nil), (Int?.some(70_000), Int?.some(-1))] {
          for characters in [nil, 0, 10, 11, 12, 13, 65_535, 65_536] {
            for needsBoth in [true, false] {
              for sdk in ["9.0.13", "9.0.14"] where sdk == "9.0.14" || characters == 10 {
                cases.append(
                  Case(
                    level: level, colleagueLevel: colleagueLevel, limit: limit, colleagueLimit: colleagueLimit,
                    sdk: sdk,
                    characters: characters, needsBoth: needsBoth))
              }
            }
          }
        }
      }
    }
    return cases
  }

  static func state(_ one: Case) -> AppProtectionState {
    var situation = ProtectionSituation {
      $0.dataTransfer.allowedOutboundClipboardSharingLevel = one.level
      $0.dataTransfer.allowedOutboundClipboardSharingExceptionLength = one.limit
    }
    situation.colleaguePolicy.dataTransfer.allowedOutboundClipboardSharingLevel = one.colleagueLevel
    situation.colleaguePolicy.dataTransfer.allowedOutboundClipboardSharingExceptionLength = one.colleagueLimit
    situation.sdk = one.sdk
    situation.assumptions.clipboardExceptionNeedsBothSides = one.needsBoth
    situation.assumptions.otherAppsHaveSamePolicy = one.isSamePolicy
    return situation.state()
  }

  @Test("Every combination of levels, sides, lengths and limits answers as the table says")
  func table() {
    var wrong: [String] = []
    var answered: Set<String> = []
    for (index, one) in Self.cases().enumerated() {
      var one = one
      one.isSamePolicy = !index.isMultiple(of: 7)
      // A limit of more than 65,535 characters is that many, and one below zero is none.
      var restated = one
      restated.limit = one.limit.map { min($0, 65_535) }
      let state = Self.state(one)
      for source in Self.parties {
        for destination in Self.parties {
          let decision = state.paste(from: source, into: destination, characters: one.characters)
          answered.insert("\(decision.rule) \(decision.outcome)")
          if decision.isAllowed != restated.allows(source, destination) {
            wrong.append("\(decision.rule) \(decision.outcome): \(source) to \(destination), \(one)")
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
    let rules = Set(ClipboardRule.allCases.map { "\($0.id) \($0.outcome)" })
    expectEqual(answered, rules, "\(rules.symmetricDifference(answered))")
  }

  @Test("An explanation ends with the rule that decided, gives the same answer, and read what is in the state")
  func explanations() throws {
    for one in Self.cases().enumerated().filter({ $0.offset.isMultiple(of: 41) }).map(\.element) {
      let state = Self.state(one)
      let tree = state.tree()
      for source in Self.parties {
        for destination in Self.parties {
          var explanation = Explanation(recording: true)
          let decision = state.paste(
            from: source, into: destination, characters: one.characters, explanation: &explanation)
          expectEqual(decision, state.paste(from: source, into: destination, characters: one.characters))
          try expectSound(explanation, of: decision, in: tree)
        }
      }
    }
  }

  @Test("Exempt schemes and links lift nothing from the clipboard")
  func exemptions() {
    var situation = ProtectionSituation { $0.dataTransfer.allowedOutboundClipboardSharingLevel = .managedApps }
    func decision() -> Decision<Permission> {
      situation.state().paste(from: .account(ProtectionSituation.owner), into: .unmanagedApp, characters: 20)
    }
    let before = decision()
    situation.policy.dataTransfer.exemptedAppProtocols = [PolicyPair("Default", "skype;tel;mailto;")]
    situation.policy.redirection.exemptedUniversalLinks = ["*/*"]
    #expect(!before.isAllowed && decision() == before)
  }

  @Test("An explanation names both sides, and the limit that lifts a refusal")
  func wording() {
    let situation = ProtectionSituation {
      $0.dataTransfer.allowedOutboundClipboardSharingLevel = .managedApps
      $0.dataTransfer.allowedOutboundClipboardSharingExceptionLength = 20
    }
    var explanation = Explanation(recording: true)
    let decision = situation.state().paste(
      from: .account(ProtectionSituation.owner), into: .unmanagedApp, characters: 20, explanation: &explanation)
    expectEqual(decision.reason, "the text is short enough to cross although the clipboard is restricted")
    expectEqual(
      lines(of: explanation),
      [
        "+ account a1 is managed | /accounts/a1/enrollment/status /policies/a1/enforced",
        "- a1's clipboard reaches an unmanaged app | /policies/a1/allowedOutboundClipboardSharingLevel",
        "+ the text is short enough to cross | /process/sdkVersion "
          + "/policies/a1/allowedOutboundClipboardSharingExceptionLength <- clipboard.exception",
      ])
  }

  @Test("An explanation tells the receiving side as pasting, also where both sides are of one account")
  func oneAccount() {
    let owner = ProtectionSituation.owner
    var explanation = Explanation(recording: true)
    _ = ProtectionSituation().state().paste(
      from: .managedApp(owner), into: .account(owner), characters: nil, explanation: &explanation)
    expectEqual(
      explanation.steps.suffix(2).map(\.statement),
      [
        "a1's clipboard reaches a1", "a1 may paste from a managed app of a1",
      ])
  }
}
