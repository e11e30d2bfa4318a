import Expectations
import AppProtection
import EventSourcing
import Testing

@Suite("What commands say of damage")
struct DamageAnswerTests {
  private static let scenario = """
    {"scenario": 1, "title": "small", "start": "2026-10-05T09:00:00Z",
     "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01"}},
     "steps": [{"service": {"alice": "noPolicy"}}, {"launch": {}}, {"registerAndEnroll": "alice"}]}
    """

  private func withJournal(_ body: (String) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(Self.scenario.utf8), to: "\(folder)/small.json")
      expectEqual(ToolRun("simulate", "\(folder)/small.json", "-o", "\(folder)/small.pj").code, .done)
      try body("\(folder)/small.pj")
    }
  }

  @Test("Where nothing says which journal it is, verify -j says so in JSON too")
  func unknownJournal() throws {
    try withJournal { path in
      for name in try TestFiles.names(in: path) where name == "JOURNAL" || name.hasSuffix(".seg") {
        try TestFiles.write([UInt8](repeating: 0x41, count: 600), to: "\(path)/\(name)")
      }
      let text = ToolRun("verify", path)
      #expect(text.code == .different && text.output.hasPrefix("damaged  "))
      expectEqual(text.lines.last, "Next: pj salvage \(path) -o copy")
      for command in ["log", "state", "stats", "check"] {
        let run = ToolRun(command, path)
        #expect(run.code == .partial && run.notes.hasSuffix(". Next: pj salvage \(path) -o copy\n"), "\(run.notes)")
      }
      let run = ToolRun("verify", path, "-j")
      #expect(run.code == .different && run.notes == "")
      #expect(run.lines.allSatisfy { $0.hasPrefix("{\"kind\":") && $0.hasSuffix("}") }, "\(run.lines)")
      #expect(run.lines.contains { $0.contains("\"verdict\":\"damaged\"") && $0.contains("\"file\":\"JOURNAL\"") })
      expectEqual(run.lines.last?.contains("\"sound\":false,\"events\":0"), true)
    }
  }

  @Test("For the same damage every command names the same next step")
  func nextStep() throws {
    try withJournal { path in
      let segment = "\(path)/00000000000000000001.seg"
      var bytes = try TestFiles.read(segment)
      bytes[try TestFiles.offset(ofEvent: 2, in: path) + 20] ^= 1
      try TestFiles.write(bytes, to: segment)
      let next = "Next: pj salvage \(path) -o copy"
      #expect(ToolRun("verify", path).output.contains(next))
      for words in [
        ["log", path], ["stats", path], ["state", path], ["check", path], ["check", path, "--rebuild"],
        ["show", path, "1"],
        ["state", path, "--at", "end"], ["show", path, "end"], ["policy", "show", path, "--account", "a1"],
      ] {
        let run = ToolRun(words)
        #expect(run.code == .partial && run.notes.contains(next), "\(words): \(run.notes)")
      }
    }
  }

  @Test("Where a stored state hides lost events, answers about who set a value and since when are partial")
  func lostBehindStoredState() throws {
    try withJournal { path in
      let segment = "\(path)/00000000000000000001.seg"
      var bytes = try TestFiles.read(segment)
      let lost = try TestFiles.offset(ofEvent: 4, in: path)..<TestFiles.offset(ofEvent: 5, in: path)
      bytes.replaceSubrange(lost, with: repeatElement(0, count: lost.count))
      try TestFiles.write(bytes, to: segment)
      let copy = "\(path)-3"
      expectEqual(ToolRun("salvage", path, "-o", copy).code, .partial)
      var options = StoreOptions()
      options.onDamage = .continueAfterVerifiedPrefix
      let store = try EventStore<AppProtectionMachine>.open(at: copy, options: options)
      _ = try store.checkpoint()
      try store.close()
      expectEqual(ToolRun("state", copy).code, .done, "the stored state is known")
      for words in [
        ["blame", copy, "/process/launch"], ["explain", copy, "managed(a1)"],
        ["explain", copy, "managed(a1)", "--when"],
        ["bisect", copy, "--where", "/process/isRunning"], ["whatif", copy, "--drop", "end"],
      ] {
        let run = ToolRun(words)
        expectEqual(run.code, .partial, "\(words): \(run.output)")
        #expect(run.notes.contains("lost before this journal was salvaged"), "\(words): \(run.notes)")
      }
      expectEqual(ToolRun("blame", "\(copy)@3", "/process/launch").code, .done)
    }
  }

  @Test("For what was lost before a journal was salvaged every command says what that means")
  func nextStepOfLost() throws {
    try withJournal { path in
      let segment = "\(path)/00000000000000000001.seg"
      var bytes = try TestFiles.read(segment)
      let lost = try TestFiles.offset(ofEvent: 2, in: path)..<TestFiles.offset(ofEvent: 3, in: path)
      bytes.replaceSubrange(lost, with: repeatElement(0, count: lost.count))
      try TestFiles.write(bytes, to: segment)
      expectEqual(ToolRun("salvage", path, "-o", "\(path)-2").code, .partial)
      for command in ["log", "stats", "state", "check"] {
        let run = ToolRun(command, "\(path)-2")
        #expect(run.code == .partial && run.notes.hasSuffix("Next: pj help damage\n"), "\(command): \(run.notes)")
      }
    }
  }

  @Test(
    "A directory or a pipe under the name of JOURNAL or HEAD is named, costs no event, and is salvaged around",
    arguments: ["JOURNAL", "HEAD"], TestFiles.Kind.allCases)
  func otherKinds(name: String, kind: TestFiles.Kind) throws {
    try withJournal { path in
      try TestFiles.removeFile("\(path)/\(name)")
      try TestFiles.create(kind, "\(path)/\(name)")
      let what = kind == .folder ? "it is a directory" : "it is not a regular file"
      let verify = ToolRun("verify", path)
      #expect(
        verify.code == .different && verify.lines.contains { $0.contains(name) && $0.contains(what) },
        "\(verify.output)")
      expectEqual(verify.lines.last?.hasSuffix("Next: pj salvage \(path) -o copy"), true, "\(verify.output)")
      let log = ToolRun("log", path, "-j")
      let events = log.lines.count { $0.hasPrefix("{\"kind\":\"event\"") }
      #expect(log.code == .partial && events > 5)
      #expect(log.lines.contains { $0.contains("\"file\":\"\(name)\"") && $0.contains("move it to another place") })
      let salvage = ToolRun("salvage", path, "-o", "\(path)-2")
      // Without HEAD nothing says how far the journal reached.
      expectEqual(salvage.code, name == "HEAD" ? .partial : .done, "\(salvage.output)")
      #expect(kind == .folder || salvage.output.contains(what), "\(salvage.output)")
      let copy = ToolRun("log", "\(path)-2", "-j")
      expectEqual(copy.lines.count { $0.hasPrefix("{\"kind\":\"event\"") }, events)
    }
  }
}
