import Expectations
import Journal
import Testing

@testable import JournalSimulation

/// Everything is tried by `tools/damage --salvage`; a debug build tries a share.
@Suite("Salvage of damaged journals")
struct SalvageCampaignTests {
  #if DEBUG
    private static let (share, mixes, deaths) = (200, 250, 360)
  #else
    private static let (share, mixes, deaths) = (4, 1000, 1)
  #endif

  @Test("A fixture stands for each condition, and what was given up is in the files and not in the history")
  func fixtures() throws {
    let fixtures = SalvageFixture.samples
    expectEqual(fixtures.count, 15)
    expectEqual(fixtures.count { !$0.givenUp.isEmpty }, 3)
    for fixture in fixtures {
      #expect(fixture.foreign.count >= 5)
      for (number, payload) in fixture.givenUp {
        #expect(fixture.event(UInt64(number)) != payload)
        #expect(fixture.journal.image.files.values.contains { $0.firstRange(of: payload) != nil })
      }
      let found = try SalvagedCopy(of: fixture, from: RecordingFileSystem(fixture.journal.image))
      let copy = try #require(found, "\(fixture.name)")
      let all = Set(fixture.numbers)
      expectEqual(
        copy.breaches(of: fixture, in: fixture.journal.image, shown: all, isInPlace: true), [], "\(fixture.name)")
    }
  }

  @Test("What salvage writes was acknowledged, all that can be read is there, and everything else is named")
  func everything() async {
    let report = await SalvageCampaign(share: Self.share, mixes: Self.mixes, runs: Self.mixes, seed: 1)
      .run(SalvageFixture.samples)
    print("one damage in \(Self.share), seed 1:\n\(report.table)\n\(report.summary)")
    #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
    #expect(report.count > 450 && report.whole > report.count / 10 && report.part > report.count / 10)
    let tried = Dictionary(grouping: report.rows, by: \.kind).mapValues { $0.reduce(0) { $0 + $1.count } }
    #expect(tried.count == 7 && tried.values.allSatisfy { $0 > 3 }, "\(tried)")
  }

  @Test(
    "Mixes of two that broke the law once keep it",
    arguments: [
      // A header that stands at another place of its file, so that a frame after it gives away two seeds.
      1080, 53663, 75647, 32331, 34347, 36475, 227151, 245422,
      // A file whose name says by chance that events were durable which were given up.
      102839, 294471, 445811,
      // A header that came over another one, while its own file has none.
      55588, 58212, 96866, 99926, 228084, 237972, 249349, 286665, 287812, 108506, 143688,
      // Frames of one segment in the file of another one: given up, turned into those of a third one by a flipped bit, or without
      // events.
      243834, 286542, 444034, 21814,
      // A segment in a payload, in a file that is none of a segment.
      237109,
      // A catalogue before event 1 is the first frame after a header that does not verify.
      1954,
      // Nothing is left but what was given up.
      392206, 112442, 277866, 14052,
      // A flipped bit outweighs in a checksum that the frame stands elsewhere.
      148934,
      // JOURNAL is another journal's from the beginning, and a file is gone.
      35907,
      // As many files are those of another journal.
      204859, 147957,
      // Sectors that were swapped or copied, so that frames stand at other places of their segment.
      45737, 14131, 114481, 1_048_786,
    ] as [UInt64])
  func formerBreaches(seed: UInt64) async {
    let report = await SalvageCampaign(share: 0, mixes: 1, seed: seed).run(SalvageFixture.samples)
    #expect(report.count == 1 && report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
  }

  @Test(
    "Mixes with a run that broke the law once keep it",
    arguments: [
      // What is left of a segment in a payload looks like shifted frames of the one around it.
      14961, 18726, 19401, 107151,
      // The header of events that were given up is cut.
      100211,
      // Only shifted frames say that a cut batch was followed by others.
      4322, 20717,
      // Only links identify events that were given up, or that stand in a payload.
      708760, 714414, 1_076_964, 709086, 803646, 1_047_996, 1_087_026,
      // The file begins as the segment in a payload does.
      723186,
      // Only the directory as a whole says of which journal HEAD is.
      702968,
      // Events in a payload stand at the offsets that they have in their own segment.
      2_105_241,
    ] as [UInt64])
  func formerBreachesOfRuns(seed: UInt64) async {
    let report = await SalvageCampaign(share: 0, runs: 1, seed: seed).run(SalvageFixture.samples)
    #expect(report.count == 1 && report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
  }

  @Test(
    "Copies that a salvage wrote keep the law, and so do their copies",
    arguments: [
      // A file of the original stands beside the only stretch of the copy that nothing else places.
      1,
      // An event is lost beside one that an earlier salvage lost.
      1454, 1770,
    ] as [UInt64])
  func copies(seed: UInt64) async {
    let fixtures = SalvageFixture.copies
    expectEqual(fixtures.count, 7)
    let report = await SalvageCampaign(share: 0, mixes: 60, runs: 60, seed: seed).run(fixtures)
    #expect(report.count == 120 && report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
  }

  @Test(
    "Mixes with copies that broke the law once keep it",
    arguments: [
      // Only the original's frames at its beginning say where a copy's last stretch was.
      2_207_259, 3_000_678, 3_010_478,
      // A segment's file holds an older HEAD.
      2_203_838, 3_008_922,
      // The beginning of one of the original's segments stands in HEAD.
      2_002_225, 3_005_669,
      // Two files hold the same bytes, both without a header.
      5_029_335,
      // JOURNAL, which calls it a copy, is lost.
      2_000_697, 2_107_146, 3_001_249, 2_308_374,
      // A flipped bit cancels that the first frame of a headless segment was moved.
      3_029_866,
      // Only the original's frames at its end say where a copy's last stretch was.
      3_036_777, 4_001_810, 4_017_056,
    ] as [UInt64])
  func formerBreachesOfCopies(seed: UInt64) async {
    let report = await SalvageCampaign(share: 0, mixes: 1, runs: 1, seed: seed).run(SalvageFixture.copies)
    #expect(report.count == 2 && report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
  }

  @Test("Three files changed at once keep the law", arguments: [0, 128, 4096])
  func threeFiles(zeros: Int) throws {
    var count = 0
    for fixture in SalvageFixture.samples {
      let files = fixture.journal.image.files
      let segments = files.keys.filter { $0.hasSuffix(".seg") }.sorted()
      let others = Dictionary(fixture.foreign.map { ($0.path.split(separator: "/").last ?? "", $0.bytes) }) { $1 }
      guard segments.count > 2, let last = segments.last, let bytes = files[last] else { continue }
      let check = SalvageCheck(fixture: fixture, tamper: nil)
      // A segment renamed as one after the first, and an empty file with its old name and a later number.
      let renamed = segments[0].dropLast(4) + "-0000000080.seg"
      let numbered = last.dropLast(4).prefix(Workload.path.count + 21) + "-0000000090.seg"
      let blank = [UInt8](repeating: 0, count: zeros)
      let moved = [
        Damage(last, .removed), Damage(String(renamed), .replaced(bytes, by: last)),
        Damage(String(numbered), .replaced(blank, by: "zeros")),
      ]
      expectEqual(check.check(moved).breaches, [], "\(fixture.name)")
      // Another journal's JOURNAL and HEAD beside the first segment.
      var mixed = segments.dropFirst().map { Damage($0, .removed) }
      for name in ["JOURNAL", "HEAD"] {
        mixed.append(
          Damage("\(Workload.path)/\(name)", .replaced(try #require(others[name[...]]), by: "another journal")))
      }
      expectEqual(check.check(mixed).breaches, [], "\(fixture.name)")
      count += 1
    }
    #expect(count > 2)
  }

  /// What a wrong salvage might do.
  enum Mistake: CaseIterable {
    case loses, invents, changes, swaps, repeats, givesBack, names, keepsQuiet

    func make(_ copy: inout SalvagedCopy, _ fixture: SalvageFixture) {
      guard let middle = copy.events.indices.dropFirst().first(where: { !copy.events[$0].payload.isEmpty }) else {
        return
      }
      switch self {
      case .loses: copy.events.remove(at: middle)
      case .invents: copy.events.append((number: (copy.events.last?.number ?? 0) + 1, payload: [1, 2, 3]))
      case .changes: copy.events[middle].payload[0] ^= 1
      case .swaps: copy.events.swapAt(middle, middle - 1)
      case .repeats: copy.events.insert(copy.events[middle], at: middle)
      case .givesBack:
        for index in copy.events.indices {
          if let payload = fixture.givenUp[Int(copy.events[index].number)] { copy.events[index].payload = payload }
        }
      case .names:
        copy.aside = []
        copy.events[middle].payload = []
      case .keepsQuiet:
        copy.events.removeLast()
        copy.losses = []
        copy.aside = []
      }
    }
  }

  @Test("A wrong copy is noticed", arguments: Mistake.allCases)
  func canaries(mistake: Mistake) async throws {
    for fixture in SalvageFixture.samples where fixture.givenUp.count > 1 && !fixture.wasDurable {
      let report = await SalvageCampaign(share: 0, mixes: 12, tampering: { mistake.make(&$0, fixture) }).run([fixture])
      #expect(report.whole > 2 && report.breaches >= report.whole, "\(fixture.name): \(report.summary)")
    }
  }

  @Test("A salvage that is ended before any of its calls leaves nothing that counts as sound")
  func deaths() async {
    let report = await SalvageDeaths(share: Self.deaths, powerCutShare: min(Self.deaths, 2)).run(SalvageFixture.samples)
    print(report.summary)
    #expect(report.failures.isEmpty, "\(report.failures.lines.joined(separator: "\n"))")
    #expect(report.deaths * Self.deaths > 250 && report.states > report.deaths)
  }
}
