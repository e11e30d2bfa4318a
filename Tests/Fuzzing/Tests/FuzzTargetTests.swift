import Fuzzing
import JournalSimulation
import Testing

/// What the fuzzer checks, on the inputs it begins with and on small changes to them. `tools/fuzz` looks for more.
@Suite("Any bytes")
struct FuzzTargetTests {
  private static let fixtures = Fixtures(
    root: String(#filePath.dropLast("/Tests/Fuzzing/Tests/FuzzTargetTests.swift".count)))

  @Test(
    "What must hold for any bytes holds for sound ones and for slightly changed ones", arguments: FuzzTarget.allCases)
  func seeds(target: FuzzTarget) throws {
    let seeds = target.seeds(Self.fixtures)
    #expect(!seeds.isEmpty)
    var generator = SeededGenerator(seed: 7)
    // A share of them: the tests are not optimized.
    for seed in seeds.enumerated().filter({ $0.offset % max(1, seeds.count / 12) == 0 }).map(\.element) {
      try target.check(seed, Self.fixtures)
      var changed = seed
      for _ in 0..<3 where !changed.isEmpty {
        changed[generator.below(changed.count)] ^= 1 << UInt8(generator.below(8))
      }
      try target.check(changed, Self.fixtures)
    }
  }
}
