import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Compliance remediation: the queue and its scenarios")
struct ComplianceTests {
  @Test("S-83: a refused token leads to a remediation; a token asked for before its end is premature")
  func tokenRefused() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    _ = app.takeCallbacks()
    try app.run(.denyToken(.a))
    expectEqual(app.state.compliance.accounts[.a1]?.status, .blocked)
    try expectEqual(
      app.run(.remediateCompliance(.a, isSilent: true)), ["remediation.requested", "remediation.started"])
    expectEqual(app.work, ["remediate a1 silent"])
    try app.run(.denyToken(.a))
    guard case .tokenDenied(let denied) = app.history.last?.event else { throw Missing() }
    #expect(denied.isPremature)
    try app.run(.answerRemediation(.a, .compliant))
    expectEqual(app.takeCallbacks(), ["complianceStatus a1 compliant"])
    expectEqual(app.state.compliance.accounts[.a1]?.status, .compliant)
    expectEqual(app.work, [])
  }

  struct Missing: Error {}

  @Test("S-85: the demand for interaction is answered once; a second one is a loop")
  func interaction() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    var loops: [Bool] = []
    for isSilent in [true, false, false] {
      try app.run(.remediateCompliance(.a, isSilent: isSilent))
      expectEqual(app.work, ["remediate a1 \(isSilent ? "silent" : "interactive")"])
      try app.run(.answerRemediation(.a, .interactionRequired))
      guard case .remediationFinished(let finished) = app.history.last?.event else { throw Missing() }
      loops.append(finished.isLoop)
    }
    expectEqual(loops, [false, true, true])
    try app.run(.remediateCompliance(.a, isSilent: false), .answerRemediation(.a, .compliant))
    expectEqual(app.state.compliance.accounts[.a1]?.interactionDemands, 0)
  }

  @Test("S-86: an account that conditional access demands and nothing targets is not compliant")
  func untargeted() throws {
    var app = try TestApp()
    try expectEqual(
      app.run(.remediateCompliance(.a, isSilent: false)),
      [
        "account.introduced", "account.registered", "remediation.requested", "enrollment.requested",
        "remediation.started",
      ])
    expectEqual(app.work, ["enroll a1 remediation"], "the enrollment comes first")
    try app.run(.answerEnrollment(.a, .noPolicy))
    expectEqual(app.work, ["remediate a1 interactive"])
    try app.run(.answerRemediation(.a, .notCompliant, message: "No policy.", title: "Not compliant"))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 103", "complianceStatus a1 notCompliant"])
  }

  @Test("A remediation's end is pending until it is told, across processes and the account's departure")
  func untold() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    try app.run(.remediateCompliance(.a, isSilent: true))
    try app.run(.answerRemediation(.a, .notCompliant, message: "No policy.", title: "Not compliant"))
    let ended = UInt64(app.history.count)
    try app.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true))
    var process = TestApp.process
    process.isExtension = true
    try app.run(.startProcess(process))
    expectEqual(app.state.pendingWork(at: app.moment), [], "an extension did not ask")
    try app.restart()
    let work = try #require(app.state.pendingWork(at: app.moment).first)
    #expect(work.description == "tellRemediation a1 notCompliant" && work.cause == ended)
    let outcome = try #require(app.state.compliance.untold.first)
    #expect(outcome.message == "No policy." && outcome.title == "Not compliant")
    expectEqual(app.state.tree()[path: "/compliance/untold/a1/message"], .value(.personal("No policy.", .account)))
    expectEqual(app.rejection(of: .confirmRemediation(.a, intent: ended + 1)), .staleAnswer(.remediationNotice, .a1))
    try expectEqual(app.run(.confirmRemediation(.a, intent: ended)), ["remediation.told"])
    expectEqual(app.state.compliance.untold, [])
    expectEqual(app.rejection(of: .confirmRemediation(.a)), .nothingAsked(.remediationNotice, .a1))
  }

  @Test("An outcome that was on its way is not taken for that of a later remediation")
  func staleOutcome() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    try app.run(.remediateCompliance(.a, isSilent: true))
    let first = try #require(app.state.pendingWork(at: app.moment).first).cause
    try app.run(.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a))
    try app.run(.remediateCompliance(.a, isSilent: false))
    expectEqual(app.rejection(of: .answerRemediation(.a, .compliant)), .notReady(.a1))
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    expectEqual(app.rejection(of: .answerRemediation(.a, .compliant, intent: first)), .staleAnswer(.remediation, .a1))
    expectEqual(app.state.compliance.accounts[.a1]?.status, .remediating)
    let second = try #require(app.state.pendingWork(at: app.moment).first { $0.description.hasPrefix("remediate") })
    try app.run(.answerRemediation(.a, .compliant, intent: second.cause))
    expectEqual(app.state.compliance.accounts[.a1]?.status, .compliant)
  }

  @Test("S-87: an account that was enrolled before becomes compliant without another restart")
  func enrolledBefore() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    _ = app.takeCallbacks()
    try app.run(.remediateCompliance(.a, isSilent: true), .answerRemediation(.a, .compliant))
    expectEqual(app.takeCallbacks(), ["complianceStatus a1 compliant"])
    #expect(app.state.process.restart == nil)
  }

  @Test("A first login during remediation waits for the restart, and is taken up after it")
  func restartInside() throws {
    var app = try TestApp()
    try app.run(.remediateCompliance(.a, isSilent: false))
    try app.run(.remediateCompliance(.b, isSilent: false))
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    expectEqual(app.work, ["enroll a2 remediation", "askRestart a1 firstPolicy"])
    try app.restart()
    expectEqual(app.state.compliance.queue, [.a1, .a2])
    expectEqual(app.work, ["remediate a1 interactive", "enroll a2 remediation"])
    try app.run(.answerRemediation(.a, .compliant))
    expectEqual(app.state.compliance.accounts[.a2]?.status, .remediating)
  }

  @Test("Remediations run one at a time in the order of the calls, also across a restart")
  func queue() throws {
    var app = try TestApp {
      $0.multiIdentity = true
      $0.maximumManagedAccounts = 3
    }
    for account in [AccountReference.a, .b, .colleague] { try app.enroll(account) }
    try app.restart()
    _ = app.takeCallbacks()
    for account in [AccountReference.b, .a, .colleague] {
      try app.run(.remediateCompliance(account, isSilent: true))
      #expect(app.state.compliance.isInProgress(try #require(app.state.account(for: account)).account))
    }
    expectEqual(app.rejection(of: .remediateCompliance(.b, isSilent: false)), .remediationInProgress(.a2))
    expectEqual(app.rejection(of: .remediateCompliance(.colleague, isSilent: false)), .remediationInProgress(.a3))
    expectEqual(app.work, ["remediate a2 silent"])
    expectEqual(app.rejection(of: .answerRemediation(.a, .compliant)), .nothingAsked(.remediation, .a1))
    try app.restart()
    try app.run(.answerRemediation(.b, .networkFailure), .answerRemediation(.a, .userCancelled))
    // An account that leaves gives up its place.
    try app.run(.remediateCompliance(.b, isSilent: true))
    try expectEqual(
      app.run(.deregisterAndUnenroll(.colleague, wipe: false)),
      [
        "unenrollment.requested", "remediation.finished", "remediation.started", "policy.withdrawn",
      ])
    try app.run(.answerRemediation(.b, .serviceFailure))
    expectEqual(
      app.takeCallbacks(),
      [
        "complianceStatus a2 networkFailure", "complianceStatus a1 userCancelled",
        "complianceStatus a3 notCompliant", "PolicyDidChange a3", "complianceStatus a2 serviceFailure",
      ])
    expectEqual(app.state.compliance.queue, [])
  }

  @Test("S-85: three refusals after compliance without a check-in between are a loop")
  func loop() throws {
    for checksIn in [false, true] {
      var app = try TestApp()
      try app.enroll(.a)
      try app.restart()
      var loops: [Bool] = []
      for round in 0..<4 {
        try app.run(.denyToken(.a))
        guard case .tokenDenied(let denied) = app.history.last?.event else { throw Missing() }
        loops.append(denied.isLoop)
        try app.run(.remediateCompliance(.a, isSilent: true), .answerRemediation(.a, .compliant))
        if checksIn && round == 1 { try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .unchanged)) }
      }
      expectEqual(loops, [false, false, false, !checksIn])
    }
  }

  @Test("S-89: an account that is not compliant and has data can be wiped on the app's demand")
  func wipeAfterNotCompliant() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.restart()
    try app.run(.remediateCompliance(.a, isSilent: true), .answerRemediation(.a, .notCompliant))
    let finished = AppProtectionEvent.catalog.entries.first { $0.name == "remediation.finished" }
    expectEqual(finished?.remedy?.contains("wipe"), true)
    try app.run(.deregisterAndUnenroll(.a, wipe: true))
    expectEqual(app.work, ["askDelegateToWipe a1 appRequest"])
  }

  @Test("Another error of the token library is noted and blocks nobody")
  func otherError() throws {
    var app = try TestApp()
    try app.run(.denyToken(.a, error: -50002))
    #expect(app.state.compliance.accounts.isEmpty)
  }
}
