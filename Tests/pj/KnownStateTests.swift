import Expectations
import Journal
import JSON
import Testing

@testable import CommandSupport

/// How far the state of a damaged journal is known: every command says the same, and none tells a state that nobody knows.
@Suite("How far a damaged journal's state is known")
struct KnownStateTests {
  /// Copies a golden journal, changes a bit of an event in it, and gives the copy's path to `body`.
  private func withDamage(
    to sequence: UInt64, of name: String = "interrupted-wipe", _ body: (_ journal: String) throws -> Void
  ) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Repository.journal(name), to: path)
      var cursor = try JournalReader(path: path).cursor(after: sequence - 1)
      guard case .event(let event)? = try cursor.next() else {
        Issue.record("there is no event \(sequence)")
        return
      }
      let file = "\(path)/\(event.file)"
      var bytes = try TestFiles.read(file)
      bytes[Int(event.offset) + 20] ^= 1
      try TestFiles.write(bytes, to: file)
      try body(path)
    }
  }

  private func record(_ kind: String, _ run: ToolRun) -> JSONObject? {
    run.records.compactMap { $0?.object }.first { $0["kind"]?.string == kind }
  }

  @Test(
    "It is known up to the last whole batch before the damage, whoever is asked",
    arguments: [
      // The damaged event, and the last one of the batches before its own.
      (sequence: 4, last: 2), (6, 5), (7, 5), (13, 11), (17, 16), (19, 17),
    ])
  func wholeBatches(sequence: UInt64, last: UInt64) throws {
    try withDamage(to: sequence) { path in
      let log = ToolRun("log", path, "-j")
      expectEqual(record("stateUnknown", log)?["after"]?.number, JSONNumber(last))
      for event in log.records.compactMap({ $0?.object }) where event["kind"]?.string == "event" {
        let number = event["seq"]?.number.flatMap { UInt64($0.text) } ?? 0
        #expect((event["changes"]?.array != nil) == (number <= last), "event \(number)")
      }
      expectEqual(record("state", ToolRun("state", path, "-j"))?["after"]?.number, JSONNumber(last))
      #expect(ToolRun("stats", path).output.contains("\nthe state after event \(last) is unknown:"))
      #expect(ToolRun("verify", path).output.contains("The state can be rebuilt up to event \(last)."))
      #expect(ToolRun("check", path).output.contains(", up to \(last)\n"))
      for word in ["log", "state", "stats", "check"] { expectEqual(ToolRun(word, path).code, .partial, "\(word)") }
    }
  }

  @Test("What verify says can be rebuilt, state shows, whichever files of a retired journal are gone")
  func forecast() throws {
    try TestFiles.withTemporaryFolder { folder in
      let retired = try RetiredJournal.write(in: folder)
      let names = try TestFiles.names(in: retired).filter { $0 != "LOCK" }
      let segments = names.filter { $0.hasSuffix(".seg") }
      let checkpoints = names.filter { $0.hasSuffix(".ckpt") }
      #expect(!segments.isEmpty && !checkpoints.isEmpty)
      var losses = names.map { [$0] } + names.map { segments + [$0] } + [segments, segments + checkpoints]
      losses += segments.indices.map { Array(segments[$0...]) } + segments.indices.map { Array(segments[...$0]) }
      var rebuilt = 0
      for (number, missing) in losses.enumerated() {
        let path = "\(folder)/\(number)"
        try TestFiles.copy(retired, to: path)
        for name in Set(missing) { try TestFiles.removeFile("\(path)/\(name)") }
        let run = ToolRun("verify", path)
        let verify = run.output
        let state = ToolRun("state", path, "-j")
        let shown = record("state", state)?["after"]?.number.flatMap { UInt64($0.text) }
        if let words = verify.firstRange(of: "can be rebuilt up to event ") {
          expectEqual(UInt64(verify[words.upperBound...].prefix { $0.isNumber }), shown, "\(missing): \(verify)")
          rebuilt += 1
        } else if verify.contains("o state is known") || run.code == .unreadable {
          #expect(shown == nil && state.code != .done, "\(missing): \(verify)")
        } else {
          #expect(shown != nil, "\(missing): \(verify)\(state.notes)")
        }
        // The checkpoint alone holds the state after its event.
        if missing == segments {
          let checkpoint = checkpoints.last.flatMap { UInt64($0.prefix { $0 != "." }) }
          #expect(shown == checkpoint && state.code == .partial, "\(verify)\(state.notes)")
        }
      }
      #expect(rebuilt > 2)
    }
  }

  @Test("Where nothing can be replayed no state is shown")
  func nothingKnown() throws {
    try withDamage(to: 1) { path in
      for words in [["state", path], ["state", path, "--flat"], ["state", path, "--path", "/accounts/a1"]] {
        let run = ToolRun(words)
        #expect(run.code == .partial && run.output.isEmpty)
        expectEqual(
          run.notes,
          "pj state: \(path): the journal is damaged before its first event can be read; what the state was "
            + "is unknown. Next: pj salvage \(path) -o copy\n")
      }
      #expect(ToolRun("state", path, "--at", "start").output.contains("launch"), "that one is asked for")
    }
  }

  @Test("What is not found in the last known state may be behind it, and is not said to be missing")
  func notFound() throws {
    try withDamage(to: 3) { path in
      let place = "\(path): the journal is damaged after event 2; "
      let next = " after that is unknown. Next: pj salvage \(path) -o copy\n"
      let account = "\(place)whether account a1 exists\(next)"
      let policy = ToolRun("policy", "show", path, "--account", "a1")
      #expect(policy.code == .partial && policy.output.isEmpty && policy.notes == "pj policy: \(account)")
      let compare = ToolRun("compare", path, "--accounts", "a1,a2")
      #expect(compare.code == .partial && compare.output.isEmpty && compare.notes == "pj compare: \(account)")
      let state = ToolRun("state", path, "--path", "/accounts/a1")
      #expect(state.code == .partial && state.output.isEmpty)
      expectEqual(state.notes, "pj state: \(place)what is at /accounts/a1\(next)")
    }
    try withDamage(to: 7) { path in
      let policy = ToolRun("policy", "show", path, "--account", "a1")
      #expect(policy.code == .partial && policy.output.isEmpty)
      #expect(policy.notes.contains("after event 5; what policy a1 has after that is unknown. Next: pj salvage "))
    }
    let sound = Repository.journal("interrupted-wipe")
    let none = ToolRun("policy", "show", sound, "--account", "a9")
    #expect(none.code == .wrongUse && none.notes.contains("account a9 does not exist; accounts here: a1."))
  }

  @Test("The last record of verify counts every event that is lost, in the middle and at the end")
  func lostCount() throws {
    // Which segments are taken away, in the order of the journal.
    for missing in [[1], [0], [1, 2, 3], [1, 3]] {
      try TestFiles.withTemporaryFolder { folder in
        let path = "\(folder)/journal"
        try TestFiles.copy(Repository.journal("framework-history"), to: path)
        let reader = try JournalReader(path: path)
        let starts = reader.segments.map(\.firstSequence) + [reader.durableSequence + 1]
        try #require(starts.count == 5)
        for index in missing { try TestFiles.removeFile("\(path)/\(reader.segments[index].file)") }
        let end = record("end", ToolRun("verify", path, "-j"))
        let lost = missing.reduce(UInt64(0)) { $0 + starts[$1 + 1] - starts[$1] }
        expectEqual(end?["lost"]?.number, JSONNumber(lost), "without \(missing)")
        expectEqual(end?["events"]?.number, JSONNumber(reader.durableSequence - lost), "without \(missing)")
      }
    }
  }

  @Test("Positions in segments that are missing are lost; only retired ones are no longer kept")
  func missingSegments() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("framework-history"), to: path)
      let segments = try TestFiles.names(in: path).filter { $0.hasSuffix(".seg") }
      try TestFiles.removeFile("\(path)/\(segments[0])")
      let first = try JournalReader(path: path).segments[0].firstSequence
      let total = try JournalReader(path: path).durableSequence
      let rest = "restore the journal's files from a copy. Next: pj salvage \(path) -o copy\n"
      let byNumber = "write an event's number, or "
      for words in [
        ["show", path, "3"], ["log", path, "3.."], ["state", path, "--at", "3"], ["stats", path, "3..5"],
      ] {
        let run = ToolRun(words)
        #expect(run.code == .partial && run.output.isEmpty)
        expectEqual(run.notes, "pj \(words[0]): \(path): event 3 is lost: the first one left is \(first); \(rest)")
      }
      let start = ToolRun("state", path, "--at", "start")
      #expect(start.code == .partial && start.output.isEmpty)
      #expect(start.notes.contains("the journal begins with event \(first), and no usable checkpoint holds the state"))
      for words in [["state", path, "--at", "2001-01"], ["show", path, "2001-01"]] {
        let run = ToolRun(words)
        #expect(run.code == .partial && run.output.isEmpty)
        expectEqual(
          run.notes,
          "pj \(words[0]): \(path): the state at that time is unknown: "
            + "events 1–\(first - 1) are lost; \(byNumber)\(rest)")
      }
      try TestFiles.removeFile("\(path)/\(segments[segments.count - 1])")
      let last = ToolRun("show", path, "\(total)")
      #expect(last.code == .partial && last.notes.contains(": event \(total) is lost: the last one left is "))
      expectEqual(ToolRun("show", path, "\(total + 1)").code, .wrongUse)
    }
  }
}
