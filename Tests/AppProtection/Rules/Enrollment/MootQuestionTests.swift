import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Questions that have become moot are withdrawn")
struct MootQuestionTests {
  /// An app that must have a policy, whose known account's automatic enrollment has been requested.
  static func blocked() throws -> TestApp {
    var app = try TestApp { $0.autoEnrollOnLaunch = true }
    try app.run(.setDeviceAccount(.a))
    var settings = app.state.settings.app
    settings.policyRequired = true
    try app.run(.changeSettings(settings))
    try app.restart()
    expectEqual(app.work, ["enroll a1 automatic"])
    return app
  }

  @Test(
    "T17: who signs in is asked where no account or no valid token is left, and not after a failure of another kind",
    arguments: [
      (EnrollmentStatusCode.authRequired, true), (.notEmmAccount, true), (.notDeviceAccount, true),
      (.accountNotLicensed, false), (.licensedNotTargeted, false), (.timeout, false), (.locationServiceFailure, false),
      (.internalError, false),
    ])
  func asking(code: EnrollmentStatusCode, isAsked: Bool) throws {
    var app = try Self.blocked()
    try app.run(.answerEnrollment(.a, .failure(.init(code))))
    expectEqual(app.work, isAsked ? ["askLogin"] : [])
    expectEqual(app.state.launchGate, .blocked)
  }

  @Test("T17: the question who signs in ends with the policy that was required")
  func policyArrives() throws {
    var app = try Self.blocked()
    try app.run(.answerEnrollment(.a, .failure(.init(.authRequired))))
    expectEqual(app.work, ["askLogin"])
    try app.run(.acquireToken(.a), .answerEnrollment(.a, .policy(TestApp.policy())))
    #expect(!app.work.contains("askLogin") && app.state.process.loginQuestion == 0)
    expectEqual(app.rejection(of: .answerLogin(.a)), .nothingAsked(.login, nil))
    #expect(app.replayed(revision: 4).process.loginQuestion != 0, "as revision 4 left it")
  }

  @Test("S-11: where no policy is required, the question that the app asked stays until it is answered")
  func ownQuestion() throws {
    var app = try TestApp()
    try app.run(.loginAndEnroll(nil))
    try app.enroll(.a)
    #expect(app.work.contains("askLogin"))
    try expectEqual(app.run(.answerLogin(.a)), ["login.answered"])
  }

  /// An app that is asked to add the account that the engine enrolled.
  static func adding() throws -> TestApp {
    var app = try Self.blocked()
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    #expect(app.work.contains("askToAddAccount a1"))
    return app
  }

  @Test("T17: the app is not asked to add an account that it has already, or that leaves")
  func additions() throws {
    let ends: [[AppProtectionCommand]] = [
      [.reportSignIns([.a])], [.deregisterAndUnenroll(.a, wipe: false)], [.deregisterAndUnenroll(.a, wipe: true)],
      [.requestWipe(.a, .administrator, .service)],
      [.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.reEnrollForUnenrolledUser)))],
    ]
    for end in ends {
      var app = try Self.adding()
      for command in end { try app.run(command) }
      #expect(!app.work.contains("askToAddAccount a1"), "\(end)")
      expectEqual(app.rejection(of: .answerAddition(.a, .success)), .nothingAsked(.addition, .a1), "\(end)")
      #expect(app.replayed(revision: 4).accounts[.a1]?.additionQuestion != 0, "\(end)")
    }
    var stays = try Self.adding()
    try stays.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone))
    #expect(stays.work.contains("askToAddAccount a1"), "it is enrolled again")
  }

  @Test("What concerns an account is not asked any more once its data is wiped, or it has left")
  func leaving() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.a)
    try app.enroll(.b)
    expectEqual(app.work, ["askRestart a1 firstPolicy", "askAccountSwitch a2 a1"])
    try app.run(.requestIdentitySwitch(.ui, .account(.a), .openURL))
    try app.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true))
    expectEqual(app.work, ["enroll a2 accountSwitch"], "neither the restart, nor which account stays, nor the switch")
  }
}
