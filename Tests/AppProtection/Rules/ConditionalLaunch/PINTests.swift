import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("The app PIN: what may be chosen, when it is asked, what wrong ones lead to")
struct PINTests {
  static func managed(_ configure: (inout PolicyDocument) throws -> Void = { _ in }) throws -> TestApp {
    try LaunchSituation.managed {
      $0.access.pinRequired = true
      try configure(&$0)
    }
  }

  static func access(_ configure: (inout PolicyDocument.Access) -> Void) -> PolicyDocument.Access {
    var access = PolicyDocument.Access()
    configure(&access)
    return access
  }

  @Test(
    "A simple PIN has three digits in a row that are equal or count up or down",
    arguments: [
      ("1235", true), ("1112", true), ("1122", false), ("0000", true), ("9876", true), ("1357", false), ("2580", false),
      ("1212", false), ("12", false), ("9012", true), ("8901", false), ("a123", true), ("12a34", false), ("", false),
    ])
  func simple(pin: String, isSimple: Bool) {
    expectEqual(PINFacts(of: pin).hasSimpleRun, isSimple)
    let access = Self.access { $0.simplePinBlocked = true }
    let refused = access.refusals(of: PINFacts(of: pin)).contains(.simple)
    expectEqual(refused, isSimple)
    #expect(!Self.access { _ in }.refusals(of: PINFacts(of: pin)).contains(.simple))
  }

  @Test("A numeric PIN consists of digits, a passcode of more")
  func characters() {
    let pins = ["1357", "13a7", "13!7", "1a!7", "abcd", "!!!!", "a!a!", ""]
    func accepted(_ set: PINCharacterSet, simpleBlocked: Bool) -> [String] {
      let access = Self.access { ($0.pinCharacterSet, $0.simplePinBlocked) = (set, simpleBlocked) }
      return pins.filter { access.refusals(of: PINFacts(of: $0)).isEmpty }
    }
    expectEqual(accepted(.numeric, simpleBlocked: false), ["1357"])
    for set in [PINCharacterSet.alphanumericAndSymbol, .unrecognized] {
      expectEqual(accepted(set, simpleBlocked: true), ["1a!7"])
      expectEqual(accepted(set, simpleBlocked: false), ["13a7", "13!7", "1a!7", "abcd", "!!!!", "a!a!"])
    }
  }

  @Test("Length and history, just below, at and above")
  func limits() {
    let access = Self.access { ($0.minimumPinLength, $0.previousPinBlockCount) = (6, 3) }
    for (pin, refusals) in [("13579", [PINRefusal.tooShort]), ("135790", []), ("1357902", [])] {
      expectEqual(access.refusals(of: PINFacts(of: pin)), refusals)
    }
    let pin = PINFacts(of: "135790")
    for (earlier, isRefused) in [(nil, false), (0, false), (1, true), (3, true), (4, false)] as [(Int?, Bool)] {
      expectEqual(access.refusals(of: pin, equalTo: earlier), isRefused ? [.reused] : [])
    }
    expectEqual(Self.access { _ in }.refusals(of: pin, equalTo: 1), [])
  }

  @Test(
    "A PIN that the policy refuses is not set, and the refusal names the setting and what to do")
  func refused() throws {
    var app = try Self.managed {
      $0.access.minimumPinLength = 6
      $0.access.simplePinBlocked = true
    }
    try expectEqual(LaunchSituation.outcome(app), .promptNewPIN)
    expectEqual(app.rejection(of: .setPIN(.a, PINFacts(of: "2580"))), .pinRefused(.tooShort))
    let refusal = app.rejection(of: .setPIN(.a, PINFacts(of: "123456")))
    let rejection = try #require(refusal)
    expectEqual(rejection.rule, "pin.simple")
    expectEqual(
      "\(rejection)",
      "this PIN cannot be chosen (simplePinBlocked): avoid three digits in a row that are equal or count up or down")
    try expectEqual(app.run(.setPIN(.a, PINFacts(of: "135790"))), ["pin.set"])
    try expectEqual(LaunchSituation.outcome(app), .allowed)
  }

  @Test("The PIN itself is in no event and in no state")
  func secrecy() throws {
    var app = try Self.managed()
    try app.run(.setPIN(.a, PINFacts(of: "739182")))
    #expect(!"\(app.state) \(app.history)".contains("739182"))
  }

  @Test("S-77: five wrong PINs reset the PIN: only a sign-in with the account itself lets another one be chosen")
  func reset() throws {
    for action in [RemediationAction.block, nil] {
      var app = try Self.managed { $0.conditionalLaunch.appActionIfMaximumPinRetriesExceeded = action }
      try app.run(.setPIN(.a, PINFacts(of: "2580")))
      for attempt in 1...4 {
        try expectEqual(app.run(.reportPINAttempt(.a, isRight: false)), ["pin.failed"])
        expectEqual(app.state.launch.pin.failures, UInt32(attempt))
        try expectEqual(LaunchSituation.outcome(app), .allowed)
      }
      try expectEqual(app.run(.reportPINAttempt(.a, isRight: false)), ["pin.failed", "launch.evaluated"])
      expectEqual(app.takeCallbacks(), ["conditionalLaunch a1 resetPIN launch.pinAttempts"])
      expectEqual(app.rejection(of: .reportPINAttempt(.a, isRight: true)), .pinExceeded)
      expectEqual(app.rejection(of: .setPIN(.a, PINFacts(of: "1470"))), .pinExceeded)
      expectEqual(app.rejection(of: .signInForLaunch(.a, as: .b)), .otherAccount(.a1))
      try app.run(.registerAndEnroll(.b))
      expectEqual(app.rejection(of: .signInForLaunch(.a, as: .b)), .otherAccount(.a1))
      try expectEqual(app.run(.signInForLaunch(.a, as: .a)), ["launch.signedIn", "pin.reset"])
      try expectEqual(LaunchSituation.outcome(app), .promptNewPIN)
      try app.run(.setPIN(.a, PINFacts(of: "1470")))
      try expectEqual(LaunchSituation.outcome(app), .allowed)
    }
  }

  @Test("S-77 T33: five wrong PINs wipe where the action says so, and the PIN outlives the wipe")
  func wipe() throws {
    var app = try Self.managed { $0.conditionalLaunch.appActionIfMaximumPinRetriesExceeded = .wipe }
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    for _ in 1...4 { try app.run(.reportPINAttempt(.a, isRight: false)) }
    try expectEqual(
      app.run(.reportPINAttempt(.a, isRight: false)), ["pin.failed", "launch.evaluated", "wipe.requested"])
    expectEqual(app.state.wipes[.a1]?.reason, .conditionalLaunch)
    try app.run(.answerWipe(.a, removedEverything: true))
    expectEqual(app.status(1), .removed)
    expectEqual(app.state.process.restart?.reason, .conditionalLaunchWipe)
    #expect(app.state.launch.pin.setAt != nil && app.state.launch.pin.failures == 0)
  }

  @Test("The right PIN forgets the wrong ones; biometrics that fail count nothing")
  func attempts() throws {
    var app = try Self.managed { $0.conditionalLaunch.maximumPinRetries = 2 }
    expectEqual(app.rejection(of: .reportPINAttempt(.a, isRight: true)), .nothingAsked(.launchCondition, .a1))
    try app.run(.setPIN(.a, PINFacts(of: "2580")), .reportPINAttempt(.a, isRight: false))
    try app.run(.reportPINAttempt(.a, isRight: true))
    expectEqual(app.state.launch.pin.failures, 0)
    try expectEqual(app.run(.reportPINAttempt(.a, isRight: false, byBiometrics: true)), [])
    try app.run(.reportPINAttempt(.a, isRight: false))
    try expectEqual(app.run(.reportPINAttempt(.a, isRight: false)), ["pin.failed", "launch.evaluated"])
  }

  @Test("The app PIN is skipped on an enrolled device with a device PIN, where the policy says so")
  func skipped() throws {
    for (isDisabled, isManaged, hasPasscode) in [
      (true, true, true), (true, true, false), (true, false, true), (false, true, true),
    ] {
      var app = try Self.managed { $0.access.disableAppPinIfDevicePinIsSet = isDisabled }
      try app.report { ($0.isManaged, $0.hasPasscode) = (isManaged, hasPasscode) }
      try expectEqual(LaunchSituation.outcome(app), isDisabled && isManaged && hasPasscode ? .allowed : .promptNewPIN)
    }
  }

  @Test("The PIN is asked when the recheck period is over, not before; opening the app begins it anew")
  func recheck() throws {
    for runsFromOpening in [true, false] {
      var app = try LaunchSituation.managed(settings: {
        $0.multiIdentity = true
        $0.assumptions.recheckRunsFromLastOpening = runsFromOpening
      }) {
        $0.access.pinRequired = true
        $0.access.periodOnlineBeforeAccessCheck = try PolicyDuration("PT10M")
      }
      try app.run(.setPIN(.a, PINFacts(of: "2580")))
      let set = app.now
      app.now = set + 10 * TestApp.minute - 1
      try expectEqual(LaunchSituation.outcome(app), .allowed)
      app.now = set + 10 * TestApp.minute
      try expectEqual(LaunchSituation.outcome(app), .promptPIN)
      app.now = set + 9 * TestApp.minute
      try expectEqual(app.run(.evaluateLaunch(.a, .launch)), ["launch.evaluated"])
      app.now = set + 18 * TestApp.minute
      try expectEqual(LaunchSituation.outcome(app), runsFromOpening ? .allowed : .promptPIN)
      app.now = set + 60 * TestApp.minute
      try app.run(.evaluateLaunch(.a, .resume), .reportPINAttempt(.a, isRight: true))
      try expectEqual(LaunchSituation.outcome(app), .allowed)
    }
  }

  @Test("Biometrics take the PIN's place where the policy and the device allow it")
  func biometrics() throws {
    for biometry in Biometry.allCases {
      for (fingerprintBlocked, faceBlocked) in [(false, false), (true, false), (false, true)] {
        var app = try Self.managed {
          ($0.access.fingerprintBlocked, $0.access.faceIdBlocked) = (fingerprintBlocked, faceBlocked)
          $0.access.pinRequiredInsteadOfBiometricTimeout = try PolicyDuration("PT2H")
        }
        try app.report { $0.biometry = biometry }
        try app.run(.setPIN(.a, PINFacts(of: "2580")))
        let set = app.now
        let isAllowed = biometry == .fingerprint ? !fingerprintBlocked : biometry == .face && !faceBlocked
        app.now = set + 2 * TestApp.hour - 1
        try expectEqual(LaunchSituation.outcome(app), isAllowed ? .promptBiometrics : .promptPIN)
        app.now = set + 2 * TestApp.hour
        try expectEqual(LaunchSituation.outcome(app), .promptPIN, "the time after which the PIN is asked is over")
        app.now = set + TestApp.hour
        try app.run(.reportBiometricsChange)
        try expectEqual(LaunchSituation.outcome(app), .promptPIN, "their set is another one")
        try app.run(.reportPINAttempt(.a, isRight: true))
        app.now += TestApp.hour
        try expectEqual(LaunchSituation.outcome(app), isAllowed ? .promptBiometrics : .promptPIN)
      }
    }
  }

  @Test("A PIN expires where its age is reached; zero is for ever")
  func expiry() throws {
    for (text, expires) in [("P90D", true), ("PT0S", false)] {
      var app = try Self.managed {
        $0.access.periodBeforePinReset = try PolicyDuration(text)
        $0.access.periodOnlineBeforeAccessCheck = try PolicyDuration("P1000D")
      }
      try app.run(.setPIN(.a, PINFacts(of: "2580")))
      app.now += 90 * TestApp.day - 1
      try expectEqual(LaunchSituation.outcome(app), .allowed)
      app.now += 1
      try expectEqual(LaunchSituation.decision(app).rule, expires ? .pinExpired : .met)
    }
  }

  @Test("A stricter policy asks for another PIN, unless the assumption says otherwise", arguments: [true, false])
  func stricter(assumes: Bool) throws {
    var app = try LaunchSituation.managed(settings: {
      $0.multiIdentity = true
      $0.assumptions.policyChangeNeedsNewPIN = assumes
    }) { $0.access.pinRequired = true }
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    var policy = TestApp.policy()
    (policy.access.pinRequired, policy.access.minimumPinLength) = (true, 6)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(policy)))
    let decision = try LaunchSituation.decision(app)
    expectEqual(decision.rule, assumes ? .pinQuality : .met)
    if assumes { expectEqual(decision.assumption, "policyChangeNeedsNewPIN") }
  }

  @Test("Each generation of SDKs has a PIN of its own")
  func generations() throws {
    var app = try Self.managed()
    for (sdk, isAsked) in [
      ("7.1.11", true), ("7.1.11", false), ("7.1.12", true), ("14.5.9", false), ("14.6.0", true), ("19.2.0", false),
    ] {
      try LaunchSituation.restart(&app) { $0.sdkVersion = sdk }
      #expect((try LaunchSituation.outcome(app) == .promptNewPIN) == isAsked, "\(sdk)")
      if isAsked { try app.run(.setPIN(.a, PINFacts(of: "2580"))) }
    }
  }

  @Test("S-77: whoever gave a wrong PIN gives the right one before choosing another: a new PIN undoes no attempt")
  func proved() throws {
    var app = try Self.managed { $0.conditionalLaunch.maximumPinRetries = 3 }
    try app.run(.setPIN(.a, PINFacts(of: "2580")), .setPIN(.a, PINFacts(of: "1470")))
    try app.run(.reportPINAttempt(.a, isRight: false), .reportPINAttempt(.a, isRight: false))
    expectEqual(app.rejection(of: .setPIN(.a, PINFacts(of: "3690"))), .pinNotProved)
    var wrong = app
    try wrong.run(.reportPINAttempt(.a, isRight: false))
    try expectEqual(LaunchSituation.outcome(wrong), .resetPIN)
    try app.run(.reportPINAttempt(.a, isRight: true), .setPIN(.a, PINFacts(of: "3690")))
    // Another generation of SDKs has no PIN that could be given.
    try app.run(.reportPINAttempt(.a, isRight: false))
    try LaunchSituation.restart(&app) { $0.sdkVersion = "14.5.9" }
    try app.run(.setPIN(.a, PINFacts(of: "1470")))
    expectEqual(app.state.launch.pin.failures, 0)
  }

  @Test(
    "Biometrics that the policy does not take in the PIN's place are refused, and the PIN is asked as before",
    arguments: [
      (Biometry.fingerprint, ""), (.face, ""), (.none, "launch.device"), (.fingerprint, "fingerprintBlocked"),
      (.face, "faceIdBlocked"), (.fingerprint, "changed"), (.face, "timeout"),
    ])
  func biometricsThatDoNotCount(biometry: Biometry, obstacle: String) throws {
    var app = try Self.managed {
      $0.access.fingerprintBlocked = obstacle == "fingerprintBlocked"
      $0.access.faceIdBlocked = obstacle == "faceIdBlocked"
      if obstacle == "timeout" { $0.access.pinRequiredInsteadOfBiometricTimeout = try PolicyDuration("PT1H") }
    }
    try app.report { $0.biometry = biometry }
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    if obstacle == "changed" { try app.run(.reportBiometricsChange) }
    app.now += TestApp.hour
    guard !obstacle.isEmpty else {
      try expectEqual(app.run(.reportPINAttempt(.a, isRight: true, byBiometrics: true)), ["pin.verified"])
      try expectEqual(LaunchSituation.outcome(app), .allowed)
      return
    }
    expectEqual(app.rejection(of: .reportPINAttempt(.a, isRight: true, byBiometrics: true)), .biometricsRefused(.a1))
    try expectEqual(LaunchSituation.outcome(app), .promptPIN)
    try app.run(.reportPINAttempt(.a, isRight: true))
    try expectEqual(LaunchSituation.outcome(app), .allowed)
  }
}
