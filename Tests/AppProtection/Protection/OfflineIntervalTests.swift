import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Offline intervals: S-18, S-20, T31, T32")
struct OfflineIntervalTests {
  /// a1, managed, with 12 hours of offline access and 90 days before a wipe.
  static func managed(_ configure: (inout PolicyDocument.ConditionalLaunch) -> Void = { _ in }) throws -> TestApp {
    var policy = TestApp.policy()
    policy.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT12H")
    policy.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = try PolicyDuration("P90D")
    configure(&policy.conditionalLaunch)
    var app = try TestApp()
    try app.enroll(.a, .policy(policy))
    try app.restart()
    return app
  }

  static func outcome(_ app: TestApp) -> OfflineOutcome {
    app.state.offlineDecision(for: .a1, at: app.moment).outcome
  }

  @Test("S-18: after 13 hours out of touch access is blocked, and a completed check-in opens it")
  func blocked() throws {
    var app = try Self.managed()
    expectEqual(Self.outcome(app), .open)
    app.now += 13 * TestApp.hour
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.policyEndPointNetworkFailure))))
    expectEqual(Self.outcome(app), .blocked, "an attempt is not a completed check-in")
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .unchanged))
    expectEqual(Self.outcome(app), .open)
  }

  @Test("S-20 T31 T32: after 91 days a completed check-in resets the interval; a refusal leads to a wipe with 608")
  func wipe() throws {
    var app = try Self.managed()
    app.now += 91 * TestApp.day
    expectEqual(Self.outcome(app), .wipeDue)
    var connected = app
    try connected.run(.requestCheckIn(.a), .answerCheckIn(.a, .unchanged))
    expectEqual(Self.outcome(connected), .open)
    #expect(connected.state.wipes.isEmpty)
    _ = app.takeCallbacks()
    try app.run(.requestWipe(.a, .offlineInterval, .engine), .answerWipe(.a, removedEverything: true))
    expectEqual(app.state.wipes[.a1]?.reason.rawValue, 608)
    expectEqual(
      app.takeCallbacks(), ["wipeData a1", "unenrollRequest a1 104", "WipeDidComplete a1", "restartApplication"])
    expectEqual(Self.outcome(app), .open, "nobody is managed")
  }

  @Test("An interval ends exactly where it is reached, and one that is zero or absent demands nothing")
  func boundaries() throws {
    var app = try Self.managed()
    let last = try #require(try app.enrollment(.a1).lastCompletedCheckIn)
    for (length, expected) in [
      (12 * TestApp.hour - 1, OfflineOutcome.open), (12 * TestApp.hour, .blocked), (90 * TestApp.day - 1, .blocked),
      (90 * TestApp.day, .wipeDue), (-TestApp.day, .open),
    ] {
      app.now = last + length
      expectEqual(Self.outcome(app), expected, "\(length)")
    }
    let zero = try PolicyDuration("PT0S")
    var open = try Self.managed { conditions in
      conditions.periodOfflineBeforeAccessCheck = zero
      conditions.periodOfflineBeforeWipeIsEnforced = nil
    }
    open.now += 1000 * TestApp.day
    expectEqual(Self.outcome(open), .open)
  }

  @Test(
    "Before SDK 16.1.1 offline access counts from any answer of the service, and from 16.1.1 on from a completed check-in"
  )
  func oldBase() throws {
    for (sdk, isAssumed, code, expected) in [
      ("16.1.0", true, EnrollmentStatusCode.accountNotLicensed, OfflineOutcome.open),
      ("16.1.0", true, .licensedNotTargeted, .open), ("16.1.0", true, .policyEndPointNetworkFailure, .blocked),
      ("16.1.0", true, .authRequired, .blocked), ("16.1.0", false, .accountNotLicensed, .blocked),
      ("16.1.1", true, .accountNotLicensed, .blocked), ("", true, .accountNotLicensed, .blocked),
    ] {
      var app = try Self.managed()
      var settings = app.state.settings.app
      settings.assumptions.oldSDKCountsAnyAnswer = isAssumed
      try LaunchSituation.restart(&app) { $0.sdkVersion = sdk }
      if !isAssumed { try app.run(.changeSettings(settings)) }
      app.now += 11 * TestApp.hour
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(code))))
      app.now += 11 * TestApp.hour
      expectEqual(Self.outcome(app), expected, "\(sdk) \(code)")
      let decision = try LaunchSituation.decision(app)
      #expect((decision.outcome == .block) == (expected == .blocked))
      if sdk == "16.1.0" && expected == .blocked && isAssumed {
        expectEqual(decision.assumption, "oldSDKCountsAnyAnswer")
      }
      app.now += 2 * TestApp.hour
      expectEqual(Self.outcome(app), .blocked, "the interval is over from the answer on, too")
      app.now += 90 * TestApp.day
      expectEqual(Self.outcome(app), .wipeDue, "the offline wipe counts from the completed check-in")
    }
  }

  @Test("What an SDK before 16.1.1 counts offline access from stands in the explanation")
  func oldBaseExplanation() throws {
    var app = try Self.managed()
    try LaunchSituation.restart(&app) { $0.sdkVersion = "15.0.0" }
    app.now += 11 * TestApp.hour
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.accountNotLicensed))))
    var explanation = Explanation(recording: true)
    _ = app.state.offlineDecision(for: .a1, at: app.moment, explanation: &explanation)
    let step = try #require(explanation.steps.first { $0.rule == "offline.base" })
    #expect(step.holds)
    expectEqual(
      step.reads.map(\.path),
      [
        "/process/sdkVersion", "/settings/assumptions/oldSDKCountsAnyAnswer",
        "/accounts/a1/enrollment/lastAttemptedCheckIn", "/accounts/a1/enrollment/lastCode",
      ])
    // Who sets the clock back gains nothing.
    let opened = app.now
    app.now -= 5 * TestApp.hour
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.accountNotLicensed))))
    let moment = Moment(wallNanoseconds: opened + 13 * TestApp.hour, uptimeNanoseconds: 0)
    expectEqual(app.state.offlineDecision(for: .a1, at: moment).outcome, .blocked)
  }

  @Test("The explanation names the setting, the last check-in and the rule that decided")
  func explanation() throws {
    var app = try Self.managed()
    app.now += TestApp.day
    var explanation = Explanation(recording: true)
    let decision = app.state.offlineDecision(for: .a1, at: app.moment, explanation: &explanation)
    expectEqual(explanation.steps.map(\.rule), ["offline.wipe", "offline.access"])
    expectEqual(explanation.steps.map(\.holds), [false, true])
    expectEqual(explanation.steps.last?.rule, decision.rule)
    expectEqual(
      explanation.steps.last?.reads.map(\.path),
      [
        "/policies/a1/periodOfflineBeforeAccessCheck", "/accounts/a1/enrollment/lastCompletedCheckIn",
        "/launch/accounts/a1/checkedInAt",
      ])
    explanation = Explanation(recording: true)
    _ = app.state.offlineDecision(for: .a2, at: app.moment, explanation: &explanation)
    expectEqual(explanation.steps.map(\.rule), ["offline.managed"])
  }

  @Test("T32 T34: where the account is so long out of touch that it registers anew, a request that fails is a refusal")
  func renewal() throws {
    for signsIn in [true, false] {
      var app = try Self.managed()
      app.now += 91 * TestApp.day
      try app.restart()
      #expect(app.work.contains("enroll a1 lapse"))
      try app.run(.evaluateLaunch(.a, .launch))
      expectEqual(app.state.launch.accounts[.a1]?.outcome, .signInOrWipe)
      if signsIn { try app.run(.signInForLaunch(.a, as: .a)) }
      var connected = app
      try connected.run(.answerEnrollment(.a, .unchanged))
      #expect(Self.outcome(connected) == .open && connected.state.wipes.isEmpty)
      try app.run(.answerEnrollment(.a, .failure(.init(.timeout))))
      expectEqual(app.state.wipes[.a1]?.reason, signsIn ? .offlineInterval : nil, "nobody has been asked yet")
    }
  }
}
