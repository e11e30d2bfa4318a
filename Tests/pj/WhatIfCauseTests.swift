import Expectations
import AppProtection
import EventSourcing
import Journal
import JSON
import Testing

@Suite("Causes that did not happen")
struct WhatIfCauseTests {
  /// A refused sign-in after 91 days, which orders a wipe in the same batch: event 75, and 76 because of it.
  private static func refusal(in folder: String) throws -> String {
    let path = "\(folder)/refused"
    let run = ToolRun("simulate", "\(Repository.root)/journals/scenarios/S-20.json", "-o", path)
    guard run.code == .done else { throw TestFiles.Failed("simulate: \(run.notes)") }
    return path
  }

  private static func affected(_ run: ToolRun) -> [JSONObject] {
    run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "affected" }
  }

  @Test("A wipe stands on the refusal that ordered it, also where both are one decision and the end is the same")
  func dropped() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = try Self.refusal(in: folder)
      let text = ToolRun("whatif", journal, "--drop", "launch.canceled")
      #expect(text.code == .different && text.output.contains("The states at the end are the same."), "\(text.output)")
      #expect(text.output.contains("1 later decision rests on what differs: 1 without its cause\n"), "\(text.output)")
      #expect(
        text.output.contains(
          "76  wipe.requested  its cause, event 75, did not happen as recorded; whether it would have happened is unknown"
        ), "\(text.output)")
      let json = ToolRun("whatif", journal, "--drop", "launch.canceled", "-j")
      expectEqual(json.code, .different)
      let affected = Self.affected(json)
      #expect(affected.count == 1 && affected.first?["basis"]?.string == "possible", "\(json.output)")
      #expect(affected.first?["from"] == .number(76) && affected.first?["cause"] == .number(75), "\(json.output)")
      expectEqual(json.records.last??.object?["possible"], .number(1), "\(json.output)")
      // It is counted where none is named.
      #expect(ToolRun("whatif", journal, "--drop", "launch.canceled", "-n", "0").output.contains("and 1 more"))
    }
  }

  @Test(
    "What comes later or is another event is not the cause that was recorded",
    arguments: [
      ["--move", "75=76"], ["--replace", #"75={"type": "launch.signedIn", "data": {"account": "a1"}}"#],
    ])
  func changed(edit: [String]) throws {
    try TestFiles.withTemporaryFolder { folder in
      let run = ToolRun(["whatif", try Self.refusal(in: folder), "-j"] + edit)
      let causes = Self.affected(run).filter { $0["from"] == .number(76) }.map { $0["cause"] }
      #expect(run.code == .different && causes == [.number(75)], "\(run.output)")
    }
  }

  @Test("A cause that is replaced by itself, or moved before, stays the cause", arguments: [true, false])
  func kept(isMoved: Bool) throws {
    try TestFiles.withTemporaryFolder { folder in
      let edit =
        isMoved
        ? ["--move", "75=74"] : ["--replace", #"75={"type": "launch.canceled", "data": {"account": "a1"}}"#]
      let run = ToolRun(["whatif", try Self.refusal(in: folder), "-j"] + edit)
      #expect(Self.affected(run).allSatisfy { $0["cause"] == nil }, "\(run.output)")
    }
  }

  @Test("A later command that names a dropped event is named, though the rules would decide it the same way")
  func later() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/j"
      let store = try EventStore<AppProtectionMachine>.create(
        at: path, journalID: try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16))), createdNanoseconds: 0)
      try store.append(.startProcess(ProcessStart()), at: Moment(wallNanoseconds: 0))
      try store.append(.setIdentity(.window(1), .unmanaged), at: Moment(wallNanoseconds: 1))
      let cause = store.lastSequence
      try store.append(.setIdentity(.window(2), .unmanaged), at: Moment(wallNanoseconds: 2), cause: cause)
      let last = store.lastSequence
      try store.append(.setIdentity(.window(3), .unmanaged), at: Moment(wallNanoseconds: 3), cause: last)
      try store.close()
      let affected = Self.affected(ToolRun("whatif", path, "--drop", "\(cause)", "-j"))
      // The third follows from the second, which stays.
      #expect(affected.map { $0["from"] } == [.number(last)] && affected.first?["cause"] == .number(cause))
    }
  }
}
