import AppProtection
import AppProtectionInsight
import EventSourcing
import Expectations
import Forensics
import PolicyDocuments
import Simulation
import Testing

/// What a finding says is compared with the history: numbers of events, accounts, codes, versions, lengths of time and counts,
/// and the words *never* and *since*.
@Suite("Sentences of findings are true")
struct TrueSentenceTests {
  /// What a sentence can be compared with.
  struct Record {
    var types: [UInt64: String] = [:]
    var codes: [UInt64: Set<UInt32>] = [:]
    var accounts: Set<String> = []
    /// The texts of all fields, for versions.
    var texts = ""
    /// The account that each event is about.
    var subjects: [UInt64: String] = [:]
    var last: UInt64 = 0
    /// From the first event to the last one.
    var span: Int64 = 0

    /// Adds the fields of an event, those of messages in it included.
    mutating func add(_ fields: MessageFields, of number: UInt64) {
      for field in fields.fields {
        for value in field.values {
          switch value {
          case .unsigned(let code), .enumeration(let code, _):
            if field.name == "code" { codes[number, default: []].insert(UInt32(clamping: code)) }
          case .reference(let account, EventAccounts.kind):
            accounts.insert("a\(account)")
            if subjects[number] == nil { subjects[number] = "a\(account)" }
          case .text(let text), .json(let text): texts += text + " "
          case .message(let message): add(message, of: number)
          default: break
          }
        }
      }
    }

    /// Whether an event of one of these types comes after another one, for an account.
    func has(_ types: Set<String>, of account: String?, after sequence: UInt64 = 0) -> Bool {
      self.types.contains { number, type in
        number > sequence && types.contains(type) && (account == nil || subjects[number] == account)
      }
    }
  }

  /// A history's events.
  static func record(_ journal: String) throws -> Record {
    let history = try History<AppProtectionMachine>(at: journal)
    var record = Record()
    var (jumps, lowest, highest): (Int64, Int64, Int64) = (0, .max, .min)
    var reader = try LogReader(history)
    while let item = try reader.next() {
      if case .clockJump(let jump) = item { jumps += jump.nanoseconds }
      guard case .event(let step) = item else { continue }
      let (number, wall) = (step.record.sequence, step.record.envelope.moment.wallNanoseconds)
      record.types[number] = step.record.typeName
      record.last = number
      (lowest, highest) = (min(lowest, wall - jumps), max(highest, wall - jumps))
      record.add(step.record.fields, of: number)
    }
    record.span = highest - lowest
    return record
  }

  /// What is false in a finding.
  static func lies(_ problem: Problem, _ record: Record) -> [String] {
    var lies: [String] = []
    for text in [problem.sentence, problem.next] + problem.evidence.map(\.text) {
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
      for match in text.matches(of: /\b\d+\.\d+(\.\d+)*\b/) where !record.texts.contains(match.0) {
        lies.append("\(match.0)")
      }
    }
    for piece in problem.evidence {
      guard let number = piece.sequence else { continue }
      if record.types[number] == nil { lies.append("evidence \(number)") }
      guard let match = piece.text.firstMatch(of: /\b(2\d\d) [a-z]+[A-Z]\w*/), let codes = record.codes[number] else {
        continue
      }
      if !codes.contains(UInt32(match.1) ?? 0) { lies.append("\(number): \(piece.text), and it has \(codes)") }
    }
    return lies + falseWords(problem, record)
  }

  /// The words about the whole history that the history refutes.
  private static func falseWords(_ problem: Problem, _ record: Record) -> [String] {
    let subject = problem.subject
    let decided = problem.decidingEvent
    let completed: Set = ["enrollment.succeeded", "checkIn.unchanged", "policy.received", "policy.withdrawn"]
    let texts = [problem.sentence, problem.next] + problem.evidence.map(\.text)
    let claims: [(words: String, isTrue: Bool)] = [
      ("never registered", !record.has(["account.registered"], of: subject)),
      ("never enrolled", !record.has(["enrollment.succeeded"], of: subject)),
      (
        "never set its identity",
        !record.has(["identity.switched"], of: subject) || problem.sentence.contains("threads")
      ),
      ("is still enrolled", record.has(["enrollment.succeeded"], of: subject)),
      ("a check-in has completed since", record.has(completed, of: subject, after: decided)),
      ("no check-in has completed since", !record.has(completed, of: subject, after: decided)),
      ("no enrollment has succeeded since", !record.has(["enrollment.succeeded"], of: subject, after: decided)),
      ("and registers none later", !record.has(["account.registered"], of: nil, after: decided)),
    ]
    return claims.filter { claim in !claim.isTrue && texts.contains { $0.contains(claim.words) } }.map(\.words)
  }

  /// The false words of a journal's findings.
  private static func check(_ journal: String, _ name: String) throws {
    let record = try record(journal)
    let (findings, _) = try DiagnosisTests.diagnose(journal: journal)
    for problem in findings.map(\.diagnosis) where problem.family != .damagedJournal {
      expectEqual(lies(problem, record), [], "\(name): \(problem.family.id): \(problem.sentence) \(problem.evidence)")
    }
  }

  @Test("In every fixture", arguments: DiagnosisTests.fixtures.filter { !$0.hasPrefix("damaged-journal/") })
  func fixtures(_ fixture: String) throws {
    let target = try TemporaryFolder()
    _ = try ScenarioRunner.run(
      try Scenario.load("\(DiagnosisTests.folder)/\(fixture)"), into: target.path + "/journal")
    try Self.check(target.path + "/journal", fixture)
  }

  @Test("In histories made at random", arguments: 1...16 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    let target = try TemporaryFolder()
    let scenario = try Scenario(Array(Self.text(seed).utf8), file: "random-\(seed).json")
    _ = try ScenarioRunner.run(scenario, into: target.path + "/journal")
    try Self.check(target.path + "/journal", "seed \(seed)")
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
