import Journal
import Synchronization
import WireFormat

/// A subscriber to a journal's events, with a name and a stored position: it does something for each event, at least once and in
/// order, from where it stood when the program ended.
///
/// ```swift
/// let mails = try EventSubscription(to: store, named: "mails", startingAt: .end)
/// try await mails.run { delivery in
///   if case .booked(let room) = delivery.event { try await send("Room \(room) is booked.", key: delivery.idempotencyKey) }
/// }
/// ```
///
/// The example has the system's clock, from `EventSourcingKit`. The form below ``run(_:)`` is an `AsyncSequence`: asking for the
/// next event acknowledges the one before.
///
/// **Guarantee.** At least once: a position is stored after the work, and a crash in between repeats that one event. An event
/// that fails is tried again after a pause, and after a number of attempts *parked*, so that the next can follow.
///
/// **Threads.** All members may be called from any thread. One loop at a time follows a subscription, and one program at a time has
/// it: while this object, a loop or a delivery of it lives, another with the same name is refused.
///
/// A store retires no event that a subscription to its journal still needs, whether it is open or not, here or in another program.
public final class EventSubscription<Domain: Decider>: AsyncSequence, Sendable {
  /// An event and its delivery.
  public typealias Element = Delivery

  /// Where its events come from.
  enum Source: Sendable {
    case store(EventStore<Domain>)
    case history(History<Domain>, upTo: ReadLimit)
  }

  /// What one thread at a time changes.
  struct Turn: ~Copyable {
    var record: SubscriptionRecord
    /// What the file holds.
    var stored: SubscriptionRecord
    /// Read and not acknowledged.
    var pending: ArraySlice<ProjectedEvent<Domain.Event>> = []
    /// Reads on after them.
    var events: ProjectedEvents<Domain>?
    var current: Outgoing?
    var deliveryCount: UInt64 = 0
    /// The loop that follows; 0 for none.
    var loop: UInt64 = 0
    var loopCount: UInt64 = 0
  }

  /// A delivery that is not settled.
  struct Outgoing: Sendable {
    enum Outcome: Sendable {
      case open
      case acknowledged
      case failed(String)
    }

    let number: UInt64
    let sequence: UInt64
    let chain: UInt32
    let attempt: Int
    let isParked: Bool
    var outcome = Outcome.open
  }

  /// What ``health`` shows without waiting for a turn.
  private struct Status: Sendable {
    var record: SubscriptionRecord
    /// The last event that is known to exist, where no store says it.
    var last: UInt64
    var trouble: (error: SubscriptionError, since: Moment)?
  }

  /// What a loop does next.
  enum Step: Sendable {
    case deliver(Delivery)
    case pause(attempts: Int)
    case wait(beyond: UInt64)
    case end
  }

  /// Number of events read at once.
  static var batchSize: Int { 64 }

  /// Its name.
  public let name: String
  let source: Source
  let pause: @Sendable (_ attempts: Int) async throws -> Void
  let now: @Sendable () -> Moment
  let policy: SubscriptionPolicy
  let holder: SubscriptionHolder
  private let turn: Lock<Turn>
  private let status: Lock<Status>

  /// A subscriber to a store's events, in the same program.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - name: Its name, which its file has too: 1 to 63 lower-case letters, digits, dots and hyphens.
  ///   - start: Where it begins if no position is stored. There is no default: all old events, or none, is what matters most.
  ///   - discardingStored: Whether to begin there even if a position is stored, also one of another history. Forgets parked
  ///     events. For one start, once a person has decided it.
  ///   - policy: How often an event is tried, and how many are parked.
  ///   - now: The time, for ``SubscriptionHealth/failingSince`` and ``ParkedEvent/since``.
  ///   - pause: Waits before the next attempt, given how many were made. Throws when its task is cancelled, which ends the loop, or
  ///     when the store is closed.
  /// - Throws: ``SubscriptionError`` if another program has it, its stored position is of another history, its next events are
  ///   gone, or a file cannot be read or written.
  public convenience init(
    to store: EventStore<Domain>, named name: String, startingAt start: SubscriptionStart,
    discardingStored: Bool = false, policy: SubscriptionPolicy = SubscriptionPolicy(),
    now: @escaping @Sendable () -> Moment, pausing pause: @escaping @Sendable (_ attempts: Int) async throws -> Void
  ) throws(SubscriptionError) {
    let holder = try SubscriptionHolder(name, of: store.journal.identity.id, in: store.path, store.fileSystem)
    let source = Source.store(store)
    // Not while this store retires events, which may take long.
    let record = try store.retirement.withLock { (_) throws(SubscriptionError) -> SubscriptionRecord in
      try holder.record(
        startingAt: start, discardingStored, in: { () throws(HistoryError) in try source.history() },
        { _ in store.lastSequence })
    }
    self.init(source, holder, record, policy, now: now, pausing: pause)
  }

  /// A subscriber to the events that another program writes.
  ///
  /// The journal's folder must be writable, since the position is stored there.
  ///
  /// - Parameters:
  ///   - history: The journal. Personal data is opened by its ``History/sealing``.
  ///   - limit: Whether to take events only once they are known to be durable. Others may be taken back, and a mail is not.
  ///   - name: As for a store.
  ///   - start: As for a store.
  ///   - discardingStored: As for a store.
  ///   - policy: As for a store.
  ///   - now: As for a store.
  ///   - pause: As for a store.
  /// - Throws: ``SubscriptionError`` if another program has it, the journal is of another domain or cannot be read, its stored
  ///   position is of another history, its next events are gone, or a file cannot be read or written.
  public convenience init(
    to history: History<Domain>, upTo limit: ReadLimit = .durable, named name: String,
    startingAt start: SubscriptionStart, discardingStored: Bool = false,
    policy: SubscriptionPolicy = SubscriptionPolicy(), now: @escaping @Sendable () -> Moment,
    pausing pause: @escaping @Sendable (_ attempts: Int) async throws -> Void
  ) throws(SubscriptionError) {
    let source = Source.history(history, upTo: limit)
    let reader = history.reader
    let holder = try SubscriptionHolder(name, of: reader.identity.id, in: reader.path, reader.fileSystem)
    let record = try holder.record(
      startingAt: start, discardingStored,
      in: { () throws(HistoryError) in
        try history.requireOwnDomain()
        return try source.history()
      }
    ) { (current) throws(HistoryError) in
      let durable = Swift.max(current.firstSequence - 1, current.reader.durableSequence)
      var events = try source.events(in: current, after: durable)
      while try !events.next(upTo: .max).isEmpty {}
      return events.last
    }
    self.init(source, holder, record, policy, now: now, pausing: pause)
  }

  private init(
    _ source: Source, _ holder: SubscriptionHolder, _ record: SubscriptionRecord, _ policy: SubscriptionPolicy,
    now: @escaping @Sendable () -> Moment, pausing pause: @escaping @Sendable (_ attempts: Int) async throws -> Void
  ) {
    name = holder.name
    self.source = source
    self.holder = holder
    self.policy = policy
    self.now = now
    self.pause = pause
    turn = Lock(Turn(record: record, stored: record))
    status = Lock(Status(record: record, last: record.position))
  }

  /// The journal.
  var journal: JournalID { holder.journal }

  /// How it is doing. Waits for no delivery and no disk.
  public var health: SubscriptionHealth {
    status.withLock { status in
      let record = status.record
      let last = if case .store(let store) = source { store.lastSequence } else { status.last }
      return SubscriptionHealth(
        name: name, position: record.position, lag: Swift.max(last, record.position) - record.position,
        attempts: record.failure?.attempts ?? 0,
        lastError: status.trouble?.error ?? record.failure.map { .work(name, $0, parks: policy.parkingLimit > 0) },
        failingSince: status.trouble?.since ?? record.failure?.since, parkedCount: record.parked.count)
    }
  }

  /// The events that failed too often, in order.
  public var parked: [ParkedEvent] { status.withLock { $0.record.parked } }

  /// Lets a parked event be tried once more, before the next ones. If it fails again, it stays parked.
  ///
  /// - Throws: ``SubscriptionError`` if it is not parked, or this cannot be stored.
  public func retryParked(_ sequence: UInt64) throws(SubscriptionError) {
    try changeParked(sequence) { parked, index in parked[index].isDue = true }
    if case .store(let store) = source { store.wake() }
  }

  /// Forgets a parked event: it is not done, and will not be.
  ///
  /// - Throws: ``SubscriptionError`` if it is not parked, or this cannot be stored.
  public func dropParked(_ sequence: UInt64) throws(SubscriptionError) {
    try changeParked(sequence) { parked, index in parked.remove(at: index) }
  }

  /// Goes on without the next event, which failed: it is not done, and will not be. The way past an event that can never succeed,
  /// where it cannot be parked.
  ///
  /// - Throws: ``SubscriptionError`` if the event is not the next one or has not failed, or this cannot be stored.
  public func skip(_ sequence: UInt64) throws(SubscriptionError) {
    try withTurn { (turn) throws(SubscriptionError) in
      guard turn.record.failure?.sequence == sequence else { throw .notFailed(name, sequence) }
      let history = try SubscriptionError.reading(for: name) { () throws(HistoryError) in try source.history() }
      var record = turn.record
      try holder.require(record, in: history)
      guard let chain = try holder.chain(at: sequence, in: history) else {
        throw .otherHistory(name, at: sequence)
      }
      record.pass(sequence, chain: chain)
      try save(record, &turn)
      publish(record)
      // Read again from the new position; what is said of a delivery of this event changes nothing.
      turn.pending = []
      turn.events = nil
      if turn.current?.sequence == sequence { turn.current = nil }
    }
  }

  private func changeParked(
    _ sequence: UInt64, _ change: (inout [ParkedEvent], Int) -> Void
  ) throws(SubscriptionError) {
    try withTurn { (turn) throws(SubscriptionError) in
      var record = turn.record
      guard let index = record.parked.firstIndex(where: { $0.sequence == sequence }) else {
        throw .notParked(name, sequence)
      }
      change(&record.parked, index)
      try save(record, &turn)
    }
  }

  /// A loop over the events that are not acknowledged yet, and then over new ones as they come. It ends when the task is cancelled
  /// or the store is closed.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Follows the events: does the work for each, and what throws counts as failed.
  ///
  /// Returns when the task is cancelled or the store is closed. What the work of a cancelled task throws does not count.
  ///
  /// - Throws: ``SubscriptionError``, as ``AsyncIterator/next(isolation:)``.
  public func run(_ work: (Delivery) async throws -> Void) async throws(SubscriptionError) {
    try await run(isEndless: true, work)
  }

  /// As ``run(_:)``, and returns when no events remain: for a program that does what is due and ends.
  ///
  /// An event that fails is tried again after its pauses, until it is parked.
  ///
  /// - Throws: ``SubscriptionError``, as ``AsyncIterator/next(isolation:)``.
  public func runDue(_ work: (Delivery) async throws -> Void) async throws(SubscriptionError) {
    try await run(isEndless: false, work)
  }

  private func run(
    isEndless: Bool, _ work: (Delivery) async throws -> Void
  ) async throws(SubscriptionError) {
    var deliveries = AsyncIterator(self, isEndless: isEndless)
    while let delivery = try await deliveries.next() {
      do {
        try await work(delivery)
      } catch {
        delivery.fail(error)
      }
    }
  }

  /// Whether a parked event waits for being tried again.
  var hasDueEvent: Bool { status.withLock { $0.record.parked.contains { $0.isDue } } }

  /// Lets one thread change what is known of the deliveries.
  func withTurn<Result>(
    _ body: (inout Turn) throws(SubscriptionError) -> sending Result
  ) throws(SubscriptionError) -> sending Result {
    try turn.withLock { (turn) throws(SubscriptionError) in try body(&turn) }
  }

  /// Stores where it stands.
  func save(_ record: SubscriptionRecord, _ turn: inout Turn) throws(SubscriptionError) {
    try holder.store(record)
    turn.record = record
    turn.stored = record
    status.withLock { $0.record = record }
  }

  /// Shows in ``health`` where it stands, and that nothing keeps it from moving.
  func publish(_ record: SubscriptionRecord) {
    status.withLock { ($0.record, $0.trouble) = (record, nil) }
  }

  /// Shows in ``health`` that an event exists.
  func publish(last: UInt64) {
    status.withLock { $0.last = Swift.max($0.last, last) }
  }

  /// Shows in ``health`` why it does not move.
  func publish(_ trouble: SubscriptionError) {
    let now = now()
    status.withLock { $0.trouble = (trouble, $0.trouble?.since ?? now) }
  }
}
