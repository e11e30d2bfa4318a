import EventSourcing
import Testing

@testable import AppProtection

@Suite("Random histories of conditional launch")
struct LaunchRandomTests {
  static let versions = ["", "1.0", "1.1", "2.0", "16.4.1.a", "x"]

  @Test(
    "Whatever is reported and answered in whatever order, a decision is sound and a replay agrees", arguments: 1...24)
  func random(seed: Int) throws {
    var random = RandomSequence(seed: UInt64(seed))
    var policy = try Self.policy(&random)
    var app = try TestApp { settings in
      settings.multiIdentity = random.flag()
      settings.assumptions.launchOrder = random.pick(LaunchOrder.allCases)
      settings.assumptions.unreportedFactsPass = random.flag()
      settings.assumptions.uncertainClockStatusCountsAsOut = random.flag()
      settings.assumptions.failedCheckInEndsOfflineStay = random.flag()
      settings.assumptions.recheckRunsFromLastOpening = random.flag()
    }
    app.replaysEveryStep = false
    try app.enroll(.a, .policy(policy))
    try app.restart()
    for _ in 0..<300 {
      app.now += Int64(random.next(below: 400)) * TestApp.minute - (random.next(below: 9) == 0 ? TestApp.day : 0)
      if app.status(1) == .removed {
        policy = try Self.policy(&random)
        try app.enroll(.a, .policy(policy))
      }
      do { try app.run(try Self.command(&random, policy)) } catch is AppProtectionRejection {}
      let decision = try LaunchSituation.decision(app)
      var sorted = decision.findings
      LaunchFinding.sort(&sorted, by: app.state.settings.app.assumptions.launchOrder)
      #expect(sorted == decision.findings && Set(sorted).count == sorted.count)
      #expect(decision.outcome == decision.findings.first?.outcome ?? .allowed)
      // Whoever the user interface became meets the conditions that no answer ends.
      if case .identitySwitched(let switched)? = app.history.last?.event, switched.scope == .ui,
        switched.identity == .account(.a1), switched.origin == .app
      {
        #expect(app.state.launch.accounts[.a1]?.outcome.isPassing ?? true, "seed \(seed)")
      }
      if app.status(1) == .wiping {
        #expect(app.state.wipes[.a1]?.phase != .completed)
        if random.flag() { try app.run(.answerWipe(.a, removedEverything: true)) }
      }
    }
    try app.checkReplay()
  }

  static func policy(_ random: inout RandomSequence) throws -> PolicyDocument {
    var policy = TestApp.policy()
    for (_, outcome, set) in LaunchCheckTests.minimums where random.next(below: 3) == 0 {
      // A wipe at every turn would leave nothing to look at.
      if outcome != .wipe || random.next(below: 4) == 0 { set(&policy.conditionalLaunch, random.pick(versions)) }
    }
    let actions = [RemediationAction.block, .warn, .block, .wipe, .unrecognized]
    policy.conditionalLaunch.deviceComplianceRequired = random.flag()
    policy.conditionalLaunch.appActionIfDeviceComplianceRequired = random.pick(actions)
    policy.conditionalLaunch.appActionIfUnableToAuthenticateUser = random.pick(actions)
    policy.conditionalLaunch.appActionIfAccountIsClockedOut = random.pick(actions)
    policy.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = try PolicyDuration("PT1H")
    policy.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT12H")
    policy.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = try PolicyDuration("P9D")
    policy.conditionalLaunch.maximumAllowedDeviceThreatLevel = random.pick(DeviceThreatLevel.allCases)
    policy.conditionalLaunch.appActionIfMaximumPinRetriesExceeded = random.pick(actions)
    policy.conditionalLaunch.maximumPinRetries = random.flag() ? 2 : nil
    policy.access.pinRequired = random.flag()
    policy.access.simplePinBlocked = random.flag()
    policy.access.organizationalCredentialsRequired = random.flag()
    return policy
  }

  static func command(_ random: inout RandomSequence, _ policy: PolicyDocument) throws -> AppProtectionCommand {
    switch random.next(below: 16) {
    case 0, 1: return .evaluateLaunch(.a, random.pick(LaunchTrigger.allCases))
    case 2, 3: return .setIdentity(.ui, .account(.a), outcome: random.flag() ? nil : .success)
    case 4: return .setIdentity(.ui, .account(.a), outcome: .canceled)
    case 5: return .cancelLaunch(.a)
    case 6: return .signInForLaunch(.a, as: random.pick([.a, .a, .b]))
    case 7:
      return .setPIN(.a, PINFacts(of: random.pick(["1234", "2580", "a!4", ""])), equalTo: random.flag() ? 1 : nil)
    case 8, 9: return .reportPINAttempt(.a, isRight: random.flag(), byBiometrics: random.flag())
    case 10: return .reportUserStatus(.a, random.pick(ClockStatus.allCases), isDisabled: random.next(below: 6) == 0)
    case 11:
      var facts = DeviceFacts()
      facts.isJailbroken = random.pick([true, false, false, nil])
      facts.biometry = random.pick(Biometry.allCases)
      (facts.threatDefense, facts.threatLevel) = (.active, random.pick(ThreatLevel.allCases))
      return .reportDevice(facts)
    case 12:
      var process = TestApp.process
      (process.appVersion, process.osVersion) = (random.pick(versions), random.pick(versions))
      return .startProcess(process)
    case 13: return .requestCheckIn(.a)
    case 14: return .answerCheckIn(.a, .unchanged)
    default: return random.flag() ? .reportBiometricsChange : .answerCheckIn(.a, .failure(.init(.timeout)))
    }
  }
}
