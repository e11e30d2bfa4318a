import Expectations
import AppProtection
import CommandLineInterface
import EventSourcing
import EventSourcingKit
import Journal
import Testing

@testable import CommandSupport

/// What the tool says of journals that a later version of the format wrote.
@Suite("Versions and features")
struct FeatureFlagTests {
  private static let headers = [("JOURNAL", 160), ("00000000000000000001.seg", 224)]
  private static let commands = [
    ["log"], ["state"], ["verify"], ["check"], ["stats"], ["state", "-j"], ["verify", "-j"],
  ]

  /// A golden journal with a bit set in one header, and the right checksum.
  private func withFlag<Result>(
    _ header: (name: String, size: Int), at offset: Int, _ bit: Int, _ body: (String) throws -> Result
  ) throws -> Result {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/later"
      try TestFiles.copy(Repository.journal("first-enrollment"), to: path)
      var bytes = try TestFiles.read("\(path)/\(header.name)")
      bytes[offset + bit / 8] |= 1 << UInt8(bit % 8)
      bytes.replaceSubrange(..<header.size, with: FixedRecordSeal.sealed(Array(bytes[..<header.size])))
      try TestFiles.write(bytes, to: "\(path)/\(header.name)")
      return try body(path)
    }
  }

  @Test("A journal with a compatible feature that is not known is read as any other", arguments: headers)
  func compatible(name: String, size: Int) throws {
    try withFlag((name, size), at: 16, 14) { path in
      for words in Self.commands {
        let run = ToolRun([words[0], path] + words.dropFirst())
        let plain = ToolRun([words[0], Repository.journal("first-enrollment")] + words.dropFirst())
        expectEqual(run.code, .done, "\(words): \(run.notes)")
        let output = run.output.replacing(path, with: Repository.journal("first-enrollment"))
        expectEqual(output, plain.output, "\(words)")
      }
    }
  }

  @Test("One with an incompatible feature that is not known is refused by name, with code 5", arguments: headers)
  func incompatible(name: String, size: Int) throws {
    try withFlag((name, size), at: 20, 4) { path in
      for words in Self.commands + [["show", "1"], ["diff", "1", "2"], ["compare", path]] {
        let run = ToolRun([words[0], path] + words.dropFirst())
        expectEqual(run.code, .needsNewerTool, "\(words)")
        #expect(
          (run.notes + run.output).contains("the journal needs the feature of bit 4, which this program does not know"),
          "\(words): \(run.notes)")
        #expect(run.notes.contains(name), "\(words): \(run.notes)")
      }
    }
  }

  /// Makes a newer program's of a checkpoint, with the right checksum: by an incompatible feature or by its major version.
  private func makeNewer(_ file: String, byMajorVersion: Bool) throws {
    var bytes = try TestFiles.read(file)
    if byMajorVersion { bytes[8] = 2 } else { bytes[64] |= 8 }
    bytes.replaceSubrange(..<72, with: FixedRecordSeal.sealed(Array(bytes[..<72])))
    try TestFiles.write(bytes, to: file)
  }

  @Test(
    "Where only a newer program reads the state that retired events led to, it is named, and nothing is damaged",
    arguments: [false, true])
  func newerCheckpoint(byMajorVersion: Bool) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = try RetiredJournal.write(in: folder)
      let names = try TestFiles.names(in: path).filter { $0.hasSuffix(".ckpt") }
      for name in names { try makeNewer("\(path)/\(name)", byMajorVersion: byMajorVersion) }
      let newest = try #require(names.max())
      for words in [["state", path], ["check", path], ["diff", path, "16", "17"], ["diagnose", path]] {
        let run = ToolRun(words)
        expectEqual(run.code, .needsNewerTool, "\(words)")
        #expect(run.notes.contains("a newer program wrote \(newest): the journal needs "), "\(words): \(run.notes)")
      }
      let commands = [
        ["state", path], ["verify", path], ["log", path], ["diagnose", path], ["stats", path], ["show", path, "17"],
        ["retire", path, "18", "--dry-run"], ["fork", path, "end", "\(folder)/fork"],
      ]
      for words in commands {
        let run = ToolRun(words)
        expectEqual(run.code, .needsNewerTool, "\(words)")
        let text = run.output + run.notes
        #expect(text.contains("Next: pj version"), "\(words): \(text)")
        #expect(!text.contains("salvage") && !text.contains("damaged"), "\(words): \(text)")
      }
    }
  }

  @Test("A newer program's checkpoint on which nothing depends is no damage, and no salvage is offered")
  func spareNewerCheckpoint() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/whole"
      try SmallSegments.write("first-enrollment", to: path)
      let store = try EventStore<AppProtectionMachine>.open(at: path)
      _ = try store.checkpoint()
      try store.close()
      let name = try #require(try TestFiles.names(in: path).first { $0.hasSuffix(".ckpt") })
      try makeNewer("\(path)/\(name)", byMajorVersion: false)
      for words in [["log"], ["stats"], ["show", "1"], ["state"], ["verify"], ["diagnose"]] {
        let run = ToolRun([words[0], path] + words.dropFirst())
        expectEqual(run.code, .needsNewerTool, "\(words)")
        let text = run.output + run.notes
        #expect(text.contains("Next: pj version"), "\(words): \(text)")
        #expect(!text.contains("salvage") && !text.contains("damaged"), "\(words): \(text)")
      }
      #expect(ToolRun("stats", path).notes.contains("1 place that only a newer program reads"))
    }
  }

  @Test("A salvage writes what it can read, names the segment that is too new, and ends in 5")
  func salvage() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("framework-history"), to: journal)
      let segments = try JournalReader(path: journal).segments
      let later = try #require(segments.dropFirst().first)
      let after = try #require(segments.dropFirst(2).first)
      var bytes = try TestFiles.read("\(journal)/\(later.file)")
      bytes[8] = 2
      bytes.replaceSubrange(..<224, with: FixedRecordSeal.sealed(Array(bytes[..<224])))
      try TestFiles.write(bytes, to: "\(journal)/\(later.file)")
      let run = ToolRun("salvage", journal, "-o", "\(folder)/copy")
      expectEqual(run.code, .needsNewerTool)
      #expect(run.lines.contains { $0.hasPrefix("too new  unknown ") }, "\(run.output)")
      #expect(
        run.output.contains(
          " \(journal)/\(later.file): bytes 0–\(UInt64(bytes.count - 1).grouped): the journal needs format "
            + "version 2.1, which this program does not know; read it with a program at least as new as the one that wrote it\n"
        ), "\(run.output)")
      let lost = "\(later.firstSequence)–\(after.firstSequence - 1)"
      #expect(run.lines.contains { $0.hasPrefix("lost ") && $0.contains("events \(lost) ") }, "\(run.output)")
      #expect(run.output.contains("no file of the pile holds them in a format that this program knows"))
      #expect(
        run.lines.last?.hasSuffix(". Next: pj version, then salvage the same files again with a newer pj") ?? false)
      #expect(
        ToolRun("log", "\(folder)/copy").output.contains("events \(lost) were lost before this journal was salvaged"))
      let records = ToolRun("salvage", journal, "-o", "\(folder)/other", "-j")
      #expect(
        records.output.contains(#""certainty":"unknown","needsNewerTool":true}"#)
          && records.output.contains(#""holds":"laterFormat""#) && records.output.contains(#""exit":5"#))
      let alone = ToolRun("salvage", "\(journal)/\(later.file)", "-o", "\(folder)/alone")
      #expect(alone.code == .needsNewerTool && alone.notes.contains("needs format version 2.1"), "\(alone.notes)")
    }
  }
}
