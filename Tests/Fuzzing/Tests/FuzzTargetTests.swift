import Expectations
import Archives
import EventSourcing
import Forensics
import JournalSimulation
import PolicyDocuments
import Testing

@testable import Fuzzing

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

  @Test("The inputs to begin with are whole where they say that they are: changes to them lead beyond the first check")
  func whole() throws {
    let exports = FuzzTarget.export.seeds(Self.fixtures)
    expectEqual(exports.count, 8)
    for place in [0, 1, 4, 5] {
      let history = try ExportReader.read(exports[place])
      #expect(history.ending == .complete && history.eventCount >= 10, "\(place)")
    }
    for place in [3, 7] {
      let history = try ExportReader.read(ExportRepair.repaired(exports[place]))
      #expect(history.ending == .complete && history.lostCount == 40, "\(place)")
    }
    expectEqual(ExportRepair.repaired(exports[0]), exports[0])
    let archives = FuzzTarget.archive.seeds(Self.fixtures)
    for place in 0..<4 {
      let contents = try ArchiveContents(archives[place], keepsParts: false) { _, _ in .wanted }
      #expect(contents.files["a/j"]?.count == 4 && contents.loss == nil, "\(place)")
    }
    for bytes in FuzzTarget.catalog.seeds(Self.fixtures) {
      let catalog = try EventCatalog(decoding: bytes)
      #expect(!catalog.entries.isEmpty)
    }
    for (target, name) in [(FuzzTarget.yaml, "a.yaml"), (.powerShell, "a.ps1")] {
      let file = try PolicyFile.read(try #require(target.seeds(Self.fixtures).first), name: name)
      #expect(!file.policies.isEmpty, "\(name)")
    }
    for bytes in FuzzTarget.sdkLog.seeds(Self.fixtures) {
      var log = FieldLog()
      log.read([FieldLog.File("log", bytes)])
      #expect(!log.facts.isEmpty || !log.skipped.isEmpty)
    }
    for seed in SpoolProperties.seeds where seed.first == 0 {
      let file = Array(seed.dropFirst())
      let isSealed = SpoolProperties.sealedFiles.contains(file)
      let drained = try SpoolProperties.drain(FuzzFileSystem([SpoolProperties.name: file]))
      expectEqual(drained, isSealed ? 0 : 1)
    }
    let opened = try SpoolProperties.sealedFiles.map {
      try SpoolProperties.drain(FuzzFileSystem([SpoolProperties.name: $0]), SpoolProperties.keys)
    }
    expectEqual(opened, [1, 1, 0], "The key of the last one's account is destroyed")
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
