import Fuzzing
import JournalSimulation
import Testing

/// What the fuzzer checks, on the inputs it begins with and on small changes to them. `tools/fuzz` looks for more.
@Suite("Any bytes")
struct FuzzTargetTests {
  private static let root = String(#filePath.dropLast("/Tests/Fuzzing/Tests/FuzzTargetTests.swift".count))
  private static let fixtures = Fixtures(root: root)

  @Test(
    "What must hold for any bytes holds for sound ones and for slightly changed ones", arguments: FuzzTarget.allCases)
  func seeds(target: FuzzTarget) throws {
    let seeds = target.seeds(Self.fixtures)
    #expect(!seeds.isEmpty)
    var generator = SeededGenerator(seed: 7)
    // A share of them: the tests are not optimized.
    for seed in seeds.enumerated().filter({ $0.offset % max(1, seeds.count / 8) == 0 }).map(\.element) {
      try target.check(seed, Self.fixtures)
      var changed = seed
      for _ in 0..<3 where !changed.isEmpty {
        changed[generator.below(changed.count)] ^= 1 << UInt8(generator.below(8))
      }
      try target.check(changed, Self.fixtures)
    }
  }

  @Test(
    "Inputs that the fuzzer found give what must hold, also those that once did not", arguments: FuzzTarget.allCases)
  func inputs(target: FuzzTarget) throws {
    let inputs = Fixtures.inputs(of: target, root: Self.root)
    #expect(inputs.count >= 3)
    for (name, bytes) in inputs {
      #expect(throws: Never.self, "\(target)/\(name)") { try target.check(bytes, Self.fixtures) }
    }
  }
}
