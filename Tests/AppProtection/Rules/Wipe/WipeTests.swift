import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Selective wipe: the flow, its crashes, its limits")
struct WipeTests {
  static func managed(_ configure: (inout AppSettings) -> Void = { _ in }) throws -> TestApp {
    var app = try TestApp(configure)
    try app.enroll(.a)
    try app.restart()
    _ = app.takeCallbacks()
    return app
  }

  @Test("Whatever instant the process dies at, the next one resumes the wipe and finishes it once")
  func crashes() throws {
    let steps: [(command: AppProtectionCommand, work: [String])] = [
      (.requestWipe(.a, .administrator, .service), ["askDelegateToWipe a1 administrator"]),
      (.answerWipe(.a, removedEverything: false), ["removeFiles a1"]),
      (.reportFilesLeft(.a, count: 2, error: "busy"), []),
      (.reportFilesRemoved(.a, count: 1), []),
    ]
    for crash in 0...steps.count {
      var app = try Self.managed()
      for (index, step) in steps.enumerated() {
        if index == crash {
          try app.restart()
          if index == 3 { expectEqual(app.work, ["removeFiles a1"], "a launch does not wait for the pause") }
        }
        try app.run(step.command)
        expectEqual(app.work, step.work, "crash before step \(crash), step \(index)")
      }
      if crash == steps.count { try app.restart() }
      expectEqual(app.status(1), .removed)
      expectEqual(app.state.wipes[.a1]?.filesRemoved, 3)
      expectEqual(app.state.wipes[.a1]?.phase, .completed)
      expectEqual(app.callbacks.filter { $0 == "WipeDidComplete a1" }.count, 1)
      expectEqual(app.callbacks.filter { $0 == "wipeData a1" }.count, 1)
    }
  }

  @Test("Files that cannot be removed leave the wipe open, with 215 for the app")
  func filesLeft() throws {
    var app = try Self.managed()
    try app.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: false))
    _ = app.takeCallbacks()
    try app.run(.reportFilesLeft(.a, count: 7, error: "busy"))
    expectEqual(app.takeCallbacks(), ["unenrollRequest a1 215"])
    expectEqual(app.state.wipes[.a1]?.lastError, "busy")
    expectEqual(app.status(1), .wiping)
  }

  @Test("A wipe with files left is resumed after 30 minutes, when the user signs in, and at the next launch")
  func resumed() throws {
    var app = try Self.managed()
    try app.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: false))
    try app.run(.reportFilesLeft(.a, count: 7, error: "busy"))
    expectEqual(app.work, [])
    expectEqual(app.state.nextDue(after: app.moment), app.now + 30 * TestApp.minute)
    var later = app
    later.now += 30 * TestApp.minute
    expectEqual(later.work, ["removeFiles a1"])
    try later.run(.reportFilesLeft(.a, count: 1, error: "busy"))
    #expect(later.work == [] && later.state.wipes[.a1]?.nextRetry == later.now + 30 * TestApp.minute)
    try later.run(.reportFilesRemoved(.a, count: 1))
    #expect(later.state.wipes[.a1]?.nextRetry == nil && later.state.nextDue(after: later.moment) == nil)
    var signedIn = app
    try expectEqual(signedIn.run(.acquireToken(.a)), ["token.acquired"])
    expectEqual(signedIn.work, ["removeFiles a1"])
    var extended = app
    var process = TestApp.process
    process.isExtension = true
    try extended.run(.startProcess(process))
    expectEqual(extended.work, [], "an extension is no launch of the app")
    try app.restart()
    expectEqual(app.work, ["removeFiles a1"])
  }

  @Test(
    "S-21 T24: the delegate is asked also for an account that never had a policy, and the app's own wipe is refused")
  func neverManaged() throws {
    var app = try TestApp()
    try app.enroll(.a, .noPolicy)
    expectEqual(app.rejection(of: .requestWipe(.a, .appRequest, .app)), .notManaged(.a1))
    _ = app.takeCallbacks()
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .wipe(.administrator)))
    expectEqual(app.work, ["askDelegateToWipe a1 administrator"])
    #expect(app.takeCallbacks().contains("wipeData a1"))
    try app.run(.answerWipe(.a, removedEverything: true))
    expectEqual(app.status(1), .removed)
  }

  @Test("Only what was asked can be answered, in its phase")
  func answers() throws {
    var app = try Self.managed()
    expectEqual(app.rejection(of: .answerWipe(.a, removedEverything: true)), .nothingAsked(.wipe, .a1))
    try app.run(.requestWipe(.a, .administrator, .service))
    expectEqual(app.rejection(of: .reportFilesRemoved(.a, count: 1)), .nothingAsked(.fileRemoval, .a1))
    try app.run(.answerWipe(.a, removedEverything: false))
    expectEqual(app.rejection(of: .answerWipe(.a, removedEverything: true)), .nothingAsked(.wipe, .a1))
    expectEqual(app.rejection(of: .answerWipe(.b, removedEverything: true)), .unknownAccount)
  }

  @Test("The data of an account without a policy is never wiped by the app or the engine")
  func unmanaged() throws {
    for origin in [WipeOrigin.app, .engine] {
      var app = try TestApp { $0.multiIdentity = true }
      try app.enroll(.a, .noPolicy)
      expectEqual(app.rejection(of: .requestWipe(.a, .conditionalLaunch, origin)), .notManaged(.a1))
      try app.run(.setIdentity(.ui, .account(.personal)))
      expectEqual(app.rejection(of: .requestWipe(.personal, .appRequest, origin)), .notManaged(.a2))
      expectEqual(app.rejection(of: .requestWipe(.personal, .administrator, .service)), .notEnrolled(.a2))
      expectEqual(app.rejection(of: .requestWipe(.b, .appRequest, origin)), .unknownAccount)
    }
  }

  @Test("An account that left without a wipe still has its data, and is not said to be wiped")
  func leftWithData() throws {
    var app = try Self.managed()
    try app.run(.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a))
    for origin in WipeOrigin.allCases {
      expectEqual(app.rejection(of: .requestWipe(.a, .appRequest, origin)), .notRegistered(.a1))
    }
    try app.enroll(.a)
    try app.run(.requestWipe(.a, .appRequest, .app), .answerWipe(.a, removedEverything: true))
    try expectEqual(app.run(.requestWipe(.a, .appRequest, .app)), [], "S-21: wiped already")
  }

  @Test("A wipe takes one account's identities and leaves the others'")
  func onlyOneAccount() throws {
    var app = try Self.managed {
      $0.multiIdentity = true
      $0.maximumManagedAccounts = 2
    }
    try app.enroll(.b)
    try app.run(.setIdentity(.ui, .account(.a)), .setIdentity(.window(1), .account(.b)))
    try app.run(.setIdentity(.window(2), .account(.a)), .setIdentity(.thread("work"), .account(.b)))
    let other = try #require(app.state.accounts[.a2])
    try app.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true))
    expectEqual(app.state.identities.ui, .unset)
    expectEqual(app.state.identities.windows.map(\.number), [1])
    expectEqual(app.state.identities[.thread("work")], .account(.a2))
    expectEqual(app.state.accounts[.a2], other)
    #expect(app.state.isManaged(.a2))
  }

  @Test(
    "Which wipes ask for a restart is an assumption that can be switched",
    arguments: [
      (RestartAfterWipe.engineWipes, WipeOrigin.service, RestartReason?.none),
      (.engineWipes, .engine, .conditionalLaunchWipe), (.always, .service, .accountRemoved), (.never, .engine, nil),
    ])
  func restart(rule: RestartAfterWipe, origin: WipeOrigin, expected: RestartReason?) throws {
    var app = try Self.managed { $0.assumptions.restartAfterWipe = rule }
    let reason: WipeReason = origin == .engine ? .offlineInterval : .administrator
    try app.run(.requestWipe(.a, reason, origin), .answerWipe(.a, removedEverything: true))
    expectEqual(app.state.process.restart?.reason, expected)
  }

  @Test("An account that is being enrolled can be wiped by the service")
  func whileEnrolling() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(.a))
    try expectEqual(app.run(.answerEnrollment(.a, .wipe(.init(rawValue: 609)))), ["wipe.requested"])
    expectEqual(app.work, ["askDelegateToWipe a1 unknown(609)"])
    try app.run(.answerWipe(.a, removedEverything: true))
    expectEqual(app.status(1), .removed)
  }

  @Test("The identity of an account that is being wiped cannot be set")
  func identityDuringWipe() throws {
    var app = try Self.managed()
    try app.run(.requestWipe(.a, .administrator, .service))
    try expectEqual(app.run(.setIdentity(.thread("t"), .account(.a))), ["identity.switchRefused"])
  }
}
