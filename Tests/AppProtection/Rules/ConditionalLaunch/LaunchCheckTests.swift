import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Launch conditions, one by one, at their boundaries")
struct LaunchCheckTests {
  typealias Conditions = PolicyDocument.ConditionalLaunch
  static let actions: [RemediationAction?] = [nil] + RemediationAction.allCases.map { $0 }

  static func expected(_ action: RemediationAction?) -> LaunchOutcome {
    switch action {
    case .wipe: .wipe
    case .warn: .warn
    default: .block
    }
  }

  /// Minimums by rule and outcome, with what makes a process have a version.
  static let minimums: [(LaunchRule, LaunchOutcome, @Sendable (inout Conditions, String) -> Void)] = [
    (.sdkVersion, .wipe, { $0.minimumWipeSdkVersion = $1 }),
    (.sdkVersion, .block, { $0.minimumRequiredSdkVersion = $1 }),
    (.sdkVersion, .warn, { $0.minimumWarningSdkVersion = $1 }), (.appVersion, .wipe, { $0.minimumWipeAppVersion = $1 }),
    (.appVersion, .block, { $0.minimumRequiredAppVersion = $1 }),
    (.appVersion, .warn, { $0.minimumWarningAppVersion = $1 }), (.osMinimum, .wipe, { $0.minimumWipeOsVersion = $1 }),
    (.osMinimum, .block, { $0.minimumRequiredOsVersion = $1 }),
    (.osMinimum, .warn, { $0.minimumWarningOsVersion = $1 }),
    (.osMaximum, .wipe, { $0.maximumWipeOsVersion = $1 }), (.osMaximum, .block, { $0.maximumRequiredOsVersion = $1 }),
    (.osMaximum, .warn, { $0.maximumWarningOsVersion = $1 }),
  ]

  @Test("Just below, at and above every version limit, for every action", arguments: [false, true])
  func versions(inclusive: Bool) throws {
    for (rule, outcome, set) in Self.minimums {
      for (version, side) in [("16.4", -1), ("16.5", 0), ("16.5.0", 0), ("16.5.1", 1)] {
        var app = try LaunchSituation.managed(settings: {
          $0.multiIdentity = true
          $0.assumptions.wipeVersionInclusive = inclusive
        }) { set(&$0.conditionalLaunch, "16.5") }
        try LaunchSituation.restart(&app) { process in
          (process.sdkVersion, process.appVersion, process.osVersion) = (version, version, version)
        }
        let isMaximum = rule == .osMaximum
        let isFound = isMaximum ? side > 0 : side < 0 || (side == 0 && inclusive && outcome == .wipe)
        let decision = try LaunchSituation.decision(app)
        expectEqual(decision.findings, isFound ? [LaunchFinding(rule, outcome)] : [], "\(rule) \(outcome) \(version)")
        expectEqual(decision.outcome, isFound ? outcome : .allowed)
        #expect(
          (decision.assumption == "wipeVersionInclusive") == (isFound && inclusive && outcome == .wipe && !isMaximum))
      }
    }
  }

  @Test("A version that nobody reported passes, unless the assumption says that it fails", arguments: [true, false])
  func unreported(passes: Bool) throws {
    for (rule, outcome, set) in Self.minimums {
      var app = try LaunchSituation.managed(settings: {
        $0.multiIdentity = true
        $0.assumptions.unreportedFactsPass = passes
      }) { set(&$0.conditionalLaunch, "1.0") }
      try LaunchSituation.restart(&app) { process in
        (process.sdkVersion, process.appVersion, process.osVersion) = ("", "unknown", "")
      }
      try expectEqual(LaunchSituation.decision(app).findings, passes ? [] : [LaunchFinding(rule, outcome)], "\(rule)")
    }
  }

  @Test("A jailbroken device does what its action says", arguments: actions)
  func jailbreak(action: RemediationAction?) throws {
    for required in [true, false, nil] {
      for isJailbroken in [true, false, nil] {
        var app = try LaunchSituation.managed {
          $0.conditionalLaunch.deviceComplianceRequired = required
          $0.conditionalLaunch.appActionIfDeviceComplianceRequired = action
        }
        try app.report { $0.isJailbroken = isJailbroken }
        let isFound = required == true && isJailbroken == true
        try expectEqual(LaunchSituation.outcome(app), isFound ? Self.expected(action) : .allowed)
      }
    }
  }

  @Test(
    "A model is compared whole and without regard to case; an empty list allows every model",
    arguments: [
      ("iPhone15,2", true), ("IPHONE15,2", true), ("iPad4,1;iphone15,2", true), ("iPad4,1; iPhone15,2 ;", true),
      ("iPhone15", false), ("iPhone15,22", false), ("iPad4,1", false), ("", true), (";;", true),
    ])
  func models(list: String, allows: Bool) throws {
    for action in Self.actions {
      let app = try LaunchSituation.managed {
        $0.conditionalLaunch.allowedIosDeviceModels = list
        $0.conditionalLaunch.appActionIfIosDeviceModelNotAllowed = action
      }
      try expectEqual(LaunchSituation.outcome(app), allows ? .allowed : Self.expected(action))
    }
  }

  @Test("S-78: every threat level against every one that is allowed")
  func threats() throws {
    for allowed in DeviceThreatLevel.allCases {
      for actual in ThreatLevel.allCases {
        for action in Self.actions {
          var app = try LaunchSituation.managed {
            $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = allowed
            $0.conditionalLaunch.mobileThreatDefenseRemediationAction = action
          }
          try app.report { ($0.threatDefense, $0.threatLevel) = (.active, actual) }
          let limit: Int =
            switch allowed {
            case .notConfigured: 99
            case .unrecognized, .secured: 1
            case .low: 2
            case .medium: 3
            case .high: 4
            }
          let expected: LaunchOutcome =
            allowed == .notConfigured
            ? .allowed
            : actual == .unknown ? .block : Int(actual.rawValue) <= limit ? .allowed : action == .wipe ? .wipe : .block
          try expectEqual(LaunchSituation.outcome(app), expected, "\(allowed) \(actual) \(String(describing: action))")
        }
      }
    }
  }

  @Test(
    "S-78: without a word from threat defense access is blocked with guidance, and never wiped",
    arguments: [
      (ThreatDefenseState.unknown, LaunchReason.threatDefenseNotActivated), (.notInstalled, .threatDefenseNotInstalled),
      (.notActivated, .threatDefenseNotActivated), (.recheckFailed, .threatDefenseRecheckFailed),
    ])
  func noThreatData(state: ThreatDefenseState, dialog: LaunchReason) throws {
    var app = try LaunchSituation.managed {
      $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = .high
      $0.conditionalLaunch.mobileThreatDefenseRemediationAction = .wipe
    }
    try app.report { ($0.threatDefense, $0.threatLevel) = (state, .secured) }
    let decision = try LaunchSituation.decision(app)
    #expect(decision.outcome == .block && decision.dialog == dialog)
  }

  @Test("Of two threat defense partners the one that the policy prefers counts, Defender without a preference")
  func partners() throws {
    let cases: [(ThreatDefensePartnerPriority?, ThreatLevel, ThreatLevel, LaunchOutcome)] = [
      (nil, .high, .low, .allowed), (nil, .low, .high, .block), (.defenderOverThirdPartyPartner, .high, .low, .allowed),
      (.defenderOverThirdPartyPartner, .low, .high, .block), (.thirdPartyPartnerOverDefender, .high, .low, .block),
      (.thirdPartyPartnerOverDefender, .low, .high, .allowed), (.unrecognized, .high, .low, .block),
      (.unrecognized, .low, .high, .block), (.unrecognized, .low, .low, .allowed),
      (.unknownFutureValue, .low, .high, .block),
    ]
    for (priority, partner, defender, outcome) in cases {
      var app = try LaunchSituation.managed {
        $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = .low
        $0.conditionalLaunch.mobileThreatDefensePartnerPriority = priority
      }
      try app.report {
        ($0.threatDefense, $0.threatLevel) = (.active, partner)
        ($0.defender, $0.defenderThreatLevel) = (.active, defender)
      }
      let decision = try LaunchSituation.decision(app)
      expectEqual(decision.outcome, outcome, "\(String(describing: priority)) \(partner) \(defender)")
      if outcome == .block { expectEqual(decision.dialog, .threatTooGreat) }
    }
  }

  @Test(
    "A threat defense partner that was preferred and says nothing blocks, and one that nobody heard of does not count")
  func silentPartners() throws {
    for (priority, partner, defender, dialog) in [
      (nil, .active, .notInstalled, .threatDefenseNotInstalled), (nil, .notInstalled, .active, nil),
      (.thirdPartyPartnerOverDefender, .recheckFailed, .active, .threatDefenseRecheckFailed),
      (.thirdPartyPartnerOverDefender, .unknown, .active, nil), (nil, .active, .unknown, nil),
      (.unrecognized, .active, .notActivated, .threatDefenseNotActivated),
      (.unrecognized, .notInstalled, .active, .threatDefenseNotInstalled),
    ] as [(ThreatDefensePartnerPriority?, ThreatDefenseState, ThreatDefenseState, LaunchReason?)] {
      var app = try LaunchSituation.managed {
        $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = .low
        $0.conditionalLaunch.mobileThreatDefensePartnerPriority = priority
      }
      try app.report {
        ($0.threatDefense, $0.threatLevel) = (partner, .secured)
        ($0.defender, $0.defenderThreatLevel) = (defender, .secured)
      }
      let decision = try LaunchSituation.decision(app)
      #expect(decision.dialog == dialog && decision.outcome == (dialog == nil ? .allowed : .block))
    }
  }

  @Test("A policy whose version the SDK does not understand keeps the app closed until the app is updated")
  func policyVersion() throws {
    var app = try LaunchSituation.managed { _ in }
    try expectEqual(LaunchSituation.outcome(app), .allowed)
    try app.report { $0.isPolicyVersionUnknown = true }
    let decision = try LaunchSituation.decision(app)
    #expect(decision.outcome == .block && decision.rule == .sdkVersion && decision.dialog == .policyVersionMismatch)
    expectEqual(decision.findings, [LaunchFinding(.sdkVersion, .block)])
    try app.report { $0.isPolicyVersionUnknown = false }
    try expectEqual(LaunchSituation.outcome(app), .allowed)
    var old = try LaunchSituation.managed { $0.conditionalLaunch.minimumRequiredSdkVersion = "99" }
    try expectEqual(LaunchSituation.decision(old).dialog, .sdkTooOld)
    try old.report { $0.isPolicyVersionUnknown = true }
    try expectEqual(LaunchSituation.decision(old).findings, [LaunchFinding(.sdkVersion, .block)], "once")
  }

  @Test("An SDK that does not have a condition yet does not apply it")
  func oldSDK() throws {
    for (sdk, rules) in [
      ("14.3.9", [LaunchRule.threatLevel]), ("14.4.0", [.osMaximum, .threatLevel]), ("12.0.14", []),
      ("12.0.15", [.threatLevel]),
    ] {
      var app = try LaunchSituation.managed {
        $0.conditionalLaunch.maximumRequiredOsVersion = "10"
        $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = .low
      }
      try LaunchSituation.restart(&app) { $0.sdkVersion = sdk }
      expectEqual(app.state.conditionalLaunch(for: .a1, at: app.moment).findings.map(\.rule), rules, "\(sdk)")
    }
  }

  @Test("A disabled account does what its action says, and nothing where there is none", arguments: actions)
  func disabled(action: RemediationAction?) throws {
    var app = try LaunchSituation.managed { $0.conditionalLaunch.appActionIfUnableToAuthenticateUser = action }
    try expectEqual(LaunchSituation.outcome(app), .allowed)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.authRequired))))
    try expectEqual(LaunchSituation.outcome(app), .allowed, "a failure to authenticate confirms nothing")
    try app.run(.reportUserStatus(.a, .notConfigured, isDisabled: true))
    try expectEqual(LaunchSituation.outcome(app), action == nil ? .allowed : Self.expected(action))
    try app.run(.reportUserStatus(.a, .notConfigured, isDisabled: false))
    try expectEqual(LaunchSituation.outcome(app), .allowed)
  }

  @Test("S-80: without a grace period the clock status is ignored", arguments: ClockStatus.allCases)
  func clockIgnored(status: ClockStatus) throws {
    var app = try LaunchSituation.managed { $0.conditionalLaunch.appActionIfAccountIsClockedOut = .block }
    try app.run(.reportUserStatus(.a, status, isDisabled: false))
    app.now += TestApp.day
    try expectEqual(LaunchSituation.outcome(app), .allowed)
  }

  @Test(
    "S-80: who is clocked out may go on for the grace period, and then does what the action says", arguments: actions)
  func clockedOut(action: RemediationAction?) throws {
    for (text, grace) in [("PT0S", Int64(0)), ("PT15M", 15 * TestApp.minute)] {
      for counts in [true, false] {
        for status in ClockStatus.allCases {
          var app = try LaunchSituation.managed(settings: {
            $0.multiIdentity = true
            $0.assumptions.uncertainClockStatusCountsAsOut = counts
          }) {
            $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = try PolicyDuration(text)
            $0.conditionalLaunch.appActionIfAccountIsClockedOut = action
          }
          try app.run(.reportUserStatus(.a, status, isDisabled: false))
          let isOut: Bool =
            switch status {
            case .notConfigured, .clockedIn: false
            case .clockedOut: true
            case .unknown, .clockedInStale, .clockedOutStale: counts
            }
          if grace > 0 {
            app.now += grace - 1
            try expectEqual(LaunchSituation.outcome(app), .allowed)
            app.now += 1
          }
          let decision = try LaunchSituation.decision(app)
          expectEqual(decision.outcome, isOut ? Self.expected(action) : .allowed, "\(status)")
          if isOut { #expect((decision.assumption == nil) == (status == .clockedOut)) }
          // A retry when the user is at work again passes.
          try app.run(.reportUserStatus(.a, .clockedIn, isDisabled: false))
          try expectEqual(LaunchSituation.outcome(app), .allowed)
        }
      }
    }
  }

  @Test("Encryption needs a device passcode, a keychain that cannot be read stops everybody")
  func surroundings() throws {
    for type in DataEncryptionType.allCases {
      for hasPasscode in [true, false, nil] {
        for assumes in [true, false] {
          var app = try LaunchSituation.managed(settings: {
            $0.multiIdentity = true
            $0.assumptions.encryptionNeedsDevicePasscode = assumes
          }) { $0.encryption.appDataEncryptionType = type }
          try app.report { $0.hasPasscode = hasPasscode }
          let isFound = assumes && type != .useDeviceSettings && hasPasscode == false
          try expectEqual(LaunchSituation.outcome(app), isFound ? .block : .allowed)
        }
      }
    }
    var app = try LaunchSituation.managed { _ in }
    try app.report { $0.isKeychainUnreadable = true }
    try expectEqual(LaunchSituation.decision(app).dialog, .keychainUnreadable)
  }

  @Test("An account without a policy in force has no launch conditions")
  func unmanaged() throws {
    var app = try TestApp { $0.multiIdentity = true }
    var policy = TestApp.policy()
    policy.conditionalLaunch.deviceComplianceRequired = true
    try app.report { $0.isJailbroken = true }
    try app.enroll(.a, .policy(policy))
    expectEqual(app.state.conditionalLaunch(for: .a1, at: app.moment).rule, .unmanaged, "the restart is pending")
    try app.restart()
    expectEqual(app.state.conditionalLaunch(for: .a1, at: app.moment).outcome, .block)
    expectEqual(app.state.conditionalLaunch(for: .a2, at: app.moment).rule, .unmanaged)
  }
}
