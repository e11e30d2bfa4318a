import Expectations
import AppProtection
import EventSourcing
import Journal
import Testing
import WireFormat

@testable import CommandSupport

@Suite("Checking with the tool, and states from stored ones")
struct CheckTests {
  private func withCopy(_ name: String, _ body: (String) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/copy.pj"
      try TestFiles.copy(Repository.journal(name), to: path)
      try body(path)
    }
  }

  @Test("A state that the rules do not give is named with its event, and ends in 1")
  func mismatch() throws {
    try withCopy("interrupted-wipe") { path in
      let journal = try JournalWriter.open(at: path, options: JournalOptions(of: AppProtectionEvent.self))
      var cursor = try JournalReader(path: path).cursor(after: journal.lastSequence - 1)
      guard case .event(let event)? = try cursor.next() else {
        Issue.record("no event")
        return
      }
      var envelope = try WireReader.decode(event.payload) { (reader) throws(WireError) in try Envelope(from: &reader) }
      envelope.digest = RecordedDigest([1, 2, 3, 4, 5, 6, 7, 8], as: .merkle)
      var writer = WireWriter()
      envelope.encode(into: &writer)
      var batch = JournalBatch()
      try batch.append(payload: writer.bytes, label: envelope.moment.wallNanoseconds)
      try journal.append(&batch)
      let last = journal.lastSequence
      try journal.close()
      let run = ToolRun("check", path)
      expectEqual(run.code, .different)
      #expect(run.output.contains("differs     with event \(last), "))
      #expect(run.output.hasSuffix("Does not agree. Next: pj show \(path) \(last)\n"))
      let json = ToolRun("check", path, "-j")
      #expect(json.code == .different && json.output.contains("\"kind\":\"mismatch\",\"seq\":\(last),"))
      let refused = ToolRun("check", path, "--rebuild")
      #expect(refused.code == .different && refused.notes.contains("the keyframes are not written"))
    }
  }

  @Test("What is personal in the path of a value that differs is withheld")
  func personalPaths() throws {
    try TestFiles.withTemporaryFolder { folder in
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "ann@contoso.com": 1}"##
      try TestFiles.write(Array(policy.utf8), to: "\(folder)/policy.json")
      let scenario = """
        {"scenario": 1, "title": "A member of a policy that names a person", "teaches": "That it is withheld",
         "app": {"version": "2.0"}, "device": {"os": "17.0", "model": "iPhone15,2", "sdk": "19.2.0"},
         "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01", "upn": "alice@contoso.com"}},
         "policies": {"own": {"path": "policy.json"}}, "start": "2026-10-07T09:00:00Z",
         "steps": [{"service": {"alice": {"policy": "own"}}}, {"launch": {}}, {"registerAndEnroll": "alice"}]}
        """
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/scenario.json")
      let made = ToolRun("simulate", "\(folder)/scenario.json", "-o", "\(folder)/made")
      #expect(made.code == .done, "\(made.notes)")
      // The same journal up to the policy, with another digest of the state after it.
      let other = "\(folder)/other"
      let journal = try JournalWriter.create(
        at: other, id: try #require(JournalID("6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b02")), createdNanoseconds: 0,
        options: JournalOptions(of: AppProtectionEvent.self))
      var cursor = try JournalReader(path: "\(folder)/made").cursor(after: 0)
      var isPolicy = false
      while !isPolicy, case .event(let event)? = try cursor.next() {
        var envelope = try WireReader.decode(event.payload) { (reader) throws(WireError) in
          try Envelope(from: &reader)
        }
        isPolicy = AppProtectionEvent.catalog[envelope.type]?.name == "policy.received"
        if isPolicy { envelope.digest = RecordedDigest([1, 2, 3, 4, 5, 6, 7, 8], as: .merkle) }
        var writer = WireWriter()
        envelope.encode(into: &writer)
        var batch = JournalBatch()
        try batch.append(payload: writer.bytes, label: envelope.moment.wallNanoseconds)
        try journal.append(&batch)
      }
      try journal.close()
      for form in [[], ["-j"]] {
        let run = ToolRun(["check", other] + form)
        #expect(run.code == .different && run.output.contains("/otherMembers/(withheld)"), "\(run.output)\(run.notes)")
        #expect(!run.output.contains("ann@"))
        #expect(ToolRun(["check", other, "--reveal"] + form).output.contains("/otherMembers/ann@contoso.com"))
      }
    }
  }

  @Test("A state is computed from a keyframe and says so, and from the first event when that is asked for")
  func storedStates() throws {
    try withCopy("torn-tail") { path in
      var options = StoreOptions()
      options.keyframeInterval = 1
      let store = try EventStore<AppProtectionMachine>.open(at: path, options: options)
      let first = store.lastSequence
      try store.append(.endProcess, at: Moment(wallNanoseconds: 1_800_000_000_000_000_000))
      try store.close()
      let run = ToolRun("state", path)
      expectEqual(run.code, .done)
      #expect(run.notes.contains("computed from the keyframe after event \(first + 1); --from-start computes it"))
      let fromStart = ToolRun("state", path, "--from-start")
      #expect(fromStart.code == .done && fromStart.output == run.output && fromStart.notes.isEmpty)
      #expect(ToolRun("state", path, "-j").output.contains("\"storedState\":\(first + 1),"))
      #expect(ToolRun("check", path).output.contains(" 1 keyframe\n"))
      let rebuilt = ToolRun("check", path, "--rebuild")
      // The journal is shorter than the usual distance between two keyframes.
      #expect(rebuilt.code == .done && rebuilt.output.hasSuffix("0 keyframes written.\n"))
      #expect(ToolRun("check", path, "--rebuild", "-j").output.hasSuffix("\"agrees\":true,\"keyframes\":0}\n"))
      #expect(ToolRun("state", path).notes.isEmpty)
    }
  }

  @Test("The first state that is kept needs no other way to compute it")
  func firstState() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/fork"
      expectEqual(ToolRun("fork", Repository.journal("interrupted-wipe"), "12", path).code, .done)
      expectEqual(ToolRun("export", path, "-o", "\(folder)/a.pjx").code, .done)
      for journal in [path, "\(folder)/a.pjx"] {
        let note = "pj state: \(journal): computed from the checkpoint after event 12, with which this journal begins\n"
        for words in [[], ["--from-start"]] { expectEqual(ToolRun(["state", journal] + words).notes, note) }
      }
    }
  }

  @Test("A difference within one damaged journal says once what is damaged")
  func damagedOnce() {
    let run = ToolRun("diff", Repository.journal("damaged-frame"), "1", "end")
    expectEqual(run.notes.split(separator: "\n").count, 1)
    #expect(run.notes.contains("the journal is damaged after event 11"))
  }

  @Test("Where every digest is of another revision of the rules, nothing is said to agree, also after a rebuild")
  func otherRevision() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/old.pj"
      try TestFiles.copy("\(Repository.root)/Tests/Simulation/Golden/revision-1/first-enrollment", to: path)
      func check(_ run: ToolRun, _ note: Comment) {
        expectEqual(run.code, .partial, note)
        #expect(run.output.contains("; 14 digests of revision 1 of the rules left out"), note)
        #expect(!run.output.contains("Agrees"), note)
        #expect(run.output.contains("Unknown whether the states that pj shows are those"), note)
        #expect(
          run.output.contains(
            "recorded digests of revision 1 of the rules, but this program has revision "
              + "\(AppProtectionMachine.revision). Next: check it with a program of revision 1; "
              + "pj check \(path) --rebuild writes keyframes"), note)
      }
      check(ToolRun("check", path), "before")
      let json = ToolRun("check", path, "-j")
      #expect(json.code == .partial && json.output.contains(#""otherRevisions":[1]"#))
      expectEqual(json.lines.last, #"{"kind":"end","complete":false,"exit":3,"agrees":null}"#)
      let rebuilt = ToolRun("check", path, "--rebuild")
      check(rebuilt, "rebuilt")
      #expect(rebuilt.output.hasSuffix(" keyframes written.\n"))
      check(ToolRun("check", path), "after")
    }
  }

  @Test("Where no digest was recorded, nothing is said to agree")
  func noDigests() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/bare.pj"
      var options = StoreOptions()
      options.recordsStateDigest = false
      let store = try EventStore<AppProtectionMachine>.create(
        at: path, journalID: try #require(JournalID(bytes: [UInt8](1...16))), createdNanoseconds: 1, options: options)
      #expect(
        ToolRun("check", path).output.hasSuffix(
          "Agrees: the journal has no event, and so no state that could differ.\n"))
      try store.append(.startProcess(ProcessStart()), at: Moment(wallNanoseconds: 1))
      try store.close()
      let run = ToolRun("check", path)
      expectEqual(run.code, .partial)
      #expect(run.output.hasSuffix("wrote the journal: it recorded no digests. Next: pj verify \(path)\n"))
    }
  }

  @Test("The stored state with which a fork begins is compared with nothing, so that nothing is said to agree")
  func emptyFork() throws {
    try TestFiles.withTemporaryFolder { folder in
      let fork = "\(folder)/fork"
      expectEqual(ToolRun("fork", Repository.journal("first-enrollment"), "12", fork).code, .done)
      let run = ToolRun("check", fork)
      #expect(run.code == .partial && !run.output.contains("Agrees"), "\(run.output)")
      #expect(
        run.output.hasSuffix(
          "it has no events, and the state after event 12, with which it begins, is only stored. Next: pj verify \(fork)\n"
        ))
      expectEqual(ToolRun("check", fork, "-j").lines.last, #"{"kind":"end","complete":false,"exit":3,"agrees":null}"#)
      // Before the first event of all there is one state only.
      let start = "\(folder)/start"
      expectEqual(ToolRun("fork", Repository.journal("first-enrollment"), "start", start).code, .done)
      #expect(
        ToolRun("check", start).output.hasSuffix(
          "Agrees: the journal has no event, and so no state that could differ.\n"))
    }
  }
}
