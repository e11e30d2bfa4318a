import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Conditional launch: when it runs and what follows")
struct LaunchFlowTests {
  @Test("S-32 S-82: an identity of the user interface runs it, one of a thread or the process does not")
  func triggers() throws {
    for scope in [IdentityScope.ui, .window(3), .process, .thread("worker"), .thread("main")] {
      var app = try LaunchSituation.managed { $0.conditionalLaunch.deviceComplianceRequired = true }
      try app.report { $0.isJailbroken = true }
      let isUI = scope.level == .ui || scope.level == .window
      try expectEqual(
        app.run(.setIdentity(scope, .account(.a))),
        isUI
          ? ["launch.evaluated", "identity.switchRefused"] : ["identity.switched"])
      expectEqual(app.state.identities[scope], isUI ? .unset : .account(.a1))
    }
    var app = try LaunchSituation.managed { $0.conditionalLaunch.deviceComplianceRequired = true }
    try app.report { $0.isJailbroken = true }
    try expectEqual(app.run(.setIdentity(.ui, .account(.personal))).last, "identity.switched", "an unmanaged identity")
    try expectEqual(app.run(.setIdentity(.ui, .unmanaged)), ["identity.switched"])
    try app.restart()
    expectEqual(app.history.last?.event.name, "process.started", "S-32: nothing is set at launch")
  }

  @Test("A launch of an app of one identity runs the managed account's conditions")
  func launch() throws {
    var app = try LaunchSituation.managed(settings: { _ in }) { $0.conditionalLaunch.minimumRequiredAppVersion = "2" }
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .block)
    guard case .launchEvaluated(let event)? = app.history.last?.event else { throw ComplianceTests.Missing() }
    #expect(event.trigger == .launch && event.findings.map(\.description) == ["launch.appVersion block"])
    try LaunchSituation.restart(&app) { $0.appVersion = "2" }
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .allowed)
    try LaunchSituation.restart(&app) { process in
      process.isExtension = true
      process.appVersion = "1"
    }
    #expect(!app.history.suffix(2).map(\.event.name).contains("launch.evaluated"), "an extension is no launch")
  }

  @Test("A finding has the setting and the fact that were compared, and the wipe that it orders knows its evaluation")
  func conditions() throws {
    var app = try LaunchSituation.managed { $0.conditionalLaunch.minimumWipeAppVersion = "2" }
    try expectEqual(app.run(.evaluateLaunch(.a, .launch)), ["launch.evaluated", "wipe.requested"])
    let events = Array(app.history.suffix(2))
    guard case .launchEvaluated(let evaluation)? = events.first?.event, let wipe = events.last?.event else {
      throw ComplianceTests.Missing()
    }
    let condition = try #require(app.state.conditions(of: evaluation).first)
    #expect(condition.finding.rule == .appVersion && condition.finding.outcome == .wipe)
    expectEqual(condition.settings, [.init("/policies/a1/minimumWipeAppVersion", .text("2"))])
    expectEqual(condition.facts.map(\.path), ["/process/appVersion"])
    let evaluatedBy = try #require(app.state.launch.accounts[.a1]?.evaluatedBy)
    expectEqual(
      AppProtectionMachine.evaluation(ordering: wipe, at: evaluatedBy + 1, before: app.state), nil,
      "the envelope names it")
    var earlier = app.state
    earlier.process.reducerRevision = 3
    let order = AppProtectionMachine.evaluation(ordering: wipe, at: evaluatedBy + 1, before: earlier)
    #expect(order == evaluatedBy && evaluatedBy > 0)
    let ordered = AppProtectionEvent.wipeRequested(WipeRequested(account: .a1, reason: .administrator))
    #expect(AppProtectionMachine.evaluation(ordering: ordered, at: 99, before: earlier) == nil)
    let retry = AppProtectionEvent.checkInRequested(CheckInRequested(account: .a1, trigger: .retry))
    expectEqual(
      AppProtectionMachine.evaluation(ordering: retry, at: evaluatedBy + 1, before: earlier), nil,
      "a retry of the schedule that happens to follow")
  }

  @Test("A condition shows what its evaluation recorded, whatever holds now; one without a record is worked out anew")
  func recordedConditions() throws {
    var app = try LaunchSituation.managed {
      $0.conditionalLaunch.minimumRequiredAppVersion = "2"
      $0.conditionalLaunch.deviceComplianceRequired = true
    }
    try app.report { $0.isJailbroken = true }
    try app.run(.evaluateLaunch(.a, .launch))
    guard case .launchEvaluated(var evaluation)? = app.history.last?.event else { throw ComplianceTests.Missing() }
    func facts(_ rule: LaunchRule) -> [Explanation.Read]? {
      app.state.conditions(of: evaluation).first { $0.finding.rule == rule }?.facts
    }
    let recorded = app.state.conditions(of: evaluation)
    expectEqual(recorded.count, 2)
    expectEqual(facts(.jailbreak), [.init("/launch/device/isJailbroken", .bool(true))])
    expectEqual(facts(.appVersion), [.init("/process/appVersion", .text(app.state.process.appVersion))])
    try LaunchSituation.restart(&app) { $0.appVersion = "3" }
    try app.report { $0.isJailbroken = false }
    expectEqual(app.state.conditions(of: evaluation), recorded)
    evaluation.findings = evaluation.findings.map { LaunchFinding($0.rule, $0.outcome) }
    expectEqual(facts(.appVersion), [.init("/process/appVersion", .text("3"))])
  }

  @Test("What the app finds out about the device before its launch counts for the launch")
  func deviceAtLaunch() throws {
    var app = try LaunchSituation.managed(settings: { _ in }) { $0.conditionalLaunch.deviceComplianceRequired = true }
    try LaunchSituation.restart(&app) { process in
      process.device = DeviceFacts()
      process.device?.isJailbroken = true
    }
    expectEqual(
      app.history.suffix(4).map(\.event.name),
      [
        "process.started", "device.reported", "identity.switched", "launch.evaluated",
      ])
    expectEqual(app.state.launch.accounts[.a1]?.rule, .jailbreak)
    try expectEqual(app.run(.reportDevice(app.state.launch.device)), [], "nothing new")
  }

  @Test("Coming back to the front runs it after the recheck period, or while the app is closed")
  func resume() throws {
    var app = try LaunchSituation.managed {
      $0.access.organizationalCredentialsRequired = true
      $0.access.periodOnlineBeforeAccessCheck = try PolicyDuration("PT30M")
    }
    try expectEqual(app.run(.evaluateLaunch(.a, .resume)), ["launch.evaluated"])
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .promptSignIn)
    try app.run(.signInForLaunch(.a, as: .a))
    try expectEqual(app.run(.evaluateLaunch(.a, .resume)), ["launch.evaluated"])
    let opened = app.now
    app.now = opened + 30 * TestApp.minute - 1_000_000_001
    try expectEqual(app.run(.evaluateLaunch(.a, .resume)), [])
    expectEqual(app.explanation.steps.last?.rule, "launch.resume")
    try expectEqual(app.run(.evaluateLaunch(.a, .resume)), ["launch.evaluated"])
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .promptSignIn)
  }

  @Test("S-42: a PIN is asked before the identity is set; who cancels keeps the one before")
  func cancel() throws {
    for multiIdentity in [true, false] {
      var app = try LaunchSituation.managed(settings: { $0.multiIdentity = multiIdentity }) {
        $0.access.pinRequired = true
      }
      try app.run(.setPIN(.a, PINFacts(of: "2580")))
      app.now += TestApp.hour
      try expectEqual(app.run(.setIdentity(.ui, .account(.a))), ["launch.evaluated"])
      #expect(app.state.identities.ui == .unset && app.state.launch.accounts[.a1]?.outcome == .promptPIN)
      expectEqual(app.work, ["startDueWork a1"], "the app shows the prompt; a check-in is due anyway")
      var canceled = app
      try expectEqual(
        canceled.run(.setIdentity(.ui, .account(.a), outcome: .canceled)),
        ["launch.canceled", "identity.switchRefused"])
      #expect(canceled.state.identities.ui == .unset && canceled.work == app.work)
      expectEqual(canceled.state.launch.accounts[.a1]?.outcome, .promptPIN, "the app stays closed")
      var answered = app
      try answered.run(.reportPINAttempt(.a, isRight: true))
      try expectEqual(answered.run(.setIdentity(.ui, .account(.a))), ["launch.evaluated", "identity.switched"])
      try expectEqual(app.run(.setIdentity(.ui, .account(.a), outcome: .success)).last, "identity.switched")
    }
  }

  @Test("Who cancels while the app is open for the account is offered the way out of every window that is its own")
  func cancelWhileOpen() throws {
    var app = try LaunchSituation.managed { $0.access.organizationalCredentialsRequired = true }
    try app.run(
      .setIdentity(.ui, .account(.a), outcome: .success), .setIdentity(.window(2), .account(.a), outcome: .success))
    expectEqual(app.rejection(of: .cancelLaunch(.a)), .nothingAsked(.launchCondition, .a1))
    app.now += TestApp.day
    try app.run(.evaluateLaunch(.a, .resume))
    try expectEqual(
      app.run(.cancelLaunch(.a)), ["launch.canceled", "identity.switchRequested", "identity.switchRequested"])
    try expectEqual(app.run(.cancelLaunch(.a)), ["launch.canceled"], "asked already")
  }

  @Test("A delegate that switches to a blocked account does not open it")
  func delegateSwitch() throws {
    var app = try LaunchSituation.managed { $0.conditionalLaunch.deviceComplianceRequired = true }
    try app.report { $0.isJailbroken = true }
    try app.run(.requestIdentitySwitch(.ui, .account(.a), .openURL))
    try expectEqual(
      app.run(.answerIdentitySwitch(.ui, .success)),
      ["identity.switchAnswered", "launch.evaluated", "identity.switchRefused"])
    expectEqual(app.state.identities.ui, .unset)
  }

  @Test("T33: a condition whose action is to wipe removes the account and asks for a restart")
  func wipe() throws {
    var app = try LaunchSituation.managed(settings: { _ in }) {
      $0.conditionalLaunch.deviceComplianceRequired = true
      $0.conditionalLaunch.appActionIfDeviceComplianceRequired = .wipe
    }
    try app.report { $0.isJailbroken = true }
    try app.restart()
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .wipe)
    expectEqual(app.work, ["askDelegateToWipe a1 conditionalLaunch"])
    try expectEqual(LaunchSituation.decision(app).rule, .pendingWipe)
    try expectEqual(app.run(.evaluateLaunch(.a, .launch)), ["launch.evaluated"], "ordered once")
    _ = app.takeCallbacks()
    try app.run(.answerWipe(.a, removedEverything: true))
    expectEqual(app.takeCallbacks(), ["unenrollRequest a1 104", "WipeDidComplete a1", "restartApplication"])
    #expect(app.status(1) == .removed && app.state.launch.accounts.isEmpty)
  }

  /// a1, 91 days out of touch with 90 days before the wipe.
  static func lapsed(_ configure: (inout AppSettings) -> Void = { _ in }) throws -> TestApp {
    var app = try LaunchSituation.managed(settings: {
      $0.multiIdentity = true
      configure(&$0)
    }) {
      $0.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT12H")
      $0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = try PolicyDuration("P90D")
    }
    app.now += 91 * TestApp.day
    try expectEqual(app.run(.evaluateLaunch(.a, .launch)), ["launch.evaluated"])
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .signInOrWipe)
    return app
  }

  @Test("S-20 T31: who signs in and checks in keeps the data, and the interval begins anew")
  func confirmed() throws {
    var app = try Self.lapsed()
    try expectEqual(app.run(.signInForLaunch(.a, as: .a)), ["launch.signedIn", "checkIn.requested"])
    try app.run(.answerCheckIn(.a, .unchanged))
    #expect(app.state.wipes.isEmpty)
    try expectEqual(LaunchSituation.outcome(app), .allowed)
    expectEqual(app.rejection(of: .cancelLaunch(.a)), .nothingAsked(.launchCondition, .a1))
    app.now += 12 * TestApp.hour
    try expectEqual(LaunchSituation.outcome(app), .block)
  }

  @Test("S-20 T32: who refuses loses the data, with reason 608, whichever way the refusal takes")
  func refused() throws {
    for command in [
      AppProtectionCommand.cancelLaunch(.a), .setIdentity(.ui, .account(.a), outcome: .canceled),
    ] {
      var app = try Self.lapsed()
      try expectEqual(app.run(command).prefix(2), ["launch.canceled", "wipe.requested"])
      expectEqual(app.state.wipes[.a1]?.reason, .offlineInterval)
      expectEqual(app.state.wipes[.a1]?.reason.rawValue, 608)
    }
  }

  @Test(
    "T32: a check-in that fails after the sign-in wipes, unless the assumption says otherwise",
    arguments: [true, false])
  func failed(assumes: Bool) throws {
    var app = try Self.lapsed { $0.assumptions.failedCheckInEndsOfflineStay = assumes }
    let background = try app.run(.requestCheckIn(.a), of: .answerCheckIn(.a, .failure(.init(.timeout))))
    expectEqual(background, ["checkIn.failed"], "nobody was asked yet")
    try app.run(.signInForLaunch(.a, as: .a))
    try expectEqual(
      app.run(.answerCheckIn(.a, .failure(.init(.timeout)))), ["checkIn.failed"] + (assumes ? ["wipe.requested"] : []))
    if assumes { expectEqual(app.state.wipes[.a1]?.reason, .offlineInterval) }
  }

  @Test("A dialog offers to remove the account in apps of several identities")
  func removal() throws {
    for multiIdentity in [true, false] {
      var app = try LaunchSituation.managed(settings: { $0.multiIdentity = multiIdentity }) {
        $0.conditionalLaunch.minimumRequiredOsVersion = "17"
        $0.conditionalLaunch.maximumRequiredOsVersion = "18"
      }
      #expect(try !LaunchSituation.decision(app).offersRemoval)
      try LaunchSituation.restart(&app) { $0.osVersion = "19" }
      let decision = try LaunchSituation.decision(app)
      #expect(decision.offersRemoval == multiIdentity && decision.dialog == .osOutsideRange)
    }
  }

  @Test("A PIN, working time that is not known and a wipe under way have dialogs of their own")
  func dialogs() throws {
    var app = try PINTests.managed { $0.access.periodBeforePinReset = try PolicyDuration("P1D") }
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    app.now += TestApp.hour
    try expectEqual(LaunchSituation.decision(app).dialog, .pinRequired)
    try app.report { $0.biometry = .face }
    try expectEqual(LaunchSituation.decision(app).dialog, .biometricsRequired)
    var stricter = TestApp.policy()
    (stricter.access.pinRequired, stricter.access.minimumPinLength) = (true, 6)
    var weak = app
    try weak.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(stricter)))
    try expectEqual(LaunchSituation.decision(weak).dialog, .pinTooWeak)
    app.now += TestApp.day
    try expectEqual(LaunchSituation.decision(app).dialog, .pinExpired)
    try app.run(.requestWipe(.a, .administrator, .service))
    try expectEqual(LaunchSituation.decision(app).dialog, .dataRemoval)
    var clock = try LaunchSituation.managed {
      $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = try PolicyDuration("PT0S")
      $0.conditionalLaunch.appActionIfAccountIsClockedOut = .block
    }
    try clock.run(.reportUserStatus(.a, .unknown, isDisabled: false))
    try expectEqual(LaunchSituation.decision(clock).dialog, .clockStatusUncertain)
  }

  @Test("An account of which nothing is demanded leaves no trace")
  func silence() throws {
    var app = try LaunchSituation.managed { _ in }
    try expectEqual(app.run(.evaluateLaunch(.a, .launch)), [])
    try expectEqual(app.run(.setIdentity(.ui, .account(.a))), ["identity.switched"])
    try app.enroll(.b, .noPolicy)
    try expectEqual(app.run(.evaluateLaunch(.b, .launch)), [])
    expectEqual(app.rejection(of: .evaluateLaunch(.personal, .launch)), .unknownAccount)
  }

  @Test("The user status is told to the app once")
  func userStatus() throws {
    var app = try LaunchSituation.managed { _ in }
    try expectEqual(app.run(.reportUserStatus(.a, .clockedOut, isDisabled: false)), ["userStatus.received"])
    expectEqual(app.takeCallbacks(), ["UserStatusDidChange a1"])
    try expectEqual(app.run(.reportUserStatus(.a, .clockedOut, isDisabled: false)), [])
    let since = app.state.launch.accounts[.a1]?.offWorkSince
    app.now += TestApp.hour
    try app.run(.reportUserStatus(.a, .clockedOutStale, isDisabled: false))
    expectEqual(app.state.launch.accounts[.a1]?.offWorkSince, since, "still not at work")
    _ = app.takeCallbacks()
    try expectEqual(app.run(.reportUserStatus(.a, .clockedOutStale, isDisabled: true)).first, "userStatus.received")
    expectEqual(app.takeCallbacks(), ["UserStatusDidChange a1"])
    expectEqual(app.state.launch.accounts[.a1]?.isDisabled, true)
  }

  @Test("A user status that comes when the account has left is refused, and does not wipe its next stay")
  func lateUserStatus() throws {
    var policy = TestApp.policy()
    policy.conditionalLaunch.appActionIfUnableToAuthenticateUser = .wipe
    var app = try LaunchSituation.managed { $0 = policy }
    try app.run(.requestWipe(.a, .unspecified, .service), .answerWipe(.a, removedEverything: true))
    expectEqual(app.rejection(of: .reportUserStatus(.a, .clockedOut, isDisabled: true)), .notRegistered(.a1))
    #expect(app.state.launch.accounts[.a1] == nil)
    try app.enroll(.a, .policy(policy))
    try app.restart()
    try expectEqual(app.run(.evaluateLaunch(.a, .launch)), [])
    #expect(app.state.isManaged(.a1))
  }

  @Test("A delegate that switches does not answer what a launch condition asks of the user")
  func delegateAnswersNoPrompt() throws {
    var app = try LaunchSituation.managed { $0.access.pinRequired = true }
    try app.run(.requestIdentitySwitch(.ui, .account(.a), .openURL))
    try expectEqual(app.run(.answerIdentitySwitch(.ui, .success)), ["identity.switchAnswered", "launch.evaluated"])
    #expect(app.state.identities.ui == .unset && app.state.identities.requests.isEmpty)
    expectEqual(app.state.launch.accounts[.a1]?.outcome, .promptNewPIN)
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    try expectEqual(app.run(.setIdentity(.ui, .account(.a))).last, "identity.switched")
  }
}

extension TestApp {
  /// Runs two commands and gives the events of the second.
  fileprivate mutating func run(
    _ first: AppProtectionCommand, of second: AppProtectionCommand
  ) throws -> [String] {
    try run(first)
    return try run(second)
  }
}
