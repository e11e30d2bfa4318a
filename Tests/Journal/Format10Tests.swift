import Expectations
import Foundation
import Testing

@testable import Journal

/// Journals of format 1.0, in the folder `Format10`. They open for ever; nothing writes them anew.
@Suite("Journals of format 1.0")
struct Format10Tests {
  /// What a reader finds in a journal.
  struct Expectation: CustomTestStringConvertible {
    var name: String
    var events: ClosedRange<UInt64>
    var chain: UInt32
    /// The first eight bytes of the history digest, in hexadecimal digits; empty when none is kept.
    var digest: String
    var findings: [Verdict] = []
    var wasClosed = true
    var testDescription: String { name }
  }

  static let expectations = [
    Expectation(
      name: "checkpoints", events: 1...90, chain: 0x49e2fdd3, digest: "69aa89537db97066"),
    Expectation(
      name: "damaged", events: 1...90, chain: 0x1b6f40a3, digest: "69aa89537db97066", findings: [.damaged, .damaged]),
    Expectation(
      name: "damaged-frame", events: 1...19, chain: 0x29ad1763, digest: "9aae8b8da18bd041", findings: [.damaged]),
    Expectation(
      name: "first-enrollment", events: 1...20, chain: 0xbd9430de, digest: "5ff399cfb87aa4c7"),
    Expectation(
      name: "fork", events: 34...38, chain: 0x68aea0a1, digest: "f59e2c8c80d0ca3c"),
    Expectation(
      name: "framework-history", events: 1...378, chain: 0x7fd405b3, digest: "fabad48b0d1850db"),
    Expectation(
      name: "interrupted-wipe", events: 1...22, chain: 0x5d6637d8, digest: "c4236131146005b3"),
    Expectation(
      name: "keyframes", events: 1...90, chain: 0x49e2fdd3, digest: "69aa89537db97066"),
    Expectation(
      name: "multi-identity-day", events: 1...43, chain: 0xe0cb35dd, digest: "0bc50bfbabfad01d"),
    Expectation(
      name: "no-digest", events: 1...7, chain: 0x4231079b, digest: ""),
    Expectation(
      name: "open", events: 1...40, chain: 0x45eb2e8, digest: "0c1af27d84c7c134", wasClosed: false),
    Expectation(
      name: "remediation-queue", events: 1...32, chain: 0x5c01b837, digest: "14c0f87fd7fb6ab6"),
    Expectation(
      name: "retired", events: 57...90, chain: 0x49e2fdd3, digest: "69aa89537db97066"),
    Expectation(
      name: "salvaged", events: 1...90, chain: 0xf23ef810, digest: "21d32f6463d65dda"),
    Expectation(
      name: "torn-tail", events: 1...12, chain: 0x6999522f, digest: "a25ff79e08b3b812", findings: [.torn(.short)],
      wasClosed: false),
  ]

  /// The files of a fixture, in a directory `j`.
  static func files(_ name: String) throws -> [String: [UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Format10/\(name)")
    let urls = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return Dictionary(
      uniqueKeysWithValues: try urls.map { ("j/" + $0.lastPathComponent, Array(try Data(contentsOf: $0))) })
  }

  @Test("A journal of format 1.0 reads, verifies and ends as it did when it was written", arguments: expectations)
  func reading(_ expected: Expectation) throws {
    let fileSystem = MemoryFileSystem(try Self.files(expected.name))
    let reader = try JournalReader(path: "j", fileSystem: fileSystem)
    let report = try reader.verify()
    expectEqual(reader.firstSequence...report.lastSequence, expected.events)
    expectEqual(report.lastChain, expected.chain)
    let digest = (report.historyDigest ?? []).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    expectEqual(digest.joined(), expected.digest)
    expectEqual(report.findings.map(\.verdict), expected.findings)
    expectEqual(reader.wasClosed, expected.wasClosed)
  }

  @Test("Every folder of such a journal has its expectation")
  func folders() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Format10")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".md") }
    expectEqual(names.sorted(), Self.expectations.map(\.name).sorted())
  }
}
