import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Enrollment: transitions T1–T17 and their scenarios")
struct EnrollmentScenarioTests {
  @Test("S-01 T1 T5: a first policy manages the account, with one callback and one request for a restart")
  func firstPolicy() throws {
    var app = try TestApp()
    try expectEqual(
      app.run(.registerAndEnroll(.a)), ["account.introduced", "account.registered", "enrollment.requested"])
    expectEqual(app.status(1), .enrolling)
    expectEqual(app.work, ["enroll a1 registration"])
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    expectEqual(app.status(1), .enrolledWithPolicy)
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 100", "PolicyDidChange a1", "restartApplication"])
    #expect(app.state.isManaged(.a1))
    expectEqual(app.state.policies[.a1]?.isEnforced, false)
    #expect(app.state.enforcedPolicy(for: .account(.a1)) == nil)
    expectEqual(app.work, ["askRestart a1 firstPolicy"])
    try app.restart()
    expectEqual(app.state.policies[.a1]?.isEnforced, true)
    expectEqual(app.state.enforcedPolicy(for: .account(.a1)), TestApp.policy())
    expectEqual(app.work, [])
    expectEqual(app.takeCallbacks(), [])
  }

  @Test("S-02 T2: registering again is refused with a warning and changes nothing")
  func repeatedRegistration() throws {
    for answer in [nil, ServiceAnswer.policy(TestApp.policy()), .noPolicy, .failure(.init(.timeout))] {
      var app = try TestApp()
      try app.run(.registerAndEnroll(.a))
      if let answer { try app.run(.answerEnrollment(.a, answer)) }
      _ = app.takeCallbacks()
      expectEqual(app.rejection(of: .registerAndEnroll(.a)), .alreadyRegistered(.a1))
      expectEqual(app.takeCallbacks(), [])
    }
  }

  @Test("S-03 T6: an account that nothing targets is enrolled and stays unmanaged, without a restart")
  func untargeted() throws {
    var app = try TestApp()
    try app.enroll(.a, .noPolicy)
    expectEqual(app.status(1), .enrolledWithoutPolicy)
    #expect(!app.state.isManaged(.a1))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 103"])
    #expect(app.state.process.restart == nil)
    expectEqual(app.work, [])
  }

  @Test(
    "S-04 T7: failures are repeated after the interval of the profile",
    arguments: [
      (RetryProfile.serviceTable, 200, 12), (.guide2019, 200, 24), (.guide2023, 200, 24), (.serviceTable, 225, 12),
      (.serviceTable, 222, 12), (.guide2023, 201, 24), (.serviceTable, 228, 12), (.serviceTable, 202, 24),
      (.guide2019, 202, 24), (.guide2019, 225, 24), (.guide2023, 225, 24), (.guide2023, 222, 24),
    ] as [(RetryProfile, UInt32, Int64)])
  func scheduledRetry(profile: RetryProfile, code: UInt32, hours: Int64) throws {
    var app = try TestApp { $0.retryProfile = profile }
    try app.enroll(.a, .failure(.init(EnrollmentStatusCode(rawValue: code))))
    expectEqual(app.status(1), .registered)
    #expect(!app.state.isManaged(.a1) && app.state.launchGate == .open, "the app works unmanaged")
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 \(code)"])
    try expectEqual(app.enrollment(.a1).nextRetry, app.now + hours * TestApp.hour)
    expectEqual(app.state.nextDue(after: app.moment), app.now + hours * TestApp.hour)
    expectEqual(app.work, [])
    app.now += hours * TestApp.hour
    expectEqual(app.work, ["startDueWork a1"])
    try expectEqual(app.run(.startDueWork), ["enrollment.requested"])
    expectEqual(app.work, ["enroll a1 retry"])
  }

  @Test(
    "T8: failures of the network are repeated after rising pauses of at most an hour", arguments: [204, 205, 212, 216])
  func backoff(code: UInt32) throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(.a))
    for minutes: Int64 in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
      try app.run(.answerEnrollment(.a, .failure(.init(EnrollmentStatusCode(rawValue: code)))))
      try expectEqual(app.enrollment(.a1).nextRetry, app.now + minutes * TestApp.minute)
      app.now += minutes * TestApp.minute
      try app.run(.startDueWork)
    }
    try expectEqual(app.enrollment(.a1).backoffStep, 9)
    try app.run(.answerEnrollment(.a, .noPolicy))
    try expectEqual(app.enrollment(.a1).backoffStep, 0)
  }

  @Test("T9: a missing token is not retried until the app has one")
  func missingToken() throws {
    var app = try TestApp()
    try app.enroll(.a, .failure(.init(.authRequired)))
    expectEqual(app.status(1), .registered)
    #expect(try app.enrollment(.a1).awaitsSignIn)
    app.now += 100 * TestApp.day
    expectEqual(app.work, [])
    try expectEqual(app.run(.startDueWork), [])
    try expectEqual(app.run(.acquireToken(.a)), ["token.acquired", "enrollment.requested"])
    expectEqual(app.work, ["enroll a1 signIn"])
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    try expectEqual(app.run(.acquireToken(.a)), [])
  }

  @Test(
    "S-06 T10: an account that the service refuses must be removed; no other account is touched",
    arguments: [209, 210, 211])
  func terminal(code: UInt32) throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.a)
    let before = try #require(app.state.accounts[.a1])
    try app.enroll(.b, .failure(.init(EnrollmentStatusCode(rawValue: code))))
    expectEqual(app.status(2), .registered)
    expectEqual(app.state.accounts[.a2]?.removalCode, EnrollmentStatusCode(rawValue: code))
    #expect(try app.enrollment(.a2).nextRetry == nil)
    expectEqual(app.state.accounts[.a1], before)
    expectEqual(app.takeCallbacks().last, "enrollmentRequest a2 \(code)")
    try expectEqual(app.run(.deregisterAndUnenroll(.b, wipe: true)), ["account.deregistered"])
  }

  @Test("S-07 T3: calls from an extension are refused with 223 and change nothing")
  func fromExtension() throws {
    var app = try TestApp()
    try app.enroll(.a)
    var process = TestApp.process
    process.isExtension = true
    try app.run(.startProcess(process))
    #expect(app.state.process.restart != nil, "an extension does not end the app's wait for a restart")
    expectEqual(app.state.policies[.a1]?.isEnforced, false)
    for command in [
      AppProtectionCommand.registerAndEnroll(.b), .loginAndEnroll(nil), .deregisterAndUnenroll(.a, wipe: false),
      .remediateCompliance(.a, isSilent: true),
    ] {
      let rejection = app.rejection(of: command)
      expectEqual(rejection, .calledFromExtension)
      expectEqual(rejection?.statusCode, .unsupportedAPI)
    }
  }

  @Test("S-08 T4: no account, or none that can be recognised, is refused with 207")
  func missingAccount() throws {
    var app = try TestApp()
    let long = AccountReference(userPrincipalName: "a@" + String(repeating: "x", count: 1023))
    for account in [nil, AccountReference(), AccountReference(userPrincipalName: ""), long] {
      let rejection = app.rejection(of: .registerAndEnroll(account))
      expectEqual(rejection, .missingAccount)
      expectEqual(rejection?.statusCode, .nilAccount)
    }
    #expect(app.state.accounts.isEmpty)
  }

  @Test(
    "S-09 T17 T18: automatic enrollment fails in silence; where a policy is required the user is asked and the app blocked"
  )
  func automaticEnrollment() throws {
    for isRequired in [false, true] {
      var app = try TestApp {
        $0.autoEnrollOnLaunch = true
        $0.policyRequired = isRequired
      }
      expectEqual(app.work, isRequired ? ["askLogin"] : [], "nobody is known")
      expectEqual(app.state.launchGate, isRequired ? .blocked : .open)
      try app.run(.setDeviceAccount(.a))
      try app.restart()
      expectEqual(app.work, ["enroll a1 automatic"])
      _ = app.takeCallbacks()
      try app.run(.answerEnrollment(.a, .failure(.init(.authRequired))))
      expectEqual(app.takeCallbacks(), [])
      expectEqual(app.work, isRequired ? ["askLogin"] : [])
      guard isRequired else { continue }
      try expectEqual(app.run(.answerLogin(.a)), ["login.answered", "enrollment.requested"])
      try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
      expectEqual(app.state.launchGate, .open)
    }
  }

  @Test("S-10 T19: without a policy the user is warned once a launch, and the app is usable")
  func absenceWarning() throws {
    var app = try TestApp { $0.warnsWhenPolicyAbsent = true }
    expectEqual(app.state.launchGate, .warned)
    try expectEqual(app.run(.acknowledgeMissingPolicy), ["launch.warned"])
    expectEqual(app.state.launchGate, .open)
    try expectEqual(app.run(.acknowledgeMissingPolicy), [])
    try app.restart()
    expectEqual(app.state.launchGate, .warned)
    try app.enroll(.a)
    expectEqual(app.state.launchGate, .open)
  }

  @Test(
    "S-11 T16: a login without a name enrolls the device's user; without one the user is asked, and may cancel with 219"
  )
  func login() throws {
    var app = try TestApp()
    try expectEqual(app.run(.loginAndEnroll(nil)), ["login.requested"])
    try expectEqual(app.run(.loginAndEnroll(nil)), [], "one question at a time")
    try app.run(.answerLogin(nil))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest none 219"])
    expectEqual(app.work, [])
    expectEqual(app.rejection(of: .answerLogin(.a)), .nothingAsked(.login, nil))
    try app.run(.setDeviceAccount(.a))
    try expectEqual(app.run(.loginAndEnroll(nil)), ["account.registered", "enrollment.requested"])
    expectEqual(app.work, ["enroll a1 login"])
    // Whoever is enrolled answers the question, too; it would stay open for ever otherwise.
    try app.run(.setDeviceAccount(nil), .loginAndEnroll(nil))
    try expectEqual(app.run(.answerLogin(.a)), ["login.answered"])
    expectEqual(app.work, ["enroll a1 login"])
  }

  @Test("T14: on a device that is managed for somebody else an account is refused with 210")
  func otherDeviceUser() throws {
    var app = try TestApp()
    try app.run(.setDeviceAccount(.a))
    try expectEqual(
      app.run(.registerAndEnroll(.b)),
      [
        "account.introduced", "account.registered", "enrollment.failed", "account.removalRequired",
      ])
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a2 210"])
    try app.enroll(.a)
    expectEqual(app.status(1), .enrolledWithPolicy)
    try expectEqual(app.run(.setDeviceAccount(nil)), ["deviceAccount.changed"])
    #expect(app.state.settings.deviceAccount == nil)
  }

  /// How a registered account comes to be enrolled without the app asking anew.
  static let ways: [(name: String, answer: EnrollmentStatusCode, step: AppProtectionCommand, hours: Int64)] = [
    ("a repetition", .accountNotLicensed, .startDueWork, 13),
    ("a sign-in", .authRequired, .acquireToken(.b), 0),
    ("a login", .accountNotLicensed, .loginAndEnroll(.b), 0),
  ]

  @Test(
    "T14: whatever leads to an enrollment, another user's device refuses it with 210, and nothing is due",
    arguments: ways)
  func otherDeviceUserLater(
    way: (name: String, answer: EnrollmentStatusCode, step: AppProtectionCommand, hours: Int64)
  ) throws {
    var app = try TestApp()
    try app.enroll(.b, .failure(.init(way.answer)))
    try app.run(.setDeviceAccount(.a))
    app.now += way.hours * TestApp.hour
    try expectEqual(app.run(way.step).suffix(2), ["enrollment.failed", "account.removalRequired"], "\(way.name)")
    try expectEqual(app.enrollment(.a1).lastCode, .mdmEnrolledDifferentUser)
    #expect(app.work == [] && app.state.nextDue(after: app.moment) == nil)
  }

  @Test("T35: an account that is allowed no more is not enrolled by repetition, sign-in, launch or remediation")
  func allowedNoMore() throws {
    for way in Self.ways.prefix(2) {
      var app = try TestApp { $0.autoEnrollOnLaunch = true }
      try app.enroll(.b, .failure(.init(way.answer)))
      try app.run(.setAllowedAccounts([.a]))
      expectEqual(app.rejection(of: .remediateCompliance(.b, isSilent: true)), .notAllowed(.a1))
      try app.restart()
      expectEqual(app.work, [], "\(way.name): a launch enrolls nobody who is not allowed")
      app.now += way.hours * TestApp.hour
      try expectEqual(app.run(way.step).suffix(2), ["enrollment.failed", "account.removalRequired"], "\(way.name)")
      expectEqual(app.state.accounts[.a1]?.removalCode, .notEmmAccount)
      #expect(app.work == [] && app.state.nextDue(after: app.moment) == nil)
      try app.run(.setAllowedAccounts(nil), .loginAndEnroll(.b))
      try app.run(.answerEnrollment(.b, .policy(TestApp.policy())))
      #expect(app.state.accounts[.a1]?.removalCode == nil, "an account that is enrolled need not be removed")
    }
  }

  @Test("T11 T35: nobody is wiped for an account that may not be enrolled")
  func refusedSwitch() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.a)
    try app.enroll(.b)
    try app.run(.setAllowedAccounts([.a]))
    try expectEqual(
      app.run(.answerAccountSwitch(.b, .switchAccounts)),
      [
        "enrollment.switchAnswered", "enrollment.failed", "account.removalRequired",
      ])
    #expect(app.state.wipes.isEmpty && app.state.isManaged(.a1))
  }

  @Test("T10 T34: an account that the app must remove is not renewed")
  func noRenewal() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.notEmmAccount))))
    app.now += 100 * TestApp.day
    try app.restart()
    expectEqual(app.work, [])
  }

  @Test("S-30: an unknown code is kept and named by its number")
  func unknownCode() throws {
    var app = try TestApp()
    try app.enroll(.a, .failure(.init(EnrollmentStatusCode(rawValue: 228), error: "what?")))
    let code = try #require(try app.enrollment(.a1).lastCode)
    #expect(code.rawValue == 228 && code.name == "unknown(228)" && code.classification == .unknown)
    try expectEqual(app.enrollment(.a1).lastError, "what?")
  }

  @Test("An answer that nobody asked for is refused")
  func unasked() throws {
    var app = try TestApp()
    expectEqual(app.rejection(of: .answerEnrollment(.a, .noPolicy)), .unknownAccount)
    try app.enroll(.a)
    expectEqual(app.rejection(of: .answerEnrollment(.a, .noPolicy)), .nothingAsked(.enrollment, .a1))
    expectEqual(app.rejection(of: .answerCheckIn(.a, .unchanged)), .nothingAsked(.checkIn, .a1))
    expectEqual(app.rejection(of: .answerUnenrollment(.a)), .nothingAsked(.unenrollment, .a1))
    expectEqual(app.rejection(of: .answerAccountSwitch(.a, .keepExisting)), .nothingAsked(.accountSwitch, .a1))
    expectEqual(app.rejection(of: .answerEnrollment(.b, .noPolicy)), .unknownAccount)
  }

  @Test("Nothing happens before a process was started, or after it ended")
  func withoutProcess() throws {
    var explanation = Explanation(recording: true)
    #expect(throws: AppProtectionRejection.notStarted) {
      try AppProtectionMachine.decide(
        .registerAndEnroll(.a), in: AppProtectionState(),
        at: EventContext(sequence: 1, moment: Moment(wallNanoseconds: 0)), explanation: &explanation)
    }
    expectEqual(explanation.steps.map(\.holds), [false])
    var app = try TestApp()
    try app.run(.endProcess)
    expectEqual(app.rejection(of: .registerAndEnroll(.a)), .notStarted)
  }
}
