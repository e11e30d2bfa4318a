import Testing

@testable import JournalSimulation

/// The whole number of states is for a release build (`tools/crash-states`); a debug build checks one in so many.
@Suite("Crash states")
struct CrashStateTests {
  #if DEBUG
    private static let share = 60
  #else
    private static let share = 1
  #endif

  @Test("Whatever a power cut leaves, nothing promised is lost, nothing is invented, and the journal goes on")
  func powerCuts() async {
    let report = await CrashCampaign(share: Self.share).run(Workload.samples)
    print("seed 1, one state in \(Self.share): \(report.summary)")
    #expect(report.failures.isEmpty, "\(report.failures.lines.joined(separator: "\n"))")
    #expect(report.states * Self.share >= 100_000)
    #expect(["clean", "torn", "unsyncedGap", "no journal"].allSatisfy { report.verdicts[$0] ?? 0 > 0 })
  }

  @Test("When a process dies at any call, another goes on, and the power fails after that, nothing promised is lost")
  func deaths() async {
    let report = await CrashCampaign(share: min(Self.share, 20)).run(Workload.samples, .deaths)
    print("one death in \(min(Self.share, 20)): \(report.summary)")
    #expect(report.failures.isEmpty, "\(report.failures.lines.joined(separator: "\n"))")
    #expect(report.states > 200)
  }

  @Test("Programs that a seed makes stand every power cut too", arguments: 100..<UInt64(104))
  func programs(seed: UInt64) {
    let report = CrashCampaign(seed: seed, share: Self.share).run(Workload.random(seed: seed))
    #expect(report.failures.isEmpty, "\(report.failures.lines.joined(separator: "\n"))")
    #expect(report.states > 0)
  }
}
