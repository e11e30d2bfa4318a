import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Save-to")
struct SaveToTests {
  typealias Row = TransferRow<SaveLocation>

  /// The table of the reference, row by row; what is derived there follows the assumptions.
  static let table: [Row] = [
    Row(number: 1, applies: { !$0.isManaged && !$0.isColleagues }, allows: { _ in true }),
    Row(number: 2, applies: { !$0.isManaged && $0.isColleagues }, allows: { $0.colleagueLevel == "all" }),
    Row(number: 3, applies: { $0.isManaged && $0.level == "all" }, allows: { _ in true }),
    Row(number: 4, applies: { $0.isManaged && $0.level == "none" }, allows: { _ in false }),
    Row(
      number: 5, applies: { $0.isManaged && $0.level == "managed" && !$0.isBlocked && $0.isOwn }, allows: { _ in true }),
    Row(
      number: 6, applies: { $0.isManaged && $0.level == "managed" && !$0.isBlocked && !$0.isOwn },
      allows: { $0.assumptions.saveAllowCoversForeignLocations }),
    Row(
      number: 7,
      applies: {
        restricted($0) && $0.isListed && $0.isOwn && $0.location != .localDrive && $0.location != .cameraRoll
      },
      allows: { _ in true }),
    Row(
      number: 8,
      applies: {
        restricted($0) && $0.isListed && !$0.isOwn && $0.location != .cameraRoll
          && !($0.location == .localDrive && $0.isUnnamed)
      }, allows: { !$0.assumptions.listedLocationNeedsOwnerAccount }),
    Row(
      number: 9, applies: { restricted($0) && $0.isListed && $0.location == .cameraRoll }, allows: { _ in true }),
    Row(
      number: 10, applies: { restricted($0) && $0.isListed && $0.location == .localDrive && $0.isOwn },
      allows: { _ in true }),
    Row(
      number: 11,
      applies: { restricted($0) && $0.isListed && $0.location == .localDrive && !$0.isOwn && $0.isUnnamed },
      allows: { !$0.assumptions.listedLocalDriveNeedsOwnerAccount }),
    Row(
      number: 12, applies: { restricted($0) && $0.location == .accountDocument && $0.isOwn },
      allows: { $0.assumptions.accountDocumentStaysInAccount }),
    Row(
      number: 13, applies: { restricted($0) && !$0.isListed && !($0.location == .accountDocument && $0.isOwn) },
      allows: { _ in false }),
  ]

  static func restricted(_ situation: TransferCase<SaveLocation>) -> Bool {
    situation.isManaged && situation.level == "managed" && situation.isBlocked
  }

  static func word(_ level: DataTransferLevel?) -> String {
    switch level {
    case nil, .allApps: "all"
    case .managedApps: "managed"
    default: "none"
    }
  }

  static let graphName: [SaveLocation: DataStorageLocation] = [
    .oneDriveForBusiness: .oneDriveForBusiness, .sharePoint: .sharePoint, .box: .box, .localDrive: .localStorage,
    .cameraRoll: .photoLibrary,
  ]

  static func described(
    _ situation: TransferSituation, _ location: SaveLocation, _ account: TransferSituation.LocationAccount
  ) -> TransferCase<SaveLocation> {
    let isUnnamed = location == .cameraRoll || situation.location(account) == .unnamed
    let isOldSDK = situation.sdk.hasPrefix("14")
    let meansCurrent =
      isUnnamed && location != .cameraRoll && isOldSDK && (location == .localDrive || !situation.multiIdentity)
    return TransferCase(
      isManaged: situation.standing == .managed,
      level: word(situation.policy.allowedOutboundDataTransferDestinations),
      isBlocked: situation.policy.saveAsBlocked == true,
      isListed: graphName[location].map { situation.policy.allowedDataStorageLocations?.contains($0) == true } ?? false,
      location: location, isUnnamed: isUnnamed,
      isOwn: meansCurrent || !isUnnamed && account == .owner,
      isColleagues: !isUnnamed && account == .colleague,
      colleagueLevel: word(situation.colleaguePolicy.allowedInboundDataTransferSources),
      assumptions: situation.assumptions)
  }

  static let lists: [[DataStorageLocation]?] =
    [nil, [], DataStorageLocation.allCases] + DataStorageLocation.allCases.map { [$0] }

  /// Every policy that the table tells apart, and every standing of an account.
  static func situations() -> [TransferSituation] {
    var situations: [TransferSituation] = []
    var situation = TransferSituation()
    for (sdk, multiIdentity) in [("19.2.0", false), ("14.9.9", false), ("14.9.9", true), ("", true)] {
      (situation.sdk, situation.multiIdentity) = (sdk, multiIdentity)
      for assumptions in sdk == "19.2.0" ? TransferSituation.assumptionChoices : [Assumptions()] {
        situation.assumptions = assumptions
        for standing in TransferSituation.Standing.allCases {
          situation.standing = standing
          for send in standing == .managed ? TransferSituation.levels : [DataTransferLevel.noApps] {
            situation.policy.allowedOutboundDataTransferDestinations = send
            for isBlocked in [nil, false, true] {
              situation.policy.saveAsBlocked = isBlocked
              for list in lists {
                situation.policy.allowedDataStorageLocations = list
                situations.append(situation)
              }
            }
          }
        }
      }
    }
    return situations
  }

  @Test("Every combination answers as exactly one row of the table says, and the location's account has its say")
  func table() {
    var wrong: [String] = []
    var answered: Set<String> = []
    for (index, var situation) in Self.situations().enumerated() {
      for receive in TransferSituation.levels {
        situation.colleaguePolicy.allowedInboundDataTransferSources = receive
        let state = situation.state()
        for location in SaveLocation.allCases {
          for account in TransferSituation.LocationAccount.allCases
          where account == .colleague || receive == TransferSituation.levels[index % TransferSituation.levels.count] {
            let described = Self.described(situation, location, account)
            let rows = Self.table.filter { $0.applies(described) }
            guard let row = rows.first, rows.count == 1 else {
              wrong.append("\(rows.map(\.number)) apply to \(described)")
              continue
            }
            var (rule, allows) = ("saveTo.\(row.number)", row.allows(described))
            if described.isManaged && described.isColleagues && allows && described.colleagueLevel != "all" {
              (rule, allows) = ("saveTo.receiver", false)
            }
            let decision = state.saveTo(
              location, account: situation.location(account), owner: situation.ownerNumber)
            answered.insert("\(decision.rule) \(decision.isAllowed)")
            if decision.rule != rule || decision.isAllowed != allows {
              wrong.append("\(decision.rule) \(decision.outcome) instead of \(rule) \(allows): \(described)")
            }
          }
        }
      }
    }
    expectEqual(wrong.count, 0, "\(wrong.prefix(5))")
    // Every row spoke, and those that can go both ways did.
    expectEqual(answered.count, 14 + 5, "\(answered.sorted())")
  }

  @Test("An explanation ends with the rule that decided, gives the same answer, and read what is in the state")
  func explanations() throws {
    for (index, var situation) in Self.situations().enumerated() where index.isMultiple(of: 5) {
      situation.colleaguePolicy.allowedInboundDataTransferSources =
        TransferSituation.levels[index / 5 % TransferSituation.levels.count]
      let state = situation.state()
      let tree = state.tree()
      for location in SaveLocation.allCases {
        for account in TransferSituation.LocationAccount.allCases {
          var explanation = Explanation(recording: true)
          let (number, owner) = (situation.location(account), situation.ownerNumber)
          let decision = state.saveTo(
            location, account: number, owner: owner, explanation: &explanation)
          expectEqual(decision, state.saveTo(location, account: number, owner: owner))
          try expectSound(explanation, of: decision, in: tree)
        }
      }
    }
  }

  @Test("Each location answers to its own entry of the list, whatever else is listed")
  func subsets() {
    var situation = TransferSituation()
    situation.policy.allowedOutboundDataTransferDestinations = .managedApps
    situation.policy.saveAsBlocked = true
    let entries = DataStorageLocation.allCases
    for set in 0..<(1 << entries.count) {
      let listed = entries.indices.filter { set >> $0 & 1 == 1 }.map { entries[$0] }
      situation.policy.allowedDataStorageLocations = listed
      let answers = situation.state().saveToLocations(account: TransferSituation.owner, owner: TransferSituation.owner)
      for (location, decision) in answers {
        let isAllowed = location == .accountDocument || Self.graphName[location].map(listed.contains) ?? false
        if decision.isAllowed != isAllowed { Issue.record("\(location) with \(listed): \(decision.rule)") }
      }
    }
  }

  @Test("An account that the journal never saw is not the current one, also before 15.1.0")
  func stranger() {
    var situation = Self.level2
    situation.sdk = "14.9.9"
    situation.multiIdentity = false
    let state = situation.state()
    let owner = TransferSituation.owner
    expectEqual(state.saveTo(.oneDriveForBusiness, account: .unnamed, owner: owner).rule, "saveTo.7")
    let decision = state.saveTo(.oneDriveForBusiness, account: .unknown, owner: owner)
    #expect(!decision.isAllowed && decision.rule == "saveTo.8")
    expectEqual(state.locationAccount(for: nil), .unnamed)
    expectEqual(state.locationAccount(for: AccountReference("A1@contoso.example")), .account(owner))
    expectEqual(state.locationAccount(for: AccountReference("b@fabrikam.example")), .unknown)
  }

  /// The policy of the scenarios.
  static var level2: TransferSituation {
    var situation = TransferSituation()
    situation.policy.allowedOutboundDataTransferDestinations = .managedApps
    situation.policy.saveAsBlocked = true
    situation.policy.allowedDataStorageLocations = [.oneDriveForBusiness, .sharePoint]
    situation.policy.allowedInboundDataTransferSources = .allApps
    return situation
  }

  static func save(
    _ situation: TransferSituation, to location: SaveLocation, as account: AccountNumber?
  ) -> Decision<TransferOutcome> {
    situation.state().saveTo(location, account: account, owner: TransferSituation.owner)
  }

  @Test("S-48: blocked saving has exceptions, and only those")
  func exceptions() {
    let owner = TransferSituation.owner
    #expect(Self.save(Self.level2, to: .oneDriveForBusiness, as: owner).isAllowed)
    let dropbox = Self.save(Self.level2, to: .dropbox, as: owner)
    #expect(!dropbox.isAllowed && dropbox.rule == "saveTo.13" && dropbox.assumption == nil)
    let photos = Self.save(Self.level2, to: .cameraRoll, as: nil)
    #expect(!photos.isAllowed && photos.rule == "saveTo.13")
  }

  @Test("S-49: saving that is not blocked goes to the owner's account")
  func notBlocked() {
    var situation = Self.level2
    situation.policy.saveAsBlocked = false
    let decision = Self.save(situation, to: .oneDriveForBusiness, as: TransferSituation.owner)
    #expect(decision.isAllowed && decision.rule == "saveTo.5")
    expectEqual(decision.reason, "the owner may save copies, and the location is its own")
  }

  @Test("S-50: blocked saving without exceptions goes nowhere but to a document of the account")
  func nothingListed() {
    var situation = Self.level2
    situation.policy.allowedDataStorageLocations = []
    let decisions = situation.state().saveToLocations(
      account: TransferSituation.owner, owner: TransferSituation.owner)
    expectEqual(decisions.map(\.location), SaveLocation.allCases)
    expectEqual(decisions.filter(\.decision.isAllowed).map(\.location), [.accountDocument])
    expectEqual(decisions.last?.decision.assumption, "accountDocumentStaysInAccount")
    situation.assumptions.accountDocumentStaysInAccount = false
    let strict = situation.state().saveToLocations(account: TransferSituation.owner, owner: TransferSituation.owner)
    #expect(strict.allSatisfy { !$0.decision.isAllowed })
  }

  @Test("S-52: where nothing may be sent, nothing may be saved, whatever is listed")
  func nothingSent() {
    var situation = Self.level2
    situation.policy.allowedOutboundDataTransferDestinations = .noApps
    for (_, decision) in situation.state().saveToLocations(
      account: TransferSituation.owner, owner: TransferSituation.owner)
    {
      #expect(!decision.isAllowed && decision.rule == "saveTo.4")
    }
  }

  @Test("S-54: a place in the Files app is another location, and not listed")
  func files() {
    var situation = Self.level2
    for list in [situation.policy.allowedDataStorageLocations, DataStorageLocation.allCases] {
      situation.policy.allowedDataStorageLocations = list
      for account in [nil, TransferSituation.owner] {
        let decision = Self.save(situation, to: .other, as: account)
        #expect(!decision.isAllowed && decision.rule == "saveTo.13")
      }
    }
  }

  @Test("S-58: the receiving account refuses personal data, and an unmanaged location does not")
  func personalData() {
    var situation = Self.level2
    situation.standing = .unmanaged
    situation.colleaguePolicy.allowedInboundDataTransferSources = .managedApps
    let refused = Self.save(situation, to: .oneDriveForBusiness, as: TransferSituation.colleague)
    #expect(!refused.isAllowed && refused.rule == "saveTo.2")
    expectEqual(refused.reason, "the location's account may not receive data from unmanaged sources")
    #expect(Self.save(situation, to: .oneDriveForBusiness, as: TransferSituation.personal).isAllowed)
  }

  @Test("A policy that waits for a restart restricts nothing yet")
  func waiting() {
    var situation = Self.level2
    situation.standing = .waiting
    expectEqual(situation.state().effectivePolicy(for: .account(TransferSituation.owner)), .unmanaged)
    let decision = Self.save(situation, to: .dropbox, as: nil)
    #expect(decision.isAllowed && decision.rule == "saveTo.1")
  }

  @Test("A state that was read back decides as the one that was written", arguments: ["14.6.0", "19.2.0"])
  func readBack(_ sdk: String) throws {
    var situation = Self.level2
    situation.sdk = sdk
    situation.multiIdentity = false
    let state = situation.state()
    let copy = try TestApp.decoded(state)
    for account in [nil, TransferSituation.owner, TransferSituation.colleague] {
      let decisions = state.saveToLocations(account: account, owner: TransferSituation.owner)
      let again = copy.saveToLocations(account: account, owner: TransferSituation.owner)
      expectEqual(decisions.map(\.decision), again.map(\.decision))
    }
    // The account that is meant without a name is the one thing that follows from the SDK's version.
    let unnamed = copy.saveTo(.oneDriveForBusiness, account: nil, owner: TransferSituation.owner)
    expectEqual(unnamed.isAllowed, sdk.hasPrefix("14"))
  }

  @Test("An explanation reads as people would say it")
  func wording() {
    var explanation = Explanation(recording: true)
    let owner = TransferSituation.owner
    _ = Self.level2.state().saveTo(
      .box, account: .account(owner), owner: owner, explanation: &explanation)
    expectEqual(
      lines(of: explanation),
      [
        "+ account a1 is managed | /accounts/a1/enrollment/status /policies/a1/enforced",
        "- a1 may send data to all apps | /policies/a1/allowedOutboundDataTransferDestinations",
        "+ a1 may send data to managed apps | /policies/a1/allowedOutboundDataTransferDestinations",
        "+ saving copies of a1's data is blocked | /policies/a1/saveAsBlocked",
        "- box is among the allowed locations | /policies/a1/allowedDataStorageLocations <- saveTo.13",
      ])
  }
}
