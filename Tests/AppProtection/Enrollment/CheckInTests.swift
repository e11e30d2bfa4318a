import EventSourcing
import Testing

@testable import AppProtection

@Suite("Check-in: transitions T20–T25 and their scenarios")
struct CheckInTests {
  static func managed() throws -> TestApp {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    _ = app.takeCallbacks()
    return app
  }

  @Test("S-16 T21: an unchanged policy moves the completed time and notifies nobody")
  func unchanged() throws {
    for answer in [ServiceAnswer.unchanged, .policy(TestApp.policy())] {
      var app = try Self.managed()
      let before = try #require(app.state.policies[.a1])
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, answer))
      let enrollment = try app.enrollment(.a1)
      #expect(enrollment.lastCompletedCheckIn == app.now)
      #expect(enrollment.lastAttemptedCheckIn == app.now - 1_000_000_000)
      #expect(enrollment.lastCode == .policiesHaveNotChanged)
      #expect(enrollment.nextCheckIn == app.now + 30 * TestApp.minute)
      #expect(app.state.policies[.a1] == before)
      #expect(app.takeCallbacks() == ["policyRequest a1 101"])
    }
  }

  @Test("S-17 T20: a changed policy is announced and counts at once")
  func changed() throws {
    var app = try Self.managed()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(TestApp.policy("Level 3"), nextCheckIn: TestApp.hour)))
    #expect(app.takeCallbacks() == ["policyRequest a1 100", "PolicyDidChange a1"])
    #expect(app.state.enforcedPolicy(for: .account(.a1)) == TestApp.policy("Level 3"))
    #expect(app.state.policies[.a1]?.version == 2)
    #expect(try app.enrollment(.a1).nextCheckIn == app.now + TestApp.hour)
    #expect(app.state.process.restart == nil)
  }

  @Test("A policy that changes before the restart still waits for it")
  func changedBeforeRestart() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(TestApp.policy("Level 3"))))
    #expect(app.state.policies[.a1]?.isEnforced == false)
    #expect(app.callbacks.filter { $0 == "restartApplication" }.count == 1)
  }

  @Test("T22: a failure of the network leaves the completed time and is repeated", arguments: [212, 216])
  func networkFailure(code: UInt32) throws {
    var app = try Self.managed()
    let completed = try app.enrollment(.a1).lastCompletedCheckIn
    try app.run(.requestCheckIn(.a))
    let attempted = app.now
    try app.run(.answerCheckIn(.a, .failure(.init(EnrollmentStatusCode(rawValue: code), error: "offline"))))
    let enrollment = try app.enrollment(.a1)
    #expect(enrollment.lastCompletedCheckIn == completed)
    #expect(enrollment.lastAttemptedCheckIn == attempted)
    #expect(enrollment.nextRetry == app.now + TestApp.minute)
    #expect(app.takeCallbacks() == ["policyRequest a1 \(code)"])
    #expect(app.status(1) == .enrolledWithPolicy)
    app.now += TestApp.minute
    try app.run(.startDueWork)
    #expect(app.work == ["checkIn a1"])
  }

  @Test("T23: a record that is gone is unenrolled and enrolled again; 221 ends it")
  func gone() throws {
    var app = try Self.managed()
    #expect(
      try {
        try app.run(.requestCheckIn(.a)); return try app.run(.answerCheckIn(.a, .gone))
      }() == [
        "enrollment.recordGone", "policy.withdrawn", "enrollment.requested",
      ])
    #expect(app.takeCallbacks() == ["policyRequest a1 220", "PolicyDidChange a1"])
    #expect(app.work == ["enroll a1 recordGone"])
    #expect(!app.state.isManaged(.a1))
    try app.run(.answerEnrollment(.a, .failure(.init(.reEnrollForUnenrolledUser))))
    #expect(app.takeCallbacks() == ["enrollmentRequest a1 221"])
    #expect(app.status(1) == .registered)
    app.now += 100 * TestApp.day
    #expect(app.work == [])
  }

  @Test("S-21 T24: a service wipe leads through 102, the wipe, 104 and deregistration, and happens once")
  func serviceWipe() throws {
    var app = try Self.managed()
    app.now += 7 * TestApp.day
    try app.run(.startDueWork)
    #expect(try app.run(.answerCheckIn(.a, .wipe())) == ["wipe.requested"])
    #expect(app.status(1) == .wiping)
    #expect(app.takeCallbacks() == ["policyRequest a1 102", "wipeData a1"])
    #expect(try app.run(.requestWipe(.a, .administrator, .service)) == [], "ordered already")
    try app.run(.answerWipe(.a, removedEverything: true))
    #expect(app.takeCallbacks() == ["unenrollRequest a1 104", "WipeDidComplete a1"])
    #expect(app.status(1) == .removed)
    let after = app.state
    #expect(try app.run(.requestWipe(.a, .administrator, .service)) == [], "done already")
    #expect(app.state == after)
    // The same event once more changes nothing either.
    var state = app.state
    let context = EventContext(sequence: 99, moment: app.moment)
    AppProtectionMachine.reduce(
      into: &state, .wipeRequested(WipeRequested(account: .a1, reason: .administrator, origin: .service)), context)
    AppProtectionMachine.reduce(into: &state, .wipeCompleted(WipeCompleted(account: .a1)), context)
    #expect(state == after)
  }

  @Test("T25: an account that nothing targets any more loses its policy and keeps its data")
  func untargeted() throws {
    var app = try Self.managed()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    #expect(app.status(1) == .enrolledWithoutPolicy)
    #expect(app.takeCallbacks() == ["policyRequest a1 103", "PolicyDidChange a1"])
    #expect(app.state.wipes.isEmpty)
    #expect(try app.enrollment(.a1).nextCheckIn == app.now + 12 * TestApp.hour)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    #expect(app.takeCallbacks() == ["policyRequest a1 103"])
  }

  @Test("S-28 T34: after 90 days of silence the next launch registers the account anew, protected meanwhile")
  func lapse() throws {
    var app = try Self.managed()
    app.now += 100 * TestApp.day
    try app.restart()
    #expect(app.work == ["enroll a1 lapse"])
    #expect(app.state.enforcedPolicy(for: .account(.a1)) != nil)
    var failing = app
    try failing.run(.answerEnrollment(.a, .failure(.init(.timeout))))
    #expect(failing.status(1) == .enrolledWithPolicy)
    var unchanged = app
    try unchanged.run(.answerEnrollment(.a, .unchanged))
    #expect(unchanged.takeCallbacks() == ["enrollmentRequest a1 101"])
    var untargeted = app
    try untargeted.run(.answerEnrollment(.a, .noPolicy))
    #expect(untargeted.status(1) == .enrolledWithoutPolicy)
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy("again"))))
    #expect(app.takeCallbacks() == ["enrollmentRequest a1 100", "PolicyDidChange a1"])
    #expect(app.state.process.restart == nil, "it is not the account's first policy")
  }

  @Test("A check-in needs an enrolled account, and one at a time is enough")
  func guards() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(.a))
    #expect(app.rejection(of: .requestCheckIn(.a)) == .notEnrolled(.a1))
    try app.run(.answerEnrollment(.a, .noPolicy), .requestCheckIn(.a))
    #expect(try app.run(.requestCheckIn(.a, .schedule)) == [])
    #expect(app.work == ["checkIn a1"])
  }

  @Test("A check-in that fails for want of a token waits for one")
  func tokenMissing() throws {
    var app = try Self.managed()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.authRequired))))
    app.now += 10 * TestApp.day
    #expect(app.work == [])
    #expect(try app.run(.acquireToken(.a)) == ["token.acquired", "checkIn.requested"])
  }
}
