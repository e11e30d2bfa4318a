import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

/// What scripted histories cannot hold: recorded refusals, codes of the future, and answers in between.
@Suite("Problems of accounts")
struct AccountProblemTests {
  private static let alice = AccountReference(userPrincipalName: "alice@contoso.com")

  /// What the app's history shows.
  static func problems(_ app: TestApp) -> [Problem] {
    var (examination, state) = (AppProtectionExamination(), AppProtectionState())
    for (event, context) in app.history {
      let before = state
      AppProtectionMachine.reduce(into: &state, event, context)
      examination.observe(event, context, before: before, after: state)
    }
    return app.history.last.map { examination.diagnoses(at: state, $0.context) } ?? []
  }

  private static func families(_ app: TestApp) -> [ProblemFamily] { problems(app).map(\.family) }

  /// An app whose enrollment of Alice fails with these codes, one after another.
  private static func failing(_ codes: UInt32...) throws -> TestApp {
    var app = try TestApp()
    try app.run(.registerAndEnroll(alice))
    for code in codes {
      try app.run(.answerEnrollment(alice, .failure(ServiceFailure(EnrollmentStatusCode(rawValue: code)))))
      app.now += TestApp.hour
      _ = try? app.run(.loginAndEnroll(alice))
    }
    return app
  }

  @Test("A recorded call without an account is a missing account until one is registered")
  func missingAccount() throws {
    var app = try TestApp()
    try app.run(.noteRefusal(CommandRefused(command: "registerAndEnroll", rule: "T4", code: .nilAccount)))
    let found = Self.problems(app)
    #expect(found.map(\.family) == [.nilAccount] && found.first?.decidingEvent == app.next.sequence - 1)
    try app.run(.registerAndEnroll(Self.alice))
    #expect(!Self.families(app).contains(.nilAccount))
  }

  @Test("A recorded call for an account that is not allowed names the rule's family")
  func refusedAccount() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(Self.alice))
    let number = try #require(app.state.accounts.records.first?.account)
    try app.run(.noteRefusal(CommandRefused(command: "loginAndEnroll", rule: "T35", account: number)))
    // The enrollment, which has no answer yet, is another problem.
    expectEqual(Set(Self.families(app)), [.policyNotApplied, .accountNotAllowed])
  }

  @Test("A refusal after the account left as demanded, which nothing followed, hides no refusal before it")
  func refusedOnceMore() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(Self.alice))
    let number = try #require(app.state.accounts.records.first?.account)
    let refusal = AppProtectionCommand.noteRefusal(CommandRefused(command: "setUI", rule: "T35", account: number))
    try app.run(refusal)
    app.now += TestApp.day
    try app.run(.deregisterAndUnenroll(Self.alice, wipe: false))
    app.now += TestApp.day
    try app.run(refusal)
    app.now += 20 * TestApp.day
    try app.restart()
    let found = Self.problems(app).filter { $0.family == .accountNotAllowed }
    expectEqual(found.map { $0.ending?.kind }, [.outOfSight])
    expectEqual(found.first?.episodeCount, 2)
  }

  @Test("A sign-in that is not tried yet ends a demand, unless an earlier one did not help")
  func untried() throws {
    for (codes, isOver) in [([203], true), ([203, 0, 203], false)] as [([UInt32], Bool)] {
      var app = try TestApp()
      try app.run(.registerAndEnroll(Self.alice))
      for code in codes {
        if code == 0 {
          try app.run(.acquireToken(Self.alice))
        } else {
          try app.run(.answerEnrollment(Self.alice, .failure(ServiceFailure(EnrollmentStatusCode(rawValue: code)))))
          app.now += 2 * TestApp.hour
        }
      }
      try app.run(.acquireToken(Self.alice))
      let found = Self.problems(app).filter { $0.family == .authRequired }
      expectEqual(found.map(\.isOver), [isOver], "\(codes)")
    }
  }

  @Test("Codes that only say that a request failed do not end a run", arguments: [201, 206, 212, 216, 217, 228, 302])
  func between(code: UInt32) throws {
    let app = try Self.failing(203, code, 203)
    let first = app.history.first { if case .enrollmentFailed = $0.event { true } else { false } }
    let found = Self.problems(app).first { $0.family == .authRequired }
    expectEqual(found?.decidingEvent, first?.context.sequence)
  }

  @Test("Codes that say something else about the account end a run", arguments: [200, 225, 226])
  func otherAnswer(code: UInt32) throws {
    let found = Self.problems(try Self.failing(203, code)).filter { $0.family == .authRequired }
    expectEqual(found.map { $0.ending?.kind }, [.replaced])
  }
}
