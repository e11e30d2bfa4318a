import Expectations
import EventSourcing
import Journal
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Journals that each program of a bank wrote, with checkpoints, keyframes, and their past retired: today's program opens
/// all of them.
///
/// `Updates/frozen` is never written again. `Updates/current` is what today's library writes:
/// `UPDATE_JOURNALS=1 swift test --filter PublishedJournalTests` writes it anew, where the format or a catalogue changes. A
/// program that is published moves from there to the frozen ones.
@Suite("Journals of every published program")
struct PublishedJournalTests {
  /// A program that wrote journals. Program 6 is the current one.
  static let frozen = 1...5
  static let kinds = ["whole", "retired"]

  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/Updates"

  private static func folder(_ program: Int, _ kind: String) -> String {
    "\(folder)/\(frozen.contains(program) ? "frozen" : "current")/program-\(program)-\(kind)"
  }

  @Test("Today's library writes the current journals byte for byte")
  func current() throws {
    let isUpdating = getenv("UPDATE_JOURNALS") != nil
    for kind in Self.kinds + ["migrated"] {
      let journal = try kind == "migrated" ? Self.writeMigrated() : Self.write(Bank6.self, kind)
      let path = Self.folder(6, kind)
      if isUpdating { try Self.replace(path, by: journal) }
      let kept = try PosixFileSystem().list(path).sorted()
      expectEqual(kept, journal.files.filter { $0 != "LOCK" })
      for name in kept { try expectEqual(journal.contents(name), Self.bytes("\(path)/\(name)"), "\(kind)/\(name)") }
    }
  }

  @Test(
    "Today's program opens it, finds the state that its events add up to, and goes on", arguments: 1...6, kinds)
  func open(program: Int, kind: String) throws {
    let journal = try Self.copy(Self.folder(program, kind))
    var history = try journal.history(Bank<Bank6>.self)
    #expect((history.firstSequence > 1) == (kind == "retired"))
    let state = try history.state(at: .sequence(Self.last(program))).state
    expectEqual(state, Self.state(after: program, kind))
    expectEqual("\(StateDigest(of: state).combined)", Self.digests["\(program)-\(kind)"])
    let report = try history.check()
    #expect(report.isSound && report.lastSequence >= Self.last(program))
    expectEqual(report.otherRevisions, program < 4 ? [1] : [])
    #expect(report.digestsCompared > 0 || program < 4)
    history.usesCheckpoints = false
    if kind == "whole" { try expectEqual(history.state(at: .sequence(Self.last(program))).state, state) }
    let store = try journal.open(Bank<Bank6>.self)
    expectEqual(store.state, state)
    // A revision takes over the state of an earlier one only where its events are gone.
    let isMigrated = program < 4 && kind == "retired"
    expectEqual(store.lastSequence, Self.last(program) + (isMigrated ? 1 : 0))
    try store.append(.closed(account: 1), at: .seconds(999))
    try store.close()
    try expectEqual(journal.open(Bank<Bank6>.self).state.closed, [1])
    #expect(try journal.history(Bank<Bank6>.self).check().isSound)
  }

  @Test("Today's program opens a journal that holds the record of a migration, and takes nothing over again")
  func migrated() throws {
    let journal = try Self.copy(Self.folder(6, "migrated"))
    let history = try journal.history(Bank<Bank6>.self)
    var state = Self.state(after: 1, "retired")
    state.notes = ["m"]
    try expectEqual(history.state(at: .end).state, state)
    #expect(try history.check().isSound)
    var found: [StateMigration] = []
    var cursor = try history.events()
    while let item = try cursor.next() {
      if case .event(let step) = item, case .migration(let migration) = step.record.content { found.append(migration) }
    }
    #expect(found.map(\.from) == [1] && found.map(\.to) == [2] && found.map(\.checkpoint) == [31])
    let store = try journal.open(Bank<Bank6>.self)
    #expect(store.state == state && store.lastSequence == Self.last(1) + 2)
    try store.close()
  }

  /// The digests of the states, computed once and never changed: `UPDATE_JOURNALS` does not touch them.
  private static let digests = [
    "1-retired": "e0508cc36582407b3ef94bcdd2fe909e10568db3fa3a5da54e0ad67df906a51f",
    "1-whole": "e79a4ed80ea61743361bf2952827d3cdc00c8f62d42ba29c1a73cc1e9112dd74",
    "2-retired": "47a94074b5ee42f417caa3a16d945bf3ade40fa9d0af3569dd1e48c886a73eb1",
    "2-whole": "a7ecdc7fae84ac8f2ea949eef862207eaf177aaa67bc6d0f29da2aaa8a40f83d",
    "3-retired": "47a94074b5ee42f417caa3a16d945bf3ade40fa9d0af3569dd1e48c886a73eb1",
    "3-whole": "a7ecdc7fae84ac8f2ea949eef862207eaf177aaa67bc6d0f29da2aaa8a40f83d",
    "4-retired": "a7ecdc7fae84ac8f2ea949eef862207eaf177aaa67bc6d0f29da2aaa8a40f83d",
    "4-whole": "a7ecdc7fae84ac8f2ea949eef862207eaf177aaa67bc6d0f29da2aaa8a40f83d",
    "5-retired": "c305560b54f3f10f8efa2aa9affe62fd04338c371e26522a27b8c19bb39aaf0d",
    "5-whole": "c305560b54f3f10f8efa2aa9affe62fd04338c371e26522a27b8c19bb39aaf0d",
    "6-retired": "c305560b54f3f10f8efa2aa9affe62fd04338c371e26522a27b8c19bb39aaf0d",
    "6-whole": "c305560b54f3f10f8efa2aa9affe62fd04338c371e26522a27b8c19bb39aaf0d",
  ]

  private static let deposits: Int64 = 40

  /// The last event that a program wrote.
  private static func last(_ program: Int) -> UInt64 {
    UInt64(deposits) + 1 + (program > 1 ? 1 : 0) + (program > 4 ? 1 : 0)
  }

  /// What a program's events add up to by today's rules. It deposits 81 to 120 euros.
  private static func state(after program: Int, _ kind: String) -> Bank<Bank6> {
    var account = BankAccount<Bank6>(number: 1, owner: "Ada")
    account.cents = (81...120).reduce(0, +) * 100
    // Deposits of 100 euros and more earn one, as far as they are not retired under the first revision.
    let earning: ClosedRange<Int64> = program < 4 && kind == "retired" ? 111...120 : 100...120
    account.cents += Int64(earning.count) * 100
    account.limit = program > 4 ? 5 : 0
    var bank = Bank<Bank6>()
    bank.accounts.set(account)
    bank.deposits = UInt64(deposits)
    bank.notes = program > 1 ? ["a"] : []
    return bank
  }

  /// Writes a journal as a program did.
  private static func write<Program: BankProgram>(_ program: Program.Type, _ kind: String) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Bank<Program>.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
      $0.keyframeInterval = 16
    }
    try store.append(.opened(account: 1, owner: "Ada"), at: .seconds(1))
    for euros: Int64 in 81...120 {
      try store.append(.deposited(account: 1, amount: Program.number < 3 ? euros : euros * 100), at: .seconds(euros))
      if euros == 110 { try store.checkpoint() }
    }
    if Program.number > 1 { try store.append(.noted(text: "a"), at: .seconds(200)) }
    if Program.number > 4 { try store.append(.limited(account: 1, cents: 5), at: .seconds(201)) }
    if kind == "retired" { try store.retire(before: 20) }
    try store.close()
    return journal
  }

  /// Writes a journal whose state today's program took over from program 1.
  private static func writeMigrated() throws -> TemporaryJournal {
    let journal = try copy(folder(1, "retired"))
    let store = try journal.open(Bank<Bank6>.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
      $0.keyframeInterval = 16
    }
    try store.append(.noted(text: "m"), at: .seconds(300))
    try store.close()
    return journal
  }

  // MARK: - Files

  private static func bytes(_ path: String) throws -> [UInt8] {
    let files = PosixFileSystem()
    let file = try files.open(path, .read)
    defer { files.close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(try files.size(of: file)))
    let count = try bytes.withUnsafeMutableBytes { $0.isEmpty ? 0 : try files.read(file, into: $0, at: 0) }
    try #require(count == bytes.count)
    return bytes
  }

  private static func copy(_ path: String) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    try PosixFileSystem().createDirectory(journal.path)
    for name in try PosixFileSystem().list(path) { try journal.write(bytes("\(path)/\(name)"), to: name) }
    return journal
  }

  private static func replace(_ path: String, by journal: TemporaryJournal) throws {
    mkdir(path, 0o755)
    for name in try PosixFileSystem().list(path) { unlink("\(path)/\(name)") }
    let files = PosixFileSystem()
    // The lock file names the process.
    for name in journal.files where name != "LOCK" {
      let file = try files.open("\(path)/\(name)", .replace)
      defer { files.close(file) }
      let bytes = try journal.contents(name)
      if !bytes.isEmpty { _ = try bytes.withUnsafeBytes { try files.write(file, $0, at: 0) } }
    }
  }
}
