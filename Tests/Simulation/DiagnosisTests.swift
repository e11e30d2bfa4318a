import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import Forensics
import Journal
import PolicyDocuments
import Simulation
import Testing

/// The scenarios in `Diagnosis/FAMILY`. `NAME@TYPE#N.json` has the problem, and its deciding event is the Nth of that type;
/// `near-NAME.json` only looks like it.
@Suite("Diagnoses of scripted histories")
struct DiagnosisTests {
  static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/Diagnosis"

  /// Every fixture: its family and its file.
  static let fixtures = ProblemFamily.allCases.flatMap { family in
    Files.names(in: "\(folder)/\(family.id)").filter { $0.hasSuffix(".json") }.sorted().map { "\(family.id)/\($0)" }
  }

  /// What a fixture's history shows.
  static func findings(of fixture: String) throws -> [HistoryDiagnosis<AppProtectionMachine>.Ranked] {
    let target = try TemporaryFolder()
    _ = try ScenarioRunner.run(try Scenario.load("\(folder)/\(fixture)"), into: target.path + "/journal")
    return try diagnose(journal: target.path + "/journal").findings
  }

  /// What a journal shows, and its events' types.
  static func diagnose(
    journal: String
  ) throws -> (findings: [HistoryDiagnosis<AppProtectionMachine>.Ranked], types: [String]) {
    let history = try History<AppProtectionMachine>(at: journal)
    var types: [String] = []
    var cursor = try history.events()
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      while types.count + 1 < step.record.sequence { types.append("lost") }
      types.append(step.record.typeName)
    }
    let report = try HistoryDiagnosis(
      of: history, damage: try history.reader.verify().findings,
      by: AppProtectionExamination(contradictions: PolicyLint.contradictions))
    return (report.findings, types)
  }

  /// Everything that is to hold of a fixture, whose history is made once for all of it.
  @Test(
    "The first finding is of the fixture's family, its evidence, causes and words are right, and a redacted export shows it",
    arguments: fixtures)
  func fixture(_ fixture: String) throws {
    let target = try TemporaryFolder()
    let journal = target.path + "/journal"
    let scenario = try Scenario.load("\(Self.folder)/\(fixture)")
    // What takes longest is tried with every third.
    let isThorough = Self.fixtures.firstIndex(of: fixture).map { $0 % 3 == 0 } ?? true
    let result =
      isThorough
      ? try ScenarioRunner.runBothWays(scenario, into: journal) : try ScenarioRunner.run(scenario, into: journal)
    expectEqual(result.unmet.map(\.description), [])
    let (findings, types) = try Self.diagnose(journal: journal)
    try Self.expectFirst(fixture, of: findings, types)
    Self.expectEvidenceInOrder(findings)
    Self.expectCausesBeforeEffects(findings)
    Self.expectOrdersAlone(findings)
    Self.expectPastTense(findings)
    if !fixture.hasPrefix("damaged-journal/") {
      try TrueSentenceTests.check(findings, of: journal, fixture)
      try FinalStateTests.check(findings, of: journal, fixture)
    }
    if isThorough { try RedactedDiagnosisTests.expectEqualFindings(try JournalReader(path: journal), fixture) }
  }

  /// The first finding is of the fixture's family, with its deciding event.
  private static func expectFirst(
    _ fixture: String, of findings: [HistoryDiagnosis<AppProtectionMachine>.Ranked], _ types: [String]
  ) throws {
    let parts = fixture.split(separator: "/")
    let (family, file) = (String(parts[0]), String(parts[1]))
    let shown = findings.map { "\($0.diagnosis.family.id) at \($0.diagnosis.decidingEvent): \($0.diagnosis.sentence)" }
    guard !file.hasPrefix("near-") else {
      #expect(!findings.contains { $0.diagnosis.family.id == family }, "\(shown)")
      return
    }
    let first = try #require(findings.first?.diagnosis, "nothing is found")
    expectEqual(first.family.id, family, "\(shown)")
    let deciding = try #require(file.split(separator: "@").last?.dropLast(5).split(separator: "#"))
    let ordinal = try #require(deciding.last.flatMap { Int($0) }, "the name ends in @TYPE#N")
    let events = types.indices.filter { types[$0] == deciding[0] }
    expectEqual(first.decidingEvent, UInt64(try #require(events.dropFirst(ordinal - 1).first) + 1), "\(shown)")
  }

  /// Evidence has the deciding event first, then what came before it, and the latest event last.
  private static func expectEvidenceInOrder(_ findings: [HistoryDiagnosis<AppProtectionMachine>.Ranked]) {
    for finding in findings {
      let (deciding, rest) = (finding.diagnosis.decidingEvent, finding.diagnosis.evidence.dropFirst().map(\.sequence))
      let shown = "\(finding.diagnosis.family.id) decided by \(deciding): \(rest.map { $0 ?? 0 })"
      // What did not happen stands between.
      let places = rest.map { $0.map { $0 < deciding ? 0 : 2 } ?? 1 }
      #expect(places == places.sorted() && finding.diagnosis.evidence.first?.sequence == deciding, "\(shown)")
      let later = rest.compactMap { $0 }.filter { $0 > deciding }
      expectEqual(later, later.sorted(), "\(shown)")
    }
  }

  /// What is over is described as what was, with the event that ended it, and nothing is to be done about it now, unless it is
  /// only out of sight.
  private static func expectPastTense(_ findings: [HistoryDiagnosis<AppProtectionMachine>.Ranked]) {
    for problem in findings.map(\.diagnosis) {
      guard let ending = problem.ending else {
        #expect(!problem.next.hasPrefix("nothing"), "\(problem.next)")
        continue
      }
      let waits = problem.next.hasPrefix("nothing now; if it comes again, ")
      expectEqual(waits, ending.kind != .outOfSight, "\(problem.sentence): \(problem.next)")
      let event = "event \(ending.event.sequence)"
      let isNamed = problem.sentence.ranges(of: event).contains { range in
        problem.sentence[range.upperBound...].first?.isNumber != true
      }
      #expect(isNamed, "\(problem.sentence) \(event)")
      let hasTwoEnds = problem.sentence.contains(#/, until .*event \d+; it was over with/#)
      #expect(!hasTwoEnds, "\(problem.sentence)")
      // How two accounts compare does not change.
      let sentence = problem.family == .accountMismatch ? problem.sentence.prefix { $0 != ":" } : problem.sentence[...]
      let verbs =
        /\b(is|are|has|have|can|must|do|does|demands|allows|accepts|keeps|refuses|answers|reads|gets|goes|finds|waits|comes|differs?)\b/
      let present = sentence.matches(of: verbs).map { String($0.0) }
      expectEqual(present, [], "\(problem.sentence)")
    }
  }

  /// What an administrator ordered follows from nothing.
  private static func expectOrdersAlone(_ findings: [HistoryDiagnosis<AppProtectionMachine>.Ranked]) {
    let orders = [
      "the administrator or the service ordered it", "none targets it since", "nothing targets it any longer",
    ]
    for finding in findings where orders.contains(where: finding.diagnosis.sentence.contains) {
      let cause = finding.explainedBy.map { findings[$0].diagnosis.sentence }
      expectEqual(cause, nil, "\(finding.diagnosis.sentence)")
    }
  }

  /// What follows from a cause was not felt before it began, and one wipe has one deciding event.
  private static func expectCausesBeforeEffects(_ findings: [HistoryDiagnosis<AppProtectionMachine>.Ranked]) {
    let conditions: Set<ProblemFamily> = [.pinAttempts, .osVersion, .deviceModel, .threatLevel, .jailbreak]
    for finding in findings {
      guard let cause = finding.explainedBy.map({ findings[$0].diagnosis }) else { continue }
      let effect = finding.diagnosis
      if let felt = effect.felt ?? (effect.restsOnAbsence ? nil : effect.decidingEvent) {
        #expect(felt >= cause.began ?? cause.decidingEvent, "\(effect.sentence), by: \(cause.sentence)")
      }
      // What lasts needs a cause that lasts, unless it names what began it.
      #expect(
        effect.isOver || !cause.isOver || effect.causes.contains(cause.decidingEvent),
        "\(effect.sentence), by: \(cause.sentence)")
      // A block holds from the evaluation that decides it, unless another cause keeps it going.
      let isBlock =
        effect.family == .offlineBlock && !effect.evidence.contains { $0.sequence == nil }
        && effect.felt == effect.decidingEvent
      if isBlock { #expect(effect.decidingEvent >= cause.began ?? cause.decidingEvent, "\(effect.sentence)") }
      if effect.family == .unexpectedWipe, conditions.contains(cause.family) {
        expectEqual(effect.decidingEvent, cause.decidingEvent, "\(effect.sentence)")
      }
    }
  }

  /// Troubles that are over: the fixture, how it ended, how often it was seen, and how bad it was.
  static let past: [(file: String, ending: DiagnosisEnding.Kind, episodes: Int, severity: DiagnosisSeverity)] = [
    ("account-mismatch/another-until-noon", .recovered, 1, .note),
    ("account-mismatch/created-again-and-back", .recovered, 0, .warning),
    ("account-mismatch/old-one-left", .recovered, 0, .note),
    ("account-not-allowed/removed-after-two-days", .abandoned, 1, .note),
    ("app-config/two-values-until-friday", .recovered, 0, .note),
    ("app-config/placeholder-and-gone", .abandoned, 0, .note), ("app-config/unusable-after", .recovered, 0, .note),
    ("app-config/user-placeholder-for-a-day", .recovered, 0, .note), ("crash-loop/one-morning", .recovered, 1, .note),
    ("deregister-after-token-removal/and-back", .recovered, 1, .note),
    ("deregister-after-token-removal/on-four-days", .recovered, 4, .warning),
    ("auth-required/wiped-for-it-and-back", .recovered, 1, .critical),
    ("clock-set-back/ahead-and-signed-out", .recovered, 0, .warning),
    ("clock-set-back/ahead-for-a-game", .recovered, 0, .note),
    ("identity-leak/kept-for-one", .recovered, 1, .note), ("identity-leak/until", .recovered, 1, .warning),
    ("jailbreak/five-times", .recovered, 5, .warning),
    ("jailbreak/wiped-and-restored-for-a-month", .recovered, 1, .critical),
    ("lost-callback/told-the-next", .recovered, 0, .note),
    ("missing-capability/until", .recovered, 1, .note), ("nil-account/before-the-sign-in", .recovered, 0, .note),
    ("os-version/minimum-raised-and-taken", .recovered, 1, .note),
    ("os-version/updated-the-same", .recovered, 1, .note), ("pin-attempts/reset", .recovered, 1, .note),
    ("policy-drift/back-once-in-spring", .outOfSight, 0, .note),
    ("policy-not-applied/registered-after", .recovered, 0, .note),
    ("policy-not-applied/set-after-a-week", .recovered, 0, .note),
    ("policy-not-applied/targeted-after", .recovered, 0, .note),
    ("policy-not-applied/untargeted-until", .recovered, 0, .note),
    ("restart-pending/came-after", .recovered, 0, .note),
    ("second-managed-account/switched-for-good", .recovered, 0, .warning),
    ("second-managed-account/until", .abandoned, 1, .note), ("stale-account/until", .recovered, 1, .note),
    ("stale-account/record-removed-at-noon", .recovered, 1, .note),
    ("threat-level/one-evening-beside", .recovered, 1, .note),
    ("unexpected-wipe/ordered-and-back", .recovered, 1, .note),
    ("unexpected-wipe/ordered-and-done", .wiped, 1, .note), ("wrong-enum/until", .recovered, 1, .warning),
  ]

  @Test(
    "A trouble that is over says how it ended, how often it was seen, and stays as bad as its harm", arguments: past)
  func over(
    _ expected: (file: String, ending: DiagnosisEnding.Kind, episodes: Int, severity: DiagnosisSeverity)
  ) throws {
    let fixture = try #require(Self.fixtures.first { $0.hasPrefix(expected.file) })
    let problem = try #require(try Self.findings(of: fixture).first?.diagnosis)
    #expect(problem.isOver, "\(problem.sentence)")
    expectEqual(problem.ending?.kind, expected.ending, "\(problem.sentence)")
    expectEqual(problem.episodeCount, expected.episodes, "\(problem.sentence)")
    expectEqual(problem.severity, expected.severity, "\(problem.sentence)")
  }

  @Test("Values that contradict each other are over when the configuration is withdrawn, and were not set right")
  func withdrawn() throws {
    let fixture = try #require(Self.fixtures.first { $0.contains("two-values-and-withdrawn") })
    let problem = try #require(try Self.findings(of: fixture).map(\.diagnosis).first { $0.isOver })
    #expect(problem.sentence.hasPrefix("policies that target a1 had different values of ward"), "\(problem.sentence)")
    expectEqual(problem.ending?.kind, .replaced)
    expectEqual(problem.evidence.last?.text, "the configuration is withdrawn")
  }

  @Test("A demand that came after the interval was over did not lead to the block")
  func afterTheBlock() throws {
    let fixture = try #require(Self.fixtures.first { $0.contains("after-a-week-without-the-app") })
    let findings = try Self.findings(of: fixture)
    expectEqual(findings.map(\.diagnosis.family), [.offlineBlock, .authRequired])
    expectEqual(findings.map(\.explainedBy), [nil, nil])
  }

  @Test("What the service demands of an account whose user has gone follows from the account that was left behind")
  func leftBehind() throws {
    let fixture = try #require(Self.fixtures.first { $0.contains("taken-over-and-its-tokens-fail") })
    let findings = try Self.findings(of: fixture)
    for family in [.authRequired, .offlineBlock] as [ProblemFamily] {
      let finding = try #require(findings.first { $0.diagnosis.family == family }, "\(family)")
      expectEqual(finding.explainedBy.map { findings[$0].diagnosis.family }, .staleAccount, "\(family)")
    }
    expectEqual(findings.first?.diagnosis.severity, .critical)
  }

  @Test("An answer of the service is named by its code, and not as a silence")
  func refused() throws {
    let fixture = try #require(Self.fixtures.first { $0.contains("refused-and-created-again") })
    let texts = try #require(try Self.findings(of: fixture).first?.diagnosis.evidence.map(\.text))
    #expect(texts.contains("a request for a1 fails: 203 authRequired"), "\(texts)")
  }

  @Test(
    "A guest's or private account without a policy is a note beside a managed account",
    arguments: ["policy-not-applied/guest", "policy-not-applied/private", "auth-required/visitor"])
  func beside(_ name: String) throws {
    let findings = try Self.findings(of: try #require(Self.fixtures.first { $0.hasPrefix(name) }))
    expectEqual(Set(findings.map(\.diagnosis.severity)), [.note], "\(findings.map(\.diagnosis.sentence))")
    expectEqual(Set(findings.map(\.diagnosis.harm)), [.bystander])
  }

  @Test("Of those that are not allowed, one that asks for nothing beside the allowed account harms nobody")
  func stranger() throws {
    for (name, severity) in [
      ("guest-left-registered", .note), ("private-stays-signed-in", .warning), ("unlisted-sign-in", .critical),
    ] as [(String, DiagnosisSeverity)] {
      let fixture = try #require(Self.fixtures.first { $0.hasPrefix("account-not-allowed/\(name)") })
      expectEqual(try Self.findings(of: fixture).first?.diagnosis.severity, severity, "\(name)")
    }
  }

  @Test("Wipes for one reason are told as one, and so are questions about two accounts")
  func series() throws {
    let wiped = try Self.findings(of: try #require(Self.fixtures.first { $0.contains("unexpected-wipe/after-each") }))
    let problem = try #require(wiped.first?.diagnosis)
    #expect(!problem.isOver && problem.sentence.hasSuffix("it was wiped 3 times since event 31"), "\(problem.sentence)")
    expectEqual(problem.evidence.map(\.sequence).suffix(2), [47, 63])
    let asked = try Self.findings(of: try #require(Self.fixtures.first { $0.contains("keeps-the-first-twice") }))
    #expect(asked.first.map { !$0.diagnosis.isOver && $0.diagnosis.evidence.count > 3 } == true)
  }

  @Test("What comes at each launch, or on one day after another, is told in words, and does more than a single one")
  func repetition() throws {
    let blocked = try Self.findings(of: try #require(Self.fixtures.first { $0.contains("device-model/never-listed") }))
    expectEqual(blocked.first?.diagnosis.sentence.contains("at event 12, at each of 4 launches: "), true)
    let wiped = try Self.findings(
      of: try #require(Self.fixtures.first { $0.contains("unexpected-wipe/every-evening") }))
    let problem = try #require(wiped.first?.diagnosis)
    #expect(
      problem.sentence.hasSuffix("it was wiped 4 times since event 28, on 4 days in a row"), "\(problem.sentence)")
    expectEqual(problem.severity, .critical)
  }

  @Test("Every family has three fixtures that have it and three that nearly do")
  func complete() {
    for family in ProblemFamily.allCases {
      let files = Self.fixtures.filter { $0.hasPrefix(family.id + "/") }
      let near = files.count { $0.hasPrefix(family.id + "/near-") }
      #expect(near >= 3 && files.count - near >= 3, "\(family.id): \(files)")
    }
  }
}
