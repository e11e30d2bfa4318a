import Expectations
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
      expectEqual(enrollment.lastCompletedCheckIn, app.now)
      expectEqual(enrollment.lastAttemptedCheckIn, app.now - 1_000_000_000)
      expectEqual(enrollment.lastCode, .policiesHaveNotChanged)
      expectEqual(enrollment.nextCheckIn, app.now + 30 * TestApp.minute)
      expectEqual(app.state.policies[.a1], before)
      expectEqual(app.takeCallbacks(), ["policyRequest a1 101"])
    }
  }

  @Test("S-17 T20: a changed policy is announced and counts at once")
  func changed() throws {
    var app = try Self.managed()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(TestApp.policy("Level 3"), nextCheckIn: TestApp.hour)))
    expectEqual(app.takeCallbacks(), ["policyRequest a1 100", "PolicyDidChange a1"])
    expectEqual(app.state.enforcedPolicy(for: .account(.a1)), TestApp.policy("Level 3"))
    expectEqual(app.state.policies[.a1]?.version, 2)
    try expectEqual(app.enrollment(.a1).nextCheckIn, app.now + TestApp.hour)
    #expect(app.state.process.restart == nil)
  }

  @Test("A policy that changes before the restart still waits for it")
  func changedBeforeRestart() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(TestApp.policy("Level 3"))))
    expectEqual(app.state.policies[.a1]?.isEnforced, false)
    expectEqual(app.callbacks.filter { $0 == "restartApplication" }.count, 1)
  }

  @Test("T22: a failure of the network leaves the completed time and is repeated", arguments: [212, 216])
  func networkFailure(code: UInt32) throws {
    var app = try Self.managed()
    let completed = try app.enrollment(.a1).lastCompletedCheckIn
    try app.run(.requestCheckIn(.a))
    let attempted = app.now
    try app.run(.answerCheckIn(.a, .failure(.init(EnrollmentStatusCode(rawValue: code), error: "offline"))))
    let enrollment = try app.enrollment(.a1)
    expectEqual(enrollment.lastCompletedCheckIn, completed)
    expectEqual(enrollment.lastAttemptedCheckIn, attempted)
    expectEqual(enrollment.nextRetry, app.now + TestApp.minute)
    expectEqual(app.takeCallbacks(), ["policyRequest a1 \(code)"])
    expectEqual(app.status(1), .enrolledWithPolicy)
    app.now += TestApp.minute
    try app.run(.startDueWork)
    expectEqual(app.work, ["checkIn a1"])
  }

  @Test("T23: a record that is gone is unenrolled and enrolled again; 221 ends it")
  func gone() throws {
    var app = try Self.managed()
    try expectEqual(
      {
        try app.run(.requestCheckIn(.a)); return try app.run(.answerCheckIn(.a, .gone))
      }(),
      [
        "enrollment.recordGone", "policy.withdrawn", "enrollment.requested",
      ])
    expectEqual(app.takeCallbacks(), ["policyRequest a1 220", "PolicyDidChange a1"])
    expectEqual(app.work, ["enroll a1 recordGone"])
    #expect(!app.state.isManaged(.a1))
    try app.run(.answerEnrollment(.a, .failure(.init(.reEnrollForUnenrolledUser))))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 221"])
    expectEqual(app.status(1), .registered)
    app.now += 100 * TestApp.day
    expectEqual(app.work, [])
  }

  @Test("S-21 T24: a service wipe leads through 102, the wipe, 104 and deregistration, and happens once")
  func serviceWipe() throws {
    var app = try Self.managed()
    app.now += 7 * TestApp.day
    try app.run(.startDueWork)
    try expectEqual(app.run(.answerCheckIn(.a, .wipe())), ["wipe.requested"])
    expectEqual(app.status(1), .wiping)
    expectEqual(app.takeCallbacks(), ["policyRequest a1 102", "wipeData a1"])
    try expectEqual(app.run(.requestWipe(.a, .administrator, .service)), [], "ordered already")
    try app.run(.answerWipe(.a, removedEverything: true))
    expectEqual(app.takeCallbacks(), ["unenrollRequest a1 104", "WipeDidComplete a1"])
    expectEqual(app.status(1), .removed)
    let after = app.state
    try expectEqual(app.run(.requestWipe(.a, .administrator, .service)), [], "done already")
    expectEqual(app.state, after)
    // The same event once more changes nothing either.
    var state = app.state
    let context = EventContext(sequence: 99, moment: app.moment)
    AppProtectionMachine.reduce(
      into: &state, .wipeRequested(WipeRequested(account: .a1, reason: .administrator, origin: .service)), context)
    AppProtectionMachine.reduce(into: &state, .wipeCompleted(WipeCompleted(account: .a1)), context)
    expectEqual(state, after)
  }

  @Test("T25: an account that nothing targets any more loses its policy and keeps its data")
  func untargeted() throws {
    var app = try Self.managed()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    expectEqual(app.status(1), .enrolledWithoutPolicy)
    expectEqual(app.takeCallbacks(), ["policyRequest a1 103", "PolicyDidChange a1"])
    #expect(app.state.wipes.isEmpty)
    try expectEqual(app.enrollment(.a1).nextCheckIn, app.now + 12 * TestApp.hour)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    expectEqual(app.takeCallbacks(), ["policyRequest a1 103"])
  }

  /// What an account that is enrolled does after a check-in that failed.
  enum Sequel: Equatable {
    case checksIn(afterMinutes: Int64)
    case waitsForToken
    case mustBeRemoved
    case isUnenrolled
    case enrollsAgain
  }

  /// Every failure that the table knows, and one that it does not.
  static let failures: [(codes: [UInt32], sequel: Sequel)] = [
    ([200, 201, 206, 213, 214, 215, 217, 222, 225, 226, 228], .checksIn(afterMinutes: 12 * 60)),
    ([202], .checksIn(afterMinutes: 24 * 60)),
    ([204, 205, 212, 216], .checksIn(afterMinutes: 1)),
    ([207, 208, 218, 219, 223, 224, 227, 302], .checksIn(afterMinutes: 30)),
    ([203], .waitsForToken), ([209, 210, 211], .mustBeRemoved), ([220], .enrollsAgain), ([221], .isUnenrolled),
  ]

  @Test("The table of failed check-ins has every failure")
  func everyFailure() {
    let known = Set(EnrollmentStatusCode.table.map(\.code.rawValue)).filter { $0 >= 200 }
    #expect(Set(Self.failures.flatMap(\.codes)).isSuperset(of: known))
  }

  @Test("T10 T22 T23: whatever a due check-in fails with, it is not due again at once", arguments: failures)
  func failure(codes: [UInt32], sequel: Sequel) throws {
    for code in codes {
      var app = try Self.managed()
      app.now += 31 * TestApp.minute
      try app.run(.startDueWork)
      let names = try app.run(.answerCheckIn(.a, .failure(.init(EnrollmentStatusCode(rawValue: code)))))
      #expect(!app.state.accounts.records.contains { app.state.isDue($0, at: app.moment) }, "\(code)")
      expectEqual(app.takeCallbacks().first, "policyRequest a1 \(code)")
      let enrollment = try app.enrollment(.a1)
      let due = app.state.nextDue(after: app.moment)
      switch sequel {
      case .checksIn(let minutes):
        expectEqual(names, ["checkIn.failed"], "\(code)")
        expectEqual(due, app.now + minutes * TestApp.minute, "\(code)")
        #expect(enrollment.status == .enrolledWithPolicy && app.work == [], "\(code)")
      case .waitsForToken:
        #expect(names == ["checkIn.failed"] && due == nil && enrollment.awaitsSignIn, "\(code)")
      case .mustBeRemoved:
        #expect(names == ["checkIn.failed", "account.removalRequired"] && due == nil, "\(code)")
        expectEqual(app.state.accounts[.a1]?.removalCode?.rawValue, code)
      case .isUnenrolled:
        #expect(names == ["enrollment.recordGone", "policy.withdrawn"] && due == nil, "\(code)")
        #expect(enrollment.status == .registered && enrollment.lastCode?.rawValue == code && app.work == [])
      case .enrollsAgain:
        expectEqual(names, ["enrollment.recordGone", "policy.withdrawn", "enrollment.requested"], "\(code)")
        expectEqual(app.work, ["enroll a1 recordGone"], "\(code)")
      }
    }
  }

  @Test(
    "The service's interval is at least a minute and at most a day",
    arguments: [
      (Int64.min, 1), (-1, 1), (0, 1), (RetrySchedule.minute, 1), (RetrySchedule.hour, 60), (.max, 24 * 60),
    ] as [(Int64, Int64)])
  func interval(asked: Int64, minutes: Int64) throws {
    var app = try TestApp()
    try app.enroll(.a, .policy(TestApp.policy(), nextCheckIn: asked))
    try expectEqual(app.enrollment(.a1).nextCheckIn, app.now + minutes * TestApp.minute)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(TestApp.policy("Level 3"), nextCheckIn: asked)))
    try expectEqual(app.enrollment(.a1).nextCheckIn, app.now + minutes * TestApp.minute)
  }

  @Test("Where no uptime is known, a clock that stood ahead when a due time was written delays nothing")
  func wrongClock() throws {
    var app = try TestApp()
    app.knowsUptime = false
    try app.restart()
    app.now += 400 * TestApp.day
    try app.enroll(.a)
    app.now -= 400 * TestApp.day
    try app.restart()
    expectEqual(app.work, ["startDueWork a1"])
    #expect(app.state.nextDue(after: app.moment) == nil, "what is due is no alarm")
    try app.run(.startDueWork)
    try app.run(.answerCheckIn(.a, .unchanged))
    expectEqual(app.work, [])
    expectEqual(app.state.nextDue(after: app.moment), app.now + 30 * TestApp.minute)
    // A small correction is not taken for a wrong clock.
    app.now -= TestApp.minute
    expectEqual(app.work, [])
  }

  @Test(
    "T23 T34: a renewal that finds no record, or an unenrolled user, ends as a check-in does", arguments: [220, 221])
  func renewalOfNoRecord(code: UInt32) throws {
    let failure = ServiceAnswer.failure(.init(EnrollmentStatusCode(rawValue: code)))
    for answer in code == 220 ? [ServiceAnswer.gone, failure] : [failure] {
      var app = try Self.managed()
      app.now += 100 * TestApp.day
      try app.restart()
      try app.run(.answerEnrollment(.a, answer))
      expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 \(code)", "PolicyDidChange a1"])
      #expect(!app.state.isManaged(.a1))
      expectEqual(app.work, code == 220 ? ["enroll a1 recordGone"] : [])
      guard code == 220 else { continue }
      // A second 410 refuses the new enrollment.
      try app.run(.answerEnrollment(.a, answer))
      expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 221"])
      #expect(app.work == [] && app.state.nextDue(after: app.moment) == nil)
      try expectEqual(app.run(.loginAndEnroll(.a)), ["enrollment.requested"], "the app or the user may ask")
    }
  }

  @Test("T23: a first enrollment without a record is tried again by the schedule")
  func firstEnrollmentWithoutRecord() throws {
    var app = try TestApp()
    try app.enroll(.a, .gone)
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 220"])
    try expectEqual(app.enrollment(.a1).nextRetry, app.now + 12 * TestApp.hour)
  }

  @Test("T6 T34: a renewal that finds no policy tells its own callback only")
  func renewalWithoutPolicy() throws {
    var app = try Self.managed()
    app.now += 100 * TestApp.day
    try app.restart()
    try app.run(.answerEnrollment(.a, .noPolicy))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 103", "PolicyDidChange a1"])
  }

  @Test(
    "T22 T34: a renewal that fails leaves the account enrolled, and something due", arguments: [201, 207, 219, 227])
  func renewalThatFails(code: UInt32) throws {
    var app = try Self.managed()
    app.now += 100 * TestApp.day
    try app.restart()
    try app.run(.answerEnrollment(.a, .failure(.init(EnrollmentStatusCode(rawValue: code)))))
    expectEqual(app.status(1), .enrolledWithPolicy)
    #expect(app.state.nextDue(after: app.moment) != nil)
  }

  @Test("S-28 T34: after 90 days of silence the next launch registers the account anew, protected meanwhile")
  func lapse() throws {
    var app = try Self.managed()
    app.now += 100 * TestApp.day
    try app.restart()
    expectEqual(app.work, ["enroll a1 lapse"])
    #expect(app.state.enforcedPolicy(for: .account(.a1)) != nil)
    var failing = app
    try failing.run(.answerEnrollment(.a, .failure(.init(.timeout))))
    expectEqual(failing.status(1), .enrolledWithPolicy)
    var unchanged = app
    try unchanged.run(.answerEnrollment(.a, .unchanged))
    expectEqual(unchanged.takeCallbacks(), ["enrollmentRequest a1 101"])
    var untargeted = app
    try untargeted.run(.answerEnrollment(.a, .noPolicy))
    expectEqual(untargeted.status(1), .enrolledWithoutPolicy)
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy("again"))))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 100", "PolicyDidChange a1"])
    #expect(app.state.process.restart == nil, "it is not the account's first policy")
  }

  @Test("A check-in needs an enrolled account, and one at a time is enough")
  func guards() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(.a))
    expectEqual(app.rejection(of: .requestCheckIn(.a)), .notEnrolled(.a1))
    try app.run(.answerEnrollment(.a, .noPolicy), .requestCheckIn(.a))
    try expectEqual(app.run(.requestCheckIn(.a, .schedule)), [])
    expectEqual(app.work, ["checkIn a1"])
  }

  @Test("A check-in that fails for want of a token waits for one")
  func tokenMissing() throws {
    var app = try Self.managed()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.authRequired))))
    app.now += 10 * TestApp.day
    expectEqual(app.work, [])
    try expectEqual(app.run(.acquireToken(.a)), ["token.acquired", "checkIn.requested"])
  }
}
