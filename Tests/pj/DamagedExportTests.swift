import Expectations
import Forensics
import Journal
import JournalSimulation
import JSON
import Testing

@testable import PolicyCommands

@Suite("Damaged and foreign exports")
struct DamagedExportTests {
  /// The lines of an export of a golden journal.
  private static func lines(_ journal: String, _ options: [String] = ["--reveal"]) throws -> [String] {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(ToolRun(["export", Repository.journal(journal), "-o", "\(folder)/a.pjx"] + options).code, .done)
      expectEqual(TestFiles.shell("gzip -dc < \(folder)/a.pjx > \(folder)/plain"), 0)
      return String(decoding: try TestFiles.read("\(folder)/plain"), as: UTF8.self).split(separator: "\n").map(
        String.init)
    }
  }

  /// Runs a command on bytes as a file.
  private static func run(_ bytes: [UInt8], _ words: String...) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(bytes, to: "\(folder)/a.pjx")
      return ToolRun(words.map { $0 == "F" ? "\(folder)/a.pjx" : $0 == "D" ? "\(folder)/imported" : $0 })
    }
  }

  private static func bytes(_ lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

  @Test("A file that is cut opens up to there, says so and ends in 3")
  func cut() throws {
    let lines = try Self.lines("first-enrollment")
    let events = lines.indices.filter { lines[$0].hasPrefix(#"{"kind":"event""#) }
    let middle = events[events.count / 2]
    let cut = try Self.run(Self.bytes(Array(lines[..<middle])), "log", "F", "-j")
    expectEqual(cut.code, .partial)
    #expect(cut.notes.contains("its last record is missing"))
    expectEqual(cut.lines.count { $0.contains(#""kind":"event""#) }, events.count / 2)
    let imported = try Self.run(Self.bytes(Array(lines[..<middle])), "import", "F", "-o", "D")
    #expect(imported.code == .partial && imported.notes.contains("last record"))
    for words in ["state", "verify", "stats", "check"] {
      try expectEqual(Self.run(Self.bytes(Array(lines[..<middle])), words, "F").code, .partial, "\(words)")
    }
  }

  @Test("A cut file's loss is named once, with the command that keeps what is left")
  func namedOnce() throws {
    let lines = try Self.lines("first-enrollment")
    for words in [
      ["log"], ["verify"], ["state"], ["stats"], ["check"], ["diagnose"], ["blame", "/process/launch"],
      ["explain", "managed(a1)"], ["show", "3"], ["export", "--preview"], ["timeline", "-o", "D"],
      ["whatif", "--drop", "3"], ["bisect", "--where", "managed(a1) = true"],
    ] {
      try TestFiles.withTemporaryFolder { folder in
        let file = "\(folder)/a.pjx"
        try TestFiles.write(Self.bytes(Array(lines[..<14])), to: file)
        let rest = words.dropFirst().map { $0 == "D" ? "\(folder)/new" : $0 }
        let run = ToolRun([words[0], file] + rest)
        let notes = run.notes.split(separator: "\n")
        expectEqual(run.code, .partial, "\(words): \(run.notes)")
        #expect(notes.count { $0.contains("its last record is missing") } == 1, "\(words): \(run.notes)")
        #expect(!run.notes.contains("salvaged") && !run.output.contains("HEAD"), "\(words): \(run.output)\(run.notes)")
        #expect(!(run.output + run.notes).contains("pj salvage \(file)"), "\(words): \(run.notes)")
        #expect(run.notes.contains("Next: pj import \(file) -o copy"), "\(words): \(run.notes)")
      }
    }
  }

  @Test("An event that does not verify ends the file, whatever was changed in its bytes")
  func changed() throws {
    let lines = try Self.lines("first-enrollment")
    for (index, line) in lines.enumerated() where line.hasPrefix(#"{"kind":"event""#) {
      let payload = try #require(try JSONDocument.parse(line).root.required("payload").value.string)
      let other = (payload.hasPrefix("A") ? "B" : "A") + payload.dropFirst()
      var changed = lines
      changed[index] = line.replacing(payload, with: other)
      let run = try Self.run(Self.bytes(changed), "log", "F", "-j")
      expectEqual(run.code, .partial)
      #expect(run.notes.contains("does not verify"), "\(run.notes)")
      let before = lines[..<index].count { $0.hasPrefix(#"{"kind":"event""#) }
      expectEqual(run.lines.count { $0.contains(#""kind":"event""#) }, before)
    }
  }

  @Test("Fields and records of a later version are left out and kept, or refused where they must be understood")
  func versions() throws {
    var lines = try Self.lines("first-enrollment")
    let plain = ToolRun("log", Repository.journal("first-enrollment")).lines
    lines[0] = String(lines[0].dropLast()) + #","novel":[1,{"a":null}]}"#
    let end = lines.removeLast()
    lines.insert(#"{"kind":"weather","rain":true}"#, at: 3)
    // The checksum covers what was inserted.
    let run = try Self.run(Self.bytes(lines + [end]), "log", "F")
    expectEqual(run.lines.filter { !$0.hasPrefix("   !  ") }, plain, "\(run.output)")
    #expect(run.code == .partial && run.notes.contains("checksum") && run.output.contains("tail lost: the export"))
    let refused = try Self.run(
      Self.bytes(lines[..<3] + [#"{"kind":"weather","mustUnderstand":true}"#]), "log", "F")
    #expect(refused.code == .needsNewerTool && refused.notes.contains("weather"))
    let later = try Self.run(Self.bytes([lines[0].replacing(#""version":1"#, with: #""version":2"#)]), "log", "F")
    expectEqual(later.code, .needsNewerTool)
    let imported = try Self.run(
      Self.bytes([lines[0].replacing(#""version":1"#, with: #""version":2"#)]), "import", "F", "-o", "D")
    expectEqual(imported.code, .needsNewerTool)
  }

  @Test("A file that is no export says so")
  func foreign() throws {
    try expectEqual(Self.run(Array("hello".utf8), "log", "F").code, .unreadable)
    try expectEqual(Self.run([0x1F, 0x8B], "log", "F").code, .unreadable)
    try expectEqual(Self.run([], "import", "F", "-o", "D").code, .unreadable)
    try expectEqual(Self.run(Array(#"{"kind":"start","schema":"pj.log"}"#.utf8) + [10], "log", "F").code, .unreadable)
  }

  @Test("A file that would fill the memory is refused")
  func bombs() throws {
    try TestFiles.withTemporaryFolder { folder in
      let zeros =
        "python3 -c \"import gzip,sys;f=gzip.open('\(folder)/bomb','wb');[f.write(bytes(1<<20)) for _ in range(64)]\""
      expectEqual(TestFiles.shell(zeros), 0)
      let run = ToolRun("log", "\(folder)/bomb")
      expectEqual(run.code, .unreadable, "\(run.notes)")
      let lines = try Self.lines("first-enrollment")
      var limits = ExportFormat.Limits()
      limits.events = 3
      #expect(throws: ExchangeError.self) { try ExportReader.read(Self.bytes(lines), limits: limits) }
      limits = ExportFormat.Limits()
      limits.contentBytes = 100
      #expect(throws: ExchangeError.self) { try ExportReader.read(Self.bytes(lines), limits: limits) }
      let gap = #"{"kind":"gap","from":1,"to":4000000000000}"#
      try expectEqual(ExportReader.read(Self.bytes([lines[0], gap])).lostCount, 0)
    }
  }

  @Test(
    "Mutated exports neither stop the reader nor give an event that was not exported", arguments: [1, 2, 3] as [UInt64])
  func mutations(seed: UInt64) throws {
    let original = Self.bytes(try Self.lines("interrupted-wipe"))
    let compressed = try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(original, to: "\(folder)/a")
      expectEqual(TestFiles.shell("gzip -n \(folder)/a"), 0)
      return try TestFiles.read("\(folder)/a.gz")
    }
    let known = try ExportReader.read(original).payloads
    var random = SeededGenerator(seed: seed)
    for round in 0..<(TestFiles.triesEverything ? 300 : 100) {
      var bytes = round % 2 == 0 ? original : compressed
      for _ in 0...random.below(3) {
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.below(64)))
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
        default: bytes.removeSubrange(max(place, 1)...)
        }
      }
      guard let history = try? ExportReader.read(bytes) else { continue }
      let payloads = history.payloads
      expectEqual(Array(known.prefix(payloads.count)), payloads, "seed \(seed), round \(round)")
      let files = MemoryFiles()
      try history.write(to: "j", files)
      #expect(try JournalReader(path: "j", fileSystem: files).verify().isSound)
    }
  }
}
