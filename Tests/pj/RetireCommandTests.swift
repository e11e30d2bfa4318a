import Expectations
import AppProtection
import Journal
import JSON
import Testing
import WireFormat

@testable import CommandSupport
@testable import EventSourcing

/// `pj retire` says what it makes impossible, and does it only when told to.
@Suite("pj retire")
struct RetireCommandTests {
  private let whole = "first-enrollment"

  /// Gives a journal of small segments to `body`.
  private func withJournal(_ body: (String) throws -> Void) throws {
    _ = Repository.root
    try TestFiles.withTemporaryFolder { folder in
      try SmallSegments.write(whole, to: "\(folder)/j")
      try body("\(folder)/j")
    }
  }

  private func number(_ run: ToolRun, _ kind: String, _ member: String) -> UInt64? {
    let record = run.records.compactMap { $0?.object }.first { $0["kind"]?.string == kind }
    return record?[member]?.number.flatMap { UInt64($0.text) }
  }

  @Test("A dry run changes no byte and no stamp, and prints what the real run prints first", arguments: [[], ["-j"]])
  func dryRun(format: [String]) throws {
    try withJournal { path in
      let before = try TestFiles.stamps(of: path)
      let dry = ToolRun(["retire", path, "15", "--dry-run"] + format)
      #expect(dry.code == .done && dry.notes.isEmpty, "\(dry.notes)")
      let refused = ToolRun(["retire", path, "15"] + format)
      expectEqual(refused.code, .wrongUse)
      #expect(refused.notes.hasSuffix("--yes is missing. Next: pj retire \(path) 15 --yes\n"))
      try expectEqual(TestFiles.stamps(of: path), before)
      let real = ToolRun(["retire", path, "15", "--yes"] + format)
      #expect(real.code == .done && real.notes.isEmpty, "\(real.notes)")
      // The first record says which of them it is.
      let (said, done) = (dry.lines.dropFirst(format.count).dropLast(), real.lines.dropFirst(format.count).dropLast())
      #expect(said == done && said.count > 7)
      #expect(try TestFiles.stamps(of: path) != before)
    }
  }

  @Test("What only a newer tool knows is not retired, and the dry run says so", arguments: ["--dry-run", "--yes"])
  func unknownEvents(flag: String) throws {
    try withJournal { path in
      var options = try JournalOptions(of: AppProtectionEvent.self)
      (options.segmentSizeLimit, options.preallocation) = (1 << 10, 0)
      let journal = try JournalWriter.open(at: path, options: options)
      var batch = JournalBatch()
      for number: Int64 in 0..<40 {
        var envelope = Envelope(type: 4000, at: Moment(wallNanoseconds: 2_000_000_000_000_000_000 + number))
        (envelope.unknownReaders, envelope.body) = (.ignorable, [UInt8](repeating: 0, count: 40))
        var writer = WireWriter()
        envelope.encode(into: &writer)
        try batch.append(payload: writer.bytes, label: envelope.moment.wallNanoseconds)
        try journal.append(&batch)
      }
      let last = journal.lastSequence
      try journal.close()
      let before = try TestFiles.stamps(of: path)
      let run = ToolRun("retire", path, "\(last)", flag)
      expectEqual(run.code, .needsNewerTool)
      let words = "this program left out type 4000 of version 1, and no checkpoint that stays would hold it"
      #expect(run.notes.contains(words))
      #expect(run.lines.contains { $0.contains("would lack type 4000 of version 1 for good") })
      try expectEqual(TestFiles.stamps(of: path), before)
    }
  }

  @Test(
    "Every event that stays keeps its states, and what is said to be impossible is",
    arguments: [nil, 3, 12] as [UInt64?])
  func consequences(checkpoint: UInt64?) throws {
    try withJournal { path in
      if let checkpoint {
        let store = try EventStore<AppProtectionMachine>.open(at: path)
        let state = try History<AppProtectionMachine>(at: path).checkpoint(at: checkpoint)
        try store.journal.writeCheckpoint(sequence: checkpoint, body: state.encode())
        try store.close()
      }
      let plan = ToolRun("retire", path, "15", "--dry-run", "-j")
      let first = try #require(number(plan, "plan", "firstKept"))
      try #require((2...15).contains(first))
      expectEqual(number(plan, "plan", "stateKnownBehind"), first - 1)
      let run = ToolRun("retire", path, "15", "--yes")
      #expect(run.code == .done && run.notes.isEmpty, "\(run.notes)")
      expectEqual(run.lines.last, "Done: \(path) begins with event \(first).")
      expectEqual(run.output.contains("remove  a checkpoint"), checkpoint.map { $0 < first - 1 } ?? false)
      let original = Repository.journal(whole)
      for position in first...20 {
        let arguments = ["--at", "\(position)", "-j"]
        let states = [ToolRun(["state", path] + arguments), ToolRun(["state", original] + arguments)].map {
          $0.records.compactMap { $0?.object }.first { $0["kind"]?.string == "state" }?["digest"]?.string
        }
        #expect(states[0] != nil && states[0] == states[1], "\(position)")
      }
      expectEqual(ToolRun("state", path, "--at", "\(first - 1)").code, .wrongUse)
      expectEqual(ToolRun("show", path, "\(first - 1)").code, .wrongUse)
      expectEqual(ToolRun("fork", path, "\(first - 1)", "\(path)-fork", "--dry-run").code, .wrongUse)
      expectEqual(ToolRun("fork", path, "\(first)", "\(path)-fork", "--dry-run").code, .done)
      let salvaged = ToolRun("salvage", path, "-o", "\(path)-copy", "-j")
      expectEqual(number(salvaged, "end", "salvaged"), 21 - first)
      #expect(ToolRun("verify", path).code == .done && ToolRun("check", path).code == .done)
      // Once more, nothing is left to do.
      let again = ToolRun("retire", path, "15", "--yes")
      #expect(again.code == .done && again.output.hasPrefix("Nothing to remove: "), "\(again.output)")
    }
  }

  @Test("Wrong positions end in 2, and nothing changes")
  func positions() throws {
    try withJournal { path in
      expectEqual(ToolRun("retire", path, "15", "--yes").code, .done)
      let before = try TestFiles.stamps(of: path)
      for (words, reason) in [
        (["1", "--yes"], "event 1 is no longer kept: the first one is "),
        (["21", "--yes"], "event 21 does not exist: the last one is 20"),
        (["2031", "--yes"], "does not exist"), (["2031-01", "--yes"], "no event happened at or after that time"),
        (["nonsense", "--yes"], ""), (["15", "--yes", "--dry-run"], "choose one"), ([], ""),
      ] {
        let run = ToolRun(["retire", path] + words)
        #expect(run.code == .wrongUse && run.output.isEmpty, "\(words): \(run.output)")
        #expect(run.notes.contains(reason) && run.notes.contains("pj help"), "\(words): \(run.notes)")
      }
      try expectEqual(TestFiles.stamps(of: path), before)
    }
  }

  @Test("A damaged journal, one that is missing and one in use are refused with the place and the next step")
  func refusals() throws {
    try withJournal { path in
      let missing = ToolRun("retire", "\(path)-missing", "5", "--yes")
      #expect(missing.code == .unreadable && missing.notes.contains("\(path)-missing"))
      let journal = try JournalWriter.open(at: path, options: JournalOptions(of: AppProtectionEvent.self))
      for words in [["--dry-run"], ["--yes"]] {
        let locked = ToolRun(["retire", path, "15"] + words)
        expectEqual(locked.code, .unreadable, "\(words)")
        #expect(locked.output.contains("Impossible afterwards"))
        #expect(locked.notes.contains("this process has the journal open for writing"), "\(locked.notes)")
      }
      try journal.close()
      let name = try #require(try TestFiles.names(in: path).filter { $0.hasSuffix(".seg") }.dropFirst().first)
      let segment = "\(path)/\(name)"
      var bytes = try TestFiles.read(segment)
      bytes[200] ^= 1
      try TestFiles.write(bytes, to: segment)
      let before = try TestFiles.stamps(of: path)
      for words in [["--dry-run"], ["--yes"]] {
        let damaged = ToolRun(["retire", path, "15"] + words)
        #expect(damaged.code == .partial && damaged.output.isEmpty)
        #expect(damaged.notes.contains("nothing is removed: \(name), byte "), "\(damaged.notes)")
        #expect(damaged.notes.contains("Next: pj salvage \(path) -o copy"))
      }
      try expectEqual(TestFiles.stamps(of: path), before)
    }
  }
}
