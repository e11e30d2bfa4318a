import EventSourcing
import EventSourcingTesting
import Expectations
import Journal
import Testing

@Suite("A store in memory")
struct MemoryDiskTests {
  private let disk = MemoryDisk()
  private let clock = TestClock()

  /// Appends deposits of 1, 2, 3… cents until one fails; returns how many were acknowledged.
  private func deposit(_ count: Int64, to store: EventStore<Book>) -> Int64 {
    let failed = (1...count).first { (try? store.append(.deposited(cents: $0), at: clock.now)) == nil }
    return failed.map { $0 - 1 } ?? count
  }

  /// The cents in the book after the power returns, by a store that goes on.
  private func restart() throws -> Int64 {
    disk.restorePower()
    let store = try disk.store(of: Book.self)
    let cents = store.state.cents
    try store.append(.withdrawn(cents: cents), at: clock.now)
    try store.close()
    let history = try disk.history(of: Book.self)
    #expect(try history.check().isSound && history.reader.verify().isSound)
    return cents
  }

  @Test("A journal is created once, and opened again after its store was closed")
  func reopening() throws {
    let store = try disk.store(of: Book.self)
    expectEqual(deposit(3, to: store), 3)
    let error = #expect(throws: HistoryError.self) { try disk.store(of: Book.self) }
    guard case .journal(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectEqual(reason.code, .locked)
    try store.close()
    let again = try disk.store(of: Book.self)
    #expect(again.state.cents == 6 && again.lastSequence == 3)
    try again.checkpoint()
    try again.close()
    try expectEqual(disk.store(of: Book.self).opening.checkpoint, 3)
    try expectEqual(disk.history(of: Book.self).state(at: .sequence(2)).state.cents, 3)
  }

  @Test("Two journals of one disk have identities of their own, and a test that runs again writes the same bytes")
  func identities() throws {
    let other = MemoryDisk()
    for disk in [disk, other] {
      for path in ["one", "two"] {
        let store = try disk.store(of: Book.self, at: path)
        _ = deposit(2, to: store)
        try store.close()
      }
    }
    let names = try disk.list("one")
    #expect(names.contains { $0.hasSuffix(".seg") })
    for name in names { expectEqual(disk.contents(of: "one/\(name)"), other.contents(of: "one/\(name)")) }
    try #expect(
      disk.history(of: Book.self, at: "one").reader.identity.id
        != disk.history(of: Book.self, at: "two").reader.identity.id)
    #expect(disk.contents(of: "one/none") == nil)
  }

  @Test("A cut after an append leaves all up to it, and its caller was informed", arguments: 1...4)
  func afterAppend(number: Int) throws {
    let store = try disk.store(of: Book.self)
    disk.cutPower(afterAppend: number)
    expectEqual(deposit(6, to: store), Int64(number))
    #expect(!disk.hasPower)
    try? store.close()
    try expectEqual(restart(), Int64(number * (number + 1) / 2))
  }

  @Test("Of an append that was torn, nothing is left, wherever that was", arguments: 0..<40)
  func torn(bytes: Int) throws {
    let store = try disk.store(of: Book.self)
    disk.cutPower(inAppend: 3, keeping: bytes)
    expectEqual(deposit(6, to: store), 2)
    #expect(!disk.hasPower)
    try expectEqual(restart(), 3)
  }

  @Test("An append whose bytes all arrived is in the history, although no caller was informed")
  func unacknowledged() throws {
    let store = try disk.store(of: Book.self)
    disk.cutPower(inAppend: 3, keeping: .max)
    expectEqual(deposit(6, to: store), 2)
    try expectEqual(restart(), 6)
  }

  @Test("Where a journal syncs nothing, a cut takes all that was not made durable otherwise")
  func unsynced() throws {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    let store = try disk.store(of: Book.self, options: options)
    _ = deposit(2, to: store)
    try store.checkpoint()
    try store.journal.sync()
    expectEqual(deposit(3, to: store), 3)
    disk.cutPower()
    try expectEqual(restart(), 3)
  }

  @Test("A cut after an append that nothing syncs comes before the next one")
  func unsyncedCut() throws {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    let store = try disk.store(of: Book.self, options: options)
    disk.cutPower(afterAppend: 2)
    expectEqual(deposit(3, to: store), 2)
    #expect(!disk.hasPower)
    try expectEqual(restart(), 0)
  }

  @Test("A cut also strikes an append that begins the next segment")
  func rotation() throws {
    var options = StoreOptions()
    options.journal.segmentSizeLimit = 1 << 10
    let store = try disk.store(of: Book.self, options: options)
    disk.cutPower(inAppend: 40, keeping: 9)
    expectEqual(deposit(60, to: store), 39)
    try expectEqual(restart(), 780)
  }

  @Test("A cut leaves a store without a disk, and restoring power that is on restarts all the same")
  func restoring() throws {
    let store = try disk.store(of: Book.self)
    _ = deposit(2, to: store)
    disk.restorePower()
    #expect(disk.hasPower)
    // The store belongs to the process that ended.
    #expect(throws: (any Error).self) { try store.append(.deposited(cents: 1), at: clock.now) }
    try expectEqual(restart(), 3)
  }

  @Test("A file that is missing or of no folder is reported by the system's number")
  func missing() throws {
    #expect(throws: FileSystemError(2, during: "open")) { try disk.open("none", .read) }
    #expect(throws: FileSystemError(2, during: "open")) { try disk.open("none/file", .replace) }
    #expect(throws: FileSystemError(2, during: "remove")) { try disk.remove("none") }
    #expect(throws: FileSystemError(2, during: "rename")) { try disk.rename("none", to: "other") }
    #expect(throws: FileSystemError(2, during: "list")) { try disk.list("none") }
    try disk.createDirectory("folder")
    #expect(throws: FileSystemError(17, during: "createDirectory")) { try disk.createDirectory("folder") }
    disk.cutPower()
    #expect(throws: FileSystemError(5, during: "list")) { try disk.list("folder") }
  }
}

@Suite("A clock that the test moves")
struct TestClockTests {
  @Test("Time passes for the wall and the device; a person sets the wall alone; the device starts again")
  func moving() {
    let clock = TestClock(Moment(wallNanoseconds: 10_000_000_000, uptimeNanoseconds: 5))
    clock.advance(by: .seconds(2))
    expectEqual(clock.now, Moment(wallNanoseconds: 12_000_000_000, uptimeNanoseconds: 2_000_000_005))
    clock.advance(by: .seconds(-2))
    clock.setWall(by: .seconds(-3))
    expectEqual(clock.now, Moment(wallNanoseconds: 9_000_000_000, uptimeNanoseconds: 2_000_000_005))
    clock.restartDevice()
    expectEqual(clock.now, Moment(wallNanoseconds: 9_000_000_000))
  }

  @Test("It stops at the ends of time")
  func ends() {
    let clock = TestClock(Moment(wallNanoseconds: .max - 1))
    clock.advance(by: .seconds(Int64.max))
    expectEqual(clock.now, Moment(wallNanoseconds: .max, uptimeNanoseconds: .max))
    clock.setWall(by: .seconds(Int64.min))
    expectEqual(clock.now.wallNanoseconds, -1)
  }

  @Test("A journal measures by it how long ago it synced")
  func interval() throws {
    let clock = TestClock()
    let disk = MemoryDisk(clock: clock)
    var options = StoreOptions()
    options.journal.syncPolicy = .interval(nanoseconds: 1_000_000_000)
    let store = try disk.store(of: Book.self, options: options)
    try store.journal.sync()
    try store.append(.deposited(cents: 1), at: clock.now)
    expectEqual(store.journal.durableSequence, 0)
    clock.advance(by: .seconds(1))
    try store.append(.deposited(cents: 2), at: clock.now)
    expectEqual(store.journal.durableSequence, 2)
  }
}
