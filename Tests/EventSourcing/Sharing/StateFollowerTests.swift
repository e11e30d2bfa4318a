import Expectations
import Journal
import Testing

@testable import EventSourcing

@Suite("A state that follows a journal")
struct StateFollowerTests {
  private static func small(_ options: inout StoreOptions) {
    options.journal.segmentSizeLimit = 1 << 10
    options.journal.syncPolicy = .everyCommit
  }

  @Test("It shows what is durable, across rotations, checkpoints, suspensions and other writers")
  func follows() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, Self.small)
    let follower = try StateFollower<Ledger>(at: journal.path)
    try expectEqual(follower.update(), false)
    for (index, command) in story.enumerated() {
      try store.append(command, at: .seconds(Int64(index)))
      try follower.update()
      expectEqual(follower.state, store.state)
      expectEqual(follower.lastSequence, store.lastSequence)
    }
    try store.suspend()
    let other: EventStore<Ledger> = try journal.open(Ledger.self, Self.small)
    for number in 0..<50 { try other.append(.note(["\(number)"]), at: .seconds(30)) }
    try other.checkpoint()
    try other.append(.note(["x"]), at: .seconds(30))
    #expect(try follower.update())
    expectEqual(follower.state, other.state)
    try other.close()
    try store.resume()
    try store.append(.note(["y"]), at: .seconds(31))
    try follower.update()
    expectEqual(follower.state, store.state)
    try store.close()
    try expectEqual(StateFollower<Ledger>(at: journal.path).state, store.state)
  }

  @Test("Where events that it has not read were retired, it computes the state anew")
  func retired() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, Self.small)
    try store.tell()
    let follower = try StateFollower<Ledger>(at: journal.path)
    for number in 0..<200 { try store.append(.note(["\(number)"]), at: .seconds(30)) }
    try store.checkpoint()
    try store.retire(before: store.lastSequence)
    try store.append(.note(["x"]), at: .seconds(31))
    #expect(try follower.update())
    expectEqual(follower.state, store.state)
    try store.close()
  }

  @Test("Another journal in its place is refused, and the state stays")
  func replaced() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, Self.small)
    try store.tell()
    try store.close()
    let follower = try StateFollower<Ledger>(at: journal.path)
    for name in journal.files { try journal.remove(name) }
    #expect(throws: HistoryError.self) { try follower.update() }
    let id = try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16)))
    let other = try EventStore<Ledger>.create(at: journal.path, journalID: id, createdNanoseconds: 1)
    try other.append(.open("Eve"), at: .seconds(1))
    try other.close()
    do {
      try follower.update()
      Issue.record("it followed another journal")
    } catch {
      guard case .journal(let reason) = error else { throw error }
      expectEqual(reason.code, .conflict)
    }
    expectEqual(follower.state, store.state)
  }

  @Test("It opens sealed data, and not that of a person who was erased")
  func sealed() throws {
    let journal = try TemporaryJournal()
    let keys = TestKeys()
    let store = try journal.create(Customers.self) {
      $0.sealing = keys.sealing
      $0.journal.syncPolicy = .everyCommit
    }
    try store.append(.greet("Ada"), at: .seconds(1))
    let follower = try StateFollower<Customers>(at: journal.path, sealing: keys.sealing)
    let blind = try StateFollower<Customers>(at: journal.path)
    try store.append(.greet("Bob"), at: .seconds(2))
    try follower.update()
    try blind.update()
    expectEqual(follower.state.customers.map(\.name), ["Ada", "Bob"])
    expectEqual(blind.state.customers.map(\.name), ["", ""])
    expectEqual(blind.state, follower.state)
    keys.destroy(2)
    try expectEqual(
      StateFollower<Customers>(at: journal.path, sealing: keys.sealing).state.customers.map(\.name), ["Ada", ""])
    try store.close()
  }

  @Test("A task that follows is told of every state until it is canceled")
  func task() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, Self.small)
    let follower = try StateFollower<Ledger>(at: journal.path)
    let (news, continuation) = AsyncStream<UInt64>.makeStream()
    let task = Task { try await follower.follow { continuation.yield(follower.lastSequence) } }
    try store.tell()
    for await last in news where last == storyLength { break }
    expectEqual(follower.state, store.state)
    task.cancel()
    try await task.value
    try store.close()
  }
}
