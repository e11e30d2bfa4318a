import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Conditional launch: the check-in before an offline block")
struct SilentCheckInTests {
  /// a1, 13 hours out of touch with 12 hours of offline access.
  static func outOfTouch(
    sdk: String = "17.7.0", settings: (inout AppSettings) -> Void = { $0.multiIdentity = true },
    policy configure: (inout PolicyDocument) throws -> Void = { _ in }
  ) throws -> TestApp {
    var app = try LaunchSituation.managed(settings: settings) {
      $0.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT12H")
      try configure(&$0)
    }
    try LaunchSituation.restart(&app) { $0.sdkVersion = sdk }
    app.now += 13 * TestApp.hour
    _ = app.takeCallbacks()
    return app
  }

  @Test("S-18: from SDK 17.7.0 on a blocked account tries a check-in in silence first")
  func silentRetry() throws {
    for (sdk, retries) in [("17.6.9", false), ("17.7.0", true), ("", true)] {
      var app = try Self.outOfTouch(sdk: sdk)
      try expectEqual(
        app.run(.evaluateLaunch(.a, .launch)), ["launch.evaluated"] + (retries ? ["checkIn.requested"] : []))
      expectEqual(app.takeCallbacks(), retries ? [] : ["conditionalLaunch a1 block launch.offlineAccess"])
      expectEqual(app.state.launch.accounts[.a1]?.awaitsCheckIn, retries)
      expectEqual(app.state.launch.accounts[.a1]?.outcome, .block, "the app stays closed meanwhile")
      try expectEqual(LaunchSituation.decision(app).dialog, .offlineRefreshNeeded)
      try app.run(.removeToken(.a))
      try expectEqual(LaunchSituation.decision(app).dialog, .offlineSignInNeeded)
      guard retries else { continue }
      try expectEqual(app.run(.evaluateLaunch(.a, .launch)), ["launch.evaluated"], "one check-in at a time")
      try expectEqual(app.run(.answerCheckIn(.a, .unchanged)), ["checkIn.unchanged", "launch.evaluated"])
      expectEqual(app.takeCallbacks(), ["policyRequest a1 101", "conditionalLaunch a1 allowed launch.met"])
      try expectEqual(LaunchSituation.outcome(app), .allowed)
    }
  }

  @Test("S-18: a check-in that fails blocks, is told, and is not tried again by itself")
  func unreachable() throws {
    var app = try Self.outOfTouch()
    try app.run(.evaluateLaunch(.a, .launch))
    let failure = ServiceAnswer.failure(.init(.policyEndPointNetworkFailure))
    try expectEqual(app.run(.answerCheckIn(.a, failure)), ["checkIn.failed", "launch.evaluated"])
    expectEqual(app.takeCallbacks(), ["policyRequest a1 212", "conditionalLaunch a1 block launch.offlineAccess"])
    expectEqual(app.state.launch.accounts[.a1]?.awaitsCheckIn, false)
    // One of the schedule that fails changes nothing, and one that completes is told.
    try app.run(.requestCheckIn(.a))
    try expectEqual(app.run(.answerCheckIn(.a, failure)), ["checkIn.failed"])
    _ = app.takeCallbacks()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .unchanged))
    expectEqual(app.takeCallbacks(), ["policyRequest a1 101", "conditionalLaunch a1 allowed launch.met"])
  }

  @Test("S-18: the end of the block is told also below SDK 17.7.0, and where the account loses its policy instead")
  func otherEnds() throws {
    for (answer, rule) in [(ServiceAnswer.unchanged, "met"), (.noPolicy, "unmanaged"), (.gone, "unmanaged")] {
      var app = try Self.outOfTouch(sdk: "17.6.9")
      try app.run(.evaluateLaunch(.a, .launch))
      _ = app.takeCallbacks()
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, answer))
      expectEqual(app.takeCallbacks().last, "conditionalLaunch a1 allowed launch.\(rule)")
    }
  }

  @Test("S-18: what else is not met when the service answers is told in its place")
  func otherFindings() throws {
    var app = try Self.outOfTouch(policy: { $0.access.pinRequired = true })
    try app.run(.evaluateLaunch(.a, .launch), .answerCheckIn(.a, .unchanged))
    expectEqual(app.takeCallbacks().last, "conditionalLaunch a1 promptNewPIN launch.pinMissing")
    var wiped = try Self.outOfTouch()
    try wiped.run(.evaluateLaunch(.a, .launch), .answerCheckIn(.a, .wipe()))
    expectEqual(wiped.takeCallbacks(), ["policyRequest a1 102", "wipeData a1"])
  }

  @Test("S-18: identities wait for the check-in, and are set when it completes or refused when it fails")
  func identity() throws {
    var app = try Self.outOfTouch()
    try expectEqual(app.run(.setIdentity(.ui, .account(.a))), ["launch.evaluated", "checkIn.requested"])
    try expectEqual(app.run(.setIdentity(.window(2), .account(.a))), ["launch.evaluated"])
    try expectEqual(app.run(.evaluateLaunch(.a, .resume)), ["launch.evaluated"], "what waits goes on waiting")
    expectEqual(app.state.identities.ui, .unset)
    var failed = app
    try expectEqual(
      app.run(.answerCheckIn(.a, .unchanged)),
      [
        "checkIn.unchanged", "launch.evaluated", "identity.switched", "identity.switched",
      ])
    expectEqual(app.takeCallbacks().last, "conditionalLaunch a1 allowed launch.met")
    #expect(app.state.identities.ui == .account(.a1) && app.state.identities[.window(2)] == .account(.a1))
    expectEqual(app.state.launch.accounts[.a1]?.waitingScopes, [])
    try expectEqual(
      failed.run(.answerCheckIn(.a, .failure(.init(.timeout)))),
      [
        "checkIn.failed", "launch.evaluated", "identity.switchRefused", "identity.switchRefused",
      ])
    #expect(failed.state.identities.ui == .unset && failed.state.launch.accounts[.a1]?.waitingScopes == [])
  }

  @Test("S-18: a wipe, whoever orders it, and a deregistration refuse each identity that waits for the check-in, once")
  func identityOfLeavingAccount() throws {
    let ends: [(AppProtectionCommand, String)] = [
      (.answerCheckIn(.a, .wipe()), "wipe.requested"), (.requestWipe(.a, .administrator, .app), "wipe.requested"),
      (.deregisterAndUnenroll(.a, wipe: false), "unenrollment.requested"),
      (.deregisterAndUnenroll(.a, wipe: true), "unenrollment.requested"),
    ]
    for (end, first) in ends {
      var app = try Self.outOfTouch()
      try app.run(.setIdentity(.ui, .account(.a)), .setIdentity(.window(2), .account(.a)))
      let events = try app.run(end)
      #expect(events.first == first && events.count { $0 == "identity.switchRefused" } == 2, "\(end): \(events)")
      #expect(app.state.identities.ui == .unset && app.state.launch.accounts[.a1]?.waitingScopes == [], "\(end)")
    }
  }

  @Test("S-18: an identity whose switch the app gives up waits no more, and another one's refusal leaves it waiting")
  func refusedMeanwhile() throws {
    var app = try Self.outOfTouch()
    try app.run(.setIdentity(.ui, .account(.a)))
    app.inject(
      .identitySwitchRefused(
        IdentitySwitchRefused(scope: .ui, identity: .unmanaged, result: .notAllowed, reason: .singleIdentity)))
    expectEqual(app.state.launch.accounts[.a1]?.waitingScopes, [.ui])
    try app.run(.setIdentity(.ui, .account(.a), outcome: .canceled))
    expectEqual(app.state.launch.accounts[.a1]?.waitingScopes, [])
    try expectEqual(app.run(.answerCheckIn(.a, .unchanged)), ["checkIn.unchanged", "launch.evaluated"])
  }

  @Test("S-18: what else the user is asked keeps a waiting identity back, unless the app said that it was answered")
  func identityWithPrompt() throws {
    for answers in [true, false] {
      var app = try Self.outOfTouch(policy: { $0.access.organizationalCredentialsRequired = true })
      try app.run(.setIdentity(.ui, .account(.a), outcome: answers ? .success : nil), .answerCheckIn(.a, .unchanged))
      expectEqual(app.state.identities.ui, answers ? .account(.a1) : .unset)
      expectEqual(
        app.takeCallbacks().last,
        "conditionalLaunch a1 "
          + (answers ? "allowed launch.met" : "promptSignIn launch.signIn"))
    }
  }

  @Test("S-18: an identity that the app sets meanwhile stays, and a new process forgets what waited")
  func identityOvertaken() throws {
    let others: [AppProtectionCommand] = [.setIdentity(.ui, .unmanaged), .startProcess(TestApp.process)]
    for other in others {
      var app = try Self.outOfTouch()
      try app.run(.setIdentity(.ui, .account(.a)), other, .answerCheckIn(.a, .unchanged))
      #expect(app.state.identities.ui != .account(.a1), "\(other)")
    }
  }

  @Test("S-18: a check-in that was under way already, or survived a crash, is the one that is waited for")
  func underWay() throws {
    var app = try Self.outOfTouch(settings: { _ in })
    try app.run(.requestCheckIn(.a))
    try app.restart()
    expectEqual(app.history.last?.event.name, "launch.evaluated")
    #expect(app.takeCallbacks() == [] && app.work == ["checkIn a1"])
    try app.run(.answerCheckIn(.a, .unchanged))
    expectEqual(app.takeCallbacks(), ["policyRequest a1 101", "conditionalLaunch a1 allowed launch.met"])
  }
}
