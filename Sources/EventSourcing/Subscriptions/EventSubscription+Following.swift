import Journal
import WireFormat

extension EventSubscription {
  /// A position in the loop over a subscription's events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let subscription: EventSubscription
    /// Whether it waits for events that are still to come.
    private let isEndless: Bool
    private var loop: Loop?

    init(_ subscription: EventSubscription, isEndless: Bool = true) {
      self.subscription = subscription
      self.isEndless = isEndless
    }

    /// Acknowledges the event before, unless it failed, and waits for the next one; `nil` once the task is cancelled or the store
    /// closed.
    ///
    /// Between the waits it works on the caller's actor, and blocks it meanwhile: it writes and syncs the position once for each
    /// event, and reads up to 64 events at once. So let another actor than the main one follow.
    ///
    /// - Throws: ``SubscriptionError`` if another loop follows the subscription, an event cannot be read or is gone, the position
    ///   cannot be stored, or an event fails for the last time and no more can be parked. The next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(SubscriptionError) -> Delivery? {
      let loop = if let loop = self.loop { loop } else { try Loop(subscription) }
      self.loop = loop
      while true {
        switch try subscription.step() {
        case .deliver(let delivery): return delivery
        case .pause(let attempts):
          guard await loop.pauses(after: attempts), !Task.isCancelled else { return nil }
        case .wait(let position):
          guard isEndless, await loop.waits(beyond: position), !Task.isCancelled else { return nil }
        case .end: return nil
        }
      }
    }
  }

  /// The right to follow, given back when the loop ends.
  private final class Loop: Sendable {
    private let subscription: EventSubscription
    private let number: UInt64
    private let changes: JournalChanges?

    init(_ subscription: EventSubscription) throws(SubscriptionError) {
      self.subscription = subscription
      // Created before the first read, so that no change is missed.
      changes = if case .history(let history, _) = subscription.source { history.reader.changes() } else { nil }
      number = try subscription.beginLoop()
    }

    deinit { subscription.endLoop(number) }

    /// Lets time pass before the next attempt; `false` if the task is cancelled or the store closed meanwhile.
    func pauses(after attempts: Int) async -> Bool {
      await withTaskGroup(of: Bool.self) { [subscription] group in
        group.addTask { (try? await subscription.pause(attempts)) != nil }
        if case .store(let store) = subscription.source {
          group.addTask {
            while await store.waits(beyond: .max), !Task.isCancelled {}
            return false
          }
        }
        defer { group.cancelAll() }
        return await group.next() ?? false
      }
    }

    func waits(beyond position: UInt64) async -> Bool {
      switch subscription.source {
      case .store(let store): await store.waits(beyond: position, unless: { self.subscription.hasDueEvent })
      case .history: await changes?.change() ?? false
      }
    }
  }

  fileprivate func beginLoop() throws(SubscriptionError) -> UInt64 {
    try withTurn { (turn) throws(SubscriptionError) in
      guard turn.loop == 0 else { throw .inUse(name) }
      turn.loopCount += 1
      turn.loop = turn.loopCount
      // What an earlier loop left without acknowledging it comes again.
      if case .open? = turn.current?.outcome { turn.current = nil }
      return turn.loop
    }
  }

  fileprivate func endLoop(_ number: UInt64) {
    try? withTurn { if $0.loop == number { $0.loop = 0 } }
  }

  /// Settles the last delivery, and finds the next one.
  fileprivate func step() throws(SubscriptionError) -> Step {
    do throws(SubscriptionError) {
      return try withTurn { (turn) throws(SubscriptionError) in
        if let attempts = try settle(&turn) { return .pause(attempts: attempts) }
        if Task.isCancelled || source.isClosed { return .end }
        let delivery = try nextDelivery(&turn)
        publish(turn.record)
        return delivery.map { .deliver($0) } ?? .wait(beyond: turn.record.position)
      }
    } catch {
      publish(error)
      throw error
    }
  }

  /// Stores that an event is done.
  func acknowledge(_ number: UInt64) throws(SubscriptionError) {
    try withTurn { (turn) throws(SubscriptionError) in
      guard turn.current?.number == number else { return }
      turn.current?.outcome = .acknowledged
      _ = try settle(&turn)
    }
  }

  /// Notes that an event failed, unless its work is known to be done; the next step settles it.
  func fail(_ number: UInt64, _ reason: String) {
    try? withTurn { turn in
      if turn.current?.number == number, case .open? = turn.current?.outcome { turn.current?.outcome = .failed(reason) }
    }
  }

  /// Stores what has become of the last delivery.
  ///
  /// - Returns: How often its event has failed, if it is to be tried again after a pause.
  private func settle(_ turn: inout Turn) throws(SubscriptionError) -> Int? {
    guard let current = turn.current else { return nil }
    var record = turn.record
    if case .failed(let reason) = current.outcome {
      // Work that a cancelled task left undone does not count as a failure.
      if Task.isCancelled {
        turn.current = nil
        return nil
      }
      return try settle(current, failedFor: reason, &turn)
    }
    // Kept if it cannot be stored now: the work is done.
    turn.current?.outcome = .acknowledged
    if current.isParked {
      record.parked.removeAll { $0.sequence == current.sequence }
    } else {
      record.pass(current.sequence, chain: current.chain)
    }
    try save(record, &turn)
    turn.current = nil
    if !current.isParked { turn.pending.removeFirst() }
    return nil
  }

  private func settle(
    _ current: Outgoing, failedFor reason: String, _ turn: inout Turn
  ) throws(SubscriptionError) -> Int? {
    var record = turn.record
    let reason = ParkedEvent.bounded(reason)
    if current.isParked {
      try park(current.sequence, &turn) {
        ParkedEvent(sequence: $0.sequence, attempts: current.attempt, error: reason, since: $0.since)
      }
      turn.current = nil
      return nil
    }
    let earlier = record.failure.flatMap { $0.sequence == current.sequence ? $0 : nil }
    let failure = ParkedEvent(
      sequence: current.sequence, attempts: current.attempt, error: reason, since: earlier?.since ?? now())
    let isLast = current.attempt >= policy.maximumAttempts
    guard isLast, record.parked.count < policy.parkingLimit else {
      record.failure = failure
      try save(record, &turn)
      turn.current = nil
      if isLast {
        throw policy.parkingLimit == 0 ? .stopped(name, failure) : .full(name, failure, count: record.parked.count)
      }
      return current.attempt
    }
    record.pass(current.sequence, chain: current.chain)
    record.parked.append(failure)
    try save(record, &turn)
    turn.current = nil
    turn.pending.removeFirst()
    return nil
  }

  /// Keeps an event parked that was tried once more.
  private func park(
    _ sequence: UInt64, _ turn: inout Turn, as change: (ParkedEvent) -> ParkedEvent
  ) throws(SubscriptionError) {
    var record = turn.record
    // It may have been dropped meanwhile.
    guard let index = record.parked.firstIndex(where: { $0.sequence == sequence }) else { return }
    record.parked[index] = change(record.parked[index])
    try save(record, &turn)
  }

  private func nextDelivery(_ turn: inout Turn) throws(SubscriptionError) -> Delivery? {
    while let due = turn.record.parked.first(where: \.isDue) {
      if let delivery = try deliver(due, &turn) { return delivery }
    }
    repeat {
      while let next = turn.pending.first {
        if let event = next.event {
          let failures = turn.record.failure.map { $0.sequence == next.context.sequence ? $0.attempts : 0 }
          return deliver(event, of: next, attempt: (failures ?? 0) + 1, isParked: false, &turn)
        }
        turn.pending.removeFirst()
        turn.record.pass(next.context.sequence, chain: next.chain)
      }
    } while try readOn(&turn)
    // Those that were passed over may be retired now.
    if turn.record != turn.stored { try save(turn.record, &turn) }
    return nil
  }

  /// Delivers a parked event once more. One that cannot be read stays parked, and its error says so, too. A failure that may pass
  /// leaves it to be tried again.
  private func deliver(_ parked: ParkedEvent, _ turn: inout Turn) throws(SubscriptionError) -> Delivery? {
    let history = try SubscriptionError.reading(for: name) { () throws(HistoryError) in try source.history() }
    try holder.require(turn.record, in: history)
    let reason: String
    do throws(HistoryError) {
      var events = try source.events(in: history, after: parked.sequence - 1)
      if let read = try events.next(upTo: parked.sequence, atMost: 1).first, let event = read.event {
        return deliver(event, of: read, attempt: parked.attempts + 1, isParked: true, &turn)
      }
      reason = "this program does not know it"
    } catch {
      guard !error.mayPass else { throw .history(name, error) }
      reason = error.message
    }
    try park(parked.sequence, &turn) { $0.unreadable(reason) }
    return nil
  }

  private func deliver(
    _ event: Domain.Event, of read: ProjectedEvent<Domain.Event>, attempt: Int, isParked: Bool, _ turn: inout Turn
  ) -> Delivery {
    turn.deliveryCount += 1
    turn.current = Outgoing(
      number: turn.deliveryCount, sequence: read.context.sequence, chain: read.chain, attempt: attempt,
      isParked: isParked)
    return Delivery(
      context: read.context, event: event, attempt: attempt, isParked: isParked, subscription: self, chain: read.chain,
      number: turn.deliveryCount)
  }

  /// Reads the next events; `false` if none is there yet.
  private func readOn(_ turn: inout Turn) throws(SubscriptionError) -> Bool {
    let record = turn.record
    let end = if case .store(let store) = source { store.lastSequence } else { UInt64.max }
    guard record.position < end else { return false }
    var events: ProjectedEvents<Domain>
    if let kept = turn.events.take() {
      events = kept
    } else {
      let history = try SubscriptionError.reading(for: name) { () throws(HistoryError) in try source.history() }
      try holder.require(record, in: history)
      events = try SubscriptionError.reading(for: name) { () throws(HistoryError) in
        try source.events(in: history, after: record.position)
      }
    }
    do throws(HistoryError) {
      let batch = try events.next(upTo: end, atMost: Self.batchSize)
      turn.pending = batch[...]
      publish(last: batch.count < Self.batchSize ? events.last : Swift.max(events.last, source.durableSequence))
      // One that failed has stopped for good: the next call reads the files again.
      turn.events = consume events
      return !batch.isEmpty
    } catch {
      throw holder.problem(error, in: try? source.history(), after: record)
    }
  }
}

extension EventSubscription.Source {
  /// The journal as it is now.
  func history() throws(HistoryError) -> History<Domain> {
    switch self {
    case .store(let store):
      return try History(at: store.path, of: store.options.journal, fileSystem: store.fileSystem)
    case .history(let history, _):
      var current = try History<Domain>(at: history.reader.path, fileSystem: history.reader.fileSystem)
      current.sealing = history.sealing
      return current
    }
  }

  /// Reads the events after a position.
  func events(in history: History<Domain>, after position: UInt64) throws(HistoryError) -> ProjectedEvents<Domain> {
    try ProjectedEvents(history, after: position, upTo: limit, sealing: sealing) {
      ProjectedEvent<Domain.Event>.read(from: &$0, hasKeys: $1, upTo: $2, &$3, into: &$4)
    }
  }

  /// The last event that another program is known to have made durable; 0 if that cannot be read now. A store knows its own.
  var durableSequence: UInt64 {
    guard case .history = self else { return 0 }
    return (try? history().reader.durableSequence) ?? 0
  }

  /// Whether no event follows, because the store is closed.
  var isClosed: Bool {
    if case .store(let store) = self { store.isClosed } else { false }
  }

  /// How far it is read.
  var limit: ReadLimit {
    if case .history(_, let limit) = self { limit } else { .written }
  }

  private var sealing: Sealing? {
    switch self {
    case .store(let store): store.options.sealing
    case .history(let history, _): history.sealing
    }
  }
}

extension HistoryError {
  /// Whether what failed may succeed when it is tried again.
  fileprivate var mayPass: Bool {
    switch self {
    case .sealing, .journal: true
    case .damaged(_, let finding?): if case .ioError = finding.verdict { true } else { false }
    default: false
    }
  }
}
