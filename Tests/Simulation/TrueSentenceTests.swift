import AppProtection
import AppProtectionInsight
import EventSourcing
import Expectations
import Forensics
import PolicyDocuments
import Simulation
import Testing

/// What a finding says is compared with the history: numbers of events, accounts, codes, versions, dates, lengths of time and
/// counts, and what the words *never*, *only*, *since* and *still* claim of a range of events.
@Suite("Sentences of findings are true")
struct TrueSentenceTests {
  /// What is false in a finding.
  static func lies(_ problem: Problem, _ record: HistoryRecord) -> [String] {
    var lies: [String] = []
    for text in texts(of: problem) {
      for match in text.matches(of: /event (\d+)/) {
        guard let number = UInt64(match.1), (1...max(record.last, 1)).contains(number) else {
          lies.append("\(match.0)")
          continue
        }
      }
      for match in text.matches(of: /\b(a\d+)\b/) where !record.accounts.contains(String(match.1)) {
        lies.append("\(match.0)")
      }
      for match in text.matches(of: /\b(\d\d\d) [a-z]+[A-Z]\w*/) {
        let code = UInt32(match.1) ?? 0
        if !record.codes.values.contains(where: { $0.contains(code) }) { lies.append("\(match.0)") }
      }
      for match in text.matches(of: /(\d+) (day|hour|minute)s/) {
        let unit: Int64 = match.2 == "day" ? 86_400 : match.2 == "hour" ? 3_600 : 60
        // The limits of policies, and how often the service is asked, are no spans of the history.
        let isSpan = text.contains("for \(match.0)") || text.contains("within \(match.0)")
        if isSpan, (Int64(match.1) ?? 0) * unit * 1_000_000_000 > record.span + 60_000_000_000 {
          lies.append("\(match.0)")
        }
      }
      for match in text.matches(of: /(\d+) (times|requests)/) where (UInt64(match.1) ?? 0) > record.last {
        lies.append("\(match.0)")
      }
      for match in text.matches(of: /\b(\d+\.\d+(\.\d+)*|P(\d+D)?(T\d[\dHMS]*)?|\d{4}-\d\d-\d\d)\b/)
      where match.0 != "P" && !record.texts.contains(match.0) {
        lies.append("\(match.0)")
      }
    }
    for piece in problem.evidence {
      guard let number = piece.sequence else { continue }
      if record.types[number] == nil { lies.append("evidence \(number)") }
      for (words, types) in shown where piece.text.wholeMatch(of: words) != nil {
        if let type = record.types[number], !types.contains(type) { lies.append("\(type): \(piece.text)") }
      }
      guard let match = piece.text.firstMatch(of: /\b(2\d\d) [a-z]+[A-Z]\w*/), let codes = record.codes[number] else {
        continue
      }
      if !codes.contains(UInt32(match.1) ?? 0) { lies.append("\(number): \(piece.text), and it has \(codes)") }
    }
    return lies + falseTimes(problem, record)
      + claims.filter { claim in
        texts(of: problem).contains { $0.contains(claim.words) } && !claim.isTrue(problem, record)
      }.map(\.words)
  }

  private static func texts(of problem: Problem) -> [String] {
    [problem.sentence, problem.next] + problem.evidence.map(\.text)
  }

  /// The times and counts that the events do not have.
  private static func falseTimes(_ problem: Problem, _ record: HistoryRecord) -> [String] {
    var events = problem.evidence.compactMap { piece in
      piece.moment.map { EventContext(sequence: piece.sequence ?? 0, moment: $0) }
    }
    events += problem.episodes.flatMap { [$0.first, $0.last] + ($0.ending.map { [$0.event] } ?? []) }
    if let ending = problem.ending { events.append(ending.event) }
    var lies = events.filter { $0.sequence > 0 && record.moments[$0.sequence] != $0.moment }.map {
      "the time of event \($0.sequence)"
    }
    if problem.isOver, problem.until == nil { lies.append("over, and without an end") }
    if problem.isOver, problem.episodes.last.map({ $0.ending == nil }) == true {
      lies.append("the end of the last episode")
    }
    if let ending = problem.ending, ending.kind != .outOfSight, ending.event.sequence < problem.onset {
      lies.append("an end with event \(ending.event.sequence), and a beginning with event \(problem.onset)")
    }
    if let ending = problem.ending?.event.sequence {
      lies += problem.evidence.compactMap(\.sequence).filter { $0 > ending }.map { "evidence \($0) is after the end" }
    }
    if problem.episodeCount < problem.episodes.count { lies.append("\(problem.episodeCount) episodes") }
    for episode in problem.episodes {
      let range = episode.first.sequence...max(episode.first.sequence, episode.last.sequence)
      let isCounted = episode.count > 0 && UInt64(episode.count) <= range.upperBound - range.lowerBound + 1
      if episode.first.sequence > episode.last.sequence || !isCounted { lies.append("the episode \(range)") }
    }
    if let day = problem.sentence.firstMatch(of: /each on a (\w+day)/) {
      let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
      let days = problem.episodes.map { names[Int($0.first.moment.wallNanoseconds / 86_400_000_000_000 % 7)] }
      if days.contains(where: { $0 != day.1 }) { lies.append("\(day.0)") }
    }
    return lies
  }

  /// What words claim of the events in a range, as functions of it.
  private static let claims: [(words: String, isTrue: @Sendable (Problem, HistoryRecord) -> Bool)] = [
    ("never registered", { !$1.has(["account.registered"], of: $0.subject) }),
    ("never enrolled", { !$1.has(["enrollment.succeeded"], of: $0.subject) }),
    (
      "never set its identity",
      { !$1.has(["identity.switched"], of: $0.subject) || $0.sentence.contains("threads") }
    ),
    ("was never notified", { !$1.has(["remediation.told"], of: $0.subject, after: $0.decidingEvent) }),
    ("is still enrolled", { $1.has(["enrollment.succeeded"], of: $0.subject) }),
    ("is still registered, and was never enrolled", { !$1.has(["enrollment.succeeded"], of: $0.subject) }),
    ("a check-in has completed since", { $1.has(completed, of: $0.subject, after: $0.decidingEvent) }),
    ("no check-in has completed since", { !$1.has(completed, of: $0.subject, after: $0.decidingEvent) }),
    ("no token has been acquired since", { !$1.has(["token.acquired"], of: $0.subject, after: $0.decidingEvent) }),
    (
      "no enrollment has succeeded since",
      { !$1.has(["enrollment.succeeded"], of: $0.subject, after: $0.decidingEvent) }
    ),
    ("no registration has come since", { !$1.has(["account.registered"], of: $0.subject, after: $0.decidingEvent) }),
    ("and registers none later", { !$1.has(["account.registered"], of: nil, after: $0.decidingEvent) }),
    ("only one account can be", { problem, record in mayBeManaged(problem, record) == 1 }),
    (
      "accounts can be",
      { problem, record in
        let number = problem.sentence.firstMatch(of: /only (\d+) accounts can be/).flatMap { UInt64($0.1) }
        return number.map { $0 == mayBeManaged(problem, record) } ?? true
      }
    ),
  ]

  /// What a piece of evidence says, and the types of the events that can show it.
  private static var shown: [(words: Regex<Substring>, types: Set<String>)] {
    [
      (/another configuration takes its place/, ["configuration.received"]),
      (/the configuration is withdrawn/, ["configuration.withdrawn"]),
      (
        /a\d+ leaves/,
        [
          "account.deregistered", "unenrollment.requested", "unenrollment.succeeded", "unenrollment.failed",
          "wipe.completed",
        ]
      ), (/the wipe of a\d+ is ordered/, ["wipe.requested"]), (/the data of a\d+ is wiped/, ["wipe.completed"]),
    ]
  }

  private static let completed: Set = [
    "enrollment.succeeded", "checkIn.unchanged", "policy.received", "policy.withdrawn",
  ]

  /// How many accounts may be managed at the deciding event: one if an account must be alone.
  private static func mayBeManaged(_ problem: Problem, _ record: HistoryRecord) -> UInt64? {
    let isAlone = record.exclusive.contains { event, account in
      event <= problem.decidingEvent && (account == problem.subject || problem.sentence.contains(account))
    }
    return isAlone ? 0 : record.most[problem.decidingEvent]
  }

  /// Diagnoses a journal, and checks what is said of it.
  private static func check(_ journal: String, _ name: String) throws {
    try check(try DiagnosisTests.diagnose(journal: journal).findings, of: journal, name)
  }

  /// The false words of a journal's findings.
  static func check(
    _ findings: [HistoryDiagnosis<AppProtectionMachine>.Ranked], of journal: String, _ name: String
  ) throws {
    let record = try HistoryRecord(of: journal)
    for problem in findings.map(\.diagnosis) where problem.family != .damagedJournal {
      expectEqual(lies(problem, record), [], "\(name): \(problem.family.id): \(problem.sentence) \(problem.evidence)")
      #expect(!problem.next.contains("look up the code"), "\(name): \(problem.next)")
      // A service that answers is reached.
      let answered = problem.evidence.contains { piece in
        piece.sequence.flatMap { record.codes[$0] }.map { !$0.isDisjoint(with: answers) } ?? false
      }
      #expect(!answered || !problem.next.contains("connect the device"), "\(name): \(problem.next) \(problem.evidence)")
    }
  }

  /// The codes with which the service says something about an account.
  private static let answers = Set(
    EnrollmentStatusCode.table.filter { $0.classification == .failure || $0.classification == .terminal }
      .map(\.code.rawValue))

  @Test(
    "In every published scenario",
    arguments: Files.names(in: GoldenJournalTests.folder + "/scenarios").filter { $0.hasSuffix(".json") }.sorted())
  func scenarios(_ name: String) throws { try Self.run("\(GoldenJournalTests.folder)/scenarios/\(name)") }

  @Test("In every published journal", arguments: GoldenJournalTests.names)
  func published(_ name: String) throws { try Self.check("\(GoldenJournalTests.folder)/\(name)/journal", name) }

  private static func run(_ file: String) throws {
    let target = try TemporaryFolder()
    _ = try ScenarioRunner.run(try Scenario.load(file), into: target.path + "/journal")
    try check(target.path + "/journal", file)
  }

  @Test(
    "Each claim is refuted by its counterexample",
    arguments: [
      ("a1 was never registered", "account.registered", 2), ("a1 was never enrolled", "enrollment.succeeded", 2),
      ("the app never set its identity", "identity.switched", 2), ("a1 is still enrolled", "account.registered", 2),
      ("the app was never notified", "remediation.told", 8),
      ("a1 is still registered, and was never enrolled,", "enrollment.succeeded", 2),
      ("a check-in has completed since", "checkIn.unchanged", 2),
      ("no check-in has completed since", "checkIn.unchanged", 8),
      ("no token has been acquired since", "token.acquired", 8),
      ("no enrollment has succeeded since", "enrollment.succeeded", 8),
      ("no registration has come since", "account.registered", 8),
      ("and registers none later", "account.registered", 8),
      ("and only 3 accounts can be: it was refused", "account.registered", 2),
      ("and only one account can be: it was refused", "account.registered", 2),
      ("2 episodes, the last with event 99", "account.registered", 2),
      ("it lasted for 3 days", "account.registered", 2),
      ("SDK 19.2.1", "account.registered", 2), ("blocked for PT12H", "account.registered", 2),
      ("on 2026-03-04", "account.registered", 2), ("9 times", "account.registered", 2),
      ("a2 is refused", "account.registered", 2), ("refused with 214 notEnrolledAccount", "account.registered", 2),
    ] as [(String, String, UInt64)])
  func counterexamples(sentence: String, type: String, number: UInt64) {
    var record = HistoryRecord()
    record.add(5, "process.started", Moment(wallNanoseconds: 5), of: "a1")
    record.add(number, type, Moment(wallNanoseconds: Int64(number)), of: "a1")
    record.most[5] = 2
    let problem = Problem(
      .lostCallback, of: "a1", sentence,
      evidence: DiagnosisEvidence(EventContext(sequence: 5, moment: Moment(wallNanoseconds: 5)), "decides"),
      next: "wait")
    expectEqual(Self.lies(problem, record).isEmpty, false, "\(sentence)")
    // Where no account may be alone beside it, the number of accounts is no limit.
    record.exclusive = [4: "a1"]
    record.most[5] = 3
    expectEqual(Self.lies(problem, record).isEmpty, false, "\(sentence)")
  }

  @Test("A time that is not the event's, and an episode with more events than its range, are not true")
  func falseTimes() {
    var record = HistoryRecord()
    record.add(5, "checkIn.failed", Moment(wallNanoseconds: 5), of: "a1")
    func problem(_ moment: Int64, times: Int) -> Problem {
      let event = EventContext(sequence: 5, moment: Moment(wallNanoseconds: moment))
      var problem = Problem(
        .lostCallback, of: "a1", "it failed", evidence: DiagnosisEvidence(event, "fails"), next: "wait")
      var episode = DiagnosisEpisode(beginning: event)
      episode.count = times
      problem.show([episode], of: 1)
      return problem
    }
    expectEqual(Self.lies(problem(5, times: 1), record), [])
    expectEqual(Self.lies(problem(6, times: 1), record).isEmpty, false)
    expectEqual(Self.lies(problem(5, times: 2), record).isEmpty, false)
  }

  @Test(
    "Evidence whose event is of another type than its words is not true",
    arguments: [
      ("a1 leaves", "wipe.requested"), ("another configuration takes its place", "configuration.withdrawn"),
      ("the configuration is withdrawn", "configuration.received"),
      ("the wipe of a1 is ordered", "account.deregistered"), ("the data of a1 is wiped", "wipe.requested"),
    ])
  func falseEvidence(text: String, type: String) {
    var record = HistoryRecord()
    let moment = Moment(wallNanoseconds: 5)
    record.add(5, type, moment, of: "a1")
    let problem = Problem(
      .lostCallback, of: "a1", "it failed",
      evidence: DiagnosisEvidence(EventContext(sequence: 5, moment: moment), text), next: "wait")
    expectEqual(Self.lies(problem, record), ["\(type): \(text)"])
  }

  @Test("In histories made at random", arguments: 1...16 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    let target = try TemporaryFolder()
    let scenario = try Scenario(Array(Self.text(seed).utf8), file: "random-\(seed).json")
    _ = try ScenarioRunner.run(scenario, into: target.path + "/journal")
    try Self.check(target.path + "/journal", "seed \(seed)")
    let findings = try DiagnosisTests.diagnose(journal: target.path + "/journal").findings
    try FinalStateTests.check(findings, of: target.path + "/journal", "seed \(seed)")
  }

  /// A scenario in which all kinds of things go wrong.
  private static func text(_ seed: UInt64) -> String {
    var random = seed &* 0x9E37_79B9_7F4A_7C15
    func below(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(bound))
    }
    func pick(_ texts: [String]) -> String { texts[below(texts.count)] }
    var steps = [#"{"service": {"alice": {"policy": "basic"}, "bob": {"policy": "basic"}}}"#, #"{"launch": {}}"#]
    var isRunning = true
    for _ in 0..<90 {
      let who = pick(["alice", "bob"])
      if !isRunning {
        steps += [#"{"wait": "PT\#(1 + below(60))H"}"#, #"{"launch": {}}"#]
        isRunning = true
        continue
      }
      switch below(16) {
      case 0, 1: steps.append(#"{"registerAndEnroll": "\#(who)"}"#)
      case 2: steps.append(#"{"setUI": {"identity": "\#(who)", "outcome": null}}"#)
      case 3:
        let answer = pick([
          #"{"policy": "basic"}"#, #"{"policy": "strict"}"#, #""networkFailure""#, #"{"code": 203}"#, #"{"code": 207}"#,
          #"{"code": 209}"#, #"{"code": 214}"#, #"{"code": 221}"#, #"{"code": 200}"#, #""wipe""#,
        ])
        steps.append(#"{"service": {"\#(who)": \#(answer)}}"#)
      case 4, 5: steps.append(#"{"wait": "PT\#(1 + below(40))H"}"#)
      case 6: steps.append(#"{"reportDevice": {"isJailbroken": \#(pick(["true", "false"]))}}"#)
      case 7:
        steps.append(#"{"update": {"os": "\#(pick(["16.0", "17.5", "18.1"]))", "app": "\#(pick(["2.0", "2.1"]))"}}"#)
      case 8: steps.append(#"{"clock": {"\#(pick(["setAhead", "setBack"]))": "P\#(1 + below(30))D"}}"#)
      case 9: steps.append(#"{"deregisterAndUnenroll": "\#(who)"}"#)
      case 10: steps.append(#"{"signIns": {"accounts": ["\#(who)"], "workOrSchool": ["\#(who)"]}}"#)
      case 11: steps.append(#"{"signIns": []}"#)
      case 12: steps.append(#"{"evaluateLaunch": "\#(who)"}"#)
      case 13: steps.append(#"{"setThread": {"thread": "w", "identity": "\#(who)", "outcome": null}}"#)
      default:
        steps.append(#"{"exit": {}}"#)
        isRunning = false
      }
    }
    let policy =
      ##""@odata.type": "#microsoft.graph.iosManagedAppProtection", "deviceComplianceRequired": true, "##
      + #""appActionIfDeviceComplianceRequired": "block", "periodOfflineBeforeAccessCheck": "PT24H", "#
      + #""periodOfflineBeforeWipeIsEnforced": "P30D""#
    return """
      {"scenario": 1, "title": "Everything goes wrong", "start": "2026-03-02T09:00:00Z",
       "app": {"version": "2.0", "multiIdentity": true},
       "device": {"os": "17.0", "model": "iPhone15,2", "sdk": "19.2.0"},
       "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01", "upn": "alice@contoso.com"},
                    "bob": {"upn": "bob@contoso.com"}},
       "policies": {"basic": {"document": {\(policy)}},
                    "strict": {"document": {\(policy), "minimumRequiredOsVersion": "17.0"}}},
       "steps": [\(steps.joined(separator: ",\n  "))]}
      """
  }
}
