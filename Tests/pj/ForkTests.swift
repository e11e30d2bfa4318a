import Expectations
import AppProtection
import EventSourcing
import Journal
import JSON
import Testing

/// What the tool says of journals that go on from another one, and of those whose first events were retired.
@Suite("Forks and retired events")
struct ForkTests {
  private let id = JournalID(bytes: [UInt8](repeating: 9, count: 16)) ?? .none

  @Test("A fork names its parent, and has the parent's state and history up to the fork")
  func fork() throws {
    let parent = Repository.journal("first-enrollment")
    try TestFiles.withTemporaryFolder { folder in
      let history = try History<AppProtectionMachine>(at: parent)
      try EventStore<AppProtectionMachine>.fork(
        from: history, at: 12, to: "\(folder)/fork", journalID: id, createdNanoseconds: 1
      ).close()
      let verify = ToolRun("verify", "\(folder)/fork")
      expectEqual(verify.code, .done)
      let id = history.reader.identity.id
      expectEqual(verify.lines.first, "parent  \(id)  has the same history up to event 12")
      #expect(
        ToolRun("verify", "\(folder)/fork", "-j").output.contains(
          #""parent":"\#(history.reader.identity.id)","sharedWithParent":12"#))
      #expect(ToolRun("stats", "\(folder)/fork").output.contains("parent \(history.reader.identity.id), which has"))
      let comparison = ToolRun("compare", parent, "\(folder)/fork")
      expectEqual(comparison.code, .different)
      #expect(comparison.output.hasPrefix("same until  event 12 (where one begins, by its chain, found with "))
      #expect(comparison.output.contains("then        prefix: \(folder)/fork ends, \(parent) goes on"))
      let state = ToolRun("state", "\(folder)/fork", "-j")
      expectEqual(state.code, .done)
      expectEqual(ToolRun("state", "\(folder)/fork").output, ToolRun("state", parent, "--at", "12").output)
      expectEqual(ToolRun("state", "\(folder)/fork", "--at", "5").code, .wrongUse)
      let store = try EventStore<AppProtectionMachine>.fork(
        from: history, at: 7, to: "\(folder)/other", journalID: id, createdNanoseconds: 1)
      try store.close()
      try append(from: parent, after: 7, to: "\(folder)/other")
      for arguments in [[], ["-r"], ["-n", "100"], ["-j"], ["8.."]] {
        let log = ToolRun(["log", "\(folder)/other"] + arguments)
        #expect(log.code == .done && log.notes.isEmpty, "\(arguments): \(log.notes)")
      }
      #expect(ToolRun("log", "\(folder)/other").output.hasSuffix(ToolRun("log", parent, "8..").output))
    }
  }

  @Test("Retired events are named as such, and are no damage to either reader")
  func retired() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/kept"
      try SmallSegments.write("first-enrollment", to: path)
      let store = try EventStore<AppProtectionMachine>.open(at: path)
      try store.checkpoint()
      let first = try store.retire(before: 15)
      try store.close()
      #expect(first > 1)
      let verify = ToolRun("verify", path)
      expectEqual(verify.code, .done)
      #expect(verify.lines[0].hasPrefix("retired  events 1–\(first - 1) "))
      #expect(verify.lines[0].hasSuffix("  after the checkpoint at event 20"))
      let state = ToolRun("state", path)
      #expect(state.code == .done && state.output == ToolRun("state", Repository.journal("first-enrollment")).output)
      expectEqual(ToolRun("state", path, "--at", "1").code, .wrongUse)
      let before = ToolRun("state", path, "--at", "\(first)")
      #expect(before.code == .partial && before.notes.contains("no usable checkpoint holds the state before it"))
      let log = ToolRun("log", path, "-j")
      #expect(log.code == .done && log.notes.isEmpty)
      expectEqual(log.lines.count { $0.hasPrefix("{\"kind\":\"event\"") }, Int(21 - first))
    }
  }

  @Test("Behind the checkpoint that stands for retired events the log is the whole journal's, and nothing is wrong")
  func retiredBeginning() throws {
    let whole = Repository.journal("first-enrollment")
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/kept"
      try SmallSegments.write("first-enrollment", upTo: 14, to: path)
      let store = try EventStore<AppProtectionMachine>.open(at: path)
      try store.checkpoint()
      let first = try store.retire(before: .max)
      try store.close()
      try append(from: whole, after: 14, to: path)
      try #require(first > 1 && first < 14)
      let sentence =
        "the events before \(first) were retired: states and changes are known only after the "
        + "checkpoint at event 14"
      let log = ToolRun("log", path)
      #expect(log.code == .done && log.notes.isEmpty, "\(log.notes)")
      #expect(log.lines.count { $0.hasSuffix(sentence) } == 1 && !log.output.contains("unknown"))
      for arguments in [["-n", "6"], ["14..", "-n", "6"], ["-r", "-n", "6"], ["15..20"]] {
        let end = ToolRun(["log", path] + arguments)
        #expect(end.code == .done && end.notes.isEmpty && end.lines.count == 8, "\(arguments): \(end.output)")
        let other = ToolRun(["log", whole] + arguments)
        expectEqual(end.lines.dropLast(), other.lines.dropLast(), "\(arguments)")
      }
      let records = ToolRun("log", path, "-j").records.compactMap { $0?.object }
      let beginning = records.first { $0["kind"]?.string == "retiredBeginning" }
      expectEqual(beginning?["first"]?.number, JSONNumber(first))
      #expect(beginning?["stateKnownBehind"]?.number == JSONNumber(14) && beginning?["reason"]?.string == sentence)
      for event in records where event["kind"]?.string == "event" {
        let sequence = event["seq"]?.number.flatMap { UInt64($0.text) } ?? 0
        #expect((event["changes"]?.array != nil) == (sequence > 14), "event \(sequence)")
      }
      let findings = ToolRun("log", path, "--findings")
      #expect(
        findings.code == .done && findings.notes.contains("; \(15 - first) events cannot be judged"),
        "\(findings.notes)")
      for (range, isKnown) in [("\(first)..", true), ("15..", true), ("\(first)..14", false)] {
        let stats = ToolRun("stats", path, range)
        #expect(stats.code == .done && stats.notes.isEmpty, "\(range): \(stats.notes)")
        expectEqual(stats.output.contains("\n\(sentence)\n"), range != "15..", "\(range)")
        let totals = ToolRun("stats", path, range, "-j").records.compactMap { $0?.object }[1]
        #expect(totals["stateKnown"]?.bool == isKnown && (totals["findings"]?.number != nil) == isKnown, "\(range)")
        expectEqual(totals["stateKnownBehind"]?.number, range == "15.." ? nil : JSONNumber(14), "\(range)")
      }
      let show = ToolRun("show", path, "\(first)")
      #expect(show.code == .done && show.notes == "pj show: \(path): \(sentence)\n", "\(show.notes)")
      #expect(ToolRun("verify", path).code == .done && ToolRun("check", path).code == .done)
    }
  }

  @Test("Without the checkpoint that stands for retired events no state is known, and verify says so")
  func noCheckpoint() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/kept"
      try SmallSegments.write("first-enrollment", to: path)
      let store = try EventStore<AppProtectionMachine>.open(at: path)
      try store.checkpoint()
      #expect(try store.retire(before: 15) > 1)
      try store.close()
      let end = "No state is known: no checkpoint stands for the events before the first one. Next: "
      let name = try #require(try TestFiles.names(in: path).first { $0.hasSuffix(".ckpt") })
      let checkpoint = "\(path)/\(name)"
      for damage in ["its body", "the file", "KEPT too"] {
        switch damage {
        case "its body": try TestFiles.write(try TestFiles.read(checkpoint).dropLast(), to: checkpoint)
        case "the file": try TestFiles.removeFile(checkpoint)
        default: try TestFiles.write([1], to: "\(path)/KEPT")
        }
        let verify = ToolRun("verify", path)
        expectEqual(verify.code, .different, "\(damage)")
        expectEqual(verify.lines.last?.hasPrefix(end), true, "\(damage): \(verify.output)")
        for word in ["state", "log", "stats"] {
          expectEqual(ToolRun(word, path).code, .partial, "\(word), \(damage)")
        }
      }
      // A salvage makes the bytes sound, and no state.
      let salvage = ToolRun("salvage", path, "-o", "\(folder)/copy")
      expectEqual(salvage.code, .partial)
      #expect(salvage.output.contains("no checkpoint stands for the events before the first one"))
      #expect(ToolRun("salvage", path, "-o", "\(folder)/copy2", "-j").output.contains(#""startKnown":false"#))
      let copy = ToolRun("verify", "\(folder)/copy")
      #expect(
        copy.code == .partial && copy.lines.last?.hasPrefix("The bytes are sound, but no state is known: ") == true)
      expectEqual(ToolRun("state", "\(folder)/copy").code, .partial)
    }
  }

  /// Appends the rest of a journal's events to another one.
  private func append(from parent: String, after sequence: UInt64, to path: String) throws {
    let journal = try JournalWriter.open(at: path, options: JournalOptions(of: AppProtectionEvent.self))
    var batch = JournalBatch()
    var cursor = try JournalReader(path: parent).cursor(after: sequence)
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      try batch.append(payload: event.payload, label: 1)
      try journal.append(&batch)
    }
    try journal.close()
  }
}
