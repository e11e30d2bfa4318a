import Expectations
import Testing

@testable import JournalSimulation

/// Everything is tried by `tools/damage`; a debug build tries one alteration in so many.
@Suite("Damage")
struct DamageTests {
  #if DEBUG
    private static let share = 40
  #else
    private static let share = 1
  #endif

  @Test("Flipped bits, cut files and mixed up sectors are noticed, lose only what they hit, and invent nothing")
  func everything() async {
    let fixtures = DamageFixture.samples
    expectEqual(fixtures.count, 9)
    let report = await DamageCampaign(share: Self.share).run(fixtures)
    print("one alteration in \(Self.share):\n\(report.table)\n\(report.summary)")
    #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
    #expect(report.count * Self.share > 130_000)
    #expect(report.silent == 0 && report.wrong == 0)
    #expect(report.rows.filter { $0.kind == .flips && $0.fixture == "closed" }.allSatisfy { $0.mostLost <= 1 })
  }

  @Test(
    "A segment that states its number in its name is read there, even if its beginning came to stand over another one")
  func misplacedSegment() async {
    let fixtures = DamageFixture.samples.filter { $0.name == "continued after a cut" }
    expectEqual(fixtures.count, 1)
    let report = await DamageCampaign().run(fixtures, [.sectors])
    #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
    #expect(report.count > 20)
  }

  @Test("The same holds for journals in bytes of format 1.0")
  func format10() async {
    let root = String(#filePath.dropLast("/Tests/JournalSimulation/Tests/DamageTests.swift".count))
    let fixtures = DamageFixture.format10(root: root)
    expectEqual(fixtures.count, 2)
    let report = await DamageCampaign(share: Self.share).run(fixtures)
    #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
    #expect(report.count * Self.share > 30_000)
    #expect(report.silent == 0 && report.wrong == 0)
  }
}
