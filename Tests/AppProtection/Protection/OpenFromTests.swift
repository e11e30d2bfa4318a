import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Open-from")
struct OpenFromTests {
  typealias Row = TransferRow<OpenLocation>

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
      allows: { $0.assumptions.openAllowCoversForeignLocations }),
    Row(number: 7, applies: { restricted($0) && isException($0) }, allows: { _ in true }),
    Row(number: 8, applies: { restricted($0) && !isException($0) }, allows: { _ in false }),
  ]

  static func restricted(_ situation: TransferCase<OpenLocation>) -> Bool {
    situation.isManaged && situation.level == "managed" && situation.isBlocked
  }

  static func isException(_ situation: TransferCase<OpenLocation>) -> Bool {
    situation.isListed && (situation.isOwn || situation.location == .camera || situation.location == .photos)
  }

  static let graphName: [OpenLocation: DataIngestionLocation] = [
    .oneDriveForBusiness: .oneDriveForBusiness, .sharePoint: .sharePoint, .camera: .camera, .photos: .photoLibrary,
  ]

  static func described(
    _ situation: TransferSituation, _ location: OpenLocation, _ account: TransferSituation.LocationAccount
  ) -> TransferCase<OpenLocation> {
    let isNobodys = location == .camera || location == .photos
    let isUnnamed = isNobodys || situation.location(account) == .unnamed
    let isOldSDK = situation.sdk.hasPrefix("14")
    let meansCurrent =
      isUnnamed && !isNobodys && isOldSDK && (location == .localStorage || !situation.multiIdentity)
    let list = situation.policy.allowedDataIngestionLocations ?? []
    return TransferCase(
      isManaged: situation.standing == .managed,
      level: SaveToTests.word(situation.policy.allowedInboundDataTransferSources),
      isBlocked: situation.policy.blockDataIngestionIntoOrganizationDocuments == true,
      isListed: graphName[location].map(list.contains) ?? false,
      location: location, isUnnamed: isUnnamed,
      isOwn: meansCurrent || !isUnnamed && account == .owner,
      isColleagues: !isUnnamed && account == .colleague,
      colleagueLevel: SaveToTests.word(situation.colleaguePolicy.allowedOutboundDataTransferDestinations),
      assumptions: situation.assumptions)
  }

  static let lists: [[DataIngestionLocation]?] =
    [nil, [], DataIngestionLocation.allCases] + DataIngestionLocation.allCases.map { [$0] }

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
          for receive in standing == .managed ? TransferSituation.levels : [DataTransferLevel.noApps] {
            situation.policy.allowedInboundDataTransferSources = receive
            for isBlocked in [nil, false, true] {
              situation.policy.blockDataIngestionIntoOrganizationDocuments = isBlocked
              for list in lists {
                situation.policy.allowedDataIngestionLocations = list
                situations.append(situation)
              }
            }
          }
        }
      }
    }
    return situations
  }

  @Test("Every combination answers as exactly one row of the table says, and the source's account has its say")
  func table() {
    var wrong: [String] = []
    var answered: Set<String> = []
    for (index, var situation) in Self.situations().enumerated() {
      for send in TransferSituation.levels {
        situation.colleaguePolicy.allowedOutboundDataTransferDestinations = send
        let state = situation.state()
        for location in OpenLocation.allCases {
          for account in TransferSituation.LocationAccount.allCases
          where account == .colleague || send == TransferSituation.levels[index % TransferSituation.levels.count] {
            let described = Self.described(situation, location, account)
            let rows = Self.table.filter { $0.applies(described) }
            guard let row = rows.first, rows.count == 1 else {
              wrong.append("\(rows.map(\.number)) apply to \(described)")
              continue
            }
            var (rule, allows) = ("openFrom.\(row.number)", row.allows(described))
            if described.isManaged && described.isColleagues && allows && described.colleagueLevel != "all" {
              (rule, allows) = ("openFrom.sender", false)
            }
            let decision = state.openFrom(
              location, account: situation.location(account), receiver: situation.ownerNumber)
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
    expectEqual(answered.count, 9 + 2, "\(answered.sorted())")
  }

  @Test("An explanation ends with the rule that decided, gives the same answer, and read what is in the state")
  func explanations() throws {
    for (index, var situation) in Self.situations().enumerated() where index.isMultiple(of: 5) {
      situation.colleaguePolicy.allowedOutboundDataTransferDestinations =
        TransferSituation.levels[index / 5 % TransferSituation.levels.count]
      let state = situation.state()
      let tree = state.tree()
      for location in OpenLocation.allCases {
        for account in TransferSituation.LocationAccount.allCases {
          var explanation = Explanation(recording: true)
          let (number, receiver) = (situation.location(account), situation.ownerNumber)
          let decision = state.openFrom(
            location, account: number, receiver: receiver, explanation: &explanation)
          expectEqual(decision, state.openFrom(location, account: number, receiver: receiver))
          try expectSound(explanation, of: decision, in: tree)
        }
      }
    }
  }

  /// A receiver into whose documents data may be opened from the listed sources only.
  static func restricted(to list: [DataIngestionLocation]) -> AppProtectionState {
    var situation = SaveToTests.level2
    situation.policy.allowedInboundDataTransferSources = .managedApps
    situation.policy.blockDataIngestionIntoOrganizationDocuments = true
    situation.policy.allowedDataIngestionLocations = list
    return situation.state()
  }

  @Test("S-55: blocked opening has exceptions, and only those")
  func exceptions() {
    let state = Self.restricted(to: [.oneDriveForBusiness])
    let receiver = TransferSituation.owner
    #expect(state.openFrom(.oneDriveForBusiness, account: receiver, receiver: receiver).isAllowed)
    let camera = state.openFrom(.camera, account: nil, receiver: receiver)
    #expect(!camera.isAllowed && camera.rule == "openFrom.8")
    expectEqual(camera.reason, "the receiver may not open data, and the source is not among its allowed sources")
    let personal = state.openFrom(.oneDriveForBusiness, account: TransferSituation.personal, receiver: receiver)
    #expect(!personal.isAllowed && personal.rule == "openFrom.8")
    expectEqual(personal.reason, "the source is among the receiver's allowed sources, but is not its own")
  }

  @Test("S-56: the camera may be listed without the photo library, and an account given with it does not count")
  func camera() {
    let state = Self.restricted(to: [.camera])
    let receiver = TransferSituation.owner
    #expect(state.openFrom(.camera, account: nil, receiver: receiver).isAllowed)
    #expect(!state.openFrom(.photos, account: nil, receiver: receiver).isAllowed)
    #expect(state.openFrom(.camera, account: TransferSituation.colleague, receiver: receiver).isAllowed)
    let allowed = state.openFromLocations(account: receiver, receiver: receiver).filter(\.decision.isAllowed)
    expectEqual(allowed.map(\.location), [.camera])
  }

  @Test("S-58: organization data stays out of personal hands unless it may be sent to all apps")
  func organizationData() {
    var situation = SaveToTests.level2
    situation.standing = .unmanaged
    for (level, allows) in [(DataTransferLevel.allApps, true), (.managedApps, false), (.noApps, false)] {
      situation.colleaguePolicy.allowedOutboundDataTransferDestinations = level
      let decision = situation.state().openFrom(
        .accountDocument, account: TransferSituation.colleague, receiver: TransferSituation.personal)
      #expect(decision.isAllowed == allows && decision.rule == "openFrom.2")
    }
    #expect(situation.state().openFrom(.photos, account: nil, receiver: nil).isAllowed)
  }

  @Test("An explanation names the account that keeps its data")
  func wording() {
    var situation = SaveToTests.level2
    situation.colleaguePolicy.allowedOutboundDataTransferDestinations = .managedApps
    var explanation = Explanation(recording: true)
    let decision = situation.state().openFrom(
      .sharePoint, account: .account(TransferSituation.colleague), receiver: TransferSituation.owner,
      explanation: &explanation)
    expectEqual(decision.reason, "the source's account may not send data to another account")
    expectEqual(
      lines(of: explanation),
      [
        "+ account a1 is managed | /accounts/a1/enrollment/status /policies/a1/enforced",
        "+ account a3 is managed | /accounts/a3/enrollment/status /policies/a3/enforced",
        "+ a1 may receive data from all apps | /policies/a1/allowedInboundDataTransferSources",
        "- a3 may send data to another account | /policies/a3/allowedOutboundDataTransferDestinations <- openFrom.sender",
      ])
  }
}
