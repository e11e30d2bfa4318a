import Expectations
import Foundation
import Journal
import Synchronization
import Testing
import WireFormat

@testable import EventSourcing

/// Waits for another process, as long as it takes beside other tests.
private func waitFor(_ holds: () -> Bool) async {
  while !holds(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
}

/// The system's files, with a list of calls, something done before one of them, and no time that passes in pauses.
private final class CallsFileSystem: ForwardingFileSystem {
  private struct Hook {
    var call: Int?
    var operation: String?
    var body: @Sendable () -> Void
  }

  let base: any FileSystem = PosixFileSystem()
  private let calls = Mutex<[String]>([])
  private let hook = Mutex<Hook?>(nil)
  /// Whether no name can be made to survive a power cut.
  let failsSyncing = Atomic<Bool>(false)
  /// Whether no open file is what its path leads to, as where a link is followed.
  let followsLinks = Atomic<Bool>(false)

  var all: [String] { calls.withLock { $0 } }
  func forget() { calls.withLock { $0 = [] } }
  /// Does something before the call with this number.
  func before(call: Int, _ body: @escaping @Sendable () -> Void) { hook.withLock { $0 = Hook(call: call, body: body) } }
  /// Does something before the next call of a kind.
  func before(_ operation: String, _ body: @escaping @Sendable () -> Void) {
    hook.withLock { $0 = Hook(operation: operation, body: body) }
  }

  private func enter(_ operation: String, _ path: String = "") {
    let count = calls.withLock { calls in
      calls.append("\(operation) \(path.split(separator: "/").last ?? "")")
      return calls.count
    }
    let due = hook.withLock { hook -> Hook? in
      guard let found = hook, found.call == count || found.operation == operation else { return nil }
      hook = nil
      return found
    }
    due?.body()
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    enter("open", path)
    return try base.open(path, mode)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    enter("list", path)
    return try base.list(path)
  }

  func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    enter("lock")
    return try base.lock(file)
  }

  func isNamed(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool {
    if followsLinks.load(ordering: .relaxed) { return false }
    return try base.isNamed(file, path)
  }

  func sync(_ file: OpenFile) throws(FileSystemError) { enter("sync") }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    enter("rename", path)
    try base.rename(path, to: newPath)
  }

  func remove(_ path: String) throws(FileSystemError) {
    enter("remove", path)
    try base.remove(path)
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    enter("syncDirectory", path)
    if failsSyncing.load(ordering: .relaxed) { throw FileSystemError(EIO, during: "sync") }
    try base.syncDirectory(path)
  }

  func pause(nanoseconds: UInt64) {}
}

@Suite("Subscriptions when something goes wrong")
struct SubscriptionFailureTests {
  private let journal: TemporaryJournal
  private let store: EventStore<Shop>

  /// Two hundred sales in small segments.
  init() throws {
    journal = try TemporaryJournal()
    store = try journal.shop(
      Array(repeating: .sold(article: "jam", cents: 10), count: 200), segmentSizeLimit: 1 << 10)
  }

  @Test("A position in another journal, or in another history of it, is used only where the caller says so")
  func otherHistory() async throws {
    try await expectEqual(EventSubscription(testing: store).take(4), [1, 2, 3, 4])
    let path = "/mails.subscription"
    // The same journal with another past, and one that was cut back.
    for count in [1, 6] {
      let restored = try TemporaryJournal()
      let store = try restored.shop(Array(repeating: .returned(article: "jam", cents: 10), count: count))
      try journal.copy("mails.subscription", to: restored)
      let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
      #expect(error?.code == .otherHistory && error?.event == 4)
      expectEqual(
        error?.description,
        "the subscription mails has come up to event 4, and the journal no longer has that event as it was: it was cut back,"
          + " restored from a copy, or damaged; verify the journal, find out which events were taken twice or not at all, then"
          + " pass `startingAt` and `discardingStored: true`")
      let mails = try EventSubscription(testing: store, startingAt: .end, discardingStored: true)
      expectEqual(mails.health.position, UInt64(count))
    }
    let other = try TemporaryJournal()
    let otherStore = try EventStore<Shop>.create(
      at: other.path, journalID: JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none, createdNanoseconds: 1)
    try journal.copy("mails.subscription", to: other)
    let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: otherStore) }
    expectEqual(
      error?.description,
      "the subscription mails has a position in another journal in \(other.path + path); pass `startingAt` and"
        + " `discardingStored: true`")
    try otherStore.close()
  }

  @Test("A journal that another one replaces while the subscription lives is noticed before the next event")
  func replaced() async throws {
    let mails = try EventSubscription(testing: History<Shop>(at: journal.path), startingAt: .after(4))
    try store.close()
    let other = try TemporaryJournal()
    try other.shop(Array(repeating: .returned(article: "jam", cents: 10), count: 6)).close()
    for name in journal.files where !name.hasPrefix("mails.") { try journal.remove(name) }
    for name in other.files { try other.copy(name, to: journal) }
    let deliveries = Deliveries()
    let error = await mails.following(deliveries).value
    #expect(error?.code == .otherHistory && error?.event == 4 && deliveries.events.isEmpty)
  }

  @Test("A parked event is not read from another journal that took its place")
  func replacedParked() async throws {
    let mails = try EventSubscription(
      to: History<Shop>(at: journal.path), upTo: .written, named: "mails", startingAt: .after(2),
      policy: SubscriptionPolicy(maximumAttempts: 1), now: { .seconds(7) }, pausing: { _ in })
    try await expectEqual(mails.fail(), 1)
    try store.close()
    let other = try TemporaryJournal()
    try other.shop(Array(repeating: .returned(article: "jam", cents: 10), count: 6)).close()
    for name in journal.files where !name.hasPrefix("mails.") { try journal.remove(name) }
    for name in other.files { try other.copy(name, to: journal) }
    try mails.retryParked(3)
    let error = await #expect(throws: SubscriptionError.self) { try await mails.lose() }
    #expect(error?.code == .otherHistory && error?.event == 3)
    expectEqual(mails.parked.map(\.isDue), [true])
  }

  @Test("A device that fails for a moment does not make the journal another one")
  func passingError() async throws {
    let files = HookedFileSystem()
    _ = try await EventSubscription(testing: store).take(150)
    let reader = try JournalReader(path: journal.path, fileSystem: files)
    let segment = try #require(reader.segments.last { $0.firstSequence <= 150 })
    var failures = 0
    // The first reads open the journal, and later ones look for the event.
    for reads in 0..<8 {
      for (name, start) in [("mails", SubscriptionStart.firstKept), ("new-\(reads)", .after(150))] {
        files.failReading(segment.file, after: reads)
        do {
          let mails = try EventSubscription(testing: History<Shop>(reader), name, startingAt: start)
          expectEqual(mails.health.position, 150)
        } catch let error as SubscriptionError {
          failures += 1
          expectEqual(error.code, .events)
        }
      }
    }
    #expect(failures > 4)
  }

  @Test("A parked event keeps its retry and its error where a device or the keys fail for a moment")
  func passingErrorWhenParked() async throws {
    let (keyed, keys, files) = (try TemporaryJournal(), TestKeys(), HookedFileSystem())
    let customers = try keyed.create(Customers.self) { $0.sealing = keys.sealing }
    for name in ["Grace", "Ada"] { try customers.append(.greet(name), at: .seconds(1)) }
    let greetings = try EventSubscription(testing: customers, policy: SubscriptionPolicy(maximumAttempts: 1))
    try await expectEqual(greetings.fail(), 1)
    try greetings.retryParked(1)
    keys.fail(true)
    let locked = await #expect(throws: SubscriptionError.self) { try await greetings.lose() }
    #expect(locked?.code == .keys)
    keys.fail(false)
    expectEqual(greetings.parked.map(\.error), ["no connection"])
    try await expectEqual(greetings.lose()?.attempt, 2)

    let reader = try JournalReader(path: journal.path, fileSystem: files)
    let mails = try EventSubscription(
      to: History<Shop>(reader), upTo: .written, named: "mails", startingAt: .firstKept,
      policy: SubscriptionPolicy(maximumAttempts: 1), now: { .seconds(7) }, pausing: { _ in })
    try await expectEqual(mails.fail(), 1)
    try await expectEqual(mails.take(100).last, 101)
    try mails.retryParked(1)
    files.failReading(try #require(reader.segments.first).file)
    let failed = await #expect(throws: SubscriptionError.self) { try await mails.lose() }
    #expect(failed?.code == .events)
    files.failReading(nil)
    expectEqual(mails.parked.map(\.error), ["no connection"])
    try await expectEqual(mails.lose()?.sequence, 1)
  }

  @Test("Reading on opens no file of the journal that was read, and needs none", arguments: [true, false])
  func readingOn(isStore: Bool) async throws {
    try store.close()
    let files = HookedFileSystem()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: files)
    let mails =
      if isStore {
        try EventSubscription(testing: store)
      } else {
        try EventSubscription(testing: History<Shop>(JournalReader(path: journal.path, fileSystem: files)))
      }
    try await expectEqual(mails.take(1), [1])
    files.failListing(true)
    var loop = mails.makeAsyncIterator()
    for sequence in 2...150 {
      expectEqual(try await loop.next()?.context.sequence, UInt64(sequence))
    }
    expectEqual(mails.health.lag, 51)
  }

  @Test("A stored position that is damaged is refused", arguments: [0, 20, 30, 60])
  func damagedFile(place: Int) async throws {
    let mails = try EventSubscription(testing: store, policy: SubscriptionPolicy(maximumAttempts: 1))
    try await expectEqual(mails.fail(), 1)
    let other = try TemporaryJournal()
    let store = try other.shop([.sold(article: "jam", cents: 10)])
    var bytes = try journal.contents("mails.subscription")
    try #require(place < bytes.count)
    bytes[place] ^= 0xFF
    try other.write(bytes, to: "mails.subscription")
    let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
    expectEqual(
      error?.description,
      "the subscription mails has a position that cannot be read in \(other.path)/mails.subscription; pass `startingAt` and"
        + " `discardingStored: true`")
    try other.write([], to: "mails.subscription")
    #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
    try await expectEqual(EventSubscription(testing: store, discardingStored: true).take(1), [1])
  }

  @Test("A file that no subscription wrote is refused, even if its digest is right")
  func hostileFile() async throws {
    _ = try await EventSubscription(testing: store).take(9)
    let sound = try journal.contents("mails.subscription")
    func forged(position: UInt64? = nil, parked: [(sequence: UInt64, attempts: UInt64)] = []) throws -> [UInt8] {
      try WireReader.decode(sound) { (reader) throws(WireError) in
        var writer = WireWriter()
        while let field = try reader.nextField(), field.number < 15 {
          switch field.number {
          case 1: writer.write(1, bytes: try reader.bytes(field))
          default:
            let value = try reader.unsigned(field)
            writer.write(field.number, unsigned: field.number == 2 ? position ?? value : value)
          }
        }
        for event in parked {
          writer.write(5) { writer in
            writer.write(1, unsigned: event.sequence)
            writer.write(2, unsigned: event.attempts)
          }
        }
        writer.write(15, bytes: Digest.sha256(writer.bytes).bytes)
        return writer.bytes
      }
    }
    let tooMany = (1...257).map { (sequence: UInt64($0), attempts: UInt64(1)) }
    for bytes in [
      try forged(parked: [(0, 1)]), try forged(parked: [(10, 1)]), try forged(parked: [(1, .max)]),
      try forged(position: 300, parked: tooMany), try forged() + [0x10, 1],
      try forged(parked: [(6, 1), (6, 2)]), try forged(parked: [(7, 1), (5, 1)]),
      try forged(position: 0, parked: [(1, 1)]),
    ] {
      try journal.write(bytes, to: "mails.subscription")
      let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
      expectEqual(error?.code, .damaged)
    }
    try journal.write(try forged(position: .max), to: "mails.subscription")
    let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
    expectEqual(error?.code, .otherHistory)
    try journal.write(try forged(parked: [(1, 1), (9, 4)]), to: "mails.subscription")
    try expectEqual(EventSubscription(testing: store).parked.map(\.sequence), [1, 9])
  }

  @Test("A subscription whose next events are retired says which")
  func gone() async throws {
    try await expectEqual(EventSubscription(testing: store).take(2), [1, 2])
    let first = try retireUnasked(before: 30)
    #expect(first > 4)
    let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
    expectEqual(
      error?.description,
      "the subscription mails needs the events 3–\(first - 1) next, which are retired; pass `startingAt` and"
        + " `discardingStored: true`")
    let after = #expect(throws: SubscriptionError.self) {
      try EventSubscription(testing: store, "others", startingAt: .after(1))
    }
    expectEqual(after?.code, .gone)
    try await expectEqual(EventSubscription(testing: store, discardingStored: true).take(2), [first, first + 1])
  }

  @Test("Little is read ahead: what another program retires meanwhile is missed soon, and named")
  func goneMeanwhile() async throws {
    let mails = try EventSubscription(testing: History<Shop>(at: journal.path))
    expectEqual(mails.health.lag, 0)
    try await expectEqual(mails.take(1), [1])
    #expect(mails.health.lag > 150)
    let first = try retireUnasked(before: 195)
    #expect(first > 150)
    let deliveries = Deliveries()
    let error = await mails.following(deliveries).value
    let last = try #require(deliveries.events.last)
    #expect(last >= 64 && last < 100 && error?.code == .gone && error?.event == last + 1)
    #expect(error?.message == "needs the events \(last + 1)–\(first - 1) next, which are retired")
    expectEqual(mails.health.lastError, error)
  }

  @Test("Removing a subscription survives a power cut")
  func removalIsSynced() async throws {
    let calls = CallsFileSystem()
    try await expectEqual(EventSubscription(testing: store).take(1), [1])
    try store.close()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: calls)
    calls.forget()
    try store.removeSubscription("mails")
    let changes = calls.all.filter { $0.hasPrefix("remove") || $0.hasPrefix("syncDirectory") }
    expectEqual(changes, ["remove mails.subscription", "syncDirectory journal", "remove mails.subscription.lock"])
    try store.close()
  }

  @Test("Removing a subscription again finishes what a failed device kept the first call from")
  func removalIsRepeated() async throws {
    let calls = CallsFileSystem()
    try await expectEqual(EventSubscription(testing: store).take(1), [1])
    try store.close()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: calls)
    calls.failsSyncing.store(true, ordering: .relaxed)
    for _ in 1...2 {
      let error = #expect(throws: SubscriptionError.self) { try store.removeSubscription("mails") }
      expectEqual(error?.code, .file)
    }
    calls.failsSyncing.store(false, ordering: .relaxed)
    calls.forget()
    try store.removeSubscription("mails")
    expectEqual(
      calls.all.filter { $0.hasPrefix("remove") || $0.hasPrefix("syncDirectory") },
      ["syncDirectory journal", "remove mails.subscription.lock"])
    let unknown = #expect(throws: SubscriptionError.self) { try store.removeSubscription("mails") }
    expectEqual(unknown?.code, .unknown)
    try store.close()
  }

  @Test("A symbolic link in the place of a lock is named, and not waited for")
  func linkedLock() throws {
    let calls = CallsFileSystem()
    try store.close()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: calls)
    let name = RetirementTurn.fileName
    calls.followsLinks.store(true, ordering: .relaxed)
    calls.forget()
    let error = #expect(throws: HistoryError.self) { try store.retire(before: 100, keepingStates: true) }
    #expect(error?.message.contains("it is a symbolic link") == true, "\(String(describing: error))")
    expectEqual(calls.all.count { $0 == "open \(name)" }, 100)
    try store.close()
  }

  @Test("The checkpoint that replaces retired events is written before subscriptions have to wait")
  func turnIsShort() throws {
    let calls = CallsFileSystem()
    try store.close()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: calls)
    calls.forget()
    let first = try store.retire(before: 100, keepingStates: true)
    let checkpoint = try #require(JournalReader(path: journal.path).checkpoints().first { $0.sequence == first - 1 })
    let turn = try #require(calls.all.firstIndex(of: "open \(RetirementTurn.fileName)"))
    let written = calls.all.indices.filter { calls.all[$0] == "rename \(checkpoint.file).tmp" }
    #expect(written.count == 1 && written[0] < turn, "\(calls.all)")
    try store.close()
  }

  @Test("A lock on a file that its holder removed meanwhile is taken again on the file that has the name")
  func removedLock() throws {
    let path = journal.path + "/some.lock"
    for isRemovable in [false, true] {
      let calls = CallsFileSystem()
      let first = Mutex<FileLock?>(try FileLock(path, of: "one", isRemovable: true, calls))
      calls.before("lock") {
        first.withLock {
          try? $0?.removeFile()
          $0 = nil
        }
      }
      let second = try FileLock(path, of: "two", isRemovable: isRemovable, calls)
      // Another one is only refused where the second has what the name leads to.
      if isRemovable {
        let error = #expect(throws: FileLock.Failure.self) { try FileLock(path, of: "three", isRemovable: true, calls) }
        if case .held? = error {} else { Issue.record("\(String(describing: error))") }
      }
      _ = second
    }
  }

  @Test(
    "At whatever moment of its beginning events are retired, a subscription begins before the first one that is kept",
    arguments: zip([SubscriptionStart.firstKept, .end, .after(5), .after(150)], [false, true, false, true]))
  func beginning(at start: SubscriptionStart, discardsStored: Bool) async throws {
    try store.close()
    let files = Dictionary(uniqueKeysWithValues: try journal.files.map { ($0, try journal.contents($0)) })
    var (retired, refused) = (0, 0)
    for call in 1... {
      let journal = try TemporaryJournal()
      try PosixFileSystem().createDirectory(journal.path)
      for (name, bytes) in files { try journal.write(bytes, to: name) }
      let store = try EventStore<Shop>.open(at: journal.path, fileSystem: CallsFileSystem())
      if discardsStored { _ = try EventSubscription(testing: store, startingAt: .end).name }
      let calls = CallsFileSystem()
      let outcome = Mutex<Result<UInt64, any Error>?>(nil)
      let history = try History<Shop>(at: journal.path, fileSystem: calls)
      calls.forget()
      calls.before(call: call) {
        let result = Result { try store.retire(before: 100, keepingStates: true) }
        outcome.withLock { $0 = result }
      }
      var error: SubscriptionError?
      do {
        let mails = try EventSubscription(
          to: history, upTo: .written, named: "mails", startingAt: start, discardingStored: discardsStored,
          now: { .seconds(7) }, pausing: { _ in })
        let first = try History<Shop>(at: journal.path).firstSequence
        switch start {
        case .firstKept: try await expectEqual(mails.take(1), [first], "call \(call)")
        case .end: expectEqual(mails.health.position, 200)
        case .after(let sequence): try await expectEqual(mails.take(1), [sequence + 1], "call \(call)")
        }
      } catch let found as SubscriptionError {
        error = found
      }
      let result = outcome.withLock { $0 }
      switch result {
      case nil: break
      case .success?: retired += 1
      case .failure(let failure)?:
        refused += 1
        #expect(failure is HistoryError, "\(failure)")
      }
      #expect(error == nil || error?.code == .gone && start == .after(5), "call \(call): \(String(describing: error))")
      #expect(!journal.files.contains("subscriptions.lock"))
      try store.close()
      if result == nil { break }
    }
    #expect(retired > 0 && refused > 0, "\(retired) retired, \(refused) refused")
  }

  @Test("While a subscription begins, no event is retired, and while events are retired, none begins")
  func waiting() throws {
    let turn = try RetirementTurn(in: journal.path, PosixFileSystem())
    defer { turn.end() }
    try store.close()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: CallsFileSystem())
    let error = #expect(throws: HistoryError.self) { try store.retire(before: 100, keepingStates: true) }
    expectEqual(error?.message, "no event can be retired while this process begins a subscription")
    let busy = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
    expectEqual(
      busy?.description,
      "the subscription mails cannot begin while this process retires events, or begins another one; try again")
    try store.close()
  }

  @Test("Events that a subscription has not taken, or has parked, are not retired")
  func retirement() async throws {
    let mails = try EventSubscription(testing: store, policy: SubscriptionPolicy(maximumAttempts: 1))
    var loop: EventSubscription<Shop>.AsyncIterator? = mails.makeAsyncIterator()
    try #require(await loop?.next()).fail(Undeliverable())
    for _ in 2...13 { _ = try await loop?.next() }
    let behind = #expect(throws: HistoryError.self) { try store.retire(before: 100, keepingStates: true) }
    let last = try #require(behind?.message.split(separator: " ").dropLast(2).last)
    expectEqual(
      behind?.description,
      "the subscription mails is at event 12, and events up to \(last) would go; let it come that far, or remove it, then"
        + " retire again")
    for _ in 14...150 { _ = try await loop?.next() }
    let parked = #expect(throws: HistoryError.self) { try store.retire(before: 100, keepingStates: true) }
    expectEqual(
      parked?.description,
      "the subscription mails has parked event 1, and events up to \(last) would go; try what is parked again or drop it, then"
        + " retire again")
    try expectEqual(History<Shop>(at: journal.path).firstSequence, 1)
    try mails.dropParked(1)
    try #expect(store.retire(before: 100, keepingStates: true) > 80)
    loop = nil
  }

  @Test("A subscription that nobody has open keeps its events until it has come that far or is removed")
  func storedPositions() async throws {
    func refusal() -> String? {
      let error = #expect(throws: HistoryError.self) { try store.retire(before: 100, keepingStates: true) }
      return error?.message
    }
    // Of another program, which has ended.
    try await expectEqual(EventSubscription(testing: History<Shop>(at: journal.path), "night").take(40).count, 40)
    let last = try #require(refusal()?.split(separator: " ").dropLast(2).last)
    expectEqual(refusal(), "the subscription night is at event 40, and events up to \(last) would go")
    let policy = SubscriptionPolicy(maximumAttempts: 1)
    try await expectEqual(EventSubscription(testing: store, "night", policy: policy).fail(), 1)
    try await expectEqual(EventSubscription(testing: store, "night").take(140).count, 140)
    expectEqual(refusal(), "the subscription night has parked event 41, and events up to \(last) would go")

    let night = try EventSubscription(testing: store, "night")
    let open = #expect(throws: SubscriptionError.self) { try store.removeSubscription("night") }
    expectEqual(open?.code, .taken)
    try night.dropParked(41)
    // Another stays behind and never returns.
    try await expectEqual(EventSubscription(testing: store, "uploads").take(1), [1])
    expectEqual(refusal(), "the subscription uploads is at event 1, and events up to \(last) would go")
    try store.removeSubscription("uploads")
    let unknown = #expect(throws: SubscriptionError.self) { try store.removeSubscription("uploads") }
    expectEqual(
      unknown?.description,
      "the subscription uploads is unknown: no position of it is stored; check its name, or leave it as it is")
    #expect(throws: SubscriptionError.self) { try store.removeSubscription("../uploads") }
    expectEqual(journal.files.filter { $0.hasPrefix("uploads") || $0.hasPrefix("subscriptions") }, [])
    let first = try store.retire(before: 100, keepingStates: true)
    #expect(first > 80)
    try await expectEqual(EventSubscription(testing: store, "uploads").take(1), [first])
    _ = night.health
  }

  @Test(
    "A stored position that cannot be read keeps events; that of another journal, or before events long gone, does not")
  func oddStoredPositions() async throws {
    try await expectEqual(EventSubscription(testing: store).take(1), [1])
    let bytes = try journal.contents("mails.subscription")
    try journal.write([1, 2, 3], to: "mails.subscription")
    let error = #expect(throws: HistoryError.self) { try store.retire(before: 100, keepingStates: true) }
    expectEqual(
      error?.description,
      "the subscription mails has a position that cannot be read in \(journal.path)/mails.subscription; pass `startingAt` and"
        + " `discardingStored: true`")
    let other = try TemporaryJournal()
    let shop = try EventStore<Shop>.create(
      at: other.path, journalID: JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none, createdNanoseconds: 1)
    _ = try EventSubscription(testing: shop)
    try journal.remove("mails.subscription")
    try other.copy("mails.subscription", to: journal)
    try #expect(store.retire(before: 100, keepingStates: true) > 80)
    // Its next events are gone, and keeping others helps it no more.
    try journal.write(bytes, to: "mails.subscription")
    for second in 201...400 { try store.append(.sold(article: "jam", cents: 1), at: .seconds(Int64(second))) }
    try #expect(store.retire(before: 300, keepingStates: true) > 200)
  }

  /// Retires events as a program does that knows of no subscription.
  private func retireUnasked(before sequence: UInt64) throws -> UInt64 {
    let stored = try journal.contents("mails.subscription")
    try journal.remove("mails.subscription")
    defer { #expect(throws: Never.self) { try journal.write(stored, to: "mails.subscription") } }
    return try store.retire(before: sequence, keepingStates: true)
  }

  @Test("A subscription whose process is killed goes on in the next where it stood, and its lock is free")
  func killedHolder() async throws {
    let asking = Task { [journal, store] in
      await waitFor { journal.files.contains("held") }
      // The other process waits for it.
      defer { #expect(throws: Never.self) { try journal.write([1], to: "asked") } }
      let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
      expectEqual(error?.code, .taken)
      let number = String(decoding: try journal.contents("held"), as: UTF8.self)
      expectEqual(error?.message, "is already open in process \(number)")
    }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = journal.path as String] in
      let mails = try EventSubscription(testing: History<Shop>(at: path))
      try await expectEqual(mails.take(2), [1, 2])
      // It has the third, and is killed before it says that this is done.
      try await expectEqual(mails.lose()?.sequence, 3)
      let number = ProcessInfo.processInfo.processIdentifier
      try Data("\(number)".utf8).write(to: URL(fileURLWithPath: path + "/held"), options: .atomic)
      let parent = getppid()
      await waitFor { FileManager.default.fileExists(atPath: path + "/asked") || getppid() != parent }
      kill(number, SIGKILL)
      withExtendedLifetime(mails) {}
    }
    asking.cancel()
    try await asking.value
    let mails = try EventSubscription(testing: store)
    expectEqual(mails.health.position, 2)
    try await expectEqual(mails.take(2), [3, 4])
  }

  @Test("A parked event that cannot be read stays parked with the reason, and the next ones follow")
  func parkedAndGone() async throws {
    var mails = try EventSubscription(testing: store, policy: SubscriptionPolicy(maximumAttempts: 1))
    var loop: EventSubscription<Shop>.AsyncIterator? = mails.makeAsyncIterator()
    try #require(await loop?.next()).fail(Undeliverable())
    for _ in 2...120 { _ = try await loop?.next() }
    loop = nil
    mails = try EventSubscription(testing: store, "others", startingAt: .end)
    let first = try retireUnasked(before: 100)
    mails = try EventSubscription(testing: store)
    let reason = "no connection; it cannot be read: position 0 is before event \(first), the first that is still kept"
    for next in [120, 122] as [UInt64] {
      try mails.retryParked(1)
      try await expectEqual(mails.take(2), [next, next + 1])
      expectEqual(mails.parked.map(\.error), [reason])
    }
    expectEqual(mails.parked.map(\.attempts), [1])
  }

  @Test("Another program follows what this one writes, each event once and in order")
  func acrossPrograms() async throws {
    let mails = try EventSubscription(testing: History<Shop>(at: journal.path), startingAt: .after(150))
    let deliveries = Deliveries()
    let following = mails.following(deliveries)
    let isStarted = PosixFileSystem().startThread { [store] in
      for second in 201...400 {
        _ = try? store.append(.sold(article: "jam", cents: 1), at: .seconds(Int64(second)))
        if second % 50 == 0 { _ = try? store.checkpoint() }
        if second % 7 == 0 { waitUntil { mails.health.position == UInt64(second) } }
      }
    }
    #expect(isStarted)
    await waitUntil { mails.health.position == 400 }
    following.cancel()
    #expect(await following.value == nil)
    expectEqual(deliveries.events, Array(151...400))
    expectEqual(mails.health.lag, 0)
  }

  @Test("Another program's events are not delivered before they are known to be durable")
  func durable() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop([.sold(article: "jam", cents: 10)])
    let mails = try EventSubscription(
      to: History<Shop>(at: journal.path), named: "mails", startingAt: .firstKept, now: { .seconds(7) },
      pausing: { _ in })
    let deliveries = Deliveries()
    let following = mails.following(deliveries)
    for _ in 1...5 { letOthersRun() }
    expectEqual(deliveries.events, [])
    try store.close()
    await waitUntil { mails.health.position == 1 }
    following.cancel()
    #expect(await following.value == nil)
  }

  @Test("A parked event is tried again while another program's loop waits")
  func retryAcrossPrograms() async throws {
    let deliveries = Deliveries(failing: [199])
    let mails = try EventSubscription(
      to: History<Shop>(at: journal.path), upTo: .written, named: "mails", startingAt: .after(198),
      policy: SubscriptionPolicy(maximumAttempts: 1), now: { .seconds(7) }, pausing: { _ in })
    let following = mails.following(deliveries)
    await waitUntil { mails.health.position == 200 }
    letOthersRun()
    deliveries.fail([])
    try mails.retryAll()
    await waitUntil { mails.parked.isEmpty }
    expectEqual(deliveries.events, [199, 200, 199])
    following.cancel()
    #expect(await following.value == nil)
  }

  @Test("Two programs under one name: the second is refused while the first lives")
  func taken() async throws {
    var mails: EventSubscription? = try EventSubscription(testing: store)
    for _ in 1...2 {
      let error = #expect(throws: SubscriptionError.self) {
        try EventSubscription(testing: History<Shop>(at: journal.path))
      }
      #expect(error?.code == .taken)
      expectEqual(
        error?.description,
        "the subscription mails is already open in this process; end it there, or give this one another name")
    }
    _ = mails?.health
    mails = nil
    // As another program does it.
    let files = PosixFileSystem()
    let file = try files.open(journal.path + "/mails.subscription.lock", .update)
    let isLocked = try files.lock(file)
    try #require(isLocked)
    let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store) }
    expectEqual(
      error?.message, "is already open in process \(ProcessInfo.processInfo.processIdentifier)")
    files.close(file)
    mails = try EventSubscription(testing: store)
    try await expectEqual(mails?.take(1), [1])
  }

  @Test("A damaged event stops it with the place, and it goes on once the event can be read")
  func damagedEvent() async throws {
    try store.close()
    var cursor = try JournalReader(path: journal.path).cursor(after: 2)
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("event 3 is missing")
      return
    }
    let (file, place) = (event.file, event.offset + 17)
    let mails = try EventSubscription(testing: History<Shop>(at: journal.path))
    try journal.damage(file, at: place)
    let deliveries = Deliveries()
    for _ in 1...2 {
      let error = await mails.following(deliveries).value
      #expect(error?.code == .events && error?.event == 3 && mails.health.lastError == error)
      let text = try #require(error?.description)
      #expect(
        text.hasPrefix(
          "the subscription mails cannot read the events: the journal is damaged after event 2 (\(file), byte "))
      #expect(text.hasSuffix("); verify the journal, and restore it from a copy if it is damaged"))
    }
    expectEqual(deliveries.events, [1, 2])
    try journal.damage(file, at: place)
    try await expectEqual(mails.take(2), [3, 4])
    expectEqual(mails.health.lastError, nil)
  }

  @Test("Another program's subscription does not wait beyond a last event that is damaged")
  func damagedEnd() async throws {
    try store.close()
    let mails = try EventSubscription(testing: History<Shop>(at: journal.path), startingAt: .after(198))
    try journal.damage(event: 200)
    let deliveries = Deliveries()
    let error = await mails.following(deliveries).value
    #expect(error?.code == .events && error?.event == 200 && deliveries.events == [199])
  }

  @Test("Keys that cannot be read now stop it, and no event is passed over")
  func lockedKeys() async throws {
    let (journal, keys) = (try TemporaryJournal(), TestKeys())
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    try store.append(.greet("Grace"), at: .seconds(1))
    let mails = try EventSubscription(testing: store)
    keys.fail(true)
    let error = await mails.following(Deliveries()).value
    expectEqual(
      error?.description,
      "the subscription mails cannot open personal data: the keys cannot be read; try again once the keys can be read")
    keys.fail(false)
    try await expectEqual(mails.take(1), [1])
  }

  @Test("A name that cannot be a file's, and a folder that cannot be written, are refused")
  func refused() throws {
    let name = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: store, "../Mails") }
    expectEqual(
      name?.description,
      "the subscription \"../Mails\" has a name that is not 1 to 63 lower-case letters, digits, dots and hyphens; rename it"
    )
    let files = HookedFileSystem()
    files.failOpening("mails.subscription.lock")
    let reader = try JournalReader(path: journal.path, fileSystem: files)
    let error = #expect(throws: SubscriptionError.self) { try EventSubscription(testing: History<Shop>(reader)) }
    #expect(error?.code == .file)
    expectEqual(
      error?.message,
      "cannot use its file \(journal.path)/mails.subscription.lock: open: the device reported an error")
    files.failOpening("none")
    #expect(throws: Never.self) { try EventSubscription(testing: History<Shop>(reader)) }
  }
}

extension EventSubscription {
  fileprivate func retryAll() throws { for event in parked { try retryParked(event.sequence) } }
}
