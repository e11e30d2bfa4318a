import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import Forensics
import PolicyDocuments
import Simulation
import Testing

/// Problems that last, in histories whose first events are missing, the deciding one among them.
@Suite("Diagnoses of histories that begin late")
struct CutOffDiagnosisTests {
  /// The fixtures of lasting problems that the opening state shows.
  private static let fixtures = [
    "account-not-allowed/list-shrinks@allowedAccounts.changed#1.json",
    "app-config/two-policies-differ@configuration.received#1.json",
    "auth-required/password-changed@checkIn.failed#1.json",
    "jailbreak/", "launch-blocked/not-at-work@launch.evaluated#1.json",
    "lost-callback/waits-for-restart@restart.required#1.json",
    "nil-account/name-without-object-id@enrollment.failed#1.json", "policy-contradiction/",
    "policy-not-applied/licensed-not-targeted@enrollment.failed#1.json",
    "policy-not-applied/not-targeted@enrollment.succeeded#1.json",
    "wipe-unfinished/files-in-use@wipe.failed#1.json",
  ]

  @Test("A lasting problem is found where its cause is missing, and no event is blamed for it", arguments: fixtures)
  func lasting(_ name: String) throws {
    let fixture = try #require(DiagnosisTests.fixtures.first { $0.hasPrefix(name) && !$0.contains("/near-") })
    let family = String(try #require(fixture.split(separator: "/").first))
    let target = try TemporaryFolder()
    let journal = target.path + "/journal"
    _ = try ScenarioRunner.run(try Scenario.load("\(DiagnosisTests.folder)/\(fixture)"), into: journal)
    let whole = try DiagnosisTests.diagnose(journal: journal)
    let decided = try #require(whole.findings.first?.diagnosis.decidingEvent)
    var examination = AppProtectionExamination(contradictions: PolicyLint.contradictions)
    var found: [Problem] = []
    var reader = try LogReader(try History<AppProtectionMachine>(at: journal))
    while let item = try reader.next() {
      guard case .event(let step) = item, step.record.sequence > decided else { continue }
      let context = EventContext(sequence: step.record.sequence, moment: step.record.envelope.moment)
      let (event, before) = (try #require(step.record.event), try #require(step.before))
      let after = try #require(step.after)
      if context.sequence == decided + 1 {
        examination.begin(at: before, EventContext(sequence: decided, moment: context.moment))
      }
      examination.observe(event, context, before: before, after: after)
      found = examination.diagnoses(at: after, context).map { $0.placed(after: decided) }
    }
    let problem = try #require(
      found.first { $0.family.id == family }, "\(fixture) after \(decided): \(found.map(\.sentence))")
    let evidence = problem.evidence.map { "\($0.sequence ?? 0) \($0.text)" }
    #expect(problem.evidence.allSatisfy { $0.sequence ?? .max > decided }, "\(evidence)")
    expectEqual(problem.evidence.first?.text.hasSuffix("before event \(decided + 1)"), true, "\(evidence)")
    #expect(!problem.sentence.contains("event \(decided) ") && !problem.sentence.hasSuffix("event \(decided)"))
  }

  @Test(
    "Wherever a published journal begins, nothing critical is found of which the whole shows nothing",
    arguments: ["framework-history", "multi-identity-day", "remediation-queue", "interrupted-wipe"])
  func ranges(_ name: String) throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    var examinations: [(begin: UInt64, examination: AppProtectionExamination)] = []
    var reader = try LogReader(try History<AppProtectionMachine>(at: "\(root)/journals/\(name)/journal"))
    var bad: Set<String> = []
    var end: (state: AppProtectionState, context: EventContext)?
    while let item = try reader.next() {
      guard case .event(let step) = item else { continue }
      let context = EventContext(sequence: step.record.sequence, moment: step.record.envelope.moment)
      let (event, before) = (try #require(step.record.event), try #require(step.before))
      let after = try #require(step.after)
      // The first one sees the whole history.
      if context.sequence == 1 || context.sequence < 48 || context.sequence.isMultiple(of: 16) {
        var later = AppProtectionExamination(contradictions: PolicyLint.contradictions)
        if context.sequence > 1 {
          later.begin(at: before, EventContext(sequence: context.sequence - 1, moment: context.moment))
        }
        examinations.append((context.sequence, later))
      }
      for place in examinations.indices {
        examinations[place].examination.observe(event, context, before: before, after: after)
      }
      end = (after, context)
    }
    let (state, last) = try #require(end)
    let known = Set(examinations[0].examination.diagnoses(at: state, last).map(\.family))
    for (begin, examination) in examinations {
      for problem in examination.diagnoses(at: state, last) where problem.severity == .critical {
        if !known.contains(problem.family) { bad.insert("\(begin): \(problem.family.id): \(problem.sentence)") }
      }
    }
    expectEqual(bad.sorted(), [])
  }
}
