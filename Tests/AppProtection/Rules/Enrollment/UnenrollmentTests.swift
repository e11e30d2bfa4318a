import Expectations
import AppProtectionInsight
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Unenrollment: transitions T26–T29 and their scenarios")
struct UnenrollmentTests {
  static func managed(_ configure: (inout AppSettings) -> Void = { _ in }) throws -> TestApp {
    var app = try TestApp(configure)
    try app.enroll(.a)
    try app.restart()
    try app.run(.setIdentity(.ui, .account(.a)))
    _ = app.takeCallbacks()
    return app
  }

  @Test("S-23 T26: without a wipe the policy is withdrawn, 104 follows, and the wipe delegate is not asked")
  func withoutWipe() throws {
    var app = try Self.managed()
    try app.run(.deregisterAndUnenroll(.a, wipe: false))
    expectEqual(app.status(1), .unenrolling)
    expectEqual(app.work, ["unenroll a1"])
    try app.restart()
    expectEqual(app.work, ["unenroll a1"])
    expectEqual(app.takeCallbacks(), ["PolicyDidChange a1"], "the policy goes at once")
    try app.run(.answerUnenrollment(.a))
    expectEqual(app.takeCallbacks(), ["unenrollRequest a1 104"])
    expectEqual(app.status(1), .removed)
    #expect(app.state.wipes.isEmpty)
  }

  @Test("S-23 T27: with a wipe the delegate is asked once, with reason 607")
  func withWipe() throws {
    var app = try Self.managed()
    try app.run(.deregisterAndUnenroll(.a, wipe: true))
    expectEqual(app.takeCallbacks(), ["wipeData a1"])
    expectEqual(app.state.wipes[.a1]?.reason, .appRequest)
    expectEqual(app.work, ["askDelegateToWipe a1 appRequest"])
    try app.run(.answerWipe(.a, removedEverything: true))
    #expect(app.work == ["unenroll a1"] && app.takeCallbacks() == [])
    try app.run(.answerUnenrollment(.a))
    expectEqual(app.takeCallbacks(), ["unenrollRequest a1 104", "WipeDidComplete a1"])
    expectEqual(app.status(1), .removed)
  }

  @Test("T27: without network the data and the policy go at once, and 104 follows when the service is reached")
  func withoutNetwork() throws {
    var app = try Self.managed()
    try app.run(.deregisterAndUnenroll(.a, wipe: true), .answerWipe(.a, removedEverything: false))
    #expect(app.state.isManaged(.a1), "until the data is gone its policy protects it")
    try app.run(.reportFilesRemoved(.a, count: 3))
    #expect(!app.state.isManaged(.a1) && app.state.accounts[.a1]?.mayHaveOrganizationData == false)
    expectEqual(app.state.wipeNotice(for: .a1), WipeNotice(wording: .wiped, reason: 607))
    let order = try #require(app.state.wipes[.a1]).requestedBy
    expectEqual(app.state.wipeDelivery(for: .a1), .awaitsService(orderedBy: order))
    #expect(app.state.wipeDelivery(for: .a1).description.contains("the service is notified"))
    try app.run(.answerUnenrollment(.a, failure: .init(.enrollmentEndPointNetworkFailure)))
    expectEqual(app.takeCallbacks(), ["wipeData a1", "unenrollRequest a1 205"])
    #expect(app.status(1) == .unenrolling && app.work == [])
    app.now += TestApp.minute
    try app.restart()
    try app.run(.startDueWork)
    expectEqual(app.work, ["unenroll a1"], "nothing is wiped again")
    try app.run(.answerUnenrollment(.a))
    expectEqual(app.takeCallbacks(), ["unenrollRequest a1 104", "WipeDidComplete a1"])
    expectEqual(app.state.accounts[.a1].map { app.state.keepsNothing($0) }, true)
  }

  @Test("S-21 T27: an account whose data is gone, and that is still to be unenrolled, is not wiped again")
  func wipedOnce() throws {
    for origin in [WipeOrigin.service, .app, .engine] {
      var app = try Self.managed()
      try app.run(.deregisterAndUnenroll(.a, wipe: true), .answerWipe(.a, removedEverything: true))
      try expectEqual(app.run(.requestWipe(.a, .administrator, origin)), [], "\(origin)")
      #expect(app.work == ["unenroll a1"] && app.state.wipes[.a1]?.reason == .appRequest)
    }
  }

  @Test("T26: without network the policy goes at once, and makes room")
  func policyWithoutNetwork() throws {
    var app = try AccountSwitchTests.asked()
    try app.run(.answerAccountSwitch(.b, .canceled))
    try expectEqual(
      app.run(.deregisterAndUnenroll(.a, wipe: false)),
      [
        "unenrollment.requested", "policy.withdrawn", "enrollment.requested",
      ])
    try app.run(.answerUnenrollment(.a, failure: .init(.timeout)), .answerEnrollment(.b, .policy(TestApp.policy())))
    #expect(app.state.policies.records.map(\.account) == [.a2] && app.status(1) == .unenrolling)
  }

  @Test("T27: whatever instant the process dies at, the next one finishes the wipe and tells the service, each once")
  func crashes() throws {
    let steps: [(command: AppProtectionCommand, work: [String])] = [
      (.deregisterAndUnenroll(.a, wipe: true), ["askDelegateToWipe a1 appRequest"]),
      (.answerWipe(.a, removedEverything: false), ["removeFiles a1"]),
      (.reportFilesRemoved(.a, count: 1), ["unenroll a1"]), (.answerUnenrollment(.a), []),
    ]
    for crash in 0...steps.count {
      var app = try Self.managed()
      for (index, step) in steps.enumerated() {
        if index == crash { try app.restart() }
        try app.run(step.command)
        expectEqual(app.work, step.work, "crash before step \(crash), step \(index)")
      }
      expectEqual(app.status(1), .removed)
      let told = app.callbacks.filter { !$0.hasPrefix("conditionalLaunch") }
      expectEqual(told, ["wipeData a1", "unenrollRequest a1 104", "WipeDidComplete a1"])
    }
  }

  @Test("T27: a journal in which the service is told before the wipe goes on, at its answer or at the next repetition")
  func earlierOrder() throws {
    for isAnswered in [true, false] {
      var app = try Self.managed()
      app.inject(.unenrollmentRequested(UnenrollmentRequested(account: .a1, wipe: true)))
      try app.restart()
      #expect(app.work == ["unenroll a1"] && app.state.isManaged(.a1))
      if isAnswered {
        try app.run(.answerUnenrollment(.a))
      } else {
        try app.run(.answerUnenrollment(.a, failure: .init(.timeout)))
        app.now += TestApp.minute
        try app.run(.startDueWork)
      }
      expectEqual(app.work, ["askDelegateToWipe a1 appRequest"])
      try app.run(.answerWipe(.a, removedEverything: true))
      if !isAnswered { try app.run(.answerUnenrollment(.a)) }
      #expect(app.status(1) == .removed && app.work == [])
      expectEqual(app.callbacks.suffix(2), ["unenrollRequest a1 104", "WipeDidComplete a1"])
    }
    var app = try Self.managed()
    app.inject(.unenrollmentRequested(UnenrollmentRequested(account: .a1)))
    try app.run(.answerUnenrollment(.a))
    expectEqual(app.takeCallbacks(), ["PolicyDidChange a1", "unenrollRequest a1 104"])
  }

  @Test(
    "S-23 T27: a wipe that is asked for happens although the policy is gone before the data",
    arguments: ["untargeted", "gone and refused with 221", "left without a wipe and not enrolled again"])
  func wipeAfterPolicy(history: String) throws {
    var app = try Self.managed()
    switch history {
    case "untargeted": try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    case "gone and refused with 221":
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone))
      try app.run(.answerEnrollment(.a, .failure(.init(.reEnrollForUnenrolledUser))))
    default:
      try app.run(.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a))
      try app.enroll(.a, .failure(.init(.accountNotLicensed)))
    }
    expectEqual(app.state.accounts[.a1]?.mayHaveOrganizationData, true)
    try app.run(.deregisterAndUnenroll(.a, wipe: true))
    expectEqual(app.work, ["askDelegateToWipe a1 appRequest"])
    try app.run(.answerWipe(.a, removedEverything: true), .answerUnenrollment(.a))
    expectEqual(app.status(1), .removed)
    expectEqual(app.state.accounts[.a1]?.mayHaveOrganizationData, false)
    // What is wiped is not there to be wiped again.
    try app.enroll(.a, .noPolicy)
    try app.run(.deregisterAndUnenroll(.a, wipe: true), .answerUnenrollment(.a))
    expectEqual(app.work, [])
    expectEqual(app.status(1), .removed)
  }

  @Test("T29: the service is told of an account that it enrolled and lost, and not of one it never enrolled")
  func enrolledAndLost() throws {
    var app = try TestApp()
    try app.enroll(.a, .failure(.init(.accountNotLicensed)))
    try expectEqual(app.run(.deregisterAndUnenroll(.a, wipe: true)), ["account.deregistered"])
    try app.enroll(.a, .noPolicy)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone))
    try app.run(.answerEnrollment(.a, .failure(.init(.reEnrollForUnenrolledUser))))
    try expectEqual(app.run(.deregisterAndUnenroll(.a, wipe: true)), ["unenrollment.requested"])
    try expectEqual(app.run(.answerUnenrollment(.a)), ["unenrollment.succeeded"])
  }

  @Test("T30: an account that was stopped only for lack of room is enrolled when there is some")
  func roomAgain() throws {
    for wipe in [true, false] {
      var app = try AccountSwitchTests.asked()
      try app.run(.answerAccountSwitch(.b, .canceled), .deregisterAndUnenroll(.a, wipe: wipe))
      if wipe { try app.run(.answerWipe(.a, removedEverything: true)) }
      expectEqual(app.work, ["unenroll a1", "enroll a2 accountSwitch"])
    }
    var app = try AccountSwitchTests.asked()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    expectEqual(app.work, ["enroll a2 accountSwitch"], "T25 makes room too")
    try app.run(.answerEnrollment(.b, .policy(TestApp.policy())))
    expectEqual(app.state.policies.records.map(\.account), [.a2])
  }

  @Test("An unmanaged account's data is not wiped, whatever the app asks for")
  func unmanaged() throws {
    var app = try TestApp()
    try app.enroll(.a, .noPolicy)
    try app.run(.deregisterAndUnenroll(.a, wipe: true), .answerUnenrollment(.a))
    #expect(app.state.wipes.isEmpty)
    expectEqual(app.status(1), .removed)
  }

  @Test("S-24 T28: an account whose tokens are gone leaves, and its record lingers at the service")
  func lingering() throws {
    var app = try Self.managed()
    try app.run(.removeToken(.a), .deregisterAndUnenroll(.a, wipe: false))
    expectEqual(app.findings, ["S-24 a1"])
    try app.run(.answerUnenrollment(.a, failure: .init(.authRequired)))
    expectEqual(app.status(1), .removed)
    expectEqual(app.state.accounts[.a1]?.lingersAtService, true)
    expectEqual(app.state.accounts[.a1]?.tokensRemoved, true)
    expectEqual(app.takeCallbacks(), ["PolicyDidChange a1", "unenrollRequest a1 203"])
    try app.run(.registerAndEnroll(.a))
    expectEqual(app.state.accounts[.a1]?.lingersAtService, false)
  }

  @Test("S-24 T28: by the other assumption it stays until there is a token")
  func waiting() throws {
    var app = try Self.managed { $0.assumptions.unreachableUnenrollment = .waitForToken }
    try app.run(.removeToken(.a), .deregisterAndUnenroll(.a, wipe: true), .answerWipe(.a, removedEverything: true))
    try app.run(.answerUnenrollment(.a, failure: .init(.authRequired)))
    expectEqual(app.status(1), .unenrolling)
    expectEqual(app.work, [])
    try expectEqual(app.run(.acquireToken(.a)), ["token.acquired", "unenrollment.requested"])
    try app.run(.answerUnenrollment(.a))
    expectEqual(app.status(1), .removed)
  }

  @Test("An unenrollment that the network stops is repeated, and not its wipe")
  func repeated() throws {
    var app = try Self.managed()
    try app.run(.deregisterAndUnenroll(.a, wipe: true), .answerWipe(.a, removedEverything: true))
    try app.run(.answerUnenrollment(.a, failure: .init(.timeout)))
    expectEqual(app.work, [])
    app.now += TestApp.minute
    expectEqual(app.work, ["startDueWork a1"])
    try app.run(.startDueWork)
    expectEqual(app.work, ["unenroll a1"])
    try app.run(.answerUnenrollment(.a, failure: .init(.policyRecordGone)))
    expectEqual(app.status(1), .removed, "the service has nothing to end, which is what was wanted")
  }

  @Test("An unenrollment that fails otherwise is repeated every 30 minutes", arguments: RetryProfile.allCases)
  func repeatedOnSchedule(profile: RetryProfile) throws {
    var app = try Self.managed { $0.retryProfile = profile }
    try app.run(.deregisterAndUnenroll(.a, wipe: false))
    try app.run(.answerUnenrollment(.a, failure: .init(.internalError)))
    expectEqual(app.state.nextDue(after: app.moment), app.now + 30 * TestApp.minute)
    app.now += 30 * TestApp.minute
    try app.run(.startDueWork)
    expectEqual(app.work, ["unenroll a1"])
  }

  @Test("T29: an account that was never enrolled is taken from the list without a call")
  func neverEnrolled() throws {
    var app = try TestApp()
    try app.enroll(.a, .failure(.init(.accountNotLicensed)))
    try expectEqual(app.run(.deregisterAndUnenroll(.a, wipe: true)), ["account.deregistered"])
    expectEqual(app.status(1), .removed)
    app.now += 10 * TestApp.day
    expectEqual(app.work, [])
    expectEqual(app.rejection(of: .deregisterAndUnenroll(.a, wipe: false)), .notRegistered(.a1))
    expectEqual(app.rejection(of: .deregisterAndUnenroll(.b, wipe: false)), .unknownAccount)
  }

  @Test("An account that leaves can be neither registered nor remediated nor taken out twice")
  func leaving() throws {
    var app = try Self.managed()
    try app.run(.deregisterAndUnenroll(.a, wipe: true))
    for _ in 0..<2 {
      for command in [
        AppProtectionCommand.registerAndEnroll(.a), .deregisterAndUnenroll(.a, wipe: false),
        .remediateCompliance(.a, isSilent: true),
      ] {
        expectEqual(app.rejection(of: command), .leaving(.a1))
      }
      if app.status(1) == .wiping { try app.run(.answerWipe(.a, removedEverything: true)) }
    }
    try app.run(.answerUnenrollment(.a))
    try app.enroll(.a)
    expectEqual(app.status(1), .enrolledWithPolicy)
    expectEqual(app.state.policies[.a1]?.version, 1)
  }

  @Test("A wiped account keeps nothing but its number and its name")
  func nothingLeft() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.window(2), .account(.a)), .setIdentity(.thread("t"), .account(.a)))
    try app.run(.requestIdentitySwitch(.window(3), .account(.a), .openURL), .remediateCompliance(.a, isSilent: true))
    try app.run(.requestWipe(.a, .offlineInterval, .engine), .answerWipe(.a, removedEverything: true))
    #expect(app.callbacks.contains("complianceStatus a1 notCompliant"))
    expectEqual(app.state.accounts[.a1].map { app.state.keepsNothing($0) }, true)
    expectEqual(app.work, ["askRestart a1 conditionalLaunchWipe"])
  }

  @Test(
    "An unenrollment that ends in a code of no table is repeated or given up, as the assumption says",
    arguments: UnknownCodeRule.allCases)
  func unknownCode(rule: UnknownCodeRule) throws {
    var app = try Self.managed { $0.assumptions.unknownCodeRule = rule }
    try app.run(.deregisterAndUnenroll(.a, wipe: false))
    try app.run(.answerUnenrollment(.a, failure: .init(EnrollmentStatusCode(rawValue: 666))))
    switch rule {
    case .scheduled: expectEqual(app.state.nextDue(after: app.moment), app.now + 30 * TestApp.minute)
    case .never: #expect(app.status(1) == .removed && app.state.accounts[.a1]?.lingersAtService == true)
    }
    expectEqual(app.work, [])
  }
}
