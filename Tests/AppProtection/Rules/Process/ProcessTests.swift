import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Processes and restarts")
struct ProcessTests {
  @Test("S-25: an app that restarts itself is not asked again, and the policy waits for the next launch")
  func restartsItself() throws {
    for answer in [RestartAnswer.appRestartsItself, .dialogShown] {
      var app = try TestApp()
      try app.enroll(.a)
      try app.run(.answerRestart(answer))
      expectEqual(app.work, [])
      expectEqual(app.state.process.restart?.answer, answer)
      expectEqual(app.state.policies[.a1]?.isEnforced, false)
      try app.restart()
      #expect(app.state.process.restart == nil)
      expectEqual(app.state.policies[.a1]?.isEnforced, true)
    }
  }

  @Test("A postponed restart is due when its minutes are over")
  func postponed() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.answerRestart(.postponed, postponedMinutes: 10))
    expectEqual(app.work, [])
    expectEqual(app.state.nextDue(after: app.moment), app.now + 10 * TestApp.minute)
    app.now += 10 * TestApp.minute
    expectEqual(app.work, ["restart a1 firstPolicy"])
    expectEqual(app.state.nextDue(after: app.moment), try app.enrollment(.a1).nextCheckIn, "what comes later shows")
    app.now += TestApp.hour
    #expect(app.state.nextDue(after: app.moment) == nil, "everything is due already")
    expectEqual(app.work, ["restart a1 firstPolicy", "startDueWork a1"], "an overdue restart holds no check-in up")
    try app.run(.startDueWork)
    try app.run(.answerCheckIn(.a, .unchanged))
    expectEqual(app.state.nextDue(after: app.moment), app.now + 30 * TestApp.minute)
    try app.run(.answerRestart(.postponed, postponedMinutes: .max))
    expectEqual(app.state.process.restart?.due, app.now + TestApp.day, "a day is the longest")
    expectEqual(app.work, [])
    try app.restart()
    expectEqual(app.rejection(of: .answerRestart(.dialogShown)), .nothingAsked(.restart, nil))
  }

  @Test("S-26: a host that needs no restart applies a first policy at once")
  func noRestart() throws {
    var app = try TestApp { $0.firstPolicyNeedsNoRestart = true }
    try app.enroll(.a)
    #expect(app.state.process.restart == nil)
    #expect(app.state.enforcedPolicy(for: .account(.a1)) != nil)
  }

  @Test("A restart that only a lost policy needed is not asked for any more")
  func pointless() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    expectEqual(app.work, [])
    #expect(app.state.process.restart == nil)
  }

  @Test("T5: one restart serves every first policy, and stays while one of them waits for it")
  func sharedRestart() throws {
    var app = try TestApp {
      $0.multiIdentity = true
      $0.maximumManagedAccounts = 2
    }
    try app.enroll(.a)
    try app.enroll(.b)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    expectEqual(app.state.policies[.a2]?.isEnforced, false)
    expectEqual(app.state.process.restart?.account, .a2)
    expectEqual(app.work, ["askRestart a2 firstPolicy"])
    try app.run(.deregisterAndUnenroll(.b, wipe: false), .answerUnenrollment(.b))
    #expect(app.state.process.restart == nil)
  }

  @Test("A process says how far local time is from UTC, and a change is an event")
  func utcOffset() throws {
    var app = try TestApp()
    #expect(app.state.process.utcOffset == nil)
    var process = TestApp.process
    process.utcOffset = 3_600_000_000_000
    try app.run(.startProcess(process))
    expectEqual(app.state.process.utcOffset, process.utcOffset)
    try expectEqual(app.run(.noteUTCOffset(3_600_000_000_000)), [])
    try expectEqual(app.run(.noteUTCOffset(-18_000_000_000_000)), ["clock.offsetChanged"])
    expectEqual(app.state.process.utcOffset, -18_000_000_000_000)
    // The next process need not know it.
    try app.run(.startProcess(TestApp.process))
    #expect(app.state.process.utcOffset == nil)
  }

  @Test("A process says what it is, and counts the launches")
  func facts() throws {
    var app = try TestApp()
    var process = TestApp.process
    process.bootSession = GUID("00000000-1111-4222-8333-444444444444")
    (process.appVersion, process.sdkVersion, process.osVersion) = ("7.1", "19.3.1", "18.2")
    process.deviceModel = "iPad14,1"
    var settings = AppSettings()
    settings.multiIdentity = true
    try app.run(.startProcess(process, settings: settings))
    expectEqual(app.state.process.launch, 2)
    #expect(app.state.process.appVersion == "7.1" && app.state.process.sdkVersion == "19.3.1")
    #expect(app.state.process.osVersion == "18.2" && app.state.process.deviceModel == "iPad14,1")
    #expect(!app.state.process.isExtension && app.state.settings.app.multiIdentity)
    expectEqual(app.state.process.bootSession, process.bootSession)
    expectEqual(app.state.process.startedBy, UInt64(app.history.count))
    expectEqual(app.state.process.reducerRevision, AppProtectionMachine.revision)
    try app.run(.endProcess)
    #expect(!app.state.process.isRunning)
  }

  @Test("An answer that was on its way when its question was withdrawn is not taken for that to a later one")
  func staleAnswers() throws {
    func cause(_ app: TestApp) -> UInt64 { app.state.pendingWork(at: app.moment).first?.cause ?? 0 }
    var app = try TestApp { $0.firstPolicyNeedsNoRestart = true }
    try app.run(.registerAndEnroll(.a))
    let enrollment = cause(app)
    try app.run(.deregisterAndUnenroll(.a, wipe: false))
    let unenrollment = cause(app)
    try app.run(.answerUnenrollment(.a, intent: unenrollment), .registerAndEnroll(.a))
    let policy = ServiceAnswer.policy(TestApp.policy())
    expectEqual(app.rejection(of: .answerEnrollment(.a, policy, intent: enrollment)), .staleAnswer(.enrollment, .a1))
    try app.run(.answerEnrollment(.a, policy, intent: cause(app)), .requestCheckIn(.a))
    let checkIn = cause(app)
    expectEqual(app.rejection(of: .answerCheckIn(.a, .unchanged, intent: enrollment)), .staleAnswer(.checkIn, .a1))
    try app.run(.answerCheckIn(.a, .unchanged, intent: checkIn), .deregisterAndUnenroll(.a, wipe: true))
    expectEqual(app.rejection(of: .answerUnenrollment(.a, intent: unenrollment)), .nothingAsked(.unenrollment, .a1))
    let wipe = cause(app)
    expectEqual(app.rejection(of: .answerWipe(.a, removedEverything: true, intent: wipe - 1)), .staleAnswer(.wipe, .a1))
    try app.run(.answerWipe(.a, removedEverything: false, intent: wipe))
    expectEqual(app.rejection(of: .reportFilesRemoved(.a, count: 1, intent: 1)), .staleAnswer(.fileRemoval, .a1))
    expectEqual(
      app.rejection(of: .reportFilesLeft(.a, count: 1, error: "e", intent: 1)), .staleAnswer(.fileRemoval, .a1))
    try app.run(.reportFilesRemoved(.a, count: 1, intent: wipe))
    expectEqual(app.rejection(of: .answerUnenrollment(.a, intent: unenrollment)), .staleAnswer(.unenrollment, .a1))
    try app.run(.answerUnenrollment(.a, intent: cause(app)))
    expectEqual(app.status(1), .removed)
  }

  @Test(
    "T5 T23 T25: a policy that comes back to the process that enforced it is enforced at once",
    arguments: [true, false])
  func policyComesBack(gone: Bool) throws {
    for scope in FirstPolicyScope.allCases {
      var app = try TestApp { $0.assumptions.firstPolicyScope = scope }
      try app.enroll(.a)
      try app.restart()
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, gone ? .gone : .noPolicy))
      #expect(app.state.policies[.a1] == nil)
      if gone {
        try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
      } else {
        try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(TestApp.policy())))
      }
      expectEqual(app.state.policies[.a1]?.isEnforced, true)
      #expect(app.state.process.restart == nil)
    }
  }

  @Test(
    "T5: whether a second account's policy is a first one is an assumption that can be switched",
    arguments: FirstPolicyScope.allCases)
  func secondAccount(scope: FirstPolicyScope) throws {
    var app = try TestApp {
      $0.multiIdentity = true
      $0.maximumManagedAccounts = 2
      $0.assumptions.firstPolicyScope = scope
    }
    try app.enroll(.a)
    try app.restart()
    expectEqual(app.state.process.enforcedAccounts, [.a1])
    try app.enroll(.b)
    expectEqual(app.state.policies[.a2]?.isEnforced, scope == .process)
    expectEqual(app.state.process.restart?.account, scope == .process ? nil : .a2)
    expectEqual(app.state.process.enforcedAccounts, scope == .process ? [.a1, .a2] : [.a1])
  }

  @Test("Unanswered requests to the service survive a crash, with the event that announced them")
  func survivingRequests() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.run(.registerAndEnroll(.a))
    let request = app.history.count
    try app.restart()
    expectEqual(app.work, ["enroll a1 registration"])
    expectEqual(app.state.pendingWork(at: app.moment).map(\.cause), [UInt64(request)])
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    try app.restart()
    try app.run(.requestCheckIn(.a))
    try app.restart()
    expectEqual(app.work, ["checkIn a1"])
  }

  @Test("A request that the next process repeats counts as an attempt")
  func repeatedAttempt() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(.a))
    let first = try #require(try app.enrollment(.a1).lastAttemptedCheckIn)
    app.now += TestApp.hour
    try app.restart()
    expectEqual(app.work, ["enroll a1 registration"])
    #expect(try app.enrollment(.a1).lastAttemptedCheckIn == app.now && app.now > first)
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    try app.restart()
    try app.run(.requestCheckIn(.a))
    app.now += TestApp.hour
    try app.restart()
    try expectEqual(app.enrollment(.a1).lastAttemptedCheckIn, app.now)
    try app.run(.answerCheckIn(.a, .unchanged))
    app.now += TestApp.hour
    let attempt = try app.enrollment(.a1).lastAttemptedCheckIn
    try app.restart()
    try expectEqual(app.enrollment(.a1).lastAttemptedCheckIn, attempt, "nothing was asked")
  }

  @Test("T5 T17 T18: an app that enrolls at launch and requires a policy applies the first one without a restart")
  func launchEnrollment() throws {
    for (enrolls, requires, assumes) in [
      (true, true, true), (true, false, true), (false, true, true), (true, true, false),
    ] {
      var app = try TestApp {
        $0.autoEnrollOnLaunch = enrolls
        $0.policyRequired = requires
        $0.assumptions.launchEnrollmentNeedsNoRestart = assumes
      }
      expectEqual(app.state.launchGate, requires ? .blocked : .open)
      try app.enroll(.a)
      let isExempt = enrolls && requires && assumes
      #expect((app.state.process.restart == nil) == isExempt)
      expectEqual(app.state.policies[.a1]?.isEnforced, isExempt)
      expectEqual(
        app.state.launchGate, requires && !isExempt ? .blocked : .open, "an unenforced policy opens nothing")
      try app.restart()
      expectEqual(app.state.launchGate, .open)
    }
  }

  @Test("Pending work stands in the order in which it was announced")
  func order() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.run(.registerAndEnroll(.b), .registerAndEnroll(.a), .loginAndEnroll(nil))
    try app.run(.requestIdentitySwitch(.ui, .unmanaged, .openURL))
    expectEqual(
      app.work,
      [
        "enroll a1 registration", "enroll a2 registration", "askLogin", "askIdentitySwitch ui unmanaged openURL",
      ])
    try app.run(.answerEnrollment(.b, .policy(TestApp.policy())), .requestCheckIn(.b))
    expectEqual(
      app.work,
      [
        "enroll a2 registration", "askLogin", "askIdentitySwitch ui unmanaged openURL", "askRestart a1 firstPolicy",
        "checkIn a1",
      ])
  }
}
