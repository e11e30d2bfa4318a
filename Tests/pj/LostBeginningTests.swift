import Expectations
import AppProtection
import Testing

@testable import CommandSupport
@testable import EventSourcing
@testable import Journal

/// What was lost before the first event of a copy is said by every command, through any number of copies.
@Suite("A copy remembers what was lost")
struct LostBeginningTests {
  /// Gives a journal of small segments, with a checkpoint at its end, and a folder to `body`.
  private func withJournal(retiring: UInt64?, _ body: (String, String) throws -> Void) throws {
    _ = Repository.root
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/j"
      try SmallSegments.write("first-enrollment", to: path)
      let store = try EventStore<AppProtectionMachine>.open(at: path)
      try store.checkpoint()
      if let retiring { #expect(try store.retire(before: retiring) > 1) }
      try store.close()
      try body(path, folder)
    }
  }

  /// What every command says of a copy: that its first event is lost, or nothing.
  private func expect(_ lost: Int, in path: String, isFork: Bool = false) throws {
    let code: ExitCode = lost > 0 ? .partial : .done
    let verify = ToolRun("verify", path, "-j")
    #expect(verify.code == code && verify.output.contains(#""lost":\#(lost),"#), "\(path): \(verify.output)")
    #expect(verify.output.contains(#""complete":\#(lost == 0)"#), "\(path): \(verify.output)")
    // Behind the only checkpoint of a retired journal nothing is left to check.
    for command in ["log", "stats"] + (lost > 0 ? ["check"] : []) {
      let run = ToolRun(command, path)
      expectEqual(run.code, code, "\(path), \(command): \(run.notes)")
    }
    let sentence = "event 1 \(isFork ? "is lost" : "was lost before this journal was salvaged")"
    for words in [["verify", path], ["log", path], ["log", path, "-j"]] where lost > 0 {
      #expect(ToolRun(words).output.contains(sentence), "\(words)")
    }
    try expectEqual(IndependentReaderTests().differs(on: path), [])
    let fleet = ToolRun("fleet", path, "-j")
    #expect(fleet.code == code && fleet.output.contains(#""lostEvents":\#(lost),"#), "\(path): \(fleet.output)")
    let export = ToolRun("export", path, "-o", "\(path).export")
    expectEqual(export.code, code, "\(path): \(export.output)\(export.notes)")
  }

  @Test("A first event that is lost is named by every command, in copies, exports, imports and forks")
  func lost() throws {
    try withJournal(retiring: nil) { path, folder in
      let name = "\(path)/00000000000000000001.seg"
      var bytes = try TestFiles.read(name)
      let first = try TestFiles.offset(ofEvent: 1, in: path)
      bytes[first + 20] ^= 1
      try TestFiles.write(bytes, to: name)
      var source = path
      for copy in ["one", "two", "three"].map({ "\(folder)/\($0)" }) {
        let run = ToolRun("salvage", source, "-o", copy, "-j")
        #expect(run.code == .partial && run.output.contains(#""lost":1,"#), "\(run.output)")
        try expect(1, in: copy)
        source = copy
      }
      let verify = ToolRun("verify", source)
      expectEqual(
        verify.lines.last.map(String.init),
        "The bytes are sound, but they are 19 of 20 events: 1 was lost before this journal was salvaged; closed in good "
          + "order.", "\(verify.output)")
      let imported = "\(folder)/imported"
      expectEqual(ToolRun("import", "\(source).export", "-o", imported).code, .done)
      try expect(1, in: imported)
      try expectEqual(TestFiles.read("\(imported)/JOURNAL"), TestFiles.read("\(source)/JOURNAL"))
      let fork = "\(folder)/fork"
      let forked = ToolRun("fork", imported, "20", fork)
      expectEqual(forked.code, .done, "\(forked.notes)")
      try expect(1, in: fork, isFork: true)
    }
  }

  @Test("Copies of a journal with retired events have all of it, and say which were retired")
  func retired() throws {
    try withJournal(retiring: 15) { path, folder in
      func retired(_ path: String) -> [Substring]? {
        ToolRun("verify", path).lines.first { $0.hasPrefix("retired") }?.split(separator: " ")
      }
      let words = try #require(retired(path))
      var source = path
      for copy in ["one", "two", "three"].map({ "\(folder)/\($0)" }) {
        let run = ToolRun("salvage", source, "-o", copy)
        expectEqual(run.code, .done, "\(run.output)")
        try expect(0, in: copy)
        expectEqual(retired(copy), words)
        source = copy
      }
      let imported = "\(folder)/imported"
      expectEqual(ToolRun("import", "\(source).export", "-o", imported).code, .done)
      try expect(0, in: imported)
    }
  }
}
