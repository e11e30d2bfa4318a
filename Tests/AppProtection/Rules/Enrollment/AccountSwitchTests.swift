import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("A second managed account")
struct AccountSwitchTests {
  /// An app in which a1 is managed, a2 got a policy, and the user is asked.
  static func asked() throws -> TestApp {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.a)
    try app.restart()
    try app.run(.setIdentity(.ui, .account(.a)))
    _ = app.takeCallbacks()
    try app.enroll(.b)
    expectEqual(app.status(2), .registered)
    #expect(app.state.policies[.a2] == nil)
    expectEqual(app.work, ["askAccountSwitch a2 a1"])
    expectEqual(app.takeCallbacks(), [])
    return app
  }

  @Test("S-12 T11: when the user keeps the first account, the second is refused with 227 and must be removed")
  func keep() throws {
    var app = try Self.asked()
    try app.run(.answerAccountSwitch(.b, .keepExisting))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a2 227"])
    expectEqual(app.state.accounts[.a2]?.removalCode, .singleManagedAccountMode)
    expectEqual(app.status(1), .enrolledWithPolicy)
    #expect(app.state.wipes.isEmpty)
    app.now += 100 * TestApp.day
    expectEqual(app.work, ["startDueWork a1"], "the second account is not tried again")
  }

  @Test("S-12 T11: when the user switches, the first account is wiped before the second one's policy applies")
  func switchAccounts() throws {
    var app = try Self.asked()
    try expectEqual(
      app.run(.answerAccountSwitch(.b, .switchAccounts)), ["enrollment.switchAnswered", "wipe.requested"])
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a2 218", "wipeData a1"])
    expectEqual(app.work, ["askDelegateToWipe a1 accountSwitch"])
    #expect(app.state.policies[.a2] == nil)
    try app.restart()
    try app.run(.answerWipe(.a, removedEverything: false))
    try app.restart()
    expectEqual(app.work, ["removeFiles a1"])
    try expectEqual(
      app.run(.reportFilesRemoved(.a, count: 3)),
      [
        "wipe.filesRemoved", "wipe.completed", "enrollment.requested", "restart.required",
      ])
    expectEqual(app.work, ["enroll a2 accountSwitch", "askRestart a1 accountRemoved"])
    try app.run(.answerEnrollment(.b, .policy(TestApp.policy("B"))))
    expectEqual(app.state.policies.records.map(\.account), [.a2])
    expectEqual(app.state.policies[.a2]?.isEnforced, false)
    expectEqual(
      app.takeCallbacks(),
      [
        "unenrollRequest a1 104", "WipeDidComplete a1", "restartApplication", "enrollmentRequest a2 100",
        "PolicyDidChange a2",
      ])
    try app.restart()
    expectEqual(app.work, [])
    expectEqual(app.state.policies[.a2]?.isEnforced, true)
  }

  @Test("S-21: a switch from an account whose wipe is under way orders no second one, and waits for the first")
  func switchDuringWipe() throws {
    var app = try Self.asked()
    try app.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: false))
    try expectEqual(app.run(.answerAccountSwitch(.b, .switchAccounts)), ["enrollment.switchAnswered"])
    expectEqual(app.work, ["removeFiles a1"])
    try app.run(.reportFilesRemoved(.a, count: 1))
    expectEqual(app.work, ["enroll a2 accountSwitch"])
  }

  @Test("An account that was enrolled without being asked for is refused aloud once the user was asked")
  func automatic() throws {
    var app = try TestApp {
      $0.multiIdentity = true
      $0.autoEnrollOnLaunch = true
    }
    try app.enroll(.a, .failure(.init(.accountNotLicensed)))
    try app.restart()
    expectEqual(app.work, ["enroll a1 automatic"])
    try app.enroll(.b)
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    _ = app.takeCallbacks()
    try app.run(.answerAccountSwitch(.a, .keepExisting))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 227"])
  }

  @Test("A canceled question leaves the second account registered, and is not asked again by itself")
  func cancel() throws {
    var app = try Self.asked()
    try app.run(.answerAccountSwitch(.b, .canceled))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a2 219"])
    expectEqual(app.status(2), .registered)
    expectEqual(app.work, [])
    expectEqual(app.rejection(of: .answerAccountSwitch(.b, .canceled)), .nothingAsked(.accountSwitch, .a2))
  }

  @Test("T11: the question survives a crash, and ends when the first account has left: the second is enrolled")
  func firstLeaves() throws {
    var app = try Self.asked()
    try app.restart()
    expectEqual(app.work, ["askAccountSwitch a2 a1"])
    try app.run(.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a))
    expectEqual(app.rejection(of: .answerAccountSwitch(.b, .switchAccounts)), .nothingAsked(.accountSwitch, .a2))
    expectEqual(app.work, ["enroll a2 accountSwitch"])
    #expect(app.state.wipes.isEmpty)
  }

  @Test(
    "T11 T23: whoever waits for an account that lost its record is enrolled when that one comes back without a policy")
  func recordGone() throws {
    let answers: [(ServiceAnswer, Bool)] = [
      (.noPolicy, true), (.failure(.init(.reEnrollForUnenrolledUser)), true), (.failure(.init(.timeout)), true),
      (.policy(TestApp.policy()), false),
    ]
    for (answer, isAdmitted) in answers {
      for isCanceled in [true, false] {
        var app = try Self.asked()
        if isCanceled { try app.run(.answerAccountSwitch(.b, .canceled)) }
        try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone))
        #expect(app.work.contains("enroll a1 recordGone") && !app.work.contains("enroll a2 accountSwitch"))
        try app.run(.answerEnrollment(.a, answer))
        expectEqual(app.work.contains("enroll a2 accountSwitch"), isAdmitted, "\(answer)")
        expectEqual(app.work.contains("askAccountSwitch a2 a1"), !isAdmitted && !isCanceled)
      }
    }
  }

  @Test("T11: an answer to an earlier question removes nobody")
  func staleAnswer() throws {
    var app = try Self.asked()
    let asked = try app.enrollment(.a2).switchQuestion
    expectEqual(
      app.rejection(of: .answerAccountSwitch(.b, .switchAccounts, intent: asked - 1)), .staleAnswer(.accountSwitch, .a2)
    )
    try app.run(.answerAccountSwitch(.b, .switchAccounts, intent: asked))
    expectEqual(app.status(1), .wiping)
  }

  @Test("T12: an account that was enrolled without policy is asked about when it gets one")
  func targetedLater() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.a)
    try app.enroll(.b, .noPolicy)
    app.now += 13 * TestApp.hour
    try app.run(.startDueWork)
    #expect(app.work.contains("checkIn a2"))
    try app.run(.answerCheckIn(.b, .policy(TestApp.policy())))
    #expect(app.work.contains("askAccountSwitch a2 a1"))
    expectEqual(app.status(2), .registered)
  }

  @Test("Where more accounts may be managed, nobody is asked")
  func room() throws {
    var app = try TestApp {
      $0.multiIdentity = true
      $0.maximumManagedAccounts = 2
    }
    try app.enroll(.a)
    try app.enroll(.b)
    expectEqual(app.state.policies.count, 2)
    expectEqual(app.callbacks.filter { $0 == "restartApplication" }.count, 1, "one restart serves both")
    try app.enroll(.colleague)
    expectEqual(app.state.policies.count, 2)
    #expect(app.work.contains("askAccountSwitch a3 a1"))
  }

  @Test("T13: by the other assumption the user is asked which of two namesakes to keep")
  func sameName() throws {
    var app = try TestApp {
      $0.multiIdentity = true
      $0.assumptions.namesakeRule = .askWhichToKeep
    }
    try app.enroll(.a)
    var other = AccountReference.b
    other.userPrincipalName = "A@CONTOSO.com"
    try expectEqual(
      app.run(.registerAndEnroll(other)),
      [
        "account.introduced", "account.registered", "enrollment.conflictDetected", "enrollment.requested",
      ])
    expectEqual(app.state.accounts.count, 2)
    try app.run(.answerEnrollment(other, .policy(TestApp.policy())))
    #expect(app.work.contains("askAccountSwitch a2 a1"))
  }

  @Test("T30: retries of other accounts wait while one is managed, and resume when it has left")
  func suspendedRetries() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.b, .failure(.init(.accountNotLicensed)))
    try app.enroll(.a)
    app.now += 13 * TestApp.hour
    #expect(!app.work.contains("startDueWork a1"))
    try app.run(.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a))
    #expect(app.work.contains("startDueWork a1"))
    try app.run(.startDueWork)
    #expect(app.work.contains("enroll a1 retry"))
  }
}
