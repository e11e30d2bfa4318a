import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Remediation: what no source publishes")
struct RemediationAssumptionTests {
  static func queued(_ configure: (inout Assumptions) -> Void = { _ in }) throws -> TestApp {
    var app = try TestApp {
      $0.multiIdentity = true
      configure(&$0.assumptions)
    }
    try app.run(.remediateCompliance(.a, isSilent: true), .remediateCompliance(.b, isSilent: true))
    _ = app.takeCallbacks()
    return app
  }

  @Test("A remediation that waits is in progress, unless something else is assumed")
  func inProgress() throws {
    #expect(try Self.queued().state.remediationInProgress(.a2))
    let other = try Self.queued { $0.queuedRemediationIsInProgress = false }
    #expect(other.state.remediationInProgress(.a1) && !other.state.remediationInProgress(.a2))
  }

  @Test("Remediations that wait survive a restart, unless something else is assumed; the one under way always does")
  func restart() throws {
    var app = try Self.queued()
    try app.restart()
    #expect(app.state.compliance.queue == [.a1, .a2] && app.callbacks.isEmpty)
    app = try Self.queued { $0.queuedRemediationSurvivesRestart = false }
    try app.restart()
    expectEqual(app.state.compliance.queue, [.a1])
    expectEqual(app.takeCallbacks(), ["complianceStatus a2 serviceFailure"])
  }

  @Test("S-83 S-85 S-89: the trace names a token asked for too early, a loop, and data that should be wiped")
  func findings() throws {
    var app = try TestApp { $0.firstPolicyNeedsNoRestart = true }
    try app.enroll(.a)
    for _ in 0..<3 {
      try app.run(.denyToken(.a), .remediateCompliance(.a, isSilent: true), .answerRemediation(.a, .compliant))
    }
    expectEqual(app.findings, [])
    try app.run(.denyToken(.a))
    expectEqual(app.findings, ["S-85 a1"])
    try app.run(.remediateCompliance(.a, isSilent: true), .denyToken(.a))
    expectEqual(app.findings.last, "S-83 a1")
    try app.run(.answerRemediation(.a, .notCompliant))
    expectEqual(app.findings.last, "S-89 a1")
  }

  @Test("S-24 S-30: the trace names the deregistration after the tokens went, and a code that nobody knows")
  func otherFindings() throws {
    var app = try TestApp()
    try app.enroll(.a, .failure(.init(EnrollmentStatusCode(rawValue: 228))))
    expectEqual(app.findings, ["S-30 a1 228"])
    try app.run(.loginAndEnroll(.a), .answerEnrollment(.a, .policy(TestApp.policy())), .removeToken(.a))
    try app.run(.deregisterAndUnenroll(.a, wipe: false))
    expectEqual(app.findings.last, "S-24 a1")
    try app.run(.setDeviceConfiguration([ConfigurationDeliveryTests.managed[2]]))
    expectEqual(app.findings.last, "T38")
  }

  @Test(
    "S-24: tokens that are removed after the deregistration, as the guides have it, are no finding at any repetition")
  func guidesOrder() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.deregisterAndUnenroll(.a, wipe: false), .removeToken(.a))
    for minutes in [1, 2, 4] as [Int64] {
      try app.run(.answerUnenrollment(.a, failure: .init(.enrollmentEndPointNetworkFailure)))
      app.now += minutes * TestApp.minute
      try expectEqual(app.run(.startDueWork), ["unenrollment.requested"])
    }
    expectEqual(app.findings, [])
  }

  @Test(
    "S-89: a remediation that ends because its account leaves says nothing about the account's data",
    arguments: [true, false])
  func remediationOfLeaving(wipe: Bool) throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    try app.run(.remediateCompliance(.a, isSilent: true), .deregisterAndUnenroll(.a, wipe: wipe))
    #expect(app.callbacks.contains("complianceStatus a1 notCompliant"))
    expectEqual(app.findings, [])
  }

  @Test("Every finding says what was found and what to do, and its label begins with its rule")
  func descriptions() {
    let all: [TraceFinding] = [
      .wrongEnumeration(.ui, readAs: .canceled), .threadIdentityNotRestored(thread: "t", .a1, next: .a2),
      .deregisteredAfterTokenRemoval(.a1), .unknownCode(.a1, EnrollmentStatusCode(rawValue: 228)),
      .registrationMissing(.a1), .signInNotAllowed(.a1), .prematureToken(.a1), .remediationLoop(.a1),
      .notCompliantWithData(.a1), .accountNotAdded(.a1), .sameName(.a1, existing: .a2), .deviceWithoutUser,
    ]
    for finding in all {
      #expect(finding.label.hasPrefix(finding.rule) && finding.description.count > 30)
      #expect(finding.description.contains(": "), "\(finding)")
    }
    expectEqual(Set(all.map(\.label)).count, all.count)
  }
}
