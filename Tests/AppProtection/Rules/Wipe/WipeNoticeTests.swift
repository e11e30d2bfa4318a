import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("What the user is told about a wipe")
struct WipeNoticeTests {
  @Test("A notice has one of four wordings and the number of its reason")
  func wordings() throws {
    let cases: [(WipeReason, WipeOrigin, WipeNotice.Wording, UInt32)] = [
      (.administrator, .service, .wiped, 1), (.appRequest, .app, .wiped, 607),
      (.offlineInterval, .engine, .wipedWithRestart, 608), (.offlineInterval, .app, .wipedForReason, 608),
      (.conditionalLaunch, .app, .wipedForReason, 2), (WipeReason(rawValue: 611), .service, .wiped, 611),
    ]
    for (reason, origin, wording, number) in cases {
      var app = try TestApp()
      try app.enroll(.a)
      try app.restart()
      #expect(app.state.wipeNotice(for: .a1) == nil)
      try app.run(.requestWipe(.a, reason, origin))
      expectEqual(app.state.wipeNotice(for: .a1), WipeNotice(wording: .wipedAtNextLaunch, reason: number))
      try app.run(.answerWipe(.a, removedEverything: true))
      expectEqual(app.state.wipeNotice(for: .a1), WipeNotice(wording: wording, reason: number), "\(reason) \(origin)")
    }
  }

  @Test("T33: a wipe by a launch condition deregisters the account and asks for a restart")
  func launchCondition() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    _ = app.takeCallbacks()
    try app.run(.requestWipe(.a, .conditionalLaunch, .engine), .answerWipe(.a, removedEverything: false))
    try expectEqual(app.run(.reportFilesRemoved(.a, count: 4)).suffix(2), ["wipe.completed", "restart.required"])
    #expect(app.status(1) == .removed && app.state.process.restart?.reason == .conditionalLaunchWipe)
    expectEqual(
      app.takeCallbacks(), ["wipeData a1", "unenrollRequest a1 104", "WipeDidComplete a1", "restartApplication"])
  }

  @Test("The number of a cause without a published one is this project's, or none, as assumed")
  func unpublished() throws {
    for (reason, shown) in [(WipeReason.administrator, UInt32(0)), (.offlineInterval, 608)] {
      var app = try TestApp { $0.assumptions.unpublishedWipeReason = .unspecified }
      try app.enroll(.a)
      try app.run(.requestWipe(.a, reason, .service))
      expectEqual(app.state.wipeNotice(for: .a1)?.reason, shown)
      expectEqual(app.state.wipes[.a1]?.reason, reason, "the journal keeps the cause")
    }
  }
}
