import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Conditional launch: the setting and the fact in the journal")
struct LaunchComparisonTests {
  /// What the evaluation that was written last compared, by its rules.
  static func compared(_ app: TestApp) throws -> [LaunchRule: LaunchComparison] {
    let evaluated = app.history.reversed().lazy.compactMap { record in
      if case .launchEvaluated(let event) = record.event { event } else { nil }
    }.first
    let findings = try #require(evaluated).findings
    return Dictionary(
      try findings.map { ($0.rule, try #require($0.comparison, "\($0.rule)")) }, uniquingKeysWith: { first, _ in first }
    )
  }

  @Test("launch.evaluated holds the setting and the fact of every finding, with their values")
  func values() throws {
    var app = try LaunchSituation.managed {
      $0.conditionalLaunch.deviceComplianceRequired = true
      $0.conditionalLaunch.minimumRequiredOsVersion = "18.0"
      $0.conditionalLaunch.maximumWarningOsVersion = "16"
      $0.conditionalLaunch.minimumRequiredAppVersion = "2"
      $0.conditionalLaunch.allowedIosDeviceModels = "iPad1,1"
      $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = .low
      $0.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT12H")
      $0.access.pinRequired = true
      $0.access.organizationalCredentialsRequired = true
    }
    try app.report {
      $0.isJailbroken = true
      ($0.threatDefense, $0.threatLevel) = (.active, .high)
    }
    app.now += 13 * TestApp.hour
    let last = try #require(app.state.launch.accounts[.a1]?.checkedInAt)
    try app.run(.evaluateLaunch(.a, .launch))
    let compared = try Self.compared(app)
    let age = app.state.launch.clock.elapsed(at: app.moment) - last
    func expect(_ rule: LaunchRule, _ setting: PolicyProperty, _ value: String, _ fact: LaunchFact, _ found: String) {
      expectEqual(
        compared[rule], LaunchComparison(setting: setting, settingValue: value, fact: fact, factValue: found), "\(rule)"
      )
    }
    expect(.jailbreak, .deviceComplianceRequired, "", .isJailbroken, "true")
    expect(.osMinimum, .minimumRequiredOsVersion, "18.0", .osVersion, "17.5")
    expect(.osMaximum, .maximumWarningOsVersion, "16", .osVersion, "17.5")
    expect(.appVersion, .minimumRequiredAppVersion, "2", .appVersion, "1.2")
    expect(.deviceModel, .allowedIosDeviceModels, "iPad1,1", .deviceModel, "iPhone15,2")
    expect(.threatLevel, .maximumAllowedDeviceThreatLevel, "low", .threatLevel, "high")
    expect(.pinMissing, .pinRequired, "", .pinSetAt, "")
    expectEqual(
      compared[.offlineAccess],
      LaunchComparison(
        setting: .periodOfflineBeforeAccessCheck, settingValue: "PT12H", fact: .lastCompletedCheckIn, age: age))
    expectEqual(
      compared[.signIn],
      LaunchComparison(
        setting: .periodOnlineBeforeAccessCheck, settingValue: "PT30M", fact: .signedInAt),
      "the standard counts where the policy sets no period")
  }

  @Test("A PIN's findings hold the setting that it breaks, and how long ago it was given")
  func pin() throws {
    var app = try LaunchSituation.managed {
      $0.access.pinRequired = true
      $0.access.periodBeforePinReset = try PolicyDuration("P1D")
      $0.access.minimumPinLength = 4
    }
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    app.now += 2 * TestApp.day
    var stricter = TestApp.policy()
    stricter.access.pinRequired = true
    stricter.access.periodBeforePinReset = try PolicyDuration("P1D")
    stricter.access.minimumPinLength = 6
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(stricter)), .evaluateLaunch(.a, .launch))
    let compared = try Self.compared(app)
    expectEqual(
      compared[.pinQuality],
      LaunchComparison(
        setting: .minimumPinLength, settingValue: "6", fact: .pinLength, factValue: "4"))
    #expect(compared[.pinExpired]?.setting == .periodBeforePinReset && compared[.pinExpired]?.settingValue == "P1D")
    #expect((compared[.pinExpired]?.age ?? 0) >= 2 * TestApp.day)
    #expect(compared[.pin]?.fact == .pinVerifiedAt && compared[.pin]?.settingValue == "PT30M")
  }

  @Test("Every rule that can fail names a fact, and a setting where it has one", arguments: LaunchRule.allCases)
  func everyRule(_ rule: LaunchRule) throws {
    let app = try LaunchSituation.managed { $0.access.pinRequired = true }
    let policy = try #require(app.state.enforcedPolicy(for: .account(.a1)))
    let evaluation = LaunchEvaluation(
      state: app.state, account: .a1, policy: policy, moment: app.moment, Explanation())
    for outcome in LaunchOutcome.allCases {
      let compared = evaluation.comparison(behind: LaunchFinding(rule, outcome))
      let (setting, fact) = (compared.setting?.name, compared.fact.path(of: .a1))
      expectEqual(fact.isEmpty, rule.facts(of: .a1).isEmpty)
      #expect((setting == nil) == rule.settings(for: outcome).isEmpty)
      if let setting { #expect(rule.settings(for: outcome).contains(setting)) }
      if !fact.isEmpty { #expect(rule.facts(of: .a1).contains(fact)) }
    }
  }

  @Test(
    "A finding that compares a setting or a fact of a later program is read without them", arguments: [200, 1 << 20])
  func laterNumbers(number: UInt64) throws {
    func decoded(setting: UInt64, fact: UInt64) throws -> LaunchFinding {
      var writer = WireWriter()
      for (field, value) in [(1, 6), (2, 1), (4, setting), (5, fact)] { writer.writePresent(field, unsigned: value) }
      return try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try LaunchFinding(from: &reader) }
    }
    let setting = UInt64(LaunchSetting(.minimumRequiredOsVersion).rawValue)
    let fact = UInt64(LaunchFact.osVersion.rawValue)
    let known = try decoded(setting: setting, fact: fact)
    expectEqual(known.comparison, LaunchComparison(setting: .minimumRequiredOsVersion, fact: .osVersion))
    try expectEqual(decoded(setting: number, fact: fact).comparison, LaunchComparison(fact: .osVersion))
    let laterFact = try decoded(setting: setting, fact: number)
    #expect(laterFact.comparison == nil && (laterFact.rule, laterFact.outcome) == (known.rule, known.outcome))
    // What decisions read must be known.
    #expect(throws: WireError.self) {
      try WireReader.decode([0x08, 200]) { (reader) throws(WireError) in try LaunchFinding(from: &reader) }
    }
  }

  @Test("Every setting that a rule compares has a number of its own in the journal, and the name that it has in Graph")
  func everySetting() {
    for rule in LaunchRule.allCases {
      for outcome in LaunchOutcome.allCases {
        for property in rule.properties(for: outcome) { #expect(property.launchNumber != nil, "\(property.name)") }
      }
    }
    let numbers = PolicyProperty.all.compactMap(\.launchNumber).map(Int.init)
    #expect(Set(numbers).count == numbers.count && !numbers.contains(0))
    expectEqual(LaunchSetting.allCases.map(\.rawValue), [0] + numbers.sorted())
    for setting in LaunchSetting.allCases {
      #expect((setting.property?.name ?? "none") == setting.name)
      #expect(
        LaunchSetting(rawValue: setting.rawValue) == setting && LaunchSetting(stringValue: setting.name) == setting)
      expectEqual(LaunchSetting(setting.property), setting)
    }
    for number in [-1, LaunchSetting.allCases.count, 255] { #expect(LaunchSetting(rawValue: number) == nil) }
    expectEqual(LaunchSetting(PolicyProperty.printBlocked), .none)
  }

  @Test("A fact of a comparison has a path of the state that no other fact has")
  func everyFact() throws {
    let app = try LaunchSituation.managed { $0.access.pinRequired = true }
    let paths = LaunchFact.allCases.filter { $0 != .none }.map { $0.path(of: .a1) }
    #expect(Set(paths).count == paths.count && LaunchFact.none.path(of: .a1).isEmpty)
    for path in paths where !path.hasPrefix("/wipes/") { #expect(app.state.tree(at: path) != nil, "\(path)") }
  }
}
