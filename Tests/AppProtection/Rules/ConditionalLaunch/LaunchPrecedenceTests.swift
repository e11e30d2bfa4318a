import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Which launch condition decides")
struct LaunchPrecedenceTests {
  /// A condition that can be broken by itself, with what it then leads to. Versions of the process are all 1.0.
  struct Breach {
    let finding: LaunchFinding
    let policy: @Sendable (inout PolicyDocument) throws -> Void
    let happen: @Sendable (inout TestApp) throws -> Void

    init(
      _ rule: LaunchRule, _ outcome: LaunchOutcome, policy: @escaping @Sendable (inout PolicyDocument) throws -> Void,
      happen: @escaping @Sendable (inout TestApp) throws -> Void = { _ in }
    ) {
      finding = LaunchFinding(rule, outcome)
      self.policy = policy
      self.happen = happen
    }
  }

  static func action(_ outcome: LaunchOutcome) -> RemediationAction {
    outcome == .wipe ? .wipe : outcome == .warn ? .warn : .block
  }

  /// Every finding there is, in the order that the suggested total order gives them.
  static let breaches: [Breach] =
    [LaunchOutcome.wipe, .block].flatMap { outcome -> [Breach] in
      var found: [Breach] = []
      if outcome == .wipe {
        found.append(
          Breach(.offlineWipe, .signInOrWipe) {
            $0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = try PolicyDuration("PT1M")
          })
      }
      found += device(outcome)
      if outcome == .block {
        found.append(
          Breach(.keychain, .block, policy: { _ in }) { app in try app.report { $0.isKeychainUnreadable = true } })
        found.append(
          Breach(.devicePasscode, .block) {
            $0.encryption.appDataEncryptionType = .whenDeviceLocked
          } happen: { app in
            try app.report { $0.hasPasscode = false }
          })
        found.append(
          Breach(.offlineAccess, .block) {
            $0.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT1M")
          })
      }
      found.append(
        Breach(.pinAttempts, outcome == .wipe ? .wipe : .resetPIN) {
          $0.access.pinRequired = true
          $0.conditionalLaunch.appActionIfMaximumPinRetriesExceeded = action(outcome)
          $0.conditionalLaunch.maximumPinRetries = 1
        } happen: { app in
          guard app.state.launch.pin.setAt == nil else { return }
          try app.run(.setPIN(.a, PINFacts(of: "2580")), .reportPINAttempt(.a, isRight: false))
        })
      found.append(
        Breach(.clockOut, outcome) {
          $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = try PolicyDuration("PT0S")
          $0.conditionalLaunch.appActionIfAccountIsClockedOut = action(outcome)
        } happen: { app in
          let isDisabled = app.state.launch.accounts[.a1]?.isDisabled ?? false
          try app.run(.reportUserStatus(.a, .clockedOut, isDisabled: isDisabled))
        })
      return found
    } + [
      Breach(.pinMissing, .promptNewPIN) { $0.access.pinRequired = true },
      Breach(.signIn, .promptSignIn) { $0.access.organizationalCredentialsRequired = true },
    ] + device(.warn)

  static func device(_ outcome: LaunchOutcome) -> [Breach] {
    var found: [Breach] = [
      Breach(.jailbreak, outcome) {
        $0.conditionalLaunch.deviceComplianceRequired = true
        $0.conditionalLaunch.appActionIfDeviceComplianceRequired = action(outcome)
      } happen: { app in
        try app.report { $0.isJailbroken = true }
      }
    ]
    for (rule, other, set) in LaunchCheckTests.minimums where other == outcome {
      found.append(Breach(rule, outcome) { set(&$0.conditionalLaunch, rule == .osMaximum ? "0.1" : "2.0") })
    }
    found.append(
      Breach(.deviceModel, outcome) {
        $0.conditionalLaunch.allowedIosDeviceModels = "iPad4,1"
        $0.conditionalLaunch.appActionIfIosDeviceModelNotAllowed = action(outcome)
      })
    // Threat defense never warns.
    if outcome != .warn {
      found.append(
        Breach(.threatLevel, outcome) {
          $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = .secured
          $0.conditionalLaunch.mobileThreatDefenseRemediationAction = action(outcome)
        } happen: { app in
          try app.report { ($0.threatDefense, $0.threatLevel) = (.active, .high) }
        })
    }
    found.append(
      Breach(.accountDisabled, outcome) {
        $0.conditionalLaunch.appActionIfUnableToAuthenticateUser = action(outcome)
      } happen: { app in
        let status = app.state.launch.accounts[.a1]?.clockStatus ?? .notConfigured
        try app.run(.reportUserStatus(.a, status, isDisabled: true))
      })
    return found
  }

  /// The decision where some conditions are broken, looked at without anything being done about it.
  static func decision(_ breaches: [Breach], order: LaunchOrder = .endingFirst) throws -> LaunchDecision {
    var app = try LaunchSituation.managed(settings: {
      $0.multiIdentity = true
      $0.assumptions.launchOrder = order
    }) { policy in
      for breach in breaches { try breach.policy(&policy) }
    }
    app.replaysEveryStep = false
    // No SDK is as old as 1.0, but every rule that is newer than it must count here.
    try LaunchSituation.restart(&app) { process in
      (process.sdkVersion, process.appVersion, process.osVersion) = ("", "1.0", "1.0")
    }
    if breaches.contains(where: { $0.finding.rule == .sdkVersion }) {
      try LaunchSituation.restart(&app) { process in
        (process.sdkVersion, process.appVersion, process.osVersion) = ("1.0", "1.0", "1.0")
      }
    }
    for breach in breaches { try breach.happen(&app) }
    app.now += 2 * TestApp.minute
    return try LaunchSituation.decision(app)
  }

  /// Whether two breaches can be there at once: one setting has one action, and an SDK of 1.0 lacks some rules.
  static func areCompatible(_ one: Breach, _ other: Breach) -> Bool {
    let rules = [one.finding.rule, other.finding.rule]
    if rules.contains(.sdkVersion) && (rules.contains(.osMaximum) || rules.contains(.threatLevel)) { return false }
    let own: [LaunchRule] = [.jailbreak, .deviceModel, .threatLevel, .accountDisabled, .pinAttempts, .clockOut]
    if rules[0] == rules[1] && own.contains(rules[0]) { return false }
    // A PIN was chosen where it was wrong, and a wrong one that wipes does so at once.
    return !rules.contains(.pinMissing) || !rules.contains(.pinAttempts)
  }

  @Test("Of every two conditions that are not met, the one earlier in the total order decides, and both are found")
  func pairs() throws {
    let breaches = Self.breaches.filter { $0.finding != LaunchFinding(.pinAttempts, .wipe) }
    for (index, first) in breaches.enumerated() {
      for second in breaches[(index + 1)...] where Self.areCompatible(first, second) {
        let decision = try Self.decision([second, first])
        // A PIN that was reset has to be chosen anew, which stands further down.
        let relevant = decision.findings.filter { [first.finding, second.finding].contains($0) }
        expectEqual(relevant, [first.finding, second.finding], "\(first.finding), \(second.finding)")
        // The last wrong PIN has the conditions looked at, so that a wipe beside it is ordered at once.
        let isOrdered = second.finding.rule == .pinAttempts && decision.rule == .pendingWipe
        #expect(
          isOrdered || (decision.outcome == first.finding.outcome && decision.rule == first.finding.rule),
          "\(first.finding), \(second.finding): \(decision.findings)")
      }
    }
  }

  static let dialogs: [LaunchRule: LaunchReason] = [
    .offlineWipe: .offlineRemovalDue, .jailbreak: .jailbroken, .sdkVersion: .sdkTooOld, .appVersion: .appTooOld,
    .osMinimum: .osTooOld, .osMaximum: .osTooNew, .deviceModel: .modelRefused, .threatLevel: .threatTooGreat,
    .accountDisabled: .accountDisabled, .keychain: .keychainUnreadable, .devicePasscode: .devicePasscodeRequired,
    .offlineAccess: .offlineRefreshNeeded, .pinAttempts: .tooManyPINAttempts, .clockOut: .clockedOut,
    .pinMissing: .pinMissing, .signIn: .signInRequired,
  ]

  @Test("Each condition by itself leads to its own outcome and names its settings and facts")
  func alone() throws {
    for breach in Self.breaches where breach.finding != LaunchFinding(.pinAttempts, .wipe) {
      let decision = try Self.decision([breach])
      expectEqual(decision.findings.first, breach.finding)
      #expect(decision.rule == breach.finding.rule && decision.outcome == breach.finding.outcome)
      #expect(!decision.reason.isEmpty && !decision.facts.isEmpty)
      expectEqual(decision.dialog, Self.dialogs[breach.finding.rule], "\(breach.finding)")
    }
  }

  @Test("A wipe comes before a block, a block before a prompt, a prompt before a warning, whatever their kinds")
  func severities() {
    for order in LaunchOrder.allCases {
      for one in LaunchRule.allCases {
        for other in LaunchRule.allCases where one != other {
          let severities: [LaunchOutcome] = [.wipe, .block, .promptPIN, .warn]
          for (index, severe) in severities.enumerated() {
            for mild in severities[(index + 1)...] {
              var findings = [LaunchFinding(one, mild), LaunchFinding(other, severe)]
              LaunchFinding.sort(&findings, by: order)
              expectEqual(findings.first, LaunchFinding(other, severe))
            }
          }
        }
      }
    }
  }

  @Test("S-72: warnings are shown once, SDK before app before operating system")
  func warnings() throws {
    var app = try LaunchSituation.managed {
      $0.conditionalLaunch.minimumWarningOsVersion = "18"
      $0.conditionalLaunch.minimumWarningAppVersion = "2"
      $0.conditionalLaunch.minimumWarningSdkVersion = "20"
    }
    try expectEqual(LaunchSituation.decision(app).warnings, [.sdkVersion, .appVersion, .osMinimum])
    try expectEqual(app.run(.evaluateLaunch(.a, .launch)), ["launch.evaluated"])
    expectEqual(app.takeCallbacks(), ["conditionalLaunch a1 warn launch.sdkVersion"])
    try expectEqual(LaunchSituation.decision(app).findings, [], "they were seen")
    try expectEqual(app.run(.evaluateLaunch(.a, .launch)), [])
    try app.restart()
    try expectEqual(
      LaunchSituation.decision(app).warnings, [.sdkVersion, .appVersion, .osMinimum], "in this process not")
  }

  @Test("The order beyond the published rules is an assumption")
  func order() throws {
    let jailbreak = try #require(Self.breaches.first { $0.finding == LaunchFinding(.jailbreak, .block) })
    let app = try #require(Self.breaches.first { $0.finding == LaunchFinding(.appVersion, .block) })
    let suggested = try Self.decision([jailbreak, app])
    #expect(suggested.rule == .jailbreak && suggested.assumption == "launchOrder")
    let published = try Self.decision([jailbreak, app], order: .versionsFirst)
    #expect(published.rule == .appVersion && published.assumption == "launchOrder")
    expectEqual(published.findings, suggested.findings.reversed())
  }
}
