import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import Journal
import Testing

@testable import Forensics

@Suite("The order of findings")
struct RankingTests {
  private typealias Report = HistoryDiagnosis<AppProtectionMachine>

  private static func problem(
    _ family: ProblemFamily, at event: UInt64, _ confidence: DiagnosisConfidence = .certain, of subject: String? = "a1",
    until: UInt64? = nil, causes: [UInt64] = []
  ) -> Problem {
    var problem = Problem(
      family, confidence, of: subject, "\(family.id)", evidence: DiagnosisEvidence(event, "e"), next: "n")
    (problem.until, problem.causes) = (until, causes)
    return problem
  }

  private static func event(_ sequence: UInt64) -> EventContext {
    EventContext(sequence: sequence, moment: Moment(wallNanoseconds: 0))
  }

  /// The families in order, with the cause of each.
  private static func order(_ problems: [Problem]) -> [String] {
    let ranked = Report.ranked(problems)
    return ranked.map { finding in
      finding.diagnosis.family.id + (finding.explainedBy.map { " < " + ranked[$0].diagnosis.family.id } ?? "")
    }
  }

  @Test("The most severe come first, then the most certain, then the earliest")
  func severity() {
    expectEqual(
      Self.order([
        Self.problem(.policyDrift, at: 1), Self.problem(.remediationLoop, at: 9, .likely),
        Self.problem(.offlineBlock, at: 8, of: "a2"), Self.problem(.wipeUnfinished, at: 5, of: "a3"),
      ]), ["wipe-unfinished", "offline-block", "remediation-loop", "policy-drift"])
  }

  @Test("What lasts follows from what is over only if it names it")
  func overCause() {
    var cause = Self.problem(.authRequired, at: 3)
    cause.end(.recovered, at: Self.event(8))
    let effect = Self.problem(.checkInOverdue, at: 5)
    expectEqual(Self.order([cause, effect]).filter { $0.contains("<") }, [])
    let naming = Self.problem(.checkInOverdue, at: 5, causes: [3])
    #expect(Self.order([cause, naming]).contains("check-in-overdue < auth-required"))
    var past = effect
    past.end(.recovered, at: Self.event(9))
    #expect(Self.order([cause, past]).contains("check-in-overdue < auth-required"))
  }

  @Test("Of equally bad ones, past harm comes before what only is irregular, and a guest's note last although it lasts")
  func harm() {
    func problem(
      _ family: ProblemFamily, _ severity: DiagnosisSeverity, _ harm: DiagnosisHarm, at event: UInt64, isOver: Bool
    ) -> Problem {
      var problem = Self.problem(family, at: event, of: "a\(event)")
      (problem.severity, problem.harm) = (severity, harm)
      if isOver { problem.end(.recovered, at: Self.event(event + 1)) }
      return problem
    }
    expectEqual(
      Self.order([
        problem(.policyNotApplied, .note, .bystander, at: 1, isOver: false),
        problem(.policyDrift, .note, .irregular, at: 2, isOver: false),
        problem(.checkInOverdue, .note, .irregular, at: 3, isOver: true),
        problem(.threatLevel, .note, .user, at: 9, isOver: true),
        problem(.restartPending, .note, .user, at: 8, isOver: false),
        problem(.accountNotAllowed, .warning, .irregular, at: 4, isOver: false),
        problem(.retryStorm, .warning, .user, at: 5, isOver: true),
        problem(.crashLoop, .warning, .user, at: 6, isOver: false),
      ]),
      [
        "crash-loop", "retry-storm", "account-not-allowed", "restart-pending", "threat-level", "policy-drift",
        "check-in-overdue", "policy-not-applied",
      ])
  }

  @Test("Of equally bad and certain ones, what nearly anything leads to comes last")
  func symptom() {
    expectEqual(
      Self.order([Self.problem(.policyNotApplied, at: 3, of: "a2"), Self.problem(.wipeUnfinished, at: 9)]),
      ["wipe-unfinished", "policy-not-applied"])
    expectEqual(
      Self.order([Self.problem(.offlineBlock, at: 3, of: "a2"), Self.problem(.remediationLoop, at: 9)]),
      ["offline-block", "remediation-loop"])
  }

  @Test("What is felt after a policy set the limit follows from the block by it, which is decided later")
  func onset() {
    var block = Self.problem(.osVersion, at: 12)
    let wipe = Self.problem(.unexpectedWipe, at: 11)
    #expect(Self.order([block, wipe]).allSatisfy { !$0.contains("<") })
    block.began = 10
    expectEqual(Self.order([block, wipe]), ["os-version", "unexpected-wipe < os-version"])
    expectEqual(block.onset, 10)
  }

  @Test("A cause stands above what it led to, and is as severe")
  func causes() {
    let found = [
      Self.problem(.unexpectedWipe, at: 20), Self.problem(.checkInOverdue, at: 14), Self.problem(.authRequired, at: 10),
      Self.problem(.offlineBlock, at: 14),
    ]
    expectEqual(Self.order(found).first, "auth-required")
    #expect(Self.order(found).dropFirst().allSatisfy { $0.hasSuffix(" < auth-required") })
    let clock = [Self.problem(.clockSetBack, at: 17), Self.problem(.offlineBlock, at: 18, causes: [17])]
    expectEqual(Self.order(clock), ["clock-set-back", "offline-block < clock-set-back"])
    expectEqual(Report.ranked(clock).first?.diagnosis.severity, .critical)
  }

  @Test("Problems of other accounts and other times are not explained")
  func apart() {
    expectEqual(
      Self.order([Self.problem(.authRequired, at: 10, of: "a2"), Self.problem(.offlineBlock, at: 14)]),
      ["auth-required", "offline-block"])
    expectEqual(
      Self.order([Self.problem(.authRequired, at: 10, until: 12), Self.problem(.offlineBlock, at: 14)]),
      ["auth-required", "offline-block"])
  }

  @Test("What is over stands below what lasts, and is no end while its consequence lasts")
  func past() {
    var block = Self.problem(.offlineBlock, at: 3)
    block.end(.recovered, at: Self.event(5))
    expectEqual(Self.order([block, Self.problem(.policyDrift, at: 9)]), ["policy-drift", "offline-block"])
    var jump = Self.problem(.clockSetBack, at: 2, until: 2)
    jump.isOver = true
    expectEqual(
      Self.order([jump, Self.problem(.unexpectedWipe, at: 4, causes: [2]), Self.problem(.policyDrift, at: 6)]),
      ["clock-set-back", "unexpected-wipe < clock-set-back", "policy-drift"])
  }

  @Test("What is over names its end, and its next step waits until it comes again, unless it is only out of sight")
  func concluded() {
    var block = Self.problem(.offlineBlock, at: 3)
    expectEqual(block.concluded, block)
    for (kind, words) in [
      (.recovered, "offline-block; it was over with event 5"),
      (.replaced, "offline-block; another answer took its place with event 5"),
      (.wiped, "offline-block; it ended with the wipe at event 5"),
      (.abandoned, "offline-block; it was given up with event 5"),
      (.outOfSight, "offline-block; not seen since event 5"),
    ] as [(DiagnosisEnding.Kind, String)] {
      block.end(kind, at: Self.event(5))
      expectEqual(block.concluded.sentence, words)
      expectEqual(block.concluded.next, kind == .outOfSight ? "n" : "nothing now; if it comes again, n")
    }
    block.sentence = "blocked up to event 5"
    expectEqual(block.concluded.sentence, "blocked up to event 5; not seen since event 5")
    block.end(.recovered, at: Self.event(5))
    block.sentence = "blocked until event 5; it was seen up to event 51"
    expectEqual(block.concluded.sentence, block.sentence)
    block.sentence = "blocked up to event 51"
    expectEqual(block.concluded.sentence, "blocked up to event 51; it was over with event 5")
  }

  @Test("Damage stands below what was decided before it and lasts, and above notes and what is over")
  func damageAfterCause() {
    let damage = Self.problem(.damagedJournal, at: 40, of: nil)
    var over = Self.problem(.remediationLoop, at: 8)
    over.end(.recovered, at: Self.event(9))
    var note = Self.problem(.checkInOverdue, at: 7, of: "a2")
    note.severity = .note
    expectEqual(Self.order([damage, over, note]).first, "damaged-journal")
    expectEqual(
      Self.order([damage, over, note, Self.problem(.policyDrift, at: 12, .possible)]),
      ["policy-drift", "damaged-journal", "remediation-loop", "check-in-overdue"])
  }

  @Test("A problem explains those of the others whom it concerns, and of nobody else")
  func others() {
    var conflict = Self.problem(.accountMismatch, at: 10, of: "a3")
    let (old, strange) = (Self.problem(.staleAccount, at: 11), Self.problem(.staleAccount, at: 12, of: "a2"))
    #expect(Self.order([conflict, old]).allSatisfy { !$0.contains("<") })
    conflict.others = ["a1"]
    expectEqual(
      Self.order([conflict, old, strange]), ["account-mismatch", "stale-account < account-mismatch", "stale-account"])
  }

  @Test("What was felt before a cause began does not follow from it, by its family or by name")
  func effectBeforeCause() {
    var (block, sign) = (Self.problem(.offlineBlock, at: 5), Self.problem(.authRequired, at: 10))
    // The tokens were removed at 10, and the service first missed them at 12.
    sign.began = 12
    for (felt, follows) in [(8, false), (11, false), (12, true), (20, true)] as [(UInt64, Bool)] {
      block.felt = felt
      let order = Self.order([block, sign])
      expectEqual(order.contains("offline-block < auth-required"), follows, "felt at \(felt): \(order)")
    }
    var wipe = Self.problem(.unexpectedWipe, at: 4, causes: [17])
    wipe.felt = 6
    #expect(Self.order([wipe, Self.problem(.clockSetBack, at: 17)]).allSatisfy { !$0.contains("<") })
  }

  @Test("What rests on something that did not happen was felt at no event, and may follow from any")
  func absence() {
    var config = Self.problem(.appConfiguration, at: 3)
    let none = Self.problem(.policyNotApplied, at: 9)
    #expect(Self.order([config, none]).allSatisfy { !$0.contains("<") })
    config.restsOnAbsence = true
    expectEqual(Self.order([config, none]), ["policy-not-applied", "app-config < policy-not-applied"])
    config.isOwnCause = true
    #expect(Self.order([config, none]).allSatisfy { !$0.contains("<") })
  }

  @Test("Which of two events before the beginning came first is not known")
  func beforeTheBeginning() {
    let (block, sign) = (Self.problem(.offlineBlock, at: 5), Self.problem(.authRequired, at: 26))
    #expect(!sign.explains(block) && sign.explains(block, after: 26))
  }

  @Test("Problems that name each other as causes both stay, each once")
  func circles() {
    let found = [
      Self.problem(.policyDrift, at: 1, causes: [3]), Self.problem(.retryStorm, at: 2, causes: [1]),
      Self.problem(.restartPending, at: 3, causes: [2]), Self.problem(.appConfiguration, at: 4, causes: [2]),
    ]
    let order = Self.order(found)
    #expect(order.count == 4 && order.filter { !$0.contains("<") } == ["policy-drift"])
  }

  @Test("More problems than can be ranked leave out the mildest")
  func many() {
    let found = (1...2_000).map { Self.problem(.policyDrift, at: UInt64($0), of: "a\($0)") }
    expectEqual(Report.ranked(found + [Self.problem(.offlineBlock, at: 5_000)]).count, Report.maximumFindings)
    expectEqual(Report.ranked(found + [Self.problem(.offlineBlock, at: 5_000)]).first?.diagnosis.family, .offlineBlock)
  }

  @Test("An unfinished write is not damage; lost events are critical, and an auxiliary file is not")
  func damage() {
    func finding(_ verdict: Verdict, _ lost: ClosedRange<UInt64>? = nil) -> Finding {
      Finding(verdict, file: "f", byteRange: 0..<1, lostEvents: lost, cause: "c", evidence: "e", remedy: "r")
    }
    #expect(Report.damaged([finding(.torn(.short)), finding(.clean)]).isEmpty)
    let lost = Report.damaged([finding(.indexDamaged), finding(.damaged, 12...13)])
    #expect(lost.first?.decidingEvent == 12 && lost.first?.severity == .critical)
    expectEqual(Report.damaged([finding(.indexDamaged)]).first?.severity, .warning)
  }
}
