import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Random histories")
struct RandomHistoryTests {
  static let accounts: [AccountReference] = [
    .a, .b, .colleague, .personal, AccountReference(userPrincipalName: "d@x.y"),
  ]
  static let codes: [UInt32] = EnrollmentStatusCode.table.map(\.code.rawValue) + [105, 228, 302]

  static let configurations: [[ConfigurationEntry]] = [
    [], [ConfigurationEntry([ConfigurationValue("k", "v")], isDefault: true)],
    [ConfigurationEntry([ConfigurationValue("k", "v")]), ConfigurationEntry([ConfigurationValue("k", true)])],
  ]
  static let deviceConfigurations: [[ConfigurationValue]?] = [
    nil, nil, [], [ConfigurationValue("IntuneMAMDeviceID", "0b0b0b0b-0000-4000-8000-00000000000b")],
    [
      ConfigurationValue("IntuneMAMUPN", "a@contoso.com"),
      ConfigurationValue("IntuneMAMAllowedAccountsOnly", "Enabled"),
    ],
    [ConfigurationValue("intunemamupn", "{{userprincipalname}}")],
  ]

  @Test(
    "Whatever anybody does in whatever order, the invariants hold and pending work comes to an end", arguments: 1...24)
  func random(seed: Int) throws {
    var random = RandomSequence(seed: UInt64(seed))
    var app = try TestApp { settings in
      settings.multiIdentity = random.flag()
      settings.maximumManagedAccounts = UInt32(1 + random.next(below: 4) / 3)
      settings.firstPolicyNeedsNoRestart = random.flag()
      settings.autoEnrollOnLaunch = random.flag()
      settings.policyRequired = random.flag()
      for field in Assumptions.descriptor.fields {
        let members: [UInt64] =
          if case .enumeration(let choices) = field.type { choices.members.map(\.number) } else { [0, 1] }
        if random.flag() { _ = settings.assumptions.set(field.number, to: random.pick(members)) }
      }
    }
    app.replaysEveryStep = false
    var refused = 0
    for step in 0..<400 {
      let command = random.flag() ? Self.command(&random) : Self.answer(&random, app.state, at: app.moment)
      do {
        try app.run(command)
        try Self.checkFailure(command, app)
      } catch let rejection as AppProtectionRejection {
        refused += 1
        #expect(!rejection.description.isEmpty && !rejection.rule.isEmpty)
        let last = try #require(app.explanation.steps.last { $0.decides })
        #expect(last.rule == rejection.rule && !last.holds, "the explanation ends with the rule that refused")
      }
      try #require(app.state.violations == [], "seed \(seed), step \(step): \(command)")
      app.now += Int64(random.next(below: 1000)) * (random.next(below: 20) == 0 ? RetrySchedule.hour : 1)
    }
    #expect(refused < 350, "seed \(seed): most commands must do something")
    try app.checkReplay()
    try Self.finish(&app, seed)
  }

  /// Whatever the service fails with, nothing about the account is due at that very moment: nobody asks without pause.
  static func checkFailure(_ command: AppProtectionCommand, _ app: TestApp) throws {
    switch command {
    case .answerEnrollment(let reference, .failure, _), .answerCheckIn(let reference, .failure, _),
      .answerUnenrollment(let reference, failure: .some, _):
      let account = try #require(app.state.account(for: reference))
      try #require(!app.state.isDue(account, at: app.moment), "\(command)")
    case .reportFilesLeft(let reference, _, _, _):
      let account = try #require(app.state.account(for: reference)).account
      try #require(!app.work.contains("removeFiles \(account)"))
    default: break
    }
  }

  /// Answers everything well until nothing is left to do.
  static func finish(_ app: inout TestApp, _ seed: Int) throws {
    for _ in 0..<200 {
      guard let work = app.state.pendingWork(at: app.moment).first else {
        // A remediation may wait for a restart that the user was told about.
        // A launch also resumes a wipe that pauses, and the service is told of it again once that pause is over.
        guard app.state.process.restart != nil || app.state.wipes.records.contains(where: { $0.phase != .completed })
        else { break }
        app.now += RetrySchedule.hour
        try app.restart()
        continue
      }
      let account = AccountReference(work.account ?? .a1)
      switch work.kind {
      case .enroll: try app.run(.answerEnrollment(account, .policy(TestApp.policy())))
      case .checkIn: try app.run(.answerCheckIn(account, .unchanged))
      case .unenroll: try app.run(.answerUnenrollment(account))
      case .askDelegateToWipe: try app.run(.answerWipe(account, removedEverything: false))
      case .removeFiles: try app.run(.reportFilesRemoved(account, count: 1))
      case .askRestart, .restart: try app.restart()
      case .remediate: try app.run(.answerRemediation(account, .compliant))
      case .tellRemediation: try app.run(.confirmRemediation(account))
      case .askAccountSwitch: try app.run(.answerAccountSwitch(account, .switchAccounts))
      case .askLogin: try app.run(.answerLogin(nil))
      case .askIdentitySwitch(let scope, _, _): try app.run(.answerIdentitySwitch(scope, .success))
      case .askToAddAccount: try app.run(.answerAddition(account, .success))
      case .startDueWork: try app.run(.startDueWork)
      }
    }
    expectEqual(app.work, [], "seed \(seed)")
    expectEqual(app.state.compliance.queue, [], "seed \(seed)")
    #expect(!app.state.wipes.records.contains { $0.phase != .completed }, "seed \(seed)")
    try app.checkReplay()
  }

  /// Something that the app, the user, the service or the device might do.
  static func command(
    _ random: inout RandomSequence, for accounts: [AccountReference] = accounts
  ) -> AppProtectionCommand {
    let account = random.pick(accounts)
    let scope = random.pick([IdentityScope.process, .ui, .window(1), .window(2), .thread("main"), .thread("t")])
    let target = random.pick([TargetIdentity.unset, .unmanaged, .account(account)])
    switch random.next(below: 24) {
    case 0, 1, 2, 3: return .registerAndEnroll(account)
    case 4: return .loginAndEnroll(random.flag() ? account : nil)
    case 5: return .deregisterAndUnenroll(account, wipe: random.flag())
    case 6: return .requestCheckIn(account, random.pick(CheckInTrigger.allCases))
    case 7: return .startProcess(TestApp.process)
    case 8: return random.flag() ? .acquireToken(account) : .removeToken(account)
    case 9: return .denyToken(account)
    case 10, 11, 12: return .setIdentity(scope, target, outcome: random.pick(SwitchIdentityResult.allCases))
    case 13: return .requestIdentitySwitch(scope, target, random.pick(IdentitySwitchReason.allCases))
    case 14: return random.flag() ? .closeScope(scope) : .startDueWork
    case 15: return .requestWipe(account, .conditionalLaunch, random.pick(WipeOrigin.allCases))
    case 16, 17: return .remediateCompliance(account, isSilent: random.flag())
    case 19:
      return .reportSignIns(
        accounts.filter { _ in random.flag() }, workOrSchool: accounts.filter { _ in random.flag() })
    case 20: return .setExclusivity(account, random.next(below: 4) == 0)
    case 21: return .deliverConfiguration(account, random.pick(configurations))
    case 22:
      return .setDeviceConfiguration(
        random.pick(deviceConfigurations), source: random.pick(DeviceAccountSource.allCases))
    case 18: return random.next(below: 4) == 0 ? .setDeviceAccount(account) : .setDeviceAccount(nil)
    default: return random.next(below: 4) == 0 ? .setAllowedAccounts([account]) : .setAllowedAccounts(nil)
    }
  }

  /// An answer, of whatever kind, to something that is pending.
  static func answer(
    _ random: inout RandomSequence, _ state: AppProtectionState, at moment: Moment
  ) -> AppProtectionCommand {
    let failure = ServiceFailure(EnrollmentStatusCode(rawValue: random.pick(codes)), error: "e")
    let answers: [ServiceAnswer] = [
      .policy(TestApp.policy()), .policy(TestApp.policy("Level \(random.next(below: 3))")), .unchanged, .noPolicy,
      .wipe(), .gone, .failure(failure),
    ]
    guard let work = state.pendingWork(at: moment).randomElement(&random) else { return .startDueWork }
    let account = AccountReference(work.account ?? .a1)
    switch work.kind {
    case .enroll: return .answerEnrollment(account, random.pick(answers))
    case .checkIn: return .answerCheckIn(account, random.pick(answers))
    case .unenroll: return .answerUnenrollment(account, failure: random.flag() ? nil : failure)
    case .askDelegateToWipe: return .answerWipe(account, removedEverything: random.flag())
    case .removeFiles:
      return random.flag() ? .reportFilesRemoved(account, count: 2) : .reportFilesLeft(account, count: 1, error: "busy")
    case .askRestart, .restart: return .answerRestart(random.pick(RestartAnswer.allCases), postponedMinutes: 5)
    case .remediate: return .answerRemediation(account, random.pick(ComplianceStatus.allCases))
    case .tellRemediation: return .confirmRemediation(account)
    case .askAccountSwitch: return .answerAccountSwitch(account, random.pick(AccountChoice.allCases))
    case .askLogin: return .answerLogin(random.flag() ? random.pick(accounts) : nil)
    case .askIdentitySwitch(let scope, _, _):
      return .answerIdentitySwitch(
        scope, random.pick(SwitchIdentityResult.allCases), isAddIdentityResult: random.flag())
    case .askToAddAccount: return .answerAddition(account, random.pick(AddIdentityResult.allCases))
    case .startDueWork: return .startDueWork
    }
  }
}

extension Array {
  /// One of the elements; `nil` when there is none.
  func randomElement(_ random: inout RandomSequence) -> Element? {
    isEmpty ? nil : random.pick(self)
  }
}
