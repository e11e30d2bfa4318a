import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("T20: a policy that changes what is on the screen")
struct PolicyChangeTests {
  /// A policy that demands that the device is not jailbroken, or nothing.
  static func policy(_ action: RemediationAction?, _ name: String = "Level 2") -> PolicyDocument {
    var policy = TestApp.policy(name)
    policy.conditionalLaunch.deviceComplianceRequired = action != nil
    policy.conditionalLaunch.appActionIfDeviceComplianceRequired = action
    return policy
  }

  /// A jailbroken device on which the account is managed by a policy.
  static func app(
    _ action: RemediationAction?, multiIdentity: Bool = false, isExtension: Bool = false
  ) throws -> TestApp {
    var app = try TestApp {
      $0.multiIdentity = multiIdentity
      $0.firstPolicyNeedsNoRestart = true
    }
    try app.enroll(.a, .policy(policy(action)))
    var facts = DeviceFacts()
    facts.isJailbroken = true
    try app.run(.reportDevice(facts))
    var process = TestApp.process
    process.isExtension = isExtension
    try app.run(.startProcess(process))
    _ = app.takeCallbacks()
    return app
  }

  static func update(_ app: inout TestApp, _ policy: PolicyDocument) throws -> [String] {
    try app.run(.requestCheckIn(.a))
    return try app.run(.answerCheckIn(.a, .policy(policy)))
  }

  @Test("T20: a policy that blocks what was allowed blocks it at once, and one that turns the block into a wipe wipes")
  func tightened() throws {
    var app = try Self.app(nil)
    try expectEqual(Self.update(&app, Self.policy(.block)), ["policy.received", "launch.evaluated"])
    #expect(app.takeCallbacks().contains("conditionalLaunch a1 block launch.jailbreak"))
    guard case .launchEvaluated(let event) = app.history.last?.event else {
      Issue.record("nothing was evaluated")
      return
    }
    expectEqual(event.trigger, .policyChange)
    let wiped = try Self.update(&app, Self.policy(.wipe))
    expectEqual(wiped, ["policy.received", "launch.evaluated", "wipe.requested"])
    #expect(app.state.wipes[.a1]?.reason == .conditionalLaunch && app.status(1) == .wiping)
  }

  @Test("A policy that lifts a block says so, and one that changes nothing about it leaves no trace")
  func loosened() throws {
    var app = try Self.app(.block)
    try expectEqual(Self.update(&app, Self.policy(.block, "Level 3")), ["policy.received"])
    _ = app.takeCallbacks()
    try expectEqual(Self.update(&app, Self.policy(nil)), ["policy.received", "launch.evaluated"])
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .allowed)
    #expect(app.takeCallbacks().contains("conditionalLaunch a1 allowed launch.met"))
  }

  @Test("What is not on the screen is looked at when it gets there, and an extension has no screen")
  func offScreen() throws {
    var app = try Self.app(nil, multiIdentity: true)
    try expectEqual(Self.update(&app, Self.policy(.block)), ["policy.received"])
    app = try Self.app(nil, multiIdentity: true)
    try app.run(.setIdentity(.window(3), .account(.a)))
    try expectEqual(Self.update(&app, Self.policy(.block)), ["policy.received", "launch.evaluated"])
    app = try Self.app(nil, multiIdentity: true)
    try app.run(.setIdentity(.thread("t"), .account(.a)))
    try expectEqual(Self.update(&app, Self.policy(.block)), ["policy.received"], "a thread shows nothing")
    app = try Self.app(nil, isExtension: true)
    try expectEqual(Self.update(&app, Self.policy(.block)), ["policy.received"])
  }

  @Test("The time since the PIN is no matter of the policy: an update alone asks for none")
  func recheck() throws {
    var app = try Self.app(nil)
    var policy = TestApp.policy()
    policy.access.pinRequired = true
    try expectEqual(Self.update(&app, policy), ["policy.received", "launch.evaluated"])
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .promptNewPIN)
    try app.run(.setPIN(.a, PINFacts(of: "2580")), .evaluateLaunch(.a, .launch))
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .allowed)
    app.now += TestApp.hour
    policy.about.displayName = "Level 3"
    try expectEqual(Self.update(&app, policy), ["policy.received"])
    expectEqual(app.state.conditionalLaunch(for: .a1, at: app.moment).outcome, .promptPIN, "the next look asks")
  }

  @Test("A first policy in a host that needs no restart is looked at, too; one that waits for a restart at the launch")
  func firstPolicy() throws {
    for isExempt in [true, false] {
      var app = try TestApp { $0.firstPolicyNeedsNoRestart = isExempt }
      var facts = DeviceFacts()
      facts.isJailbroken = true
      try app.run(.reportDevice(facts), .registerAndEnroll(.a))
      let events = try app.run(.answerEnrollment(.a, .policy(Self.policy(.block))))
      expectEqual(events.contains("launch.evaluated"), isExempt)
    }
  }
}
