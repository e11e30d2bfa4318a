import EventSourcing
import Expectations
import Testing

@testable import AppProtectionInsight

@Suite("The order of evidence")
struct EvidenceOrderTests {
  private static func problem(_ deciding: UInt64?, _ others: [UInt64?]) -> Problem {
    Problem(
      .osVersion, .certain, "s", evidence: DiagnosisEvidence(deciding, "e"), others.map { DiagnosisEvidence($0, "e") },
      next: "n")
  }

  @Test("The deciding event comes first, then what came before it, what did not happen, and what came after it")
  func order() {
    expectEqual(Self.problem(7, [9, 5, nil, 8, 6]).evidence.map(\.sequence), [7, 5, 6, nil, 8, 9])
    expectEqual(Self.problem(7, [7, 9, 9]).evidence.map(\.sequence), [7, 9])
    expectEqual(Self.problem(nil, [3]).evidence.map(\.sequence), [nil, 3])
  }

  @Test("Of too much evidence, the last event stays, and what is added comes before it")
  func limit() {
    var problem = Self.problem(3, (4...40).map { UInt64($0) })
    expectEqual(problem.evidence.map(\.sequence), [3, 4, 5, 6, 7, 8, 9, 40])
    problem.add([DiagnosisEvidence(2, "shortly before"), DiagnosisEvidence(40, "twice")])
    expectEqual(problem.evidence.map(\.sequence), [3, 2, 4, 5, 6, 7, 8, 40])
  }
}
