import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

/// Questions to the delegate that stay open: which one is blamed.
@Suite("Unanswered questions to switch an identity")
struct IdentityQuestionTests {
  private static func app() throws -> TestApp {
    var app = try TestApp { $0.multiIdentity = true }
    try app.run(.setIdentity(.window(1), .unmanaged), .setIdentity(.window(2), .unmanaged))
    try app.run(.registerAndEnroll(AccountReference(userPrincipalName: "alice@contoso.com")))
    return app
  }

  /// Asks to switch a scope, and returns the question's number.
  private static func ask(_ app: inout TestApp, _ scope: IdentityScope) throws -> UInt64 {
    try expectEqual(
      app.run(.requestIdentitySwitch(scope, .unmanaged, .openURL)), ["identity.switchRequested"], "\(scope)")
    return app.next.sequence - 1
  }

  private static func blamed(_ app: TestApp) -> [UInt64] {
    AccountProblemTests.problems(app).filter { $0.family == .lostCallback }.map(\.decidingEvent)
  }

  @Test("A question that went with its window is not the one without an answer")
  func closedWindow() throws {
    var app = try Self.app()
    _ = try Self.ask(&app, .window(5))
    try app.run(.closeScope(.window(5)))
    #expect(Self.blamed(app).isEmpty)
    app.now += TestApp.hour
    let question = try Self.ask(&app, .ui)
    expectEqual(Self.blamed(app), [question])
  }

  @Test("Of two questions, the one that is still open is blamed, and the older one while both are")
  func oneAnswered() throws {
    var app = try Self.app()
    let first = try Self.ask(&app, .window(5))
    let second = try Self.ask(&app, .ui)
    expectEqual(Self.blamed(app), [first])
    try app.run(.answerIdentitySwitch(.window(5), .success))
    expectEqual(Self.blamed(app), [second])
    try app.run(.answerIdentitySwitch(.ui, .success))
    #expect(Self.blamed(app).isEmpty)
  }

  @Test("Processes that end count only with the questions that were open then", arguments: [true, false])
  func abandoned(isClosed: Bool) throws {
    var app = try Self.app()
    var first: UInt64?
    for _ in 0..<2 {
      let question = try Self.ask(&app, .window(5))
      first = first ?? question
      if isClosed { try app.run(.closeScope(.window(5))) }
      try app.restart()
    }
    expectEqual(Self.blamed(app), isClosed ? [] : [first])
  }
}
