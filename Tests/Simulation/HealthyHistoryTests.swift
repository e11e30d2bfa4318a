import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import Forensics
import PolicyDocuments
import Simulation
import Testing

/// Weeks of ordinary use, made from a table with a seed each: nothing in them is a problem.
@Suite("Diagnoses of healthy histories")
struct HealthyHistoryTests {
  /// How an app is used.
  struct Life: CustomTestStringConvertible {
    var seed: UInt64
    var isMultiIdentity = true
    var asksForPIN = false
    var hasConfiguration = false
    var usesThreads = false
    var tightens = false
    var travels = false
    var accounts = 1

    var testDescription: String { "seed \(seed)" }
  }

  static let lives = [
    Life(seed: 1), Life(seed: 2, isMultiIdentity: false), Life(seed: 3, asksForPIN: true),
    Life(seed: 4, hasConfiguration: true), Life(seed: 5, usesThreads: true), Life(seed: 6, tightens: true),
    Life(seed: 7, travels: true), Life(seed: 8, accounts: 2),
    Life(seed: 9, asksForPIN: true, hasConfiguration: true, tightens: true, travels: true),
    Life(seed: 10, isMultiIdentity: false, asksForPIN: true, tightens: true),
    Life(seed: 11, hasConfiguration: true, usesThreads: true, travels: true, accounts: 2),
  ]

  @Test("A healthy history shows nothing worse than a note, wherever it begins and ends", arguments: lives)
  func healthy(_ life: Life) throws {
    let target = try TemporaryFolder()
    let scenario = try Scenario(Array(Self.text(life).utf8), file: "healthy-\(life.seed).json")
    let result = try ScenarioRunner.runBothWays(scenario, into: target.path + "/journal")
    #expect(result.unmet.isEmpty && result.eventCount >= 300, "\(result.eventCount) events")
    let (findings, _) = try DiagnosisTests.diagnose(journal: target.path + "/journal")
    let bad = findings.filter { $0.diagnosis.severity > .note }.map {
      "\($0.diagnosis.family.id): \($0.diagnosis.sentence)"
    }
    expectEqual(bad, [], "seed \(life.seed)")
    try Self.judgeParts(of: target.path + "/journal", life)
  }

  /// A healthy history is healthy at each of its events, and wherever what is kept of it begins.
  private static func judgeParts(of journal: String, _ life: Life) throws {
    let beginning = AppProtectionExamination(contradictions: PolicyLint.contradictions)
    var examinations = [beginning]
    var reader = try LogReader(try History<AppProtectionMachine>(at: journal))
    var bad: [String: UInt64] = [:]
    while let item = try reader.next() {
      switch item {
      case .clockJump(let jump):
        for place in examinations.indices {
          examinations[place].observeClockJump(by: jump.nanoseconds, before: jump.sequence)
        }
      case .event(let step):
        let context = EventContext(sequence: step.record.sequence, moment: step.record.envelope.moment)
        let (event, before) = (try #require(step.record.event), try #require(step.before))
        let after = try #require(step.after)
        if context.sequence % 48 == 0 {
          var later = beginning
          later.begin(at: before, EventContext(sequence: context.sequence - 1, moment: context.moment))
          examinations.append(later)
        }
        for place in examinations.indices {
          examinations[place].observe(event, context, before: before, after: after)
          guard place == 0 || context.sequence % 8 == 0 else { continue }
          for problem in examinations[place].diagnoses(at: after, context) where problem.severity > .note {
            bad["\(problem.family.id), begun at \(place * 48): \(problem.sentence)"] = context.sequence
          }
        }
      case .finding, .stateUnknown, .retiredBeginning: Issue.record("\(item)")
      }
    }
    expectEqual(bad, [:], "seed \(life.seed)")
  }

  /// The scenario of some weeks.
  private static func text(_ life: Life) -> String {
    var random = life.seed &* 0x9E37_79B9_7F4A_7C15
    func below(_ bound: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % bound
    }
    let people = ["alice", "bob"].prefix(life.accounts)
    var steps = [#"{"service": {"alice": {"policy": "basic"}, "bob": {"policy": "basic"}}}"#, #"{"launch": {}}"#]
    steps += people.map { #"{"registerAndEnroll": "\#($0)"}"# } + [#"{"restart": {}}"#]
    if life.asksForPIN { steps.append(#"{"setPIN": {"account": "alice", "pin": "739182"}}"#) }
    if life.hasConfiguration {
      steps.append(
        #"{"configuration": {"account": "alice", "default": {"k": "d"}, "targeted": [{"server": "a.example"}]}}"#)
    }
    var sessions = 0
    for day in 1...40 where day % 7 < 5 {
      steps.append(
        #"{"at": "2026-\#(day < 27 ? "10" : "11")-\#(padded(day < 27 ? day + 5 : day - 26))T\#(padded(7 + below(2))):\#(padded(below(60))):00Z"}"#
      )
      steps.append(day == 1 ? #"{"restart": {}}"# : #"{"launch": {}}"#)
      for _ in 0...below(3) {
        sessions += 1
        let person = people[Int(below(UInt64(people.count)))]
        if life.isMultiIdentity { steps.append(#"{"setUI": "\#(person)"}"#) }
        if life.asksForPIN {
          steps += [#"{"evaluateLaunch": "alice"}"#, #"{"pinAttempt": {"account": "alice", "isRight": true}}"#]
        }
        if life.usesThreads {
          steps += [
            #"{"setThread": {"thread": "w", "identity": "alice"}}"#,
            #"{"setThread": {"thread": "w", "identity": null}}"#,
          ]
        }
        steps.append(#"{"wait": "PT\#(20 + below(80))M"}"#)
        if below(6) == 0 { steps.append(#"{"checkIn": "alice"}"#) }
      }
      if life.travels && day % 9 == 0 {
        steps += [
          #"{"service": {"alice": "networkFailure"}}"#, #"{"wait": "PT2H"}"#,
          #"{"service": {"alice": {"policy": "\#(life.tightens && day > 15 ? "strict" : "basic")"}}}"#,
          #"{"checkIn": "alice"}"#,
        ]
      }
      if life.tightens && day == 15 {
        steps += [#"{"service": {"alice": {"policy": "strict"}}}"#, #"{"checkIn": "alice"}"#]
      }
      if day == 20 { steps.append(#"{"update": {"app": "2.1", "os": "17.1"}}"#) }
      if life.isMultiIdentity && below(3) == 0 { steps.append(#"{"setUI": ""}"#) }
      steps.append(#"{"exit": {}}"#)
    }
    let policy =
      ##""@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": \##(life.asksForPIN), "##
      + #""periodOfflineBeforeAccessCheck": "PT24H", "periodOfflineBeforeWipeIsEnforced": "P90D""#
    return """
      {"scenario": 1, "title": "Weeks of ordinary use", "start": "2026-10-05T09:00:00Z",
       "app": {"version": "2.0", "multiIdentity": \(life.isMultiIdentity), "maximumManagedAccounts": \(life.accounts)},
       "device": {"os": "17.0", "model": "iPhone15,2", "sdk": "19.2.0"},
       "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01", "upn": "alice@contoso.com"},
                    "bob": {"objectID": "7b4b6d2f-1a8f-4b63-8e4c-6f3d9b2a0b02", "upn": "bob@fabrikam.com"}},
       "policies": {"basic": {"document": {\(policy)}}, "strict": {"document": {\(policy), "printBlocked": true}}},
       "steps": [\(steps.joined(separator: ",\n  "))]}
      """
  }

  private static func padded(_ number: some BinaryInteger) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
