import AppProtection
import AppProtectionInsight
import EventSourcing
import Expectations
import Forensics
import Simulation
import Testing

/// Histories of a ward's tablet: what the service answers, what the app does about it, and what lasts of it at the end.
@Suite("What the service answered, and what lasts of it")
struct ServiceAnswerTests {
  private typealias Findings = [HistoryDiagnosis<AppProtectionMachine>.Ranked]

  /// The app closes, and is opened again a day later, so many times.
  private static func days(_ count: Int) -> [String] {
    (0..<count).flatMap { _ in
      [#"{"exit": {}}"#, #"{"wait": "P1D"}"#, #"{"launch": {}}"#, #"{"evaluateLaunch": "ada"}"#]
    }
  }

  private static func answer(_ answer: String, to name: String = "ada") -> String {
    #"{"service": {"\#(name)": \#(answer)}}"#
  }

  private static let network = answer(#""networkFailure""#)
  private static let signIn = answer(#"{"code": 203}"#)
  private static let healthy = answer(#""unchanged""#)
  private static let policy = answer(#"{"policy": "ward"}"#)
  private static let token = #"{"acquireToken": "ada"}"#
  private static let leave = #"{"deregisterAndUnenroll": "ada"}"#

  /// What the steps after Ada's enrollment lead to.
  ///
  /// - Parameters:
  ///   - isUsed: Whether the app ever acts for her.
  ///   - offline: For how long the policy allows no check-in, until the block and until the wipe.
  private static func findings(
    _ steps: [String], isUsed: Bool = true, offline: (block: String, wipe: String) = ("P60D", "P90D")
  ) throws -> Findings {
    let enrolled =
      [
        policy, #"{"launch": {}}"#, #"{"registerAndEnroll": "ada"}"#, #"{"restart": {}}"#, healthy,
      ] + (isUsed ? [#"{"setUI": "ada"}"#] : [])
    let text = """
      {"scenario": 1, "title": "A tablet of a ward", "start": "2026-03-02T07:00:00Z",
       "app": {"multiIdentity": true, "maximumManagedAccounts": 3},
       "accounts": {"ada": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01", "upn": "ada@fabrikam.com"},
                    "bea": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b02", "upn": "bea@fabrikam.com"}},
       "policies": {"ward": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": false,
         "periodOfflineBeforeAccessCheck": "\(offline.block)", "periodOfflineBeforeWipeIsEnforced": "\(offline.wipe)"}}},
       "steps": [\((enrolled + steps).joined(separator: ",\n  "))]}
      """
    let target = try TemporaryFolder()
    let result = try ScenarioRunner.run(
      try Scenario(Array(text.utf8), file: "ward.json"), into: target.path + "/journal")
    expectEqual(result.unmet.map(\.description), [])
    return try DiagnosisTests.diagnose(journal: target.path + "/journal").findings
  }

  /// Each finding as its family, whether it lasts, and what it follows from: `offline-block now < nil-account`.
  private static func outline(_ findings: Findings) -> [String] {
    findings.map { finding in
      let cause = finding.explainedBy.map { " < \(findings[$0].diagnosis.family.id)" } ?? ""
      return "\(finding.diagnosis.family.id) \(finding.diagnosis.isOver ? "over" : "now")\(cause)"
    }
  }

  private static func first(_ family: ProblemFamily, _ findings: Findings) throws -> Problem {
    try #require(findings.map(\.diagnosis).first { $0.family == family }, "\(outline(findings))")
  }

  @Test("A block that is over says what was tried as it did while it lasted")
  func pastBlock() throws {
    let steps = [Self.network] + Self.days(3) + [#"{"wait": "PT20M"}"#]
    let tried = /(\d+) requests failed since event (\d+)/
    let offline = (block: "PT36H", wipe: "P90D")
    let standing = try Self.first(.offlineBlock, try Self.findings(steps, offline: offline))
    let past = try Self.first(.offlineBlock, try Self.findings(steps + [Self.leave], offline: offline))
    expectEqual(past.ending?.kind, .abandoned)
    expectEqual(past.sentence.firstMatch(of: tried)?.0, standing.sentence.firstMatch(of: tried)?.0)
    #expect(standing.sentence.contains("6 requests failed"), "\(standing.sentence)")
    // The request with whose answer it ends was not without one.
    let closed = try Self.findings(Self.days(2), offline: offline)
    expectEqual(closed.map(\.diagnosis.family), [])
    let away = [#"{"exit": {}}"#, #"{"wait": "P3D"}"#, #"{"launch": {}}"#, #"{"evaluateLaunch": "ada"}"#]
    let answered = try Self.findings(away + [Self.network, #"{"wait": "PT1H"}"#], offline: offline)
    #expect(!answered.contains { $0.diagnosis.sentence.contains("no answer") }, "\(answered.map(\.diagnosis.sentence))")
  }

  @Test(
    "A demand for a sign-in is over with the token, if the service does not repeat it, and the network is the cause")
  func tokenThenNetwork() throws {
    let steps = [Self.signIn] + Self.days(3) + [Self.network, Self.token] + Self.days(2)
    let findings = try Self.findings(steps, offline: ("PT36H", "P90D"))
    expectEqual(Self.outline(findings), ["offline-block now", "auth-required over"])
    let demand = try Self.first(.authRequired, findings)
    expectEqual(demand.ending?.kind, .recovered)
    #expect(demand.sentence.contains("until a token was acquired with event"), "\(demand.sentence)")
    let block = try Self.first(.offlineBlock, findings)
    expectEqual(block.next, "look at the network between the device and the service")
    let overdue = try Self.findings(steps)
    expectEqual(Self.outline(overdue), ["check-in-overdue now", "auth-required over"])
    expectEqual(overdue[0].diagnosis.next, block.next)
    #expect(overdue[0].diagnosis.evidence.first?.text.contains("212") == true)
  }

  @Test("A sign-in that did not help is told with its next step by all that follows from it")
  func futileToken() throws {
    let findings = try Self.findings(
      [Self.signIn] + Self.days(2) + [Self.token] + Self.days(2), offline: ("PT36H", "P90D"))
    expectEqual(Self.outline(findings), ["auth-required now", "offline-block now < auth-required"])
    #expect(findings[0].diagnosis.sentence.hasSuffix("and one sign-in did not help"))
    expectEqual(findings[1].diagnosis.next, findings[0].diagnosis.next)
    // A second token that no request has tried yet has not helped either.
    let crash = [#"{"crash": {"after": "token.acquired"}}"#, Self.token, #"{"wait": "P5D"}"#]
    let untried = try Self.findings(
      [Self.signIn] + Self.days(1) + [Self.token, #"{"wait": "PT3H"}"#] + crash
        + [#"{"crash": {"after": "process.started"}}"#, #"{"launch": {}}"#, #"{"wait": "PT1H"}"#])
    expectEqual(Self.outline(untried), ["auth-required now", "check-in-overdue now < auth-required"])
    expectEqual(untried.last?.diagnosis.next, untried.first?.diagnosis.next)
    // The network fails for days before the service demands a sign-in.
    let late = try Self.findings([Self.network] + Self.days(3) + [Self.signIn] + Self.days(1) + [Self.token])
    expectEqual(Self.outline(late).sorted(), ["auth-required now", "check-in-overdue now"])
    expectEqual(late[0].diagnosis.next, late[1].diagnosis.next)
  }

  @Test("A block goes on for the answer that keeps it going, and not for the one before")
  func replaced() throws {
    let findings = try Self.findings(
      [Self.signIn] + Self.days(3) + [Self.answer(#"{"code": 207}"#), Self.token] + Self.days(2),
      offline: ("PT36H", "P90D"))
    expectEqual(
      Self.outline(findings), ["nil-account now", "offline-block now < nil-account", "auth-required over"])
    #expect(findings[1].diagnosis.next.hasPrefix("pass the object id"), "\(findings[1].diagnosis.next)")
    // An enrollment that has lapsed is asked for again, and refused.
    let away = [#"{"exit": {}}"#, #"{"wait": "P100D"}"#, #"{"launch": {}}"#, #"{"evaluateLaunch": "ada"}"#]
    let lapsed = try Self.findings(
      [Self.signIn] + Self.days(3) + [Self.answer(#"{"code": 207}"#)] + away, offline: ("PT36H", "P300D"))
    #expect(Self.outline(lapsed).contains("offline-block now < nil-account"), "\(Self.outline(lapsed))")
  }

  @Test(
    "That the app never acts for an account follows from nothing that the service answers",
    arguments: [203, 207, 210, 214])
  func neverSet(code: Int) throws {
    let findings = try Self.findings(Self.days(2) + [Self.answer(#"{"code": \#(code)}"#)] + Self.days(2), isUsed: false)
    #expect(Self.outline(findings).contains("policy-not-applied now"), "\(Self.outline(findings))")
  }

  @Test("Enrollments that fail after an account has left are no check-ins, and those before are told")
  func leaving() throws {
    let back =
      [Self.answer(#"{"code": 201}"#), #"{"registerAndEnroll": "ada"}"#] + Self.days(4) + [Self.policy]
      + Self.days(1)
    let returned = try Self.findings(Self.days(1) + [Self.leave] + Self.days(1).dropLast() + back)
    #expect(!Self.outline(returned).contains { $0.hasPrefix("check-in-overdue") }, "\(Self.outline(returned))")
    let left = try Self.findings(
      [Self.answer(#"{"code": 206}"#)] + Self.days(4) + [Self.healthy, Self.leave])
    let silence = try Self.first(.checkInOverdue, left)
    expectEqual(silence.ending?.kind, .abandoned)
    #expect(silence.sentence.contains("completed for 4 days"), "\(silence.sentence)")
  }

  /// Troubles that came twice, and last: the steps, and the family.
  private static let repeated: [(steps: [String], family: ProblemFamily)] = [
    (
      [answer(#""noPolicy""#)] + days(2) + [policy] + days(1) + [healthy] + days(3) + [answer(#""noPolicy""#)]
        + days(2), .policyNotApplied
    ),
    (
      [#"{"configuration": {"account": "ada", "targeted": [{"ward": "7"}]}}"#] + days(1)
        + [#"{"configuration": {"account": "ada"}}"#] + days(3)
        + [#"{"configuration": {"account": "ada", "targeted": [{"ward": "8"}]}}"#] + days(2)
        + [#"{"configuration": {"account": "ada"}}"#] + days(2), .appConfiguration
    ),
    (
      [#"{"allowedAccounts": ["bea"]}"#] + days(2) + [#"{"allowedAccounts": ["ada"]}"#] + days(3)
        + [#"{"allowedAccounts": ["bea"]}"#] + days(1), .accountNotAllowed
    ),
  ]

  @Test("What lasts shows the time before it, too", arguments: repeated)
  func twice(_ row: (steps: [String], family: ProblemFamily)) throws {
    let problem = try Self.first(row.family, try Self.findings(row.steps))
    #expect(!problem.isOver)
    #expect(problem.sentence.hasSuffix("; it came 2 times"), "\(problem.sentence)")
    expectEqual(problem.episodes.map { $0.ending == nil }, [false, true], "\(problem.episodes)")
    expectEqual(problem.episodes.last?.first.sequence, problem.decidingEvent)
  }

  @Test("A short demand for a sign-in does not hide a long one before it")
  func shortAfterLong() throws {
    let steps = [Self.signIn] + Self.days(3) + [Self.healthy, Self.token] + Self.days(2)
    let long = try Self.first(.authRequired, try Self.findings(steps))
    let short = [
      Self.signIn, #"{"checkIn": "ada"}"#, #"{"wait": "PT10M"}"#, Self.healthy, Self.token, #"{"checkIn": "ada"}"#,
    ]
    let both = try Self.first(.authRequired, try Self.findings(steps + short + Self.days(1)))
    expectEqual(both.decidingEvent, long.decidingEvent)
    expectEqual(both.episodeCount, 2)
    #expect(both.isOver)
  }

  @Test("Whatever the service answers to a guest's account is a note, also when the managed one loses its policy")
  func guest() throws {
    let guest = [Self.answer(#""noPolicy""#, to: "bea"), #"{"registerAndEnroll": "bea"}"#] + Self.days(2)
    for steps in [[Self.answer(#""gone""#, to: "bea")] + Self.days(3), [Self.answer(#""noPolicy""#)] + Self.days(2)] {
      let problems = try Self.findings(guest + steps).map(\.diagnosis).filter { $0.subject == "a2" }
      #expect(!problems.isEmpty)
      expectEqual(problems.filter { $0.severity != .note }.map(\.sentence), [])
    }
    // An account that is used alone, because the managed one has left, is no guest's.
    let left = guest + [Self.leave] + Self.days(2)
    let alone = try Self.findings(left).map(\.diagnosis).filter { $0.subject == "a2" }
    expectEqual(alone.map(\.severity), [.warning])
  }

  @Test("A wipe that is due is told with the interval that is over")
  func wipeDue() throws {
    func block(_ offline: (String, String)) throws -> String {
      try Self.first(.offlineBlock, try Self.findings([Self.network] + Self.days(5), offline: offline)).sentence
    }
    let later = try block(("PT36H", "P4D"))
    #expect(later.contains("has completed for PT36H"), "\(later)")
    #expect(later.contains("its data is to be wiped unless its user signs in, because none has completed for P4D"))
    let atOnce = try block(("P60D", "P3D"))
    #expect(
      atOnce.contains(
        ", and its data is to be wiped unless its user signs in, because no check-in has completed for P3D"),
      "\(atOnce)")
  }

  private static let checkIn = #"{"checkIn": "ada"}"#
  private static let away = [#"{"exit": {}}"#, #"{"wait": "P4D"}"#, #"{"launch": {}}"#]

  /// Each finding of a family about Ada, those that last first.
  private static func problems(_ family: ProblemFamily, _ steps: [String]) throws -> [Problem] {
    try findings(steps).map(\.diagnosis).filter { $0.family == family && $0.subject == "a1" }
  }

  @Test("A demand for a sign-in ended with the token, also once a check-in has succeeded")
  func tokenThenSuccess() throws {
    let failing = [Self.network, Self.token] + Self.days(2)
    let success = [Self.healthy, Self.checkIn] + Self.days(1)
    let long = [Self.signIn] + Self.days(2) + failing
    let lasting = try Self.first(.authRequired, try Self.findings(long))
    let past = try Self.first(.authRequired, try Self.findings(long + success))
    expectEqual(past.ending?.event.sequence, lasting.ending?.event.sequence)
    #expect(past.sentence.contains("until a token was acquired with event"), "\(past.sentence)")
    // One that a token met within minutes is no finding, and explains none.
    let short = [Self.signIn, Self.checkIn, #"{"wait": "PT10M"}"#] + failing
    expectEqual(Self.outline(try Self.findings(short)), ["check-in-overdue now"])
    expectEqual(Self.outline(try Self.findings(short + success)), ["check-in-overdue over"])
  }

  @Test("A demand that a token met does not go on when the account leaves and comes back")
  func tokenThenReturn() throws {
    let met = [Self.signIn, Self.checkIn, #"{"wait": "PT2H"}"#, Self.network, Self.token, #"{"wait": "PT30M"}"#]
    let back = [Self.signIn, #"{"registerAndEnroll": "ada"}"#] + Self.days(1)
    let demand = try Self.first(.authRequired, try Self.findings(met + [Self.healthy, Self.leave] + Self.away + back))
    #expect(!demand.isOver)
    #expect(!demand.sentence.contains("did not help"), "\(demand.sentence)")
    expectEqual(demand.episodes.last?.first.sequence, demand.decidingEvent)
    #expect(demand.next.hasPrefix("let the app acquire a token"), "\(demand.next)")
  }

  @Test("A time without a policy is told with those for the same reason, and apart from the others")
  func reasons() throws {
    let untargeted = [Self.answer(#""noPolicy""#), Self.checkIn] + Self.days(2)
    let refused =
      [Self.leave, Self.answer(#"{"code": 201}"#), #"{"registerAndEnroll": "ada"}"#] + Self.days(2)
    let steps = untargeted + [Self.policy] + Self.days(2) + refused
    let lasting = try Self.problems(.policyNotApplied, steps)
    expectEqual(lasting.map(\.isOver), [false, true])
    expectEqual(lasting.filter { $0.sentence.contains("it came") }.map(\.sentence), [])
    #expect(lasting.last?.sentence.contains("none targeted this user and this app (103)") == true)
    let policy = [Self.policy] + Self.days(1) + [#"{"setUI": "ada"}"#] + Self.days(1)
    let past = try Self.problems(.policyNotApplied, steps + policy)
    expectEqual(past.map(\.isOver), [true, true])
    expectEqual(Set(past.map(\.decidingEvent)), Set(lasting.map(\.decidingEvent)))
    expectEqual(past.map(\.episodeCount), [0, 0])
  }

  @Test(
    "A short stay of an account that is not allowed hides no long one",
    arguments: [[#"{"allowedAccounts": ["ada"]}"#] + days(1), [leave] + away])
  func stays(end: [String]) throws {
    let restriction = #"{"allowedAccounts": ["bea"]}"#
    let steps = [restriction] + Self.days(3) + [#"{"allowedAccounts": ["ada"]}"#] + Self.days(2)
    let long = try #require(try Self.problems(.accountNotAllowed, steps).first)
    let both = try Self.problems(.accountNotAllowed, steps + [restriction, #"{"wait": "PT2M"}"#] + end)
    expectEqual(both.map(\.decidingEvent), [long.decidingEvent])
    expectEqual(both.map(\.isOver), [true])
    expectEqual(both.map(\.episodeCount), [2])
  }

  @Test("Values that differ again are counted, key by key")
  func conflicts() throws {
    func deliver(_ values: String) -> String { #"{"configuration": {"account": "ada", "targeted": [\#(values)]}}"# }
    let good = [deliver(#"{"ward": "7", "bed": "1"}"#)] + Self.days(2)
    let ward = deliver(#"{"ward": "7"}, {"ward": "8"}"#)
    let steps = [ward] + Self.days(2) + good + [ward] + Self.days(3)
    let lasting = try Self.problems(.appConfiguration, steps)
    expectEqual(lasting.map(\.isOver), [false])
    #expect(lasting[0].sentence.hasSuffix("; it came 2 times"), "\(lasting[0].sentence)")
    let past = try Self.problems(.appConfiguration, steps + good)
    expectEqual(past.map(\.decidingEvent), lasting.map(\.decidingEvent))
    expectEqual(past.map(\.episodeCount), [2])
    let bed = [deliver(#"{"bed": "1"}, {"bed": "2"}"#)] + Self.days(2)
    expectEqual(try Self.problems(.appConfiguration, steps + good + bed).map(\.isOver), [false, true])
  }

  @Test("An account stays a guest's when the managed one leaves, until the service answers again")
  func formerGuest() throws {
    let guest =
      [Self.answer(#""noPolicy""#, to: "bea"), #"{"registerAndEnroll": "bea"}"#] + Self.days(2)
      + [Self.answer(#""gone""#, to: "bea")] + Self.days(2)
    let problems = try Self.findings(guest + [Self.leave] + Self.away).map(\.diagnosis).filter { $0.subject == "a2" }
    #expect(problems.contains { $0.family == .staleAccount })
    expectEqual(problems.filter { $0.severity != .note }.map(\.sentence), [])
  }
}
