import Expectations
import EventSourcing
import Testing

@testable import AppProtection

/// The PIN is the app's; whether biometrics stand in for it is the account's own policy's business.
@Suite("What proves to each account that the user is the one who chose the PIN")
struct PINProofTests {
  /// a1, whose policy takes every biometrics, and a2 with a policy of the test's own, an hour after the PIN was chosen.
  static func managed(
    _ biometry: Biometry, _ configure: (inout PolicyDocument.Access) throws -> Void = { _ in }
  ) throws -> TestApp {
    var policy = TestApp.policy()
    policy.access.pinRequired = true
    var app = try TestApp { ($0.multiIdentity, $0.maximumManagedAccounts) = (true, 2) }
    try app.enroll(.a, .policy(policy))
    try configure(&policy.access)
    try app.enroll(.b, .policy(policy))
    try app.restart()
    try app.report { $0.biometry = biometry }
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    app.now += TestApp.hour - 1_000_000_000
    return app
  }

  static func outcomes(_ app: TestApp) throws -> [LaunchOutcome] {
    try [LaunchSituation.outcome(app), app.state.conditionalLaunch(for: .a2, at: app.moment).outcome]
  }

  @Test(
    "Biometrics that were given for one account count for another where its own policy takes them",
    arguments: [
      (Biometry.face, "", LaunchOutcome.allowed), (.fingerprint, "", .allowed), (.face, "face", .promptPIN),
      (.fingerprint, "face", .allowed), (.face, "fingerprint", .allowed), (.fingerprint, "fingerprint", .promptPIN),
      (.face, "PT1H", .promptPIN), (.face, "PT2H", .allowed),
    ])
  func kinds(biometry: Biometry, obstacle: String, expected: LaunchOutcome) throws {
    var app = try Self.managed(biometry) { access in
      access.faceIdBlocked = obstacle == "face"
      access.fingerprintBlocked = obstacle == "fingerprint"
      if obstacle.hasPrefix("PT") { access.pinRequiredInsteadOfBiometricTimeout = try PolicyDuration(obstacle) }
    }
    try app.run(.reportPINAttempt(.a, isRight: true, byBiometrics: true))
    try expectEqual(Self.outcomes(app), [.allowed, expected])
    expectEqual(app.state.launch.pin.biometry, biometry)
    try app.run(.reportPINAttempt(.b, isRight: true))
    try expectEqual(Self.outcomes(app), [.allowed, .allowed], "the PIN itself counts for everybody")
  }

  @Test("A policy that comes to block biometrics takes no proof by them, also one that was given before")
  func blockedLater() throws {
    var app = try Self.managed(.face)
    try app.run(.reportPINAttempt(.b, isRight: true, byBiometrics: true))
    try expectEqual(Self.outcomes(app), [.allowed, .allowed])
    var policy = TestApp.policy()
    (policy.access.pinRequired, policy.access.faceIdBlocked) = (true, true)
    try app.run(.requestCheckIn(.b), .answerCheckIn(.b, .policy(policy)))
    try expectEqual(Self.outcomes(app), [.allowed, .promptPIN])
  }

  @Test("Biometrics that an account took while it was in use count for it, however long the pause since the PIN")
  func own() throws {
    var app = try Self.managed(.face) {
      $0.pinRequiredInsteadOfBiometricTimeout = try PolicyDuration("PT90M")
      $0.periodOnlineBeforeAccessCheck = try PolicyDuration("PT70M")
    }
    try app.run(.evaluateLaunch(.b, .launch))
    app.now += 80 * TestApp.minute
    try expectEqual(Self.outcomes(app), [.promptBiometrics, .promptBiometrics])
    try app.run(.reportPINAttempt(.b, isRight: true, byBiometrics: true))
    #expect(app.state.launch.pin.longestPause >= 90 * TestApp.minute)
    try expectEqual(Self.outcomes(app), [.allowed, .allowed])
    try app.run(.reportPINAttempt(.a, isRight: true, byBiometrics: true))
    try expectEqual(Self.outcomes(app), [.allowed, .allowed])
  }

  @Test("Biometrics that nobody was asked about are no proof for a policy that comes to require the PIN")
  func requiredLater() throws {
    func configure(_ access: inout PolicyDocument.Access) throws {
      access.pinRequiredInsteadOfBiometricTimeout = try PolicyDuration("PT30M")
    }
    var app = try Self.managed(.face) {
      $0.pinRequired = false
      try configure(&$0)
    }
    app.now += 10 * TestApp.hour
    try app.run(.reportPINAttempt(.b, isRight: true, byBiometrics: true))
    var policy = TestApp.policy()
    policy.access.pinRequired = true
    try configure(&policy.access)
    try app.run(.requestCheckIn(.b), .answerCheckIn(.b, .policy(policy)))
    try expectEqual(Self.outcomes(app).last, .promptPIN)
  }

  @Test("A pause since the PIN is not shortened by biometrics of another kind")
  func otherKind() throws {
    var app = try Self.managed(.fingerprint) {
      $0.fingerprintBlocked = true
      $0.pinRequiredInsteadOfBiometricTimeout = try PolicyDuration("PT90M")
    }
    try app.run(.reportPINAttempt(.a, isRight: true, byBiometrics: true))
    try app.report { $0.biometry = .face }
    app.now += TestApp.hour
    try app.run(.reportPINAttempt(.a, isRight: true, byBiometrics: true))
    #expect(app.state.launch.pin.longestPause >= 2 * TestApp.hour)
    try expectEqual(Self.outcomes(app), [.allowed, .promptPIN])
  }

  @Test(
    "For an account that asks for no proof biometrics prove nothing where no policy may take them",
    arguments: [(Biometry.face, false, LaunchOutcome.allowed), (.face, true, .promptPIN), (.none, false, .promptPIN)])
  func unmanaged(biometry: Biometry, changed: Bool, expected: LaunchOutcome) throws {
    var app = try Self.managed(biometry)
    try app.run(.registerAndEnroll(.personal))
    if changed { try app.run(.reportBiometricsChange) }
    try app.run(.reportPINAttempt(.personal, isRight: true, byBiometrics: true))
    try expectEqual(Self.outcomes(app), [expected, expected])
  }

  @Test("What proved the PIN is in the canonical encoding, and leaves with the account")
  func kept() throws {
    var app = try Self.managed(.face)
    try app.run(.reportPINAttempt(.b, isRight: true, byBiometrics: true))
    let pin = app.state.launch.pin
    #expect(pin.biometricsAt != nil && pin.longestPause == TestApp.hour)
    expectEqual(app.state.launch.accounts[.a2]?.biometricsAt, pin.biometricsAt)
    try expectEqual(TestApp.decoded(app.state).launch, app.state.launch)
    try app.run(.deregisterAndUnenroll(.b, wipe: false), .answerUnenrollment(.b))
    #expect(app.state.launch.accounts[.a2] == nil && app.state.launch.pin == pin)
    try app.run(.reportPINAttempt(.a, isRight: true))
    #expect(app.state.launch.pin.biometricsAt == nil && app.state.launch.pin.longestPause == 0)
  }
}
