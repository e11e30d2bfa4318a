import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("What an order follows from")
struct CauseTests {
  /// The events of a command, with the name of the event of the same decision that led to each.
  static func causes(_ app: TestApp, _ command: AppProtectionCommand) throws -> [String] {
    var explanation = Explanation()
    let events = try AppProtectionMachine.decide(
      command, in: app.state, at: app.next, explanation: &explanation
    ).events
    return events.indices.map { index in
      let cause = AppProtectionMachine.cause(of: index, among: events)
      return "\(events[index].name) < \(cause.map { events[$0].name } ?? "-")"
    }
  }

  @Test("A wipe and a check-in follow from the evaluation, the refusal or the failure that demands them")
  func orders() throws {
    var jailbroken = try LaunchSituation.managed {
      $0.conditionalLaunch.deviceComplianceRequired = true
      $0.conditionalLaunch.appActionIfDeviceComplianceRequired = .wipe
    }
    try jailbroken.report { $0.isJailbroken = true }
    try expectEqual(
      Self.causes(jailbroken, .evaluateLaunch(.a, .launch)),
      [
        "launch.evaluated < -", "wipe.requested < launch.evaluated",
      ])
    var lapsed = try LaunchFlowTests.lapsed()
    try expectEqual(
      Self.causes(lapsed, .cancelLaunch(.a)).prefix(2),
      [
        "launch.canceled < -", "wipe.requested < launch.canceled",
      ])
    try expectEqual(
      Self.causes(lapsed, .signInForLaunch(.a, as: .a)),
      [
        "launch.signedIn < -", "checkIn.requested < launch.signedIn",
      ])
    try lapsed.run(.signInForLaunch(.a, as: .a))
    try expectEqual(
      Self.causes(lapsed, .answerCheckIn(.a, .failure(.init(.timeout)))),
      [
        "checkIn.failed < -", "wipe.requested < checkIn.failed",
      ])
    let outOfTouch = try SilentCheckInTests.outOfTouch()
    try expectEqual(
      Self.causes(outOfTouch, .evaluateLaunch(.a, .launch)),
      [
        "launch.evaluated < -", "checkIn.requested < launch.evaluated",
      ])
  }

  @Test("A wipe that the app or the service orders follows from the command alone")
  func others() throws {
    var app = try LaunchSituation.managed { _ in }
    try expectEqual(Self.causes(app, .requestWipe(.a, .appRequest, .app)), ["wipe.requested < -"])
    try app.run(.requestCheckIn(.a))
    try expectEqual(Self.causes(app, .answerCheckIn(.a, .wipe())), ["wipe.requested < -"])
  }
}
