import Expectations
import AppProtection
import Journal
import Testing

@testable import EventSourcing

/// Journals of app protection as published programs left them, opened with today's program.
///
/// `Updates/frozen` is never written again; `EarlierRevisionTests` keeps journals of revisions 1 to 3. The current ones are
/// those in `journals`, which `tools/regenerate-journals` writes. When the revision is raised, a copy of one of them with a
/// checkpoint goes to `Updates/frozen` first.
///
/// The first two of revision 4 are of the first programs of format 1.1, whose catalogues name neither slices nor a revision.
/// `retired` has a checkpoint and keyframes, and `migrated` the record of a state that was taken over from revision 3. Both
/// have version 2 of `process.started`. `last` is of the last program of revision 4.
@Suite("Journals of every published program")
struct PublishedJournalTests {
  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Updates/frozen"
  private static let events: UInt64 = 43

  /// A copy of a journal that may be written.
  private static func copy(_ name: String) throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    try Files.copy("\(Self.folder)/\(name)", to: folder.path + "/journal")
    return (folder, folder.path + "/journal")
  }

  /// A journal of revision 4, and what it adds up to: written down when it was, and never changed.
  struct Kept: Sendable, CustomTestStringConvertible {
    var kind: String
    var last: UInt64
    var digest: String
    var digests: UInt64
    var testDescription: String { kind }
  }

  private static let kept = [
    Kept(
      kind: "whole", last: 43, digest: "1c5bd3b6b07ac902868a2fef2f7c90f5fbe2ba9548d453a212514580750de532",
      digests: 29),
    Kept(
      kind: "fork", last: 43, digest: "1c5bd3b6b07ac902868a2fef2f7c90f5fbe2ba9548d453a212514580750de532",
      digests: 0),
    Kept(
      kind: "retired", last: 43, digest: "0dca1e0e15e98328325ea94860ab26a12c095bb3b6692a878b9599b977d3f3ee",
      digests: 12),
    Kept(
      kind: "migrated", last: 46, digest: "8f93d70fe4c4caa9aa3583a0c8fd44bef2d0e043e37fe6ee37e728454663261a",
      digests: 3),
    Kept(
      kind: "last", last: 43, digest: "1c5bd3b6b07ac902868a2fef2f7c90f5fbe2ba9548d453a212514580750de532",
      digests: 29),
  ]

  @Test("Today's program finds the state that was recorded, and goes on", arguments: kept)
  func open(_ kept: Kept) throws {
    let (folder, path) = try Self.copy("revision-4-\(kept.kind)")
    defer { withExtendedLifetime(folder) {} }
    let history = try History<AppProtectionMachine>(at: path)
    let state = try history.state(at: .end).state
    expectEqual("\(StateDigest(of: state).combined)", kept.digest)
    let report = try history.check()
    #expect(report.isSound && report.lastSequence == kept.last)
    // The rules give the states that the programs of revision 4 recorded.
    #expect(report.digestsCompared == kept.digests && report.digestsOfOtherRevisions == 0)
    let isWhole = kept.kind == "whole" || kept.kind == "last"
    #expect((history.firstSequence == 1) == isWhole)
    var store = try EventStore<AppProtectionMachine>.open(at: path)
    // Where the first events are gone, the state is taken over, which an event records.
    #expect(store.state == state && store.lastSequence == kept.last + (isWhole ? 0 : 1))
    try store.append(.startProcess(ProcessStart()), at: Moment(wallNanoseconds: 1))
    let last = store.version
    try store.close()
    store = try EventStore<AppProtectionMachine>.open(at: path)
    #expect(store.state == last.state && store.lastSequence == last.sequence)
    try store.close()
    #expect(try History<AppProtectionMachine>(at: path).check().isSound)
  }

  @Test("States of revisions 3 and 4 are taken over, and those of earlier revisions refused", arguments: [3, 4])
  func migration(from earlier: UInt32) throws {
    let (folder, path) = try Self.copy("revision-4-fork")
    defer { withExtendedLifetime(folder) {} }
    func pretend(_ revision: UInt32) throws {
      let reader = try JournalReader(path: path)
      var body = try StateCheckpoint(bytes: reader.body(of: #require(reader.checkpoints().last)))
      body.reducerRevision = revision
      let journal = try JournalWriter.open(at: path, options: JournalOptions(of: AppProtectionEvent.self))
      try journal.writeCheckpoint(sequence: Self.events, body: body.encode())
      try journal.close()
    }
    let state = try History<AppProtectionMachine>(at: path).state(at: .end).state
    try pretend(2)
    #expect(throws: HistoryError.notMigrated(checkpoint: Self.events, from: 2, to: 5, reason: nil)) {
      try EventStore<AppProtectionMachine>.open(at: path)
    }
    try pretend(earlier)
    let store = try EventStore<AppProtectionMachine>.open(at: path)
    #expect(store.state == state && store.lastSequence == Self.events + 1)
    try store.close()
    let history = try History<AppProtectionMachine>(at: path)
    #expect(try history.check().isSound)
    var cursor = try history.events()
    guard case .event(let step)? = try cursor.next(), case .migration(let migration) = step.record.content else {
      Issue.record("no migration is recorded")
      return
    }
    #expect((migration.from, migration.to, migration.checkpoint) == (earlier, 5, Self.events))
  }
}
