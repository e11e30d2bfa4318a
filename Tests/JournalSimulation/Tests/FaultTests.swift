import Testing

@testable import JournalSimulation

/// Every call of a short program fails in turn, with every error it can report, once, for a while and for ever.
@Suite("Failing calls")
struct FaultTests {
  #if DEBUG
    private static let share = 60
  #else
    private static let share = 1
  #endif

  @Test(
    "No failing call makes the journal hang, trap or lose what it acknowledged, and it goes on afterwards",
    arguments: Workload.short)
  func everyCall(workload: Workload) {
    let report = FaultCampaign(randomCount: 1, share: Self.share).run(workload)
    print("one fault in \(Self.share), \(workload.name): \(report.summary)")
    #expect(report.failures.isEmpty, "\(report.failures.lines.joined(separator: "\n"))")
    #expect(report.calls > 200 && report.runs > 100)
    #expect(["inputOutput", "noSpace", "poisoned"].allSatisfy { report.errors[$0] ?? 0 > 0 })
  }
}
