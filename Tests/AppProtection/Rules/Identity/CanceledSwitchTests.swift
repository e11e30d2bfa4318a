import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("S-42: what happens to the screen when launch conditions are not met")
struct CanceledSwitchTests {
  /// a1 and a2, managed in an app of several identities; a1's policy asks for a PIN.
  static func app(_ configure: (inout AppSettings) -> Void = { _ in }) throws -> TestApp {
    var policy = TestApp.policy()
    policy.access.pinRequired = true
    policy.conditionalLaunch.deviceComplianceRequired = true
    var app = try TestApp {
      $0.multiIdentity = true
      $0.maximumManagedAccounts = 2
      configure(&$0)
    }
    try app.enroll(.a, .policy(policy))
    try app.enroll(.b)
    try app.restart()
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    app.now += TestApp.hour
    _ = app.takeCallbacks()
    return app
  }

  static let shown: [TargetIdentity] = [.unset, .unmanaged, .account(.personal), .account(.b)]

  @Test("A switch that the app asks for and the user cancels changes nothing, whatever is on the screen")
  func canceled() throws {
    for target in Self.shown {
      for scope in [IdentityScope.ui, .window(2)] {
        var app = try Self.app()
        try app.run(.setIdentity(scope, target))
        let before = app.state.identities
        try expectEqual(app.run(.setIdentity(scope, .account(.a))), ["launch.evaluated"], "the PIN is asked for")
        _ = app.takeCallbacks()
        let events = try app.run(.setIdentity(scope, .account(.a), outcome: .canceled))
        expectEqual(events, ["launch.canceled", "identity.switchRefused"], "\(target)")
        #expect(app.state.identities == before && app.takeCallbacks() == [], "\(target)")
        guard case .identitySwitchRefused(let refused) = app.history.last?.event else {
          throw ComplianceTests.Missing()
        }
        #expect(refused.result == .canceled && refused.reason == .conditionalLaunch)
      }
    }
  }

  @Test("A switch that a condition blocks is canceled and changes nothing, also one that the engine asks for")
  func blocked() throws {
    for target in Self.shown {
      var app = try Self.app()
      try app.report { $0.isJailbroken = true }
      try app.run(.setIdentity(.ui, target))
      let before = app.state.identities
      try expectEqual(app.run(.setIdentity(.ui, .account(.a))), ["launch.evaluated", "identity.switchRefused"])
      try app.run(.requestIdentitySwitch(.ui, .account(.a), .openURL))
      try expectEqual(app.run(.answerIdentitySwitch(.ui, .success)).last, "identity.switchRefused", "\(target)")
      expectEqual(app.state.identities, before, "\(target)")
      #expect(!app.work.contains { $0.hasPrefix("askIdentitySwitch") }, "\(target)")
    }
  }

  @Test("Canceling what a switch asked leaves the account's other windows alone; after a return they are asked about")
  func cancelByTrigger() throws {
    var app = try Self.app()
    try app.run(.setIdentity(.ui, .account(.a), outcome: .success))
    app.now += TestApp.hour
    try app.run(.setIdentity(.window(2), .account(.a)))
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .promptPIN)
    try expectEqual(app.run(.cancelLaunch(.a)), ["launch.canceled"])
    try app.run(.evaluateLaunch(.a, .resume))
    try expectEqual(app.run(.cancelLaunch(.a)), ["launch.canceled", "identity.switchRequested"])
    #expect(app.work.contains("askIdentitySwitch ui unmanaged cancelConditionalLaunch"))
  }

  @Test(
    "Whether data gives way that no return and no switch put in question is an assumption", arguments: [true, false])
  func assumption(leaves: Bool) throws {
    let asked = leaves ? ["identity.switchRequested"] : []
    // The window has the identity already, and the app sets it again.
    var app = try Self.app { $0.assumptions.unmetConditionsLeaveScreen = leaves }
    try app.run(.setIdentity(.ui, .account(.a), outcome: .success))
    app.now += TestApp.hour
    let path = "/settings/assumptions/unmetConditionsLeaveScreen"
    var again = app
    try expectEqual(again.run(.setIdentity(.ui, .account(.a), outcome: .canceled)), ["identity.switchRefused"] + asked)
    #expect(again.explanation.steps.contains { step in step.reads.contains { $0.path == path } })
    // The app evaluates them as at a launch.
    try app.run(.evaluateLaunch(.a, .launch))
    try expectEqual(app.run(.cancelLaunch(.a)), ["launch.canceled"] + asked)
    #expect(app.explanation.steps.contains { step in step.reads.contains { $0.path == path } })
  }
}
