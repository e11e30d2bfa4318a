import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight

@Suite("Conditional launch: what the app claims, and what the journal shows")
struct ClaimedAnswerTests {
  private static func evaluation(_ app: TestApp) throws -> LaunchEvaluated {
    let last = app.history.last { if case .launchEvaluated = $0.event { true } else { false } }
    guard case .launchEvaluated(let event)? = last?.event else { throw ComplianceTests.Missing() }
    return event
  }

  @Test("A PIN that was never set, is too old or too weak stays asked for, whatever the app says")
  func refused() throws {
    typealias Situation = (
      rule: LaunchRule, pin: String?, configure: (inout PolicyDocument) throws -> Void, wait: Int64
    )
    let situations: [Situation] = [
      (.pinMissing, nil, { _ in }, 0),
      (.pinExpired, "2580", { $0.access.periodBeforePinReset = try PolicyDuration("P1D") }, 2 * TestApp.day),
    ]
    for situation in situations {
      var app = try LaunchSituation.managed {
        $0.access.pinRequired = true
        try situation.configure(&$0)
      }
      if let pin = situation.pin { try app.run(.setPIN(.a, PINFacts(of: pin))) }
      app.now += situation.wait
      let events = try app.run(.setIdentity(.ui, .account(.a), outcome: .success))
      expectEqual(events, ["launch.evaluated"], "\(situation.rule)")
      expectEqual(app.state.identities.ui, .unset)
      let event = try Self.evaluation(app)
      #expect(event.outcome == .promptNewPIN && event.rule == situation.rule)
      #expect(event.claimed.map(\.rule).contains(situation.rule))
      expectEqual(app.state.launch.accounts[.a1]?.claimed.first, situation.rule)
      #expect(app.findings.contains("claimed a1 \(situation.rule.id)"))
      // The fact, and not the word, opens the app.
      try app.run(.setPIN(.a, PINFacts(of: "2846")))
      try expectEqual(app.run(.setIdentity(.ui, .account(.a))).last, "identity.switched")
      expectEqual(app.state.launch.accounts[.a1]?.claimed, [])
    }
  }

  @Test("What only the app sees is taken at its word, and recorded beside what the journal shows")
  func taken() throws {
    var app = try LaunchSituation.managed {
      $0.access.pinRequired = true
      $0.access.organizationalCredentialsRequired = true
    }
    try app.run(.setPIN(.a, PINFacts(of: "2580")), .evaluateLaunch(.a, .launch), .signInForLaunch(.a, as: .a))
    app.now += TestApp.hour
    var shown = app
    try shown.run(.reportPINAttempt(.a, isRight: true))
    try shown.run(.evaluateLaunch(.a, .launch), .signInForLaunch(.a, as: .a))
    try expectEqual(
      shown.run(.setIdentity(.ui, .account(.a), outcome: .success)), ["launch.evaluated", "identity.switched"])
    try expectEqual(Self.evaluation(shown).claimed, [], "what the journal shows needs no word")
    expectEqual(shown.findings.filter { $0.hasPrefix("claimed") }, [])

    try expectEqual(
      app.run(.setIdentity(.ui, .account(.a), outcome: .success)), ["launch.evaluated", "identity.switched"])
    let event = try Self.evaluation(app)
    #expect(event.outcome == .allowed && event.rule == .met && event.findings == [])
    expectEqual(event.claimed.map(\.rule), [.pin, .signIn])
    expectEqual(Array(app.findings.suffix(2)), ["claimed a1 launch.pin", "claimed a1 launch.signIn"])
    var explanation = Explanation(recording: true)
    _ = app.state.conditionalLaunch(for: .a1, at: app.moment, explanation: &explanation)
    let step = try #require(explanation.steps.first { $0.rule == "launch.claimed" })
    #expect(step.holds && !step.decides && step.statement.contains("launch.pin, launch.signIn"))
  }

  @Test("A claim that waits for a check-in is recorded when it is used")
  func waiting() throws {
    var app = try SilentCheckInTests.outOfTouch()
    try app.run(.setIdentity(.ui, .account(.a), outcome: .success))
    #expect(try Self.evaluation(app).claimed == [] && app.state.launch.accounts[.a1]?.isAnswered == true)
    var policy = TestApp.policy()
    policy.access.organizationalCredentialsRequired = true
    #expect(try app.run(.answerCheckIn(.a, .policy(policy))).contains("identity.switched"))
    try expectEqual(Self.evaluation(app).claimed.map(\.rule), [.signIn])
  }

  @Test("Before revision 5 the app's word answered every question, and was not recorded")
  func earlier() throws {
    var app = try LaunchSituation.managed { $0.access.pinRequired = true }
    var earlier = app.state
    earlier.process.reducerRevision = 4
    var explanation = Explanation()
    let command = AppProtectionCommand.setIdentity(.ui, .account(.a), outcome: .success)
    let decided = try AppProtectionMachine.decide(command, in: earlier, at: app.next, explanation: &explanation)
    expectEqual(decided.events.map(\.name), ["launch.evaluated", "identity.switched"])
    guard case .launchEvaluated(let event)? = decided.events.first else { throw ComplianceTests.Missing() }
    #expect(event.claimed == [] && event.outcome == .allowed)
    try expectEqual(app.run(command), ["launch.evaluated"], "the same command today")
  }

  @Test("A recorded opening that needed no word is decided again without one")
  func decidedAgain() throws {
    var app = try LaunchSituation.managed { $0.access.pinRequired = true }
    try app.run(.setPIN(.a, PINFacts(of: "2580")))
    var withoutPIN = app.state
    withoutPIN.launch.pin = PINRecord()
    let before = app.state
    try app.run(.setIdentity(.ui, .account(.a)))
    let events = app.history.suffix(2).map(\.event)
    let command = try #require(RecordedDecision(events, in: before, at: app.moment).command)
    expectEqual(command, .setIdentity(.ui, .account(AccountReference(.a1))))
    var explanation = Explanation()
    let again = try AppProtectionMachine.decide(command, in: withoutPIN, at: app.next, explanation: &explanation)
    expectEqual(again.events.map(\.name), ["launch.evaluated"], "everything rests on the PIN")
  }
}
