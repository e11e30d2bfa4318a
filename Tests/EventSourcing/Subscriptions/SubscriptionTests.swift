import EventSourcing
import Expectations
import Journal
import Synchronization
import Testing
import WireFormat

@Suite("Subscriptions")
struct SubscriptionTests {
  private let journal: TemporaryJournal
  private let store: EventStore<Shop>

  /// Four events.
  init() throws {
    journal = try TemporaryJournal()
    store = try journal.shop([
      .sold(article: "tea", cents: 300), .sold(article: "cup", cents: 900), .returned(article: "cup", cents: 900),
      .sold(article: "tea", cents: 200),
    ])
  }

  @Test("Each event is delivered once and in order, old ones and new ones, until the store is closed")
  func order() async throws {
    let (mails, deliveries) = (try EventSubscription(testing: store), Deliveries())
    #expect(mails.health.position == 0 && mails.health.lag == 4)
    let following = mails.following(deliveries)
    for count in 5...150 {
      try store.append(.sold(article: "pot", cents: 1), at: .seconds(9))
      if count % 10 == 0 { await waitUntil { mails.health.lag == 0 } }
    }
    await waitUntil { mails.health.lag == 0 }
    try store.close()
    #expect(await following.value == nil)
    expectEqual(deliveries.events, Array(1...150))
    let health = mails.health
    #expect(health.name == "mails" && health.position == 150 && health.lag == 0 && health.attempts == 0)
    #expect(health.lastError == nil && health.failingSince == nil && health.parkedCount == 0)
    try #expect(History<Shop>(at: journal.path).reader.verify().isSound)
  }

  @Test("A new subscription begins where its caller says")
  func starts() async throws {
    try await expectEqual(EventSubscription(testing: store, "first").take(1), [1])
    try await expectEqual(EventSubscription(testing: store, "third", startingAt: .after(2)).take(1), [3])
    let last = try EventSubscription(testing: store, "last", startingAt: .end)
    expectEqual(last.health.lag, 0)
    let history = try History<Shop>(at: journal.path)
    try expectEqual(EventSubscription(testing: history, "other", startingAt: .end).health.position, 4)
    try store.append(.sold(article: "pot", cents: 1), at: .seconds(9))
    try await expectEqual(last.take(1), [5])
    let error = #expect(throws: SubscriptionError.self) {
      try EventSubscription(testing: store, "sixth", startingAt: .after(6))
    }
    expectEqual(
      error?.description,
      "the subscription sixth cannot begin after event 6, which the journal does not have; begin at the first kept event, at"
        + " the end, or after an event in between")
  }

  @Test("A program goes on where the last one stopped")
  func goingOn() async throws {
    try await expectEqual(EventSubscription(testing: store).take(2), [1, 2])
    // What is said for a new one does not count.
    let mails = try EventSubscription(testing: store, startingAt: .end)
    #expect(mails.health.position == 2 && mails.health.lag == 2)
    try await expectEqual(mails.take(2), [3, 4])
  }

  @Test("A program that does what is due returns when no events remain, after those that fail are parked")
  func due() async throws {
    let (mails, deliveries) = (try EventSubscription(testing: store), Deliveries(failing: [2]))
    try await mails.runDue { try deliveries.take($0.context.sequence) }
    let attempts = SubscriptionPolicy().maximumAttempts
    expectEqual(deliveries.events, [1] + Array(repeating: 2, count: attempts) + [3, 4])
    #expect(mails.health.lag == 0 && mails.parked.map(\.sequence) == [2])
    // Nothing is due, also in another program.
    try await mails.runDue { _ in Issue.record("delivered again") }
    let other = try EventSubscription(testing: History<Shop>(at: journal.path), "other", startingAt: .after(3))
    let later = Deliveries()
    try await other.runDue { try later.take($0.context.sequence) }
    expectEqual(later.events, [4])
  }

  @Test("A crash between the work and its acknowledgement repeats exactly that event, under the same key")
  func crash() async throws {
    try await expectEqual(EventSubscription(testing: store).take(1), [1])
    let lost = try #require(await EventSubscription(testing: store).lose())
    #expect(lost.sequence == 2 && lost.attempt == 1 && lost.key.count == 16)
    let mails = try EventSubscription(testing: store)
    // Another loop of the same program, too.
    for _ in 1...2 { try await expectEqual(mails.lose(), lost) }
    try await expectEqual(mails.take(1), [2])
    let next = try #require(await mails.lose())
    let other = try #require(await EventSubscription(testing: store, "others", startingAt: .after(1)).lose())
    #expect(other.event == lost.event && Set([lost.key, next.key, other.key]).count == 3)
    try await expectEqual(mails.take(2), [3, 4])
  }

  @Test("What is said of a delivery that is settled changes nothing")
  func settled() async throws {
    let mails = try EventSubscription(testing: store)
    var loop = mails.makeAsyncIterator()
    let first = try #require(await loop.next())
    _ = try await loop.next()
    try first.acknowledge()
    first.fail(Undeliverable())
    expectEqual(mails.health.position, 1)
    let third = try #require(await loop.next())
    #expect(third.context.sequence == 3 && third.attempt == 1 && mails.health.position == 2)
  }

  @Test("Asking for the next event acknowledges the one before")
  func asking() async throws {
    let mails = try EventSubscription(testing: store)
    var count = 0
    for try await delivery in mails {
      count += 1
      if delivery.context.sequence == 3 { break }
    }
    #expect(count == 3 && mails.health.position == 2)
  }

  @Test("An event that fails is tried again after each pause, then parked, and the next ones follow")
  func failing() async throws {
    let deliveries = Deliveries(failing: [2])
    let pauses = Mutex<[Int]>([])
    let healths = Mutex<[SubscriptionHealth]>([])
    let box = Mutex<EventSubscription<Shop>?>(nil)
    let mails = try EventSubscription(testing: store, policy: SubscriptionPolicy(maximumAttempts: 3)) { attempts in
      pauses.withLock { $0.append(attempts) }
      if let health = box.withLock({ $0 })?.health { healths.withLock { $0.append(health) } }
    }
    box.withLock { $0 = mails }
    let following = mails.following(deliveries)
    await waitUntil { mails.health.lag == 0 }
    expectEqual(deliveries.events, [1, 2, 2, 2, 3, 4])
    expectEqual(pauses.withLock { $0 }, [1, 2])
    let health = try #require(healths.withLock { $0 }.last)
    #expect(health.position == 1 && health.attempts == 2 && health.failingSince == .seconds(7))
    expectEqual(
      health.lastError?.description,
      "the subscription mails failed at event 2: no connection; it is tried again, and then parked")
    let parked = mails.parked
    #expect(parked.map(\.sequence) == [2] && parked.map(\.attempts) == [3] && parked.map(\.error) == ["no connection"])
    #expect(parked[0].since == .seconds(7) && mails.health.lastError == nil && mails.health.parkedCount == 1)
    try store.close()
    #expect(await following.value == nil)
    box.withLock { $0 = nil }
  }

  @Test("Attempts are kept over the end of a program, and the text of an error is bounded")
  func keptAttempts() async throws {
    struct Long: Error, CustomStringConvertible {
      let description = String(repeating: "Ω", count: 1_000)
    }
    struct Stop: Error {}
    for attempt in 1...4 {
      let mails = try EventSubscription(testing: store) { _ in throw Stop() }
      expectEqual(mails.health.attempts, attempt - 1)
      try await expectEqual(mails.fail(Long()), attempt)
      let error = try #require(mails.health.lastError?.message)
      #expect(mails.health.position == 0 && error.hasSuffix("Ω…") && (500...560).contains(error.utf8.count))
    }
  }

  @Test("A parked event is tried again when asked for, also while the loop waits, and stays parked if it fails")
  func parked() async throws {
    let deliveries = Deliveries(failing: [1, 3])
    let mails = try EventSubscription(testing: store, policy: SubscriptionPolicy(maximumAttempts: 1))
    let following = mails.following(deliveries)
    await waitUntil { mails.health.lag == 0 && mails.parked.count == 2 }
    deliveries.fail([1])
    try mails.retryParked(3)
    await waitUntil { mails.parked.count == 1 }
    try mails.retryParked(1)
    await waitUntil { mails.parked.first?.attempts == 2 }
    expectEqual(mails.parked.map(\.isDue), [false])
    expectEqual(deliveries.events, [1, 2, 3, 4, 3, 1])
    try mails.dropParked(1)
    #expect(mails.parked.isEmpty)
    for change in [mails.retryParked, mails.dropParked] {
      let error = #expect(throws: SubscriptionError.self) { try change(1) }
      expectEqual(
        error?.description, "the subscription mails has not parked event 1; choose one of those that are parked")
    }
    try store.close()
    #expect(await following.value == nil)
  }

  @Test("What is parked, and is to be tried again, is kept over the end of a program")
  func keptParked() async throws {
    let policy = SubscriptionPolicy(maximumAttempts: 1)
    try await expectEqual(EventSubscription(testing: store, policy: policy).fail(), 1)
    expectEqual(try EventSubscription(testing: store, policy: policy).parked.map(\.sequence), [1])
    try EventSubscription(testing: store, policy: policy).retryParked(1)
    let mails = try EventSubscription(testing: store, policy: policy)
    try await expectEqual(mails.lose()?.attempt, 2)
    try await expectEqual(mails.take(3), [1, 2, 3])
    #expect(mails.parked.isEmpty)
  }

  @Test("When no more can be parked, the subscription stops before the event and says so")
  func full() async throws {
    let deliveries = Deliveries(failing: [1, 2, 3])
    let mails = try EventSubscription(
      testing: store, policy: SubscriptionPolicy(maximumAttempts: 2, parkingLimit: 1))
    for _ in 1...2 {
      let error = await mails.following(deliveries).value
      #expect(error?.code == .full && error?.event == 2 && mails.health.position == 1 && mails.health.lag == 3)
      expectEqual(mails.health.lastError, error)
    }
    expectEqual(deliveries.events, [1, 1, 2, 2, 2])
    expectEqual(
      mails.health.lastError?.description,
      "the subscription mails stops before event 2, which failed 3 times: no connection; 1 other is parked, which is the"
        + " limit; try these again or drop them, or skip this one, then go on")
    try mails.dropParked(1)
    deliveries.fail([2])
    let following = mails.following(deliveries)
    await waitUntil { mails.health.lag == 0 }
    expectEqual(mails.parked.map(\.sequence), [2])
    following.cancel()
    #expect(await following.value == nil)
    expectEqual(
      SubscriptionPolicy(maximumAttempts: -1, parkingLimit: -1), SubscriptionPolicy(maximumAttempts: 1, parkingLimit: 0)
    )
    expectEqual(SubscriptionPolicy(parkingLimit: .max).parkingLimit, SubscriptionPolicy.highestParkingLimit)
  }

  @Test("An event that can never succeed is skipped where none is parked", arguments: [true, false])
  func skipped(isReopened: Bool) async throws {
    let deliveries = Deliveries(failing: [3])
    let policy = SubscriptionPolicy(maximumAttempts: 2, parkingLimit: 0)
    var mails = try EventSubscription(testing: store, policy: policy)
    expectEqual(
      await mails.following(deliveries).value?.description,
      "the subscription mails stops before event 3, which failed 2 times: no connection; its policy parks none; remove the"
        + " cause, or skip this one, then go on")
    if isReopened {
      // Released first: one at a time has the name.
      mails = try EventSubscription(testing: store, "others")
      mails = try EventSubscription(testing: store, policy: policy)
    }
    for sequence in [2, 4] as [UInt64] {
      let error = #expect(throws: SubscriptionError.self) { try mails.skip(sequence) }
      expectEqual(
        error?.description,
        "the subscription mails has not failed at event \(sequence); skip only the event that it failed at last")
    }
    try mails.skip(3)
    #expect(mails.health.position == 3 && mails.health.attempts == 0 && mails.health.lastError == nil)
    let following = mails.following(deliveries)
    await waitUntil { mails.health.position == 4 }
    expectEqual(deliveries.events, [1, 2, 3, 3, 4])
    following.cancel()
    #expect(await following.value == nil)
  }

  @Test("A subscription that parks none does not promise it, and skips an event before its attempts are used up")
  func skippedEarly() async throws {
    let mails = try EventSubscription(
      testing: store, policy: SubscriptionPolicy(maximumAttempts: 9, parkingLimit: 0)
    ) { _ in
      while true { try await Task.sleep(for: .milliseconds(1)) }
    }
    let deliveries = Deliveries(failing: [1])
    let following = mails.following(deliveries)
    await waitUntil { mails.health.attempts == 1 }
    expectEqual(
      mails.health.lastError?.description,
      "the subscription mails failed at event 1: no connection; it is tried again, and is never parked")
    following.cancel()
    #expect(await following.value == nil)
    try mails.skip(1)
    try await expectEqual(mails.take(3), [2, 3, 4])
  }

  @Test("Two subscriptions are independent: one that fails keeps no other")
  func independent() async throws {
    let (mails, uploads) = (try EventSubscription(testing: store), try EventSubscription(testing: store, "uploads"))
    let deliveries = Deliveries()
    let following = uploads.following(deliveries)
    let lost = try await mails.lose()
    await waitUntil { uploads.health.lag == 0 }
    expectEqual(deliveries.events, [1, 2, 3, 4])
    #expect(lost?.sequence == 1 && mails.health.position == 0)
    following.cancel()
    _ = await following.value
  }

  @Test("A task that is cancelled ends the loop, and what it did not do is not counted as failed")
  func cancelled() async throws {
    let mails = try EventSubscription(testing: store)
    let gate = Atomic(false)
    let following = Task {
      try await mails.run { delivery in
        guard delivery.context.sequence == 2 else { return }
        gate.store(true, ordering: .releasing)
        while true { try await Task.sleep(for: .seconds(3_600)) }
      }
    }
    await waitUntil { gate.load(ordering: .acquiring) }
    following.cancel()
    try await following.value
    #expect(mails.health.position == 1 && mails.health.attempts == 0 && mails.health.lastError == nil)
    try await expectEqual(mails.take(3), [2, 3, 4])
    let waiting = mails.following(Deliveries())
    letOthersRun()
    waiting.cancel()
    #expect(await waiting.value == nil)
  }

  @Test("A second loop of one subscription is refused while the first lives")
  func secondLoop() async throws {
    let mails = try EventSubscription(testing: store)
    var loop: EventSubscription<Shop>.AsyncIterator? = mails.makeAsyncIterator()
    expectEqual(try await loop?.next()?.context.sequence, 1)
    let error = await #expect(throws: SubscriptionError.self) { try await mails.lose() }
    expectEqual(
      error?.description,
      "the subscription mails is followed by another loop already; end that one, or use its events")
    loop = nil
    expectEqual(try await mails.lose()?.sequence, 1)
  }

  @Test("Work that is done is not repeated because its position could not be stored at once")
  func failingSave() async throws {
    try store.close()
    let files = HookedFileSystem()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: files)
    let mails = try EventSubscription(testing: store)
    var loop: EventSubscription<Shop>.AsyncIterator? = mails.makeAsyncIterator()
    expectEqual(try await loop?.next()?.context.sequence, 1)
    files.beforeSyncs { false }
    let error = await #expect(throws: SubscriptionError.self) { try await loop?.next() }
    loop = nil
    expectEqual(
      error?.description,
      "the subscription mails cannot use its file \(journal.path)/mails.subscription: sync: the device reported an error; free"
        + " some space or check the permissions, then try again")
    files.beforeSyncs(nil)
    #expect(mails.health.position == 0 && mails.health.lastError == error)
    expectEqual(try await mails.lose()?.sequence, 2)
    #expect(mails.health.position == 1 && mails.health.lastError == nil)
  }

  @Test("Work that acknowledged its event is not repeated because that could not be stored, nor parked")
  func failingAcknowledgement() async throws {
    try store.close()
    let files = HookedFileSystem()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: files)
    let mails = try EventSubscription(testing: store, policy: SubscriptionPolicy(maximumAttempts: 1))
    let deliveries = Deliveries()
    let following = Task {
      try await mails.run { delivery in
        try deliveries.take(delivery.context.sequence)
        if delivery.context.sequence == 3 { files.beforeSyncs { false } }
        defer { files.beforeSyncs(nil) }
        try delivery.acknowledge()
      }
    }
    await waitUntil { mails.health.position == 4 }
    #expect(deliveries.events == [1, 2, 3, 4] && mails.parked.isEmpty)
    following.cancel()
    try await following.value
  }

  @Test("A loop ends when its store is closed, even where events are left")
  func closedStore() async throws {
    let mails = try EventSubscription(testing: store)
    var loop = mails.makeAsyncIterator()
    _ = try await loop.next()
    try store.close()
    expectEqual(try await loop.next()?.context.sequence, nil)
    expectEqual(mails.health.position, 1)
  }

  @Test("Closing the store cuts short the pause before the next attempt")
  func closedInPause() async throws {
    let mails = try EventSubscription(testing: store) { _ in try await Task.sleep(for: .seconds(3_600)) }
    let following = mails.following(Deliveries(failing: [1]))
    await waitUntil { mails.health.attempts == 1 }
    letOthersRun()
    try store.close()
    #expect(await following.value == nil)
    #expect(mails.health.position == 0 && mails.health.attempts == 1)
  }

  @Test("Events that this program need not know are passed over, and count as taken")
  func passedOver() async throws {
    try store.close()
    let other = try TemporaryJournal()
    let ledger = try other.create(Ledger.self)
    try ledger.append(.open("Ada"), at: .seconds(1))
    try ledger.close()
    var unknown = Envelope(type: 99, at: .seconds(2))
    unknown.unknownReaders = .ignorable
    try other.appendRaw([unknown, unknown])
    let store = try other.open(Ledger.self)
    let mails = try EventSubscription(testing: store)
    let following = mails.following(Deliveries())
    await waitUntil { mails.health.lag == 0 }
    following.cancel()
    _ = await following.value
    let bytes = try other.contents("mails.subscription")
    let position = try WireReader.decode(bytes) { (reader) throws(WireError) -> UInt64? in
      while let field = try reader.nextField() {
        if field.number == 2 { return try reader.unsigned(field) }
        try reader.skip(field)
      }
      return nil
    }
    expectEqual(position, 3)
  }
}
