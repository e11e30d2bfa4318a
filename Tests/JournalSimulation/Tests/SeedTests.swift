import Testing

@testable import JournalSimulation

/// `tools/simulate` runs as many seeds as there is time for; a test runs the first ones.
@Suite("Simulation by seed")
struct SeedTests {
  #if DEBUG
    private static let count: UInt64 = 60
  #else
    private static let count: UInt64 = 2000
  #endif

  @Test(
    "Whatever calls fail, whoever dies and whenever the power is cut, journals and stores are what their models say")
  func seeds() async {
    let report = await SeedCampaign().run(1..<Self.count + 1)
    print(report.summary)
    #expect(report.failures.isEmpty, "\(report.failures.prefix(5))")
    #expect(report.tally.powerCuts > 60 && report.tally.deaths > 10 && report.tally.errors > 10)
    #expect(report.tally.retired > 10)
  }

  @Test("A seed leads to the same run every time")
  func deterministic() {
    for seed: UInt64 in 1...5 {
      let one = SeedCampaign(canary: .losesEnd).run(seed: seed)
      let other = SeedCampaign(canary: .losesEnd).run(seed: seed)
      #expect(one.summary == other.summary && one.failures.map(\.what) == other.failures.map(\.what))
    }
  }

  @Test("A fault planted in the system is found within a few seeds", arguments: Canary.allCases)
  func canaries(canary: Canary) {
    let campaign = SeedCampaign(canary: canary)
    let first = (1..<UInt64(100)).first { !campaign.run(seed: $0).failures.isEmpty }
    print("\(canary.rawValue): found by seed \(first.map(String.init) ?? "none")")
    #expect(first != nil)
  }
}
