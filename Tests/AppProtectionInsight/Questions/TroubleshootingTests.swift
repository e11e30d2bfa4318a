import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

@Suite("Question: why is no policy applied?")
struct TroubleshootingTests {
  @Test(
    "The first step of the official order that fails is why no policy is applied",
    arguments: [
      (
        .failure(.init(.accountNotLicensed)), .licensed,
        "200: assign the user a license, and wait for the next attempt"
      ),
      (
        .failure(.init(.tenantMigration)), .licensed,
        "222: check the user's license, and wait for the tenant to be moved"
      ),
      (
        .noPolicy, .targeted,
        "103: assign a policy that includes this app to a group of the user, and wait for the next check-in"
      ),
      (
        .failure(.init(.licensedNotTargeted)), .targeted, "225: assign a policy to the user, and wait half an hour"
      ),
      (
        .failure(.init(.notEnrolledAccount)), .rightAccount,
        "214: pass the object id of the enrolled account, or deregister that account before this one is registered"
      ),
      (
        .failure(.init(.mdmEnrolledDifferentUser)), .rightAccount,
        "210: compare the device's user with the account: the device is enrolled by another one"
      ),
      (
        .failure(.init(.authRequired)), .checkedIn,
        "203: the service is asked when the user has signed in: ask for a token interactively"
      ),
      (
        .failure(.init(.timeout)), .checkedIn,
        "216: the service was not reached; the next check-in is due at the end of the service's interval; "
          + "the SDK has no call that forces it"
      ),
      (
        .policy(TestApp.policy()), .enforced, "the first policy waits for a restart: restart the app"
      ),
    ] as [(ServiceAnswer, TroubleshootingStep, String)])
  func codes(answer: ServiceAnswer, step: TroubleshootingStep, reason: String) throws {
    var app = try TestApp()
    try app.enroll(.a, answer)
    let cause = try #require(app.state.missingPolicyCause(for: .a1))
    expectEqual(cause, TroubleshootingResult(step: step, finding: .fails, reason: reason))
  }

  @Test("What to do about a code stands in one table")
  func advice() throws {
    for code in [
      .accountNotLicensed, .tenantMigration, .licensedNotTargeted, .notEnrolledAccount, .singleManagedAccountMode,
    ]
      as [EnrollmentStatusCode]
    {
      var app = try TestApp()
      try app.enroll(.a, .failure(.init(code)))
      let cause = try #require(app.state.missingPolicyCause(for: .a1))
      expectEqual(cause.reason, "\(code.rawValue): \(StatusAdvice.next(after: code))")
    }
  }

  @Test("A policy that is enforced protects nobody whose identity the app never sets")
  func identity() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.a)
    try app.restart()
    let cause = try #require(app.state.missingPolicyCause(for: .a1))
    #expect(cause.step == .identitySet && cause.finding == .fails)
    expectEqual(
      cause.reason, "the app never set the account's identity, so it acts unmanaged: set the identity of its windows")
    try app.run(.setIdentity(.window(1), .account(.a), outcome: .success))
    #expect(app.state.missingPolicyCause(for: .a1) == nil)
    expectEqual(app.state.troubleshooting(of: .a1).map(\.finding), TroubleshootingStep.allCases.map { _ in .holds })
  }

  @Test("What a history does not tell is open, and an account that is not registered is the first thing that fails")
  func open() throws {
    var app = try TestApp()
    let unregistered = try #require(app.state.missingPolicyCause(for: .a1))
    #expect(unregistered.step == .registered && unregistered.finding == .fails)
    try app.run(.registerAndEnroll(.a))
    let steps = app.state.troubleshooting(of: .a1)
    expectEqual(steps.map(\.step), TroubleshootingStep.allCases)
    expectEqual(steps.map(\.finding), [.holds, .open, .open, .open, .open, .fails, .open, .open])
    try app.run(.answerEnrollment(.a, .noPolicy))
    let apps = try #require(app.state.troubleshooting(of: .a1).first { $0.step == .appInPolicy })
    expectEqual(apps.finding, .open)
    expectEqual(apps.reason, "103 does not tell apart who is not targeted and which app is not: look at its apps")
  }

  @Test("An account that device management does not allow is the wrong one")
  func notAllowed() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    try app.run(.setAllowedAccounts([.b]))
    let cause = try #require(app.state.missingPolicyCause(for: .a1))
    #expect(cause.step == .rightAccount && cause.reason.contains("does not allow"))
  }
}
