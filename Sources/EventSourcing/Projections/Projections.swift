import Journal
import Synchronization

/// The read models of a store: caught up when the program starts, followed while it runs, several in one pass over the events.
///
/// ```swift
/// let projections = Projections(store, now: { .now() })
/// let spending = try projections.add(SpendingProjection.self)
/// projections.catchUp()
/// spending.state.cents
/// ```
///
/// Each has a position of its own. One that fails stays where it is, and stops no other: ``health`` says which, why and since
/// when. While this object lives, the store retires no event that one of those added still needs.
///
/// **Threads.** All members may be called from any thread. Projections take events one pass at a time; neither they nor their
/// sinks may call the store's or this object's methods from within.
public final class Projections<Domain: Decider>: Sendable {
  private struct Turn: ~Copyable {
    /// Reads on where the last pass ended.
    var events: ProjectedEvents<Domain>?
  }

  let store: EventStore<Domain>
  let now: @Sendable () -> Moment
  private let reading: ProjectedEvent<Domain.Event>.Reading
  /// Held for each list only, so that ``health`` never waits for a pass.
  private let members = Lock<[any ProjectionMember<Domain>]>([])
  /// Held by the one that lets the members take events.
  private let turn = Lock(Turn())

  /// The read models of a store, none yet.
  ///
  /// - Parameters:
  ///   - store: The store whose events they fold.
  ///   - now: The time, for ``ProjectionHealth/failingSince``.
  @inlinable
  public convenience init(_ store: EventStore<Domain>, now: @escaping @Sendable () -> Moment) {
    // Compiled where the domain is known, as it runs for every event.
    self.init(
      store, now: now,
      reading: { items, hasKeys, end, room, events in
        ProjectedEvent<Domain.Event>.read(from: &items, hasKeys: hasKeys, upTo: end, &room, into: &events)
      })
  }

  @usableFromInline
  init(
    _ store: EventStore<Domain>, now: @escaping @Sendable () -> Moment,
    reading: @escaping ProjectedEvent<Domain.Event>.Reading
  ) {
    self.store = store
    self.now = now
    self.reading = reading
    store.retirement.withLock { checks in
      checks.removeAll { $0.owner == nil }
      checks.append(
        RetirementCheck(owner: self) { [weak self] history, position in self?.keepStates(at: position, in: history) })
    }
  }

  /// Adds a projection in memory. It serves what was stored of it until ``catchUp()`` or ``follow(pausing:)`` brings it up to date.
  ///
  /// - Parameters:
  ///   - model: The projection.
  ///   - storage: Where its state is besides memory.
  /// - Throws: ``ProjectionError`` for a bad or repeated name, if the journal or the keys of its personal data cannot be read
  ///   now, and if events that it needs are retired: the error names them.
  @inlinable
  public func add<Model: Projection>(
    _ model: Model.Type, storage: ProjectionStorage = .memory
  ) throws(ProjectionError) -> ReadModel<Model> where Model.Domain == Domain {
    // Compiled where the projection is known, as it runs for every event.
    try add(model, storage: storage, folding: { events, state in ReadModel<Model>.fold(events, into: &state) })
  }

  @usableFromInline
  func add<Model: Projection>(
    _ model: Model.Type, storage: ProjectionStorage, folding: @escaping ReadModel<Model>.Folding
  ) throws(ProjectionError) -> ReadModel<Model> where Model.Domain == Domain {
    try add(Model.name) { () throws(ProjectionError) in
      try ReadModel<Model>(
        in: store, try history(for: Model.name), storage: storage, reading: reading, folding: folding, now: now)
    }
  }

  /// Adds a projection into a sink.
  ///
  /// - Throws: ``ProjectionError`` for a bad or repeated name. A sink that cannot be reached is asked again later.
  @inlinable
  public func add<Model: RowProjection>(
    _ model: Model.Type, into sink: Model.Sink
  ) throws(ProjectionError) -> RowModel<Model> where Model.Domain == Domain {
    // As above.
    try add(model, into: sink, writing: { events, rows in RowModel<Model>.write(events, to: &rows) })
  }

  @usableFromInline
  func add<Model: RowProjection>(
    _ model: Model.Type, into sink: Model.Sink, writing: @escaping RowModel<Model>.Writing
  ) throws(ProjectionError) -> RowModel<Model> where Model.Domain == Domain {
    try add(Model.name) { () throws(ProjectionError) in
      RowModel<Model>(in: store, sink, reading: reading, writing: writing, now: now)
    }
  }

  private func add<Member: ProjectionMember<Domain>>(
    _ name: String, _ make: () throws(ProjectionError) -> Member
  ) throws(ProjectionError) -> Member {
    guard name.isSubscriberName else { throw .name(name) }
    // No event is retired between reading where it begins and its being asked.
    return try store.retirement.withLock { (_) throws(ProjectionError) -> Member in
      guard member(name) == nil else { throw .repeated(name) }
      let member = try make()
      members.withLock { $0.append(member) }
      return member
    }
  }

  private func member(_ name: String) -> (any ProjectionMember<Domain>)? {
    members.withLock { $0 }.first { $0.health.name == name }
  }

  private func history(for name: String) throws(ProjectionError) -> History<Domain> {
    try ProjectionError.reading(for: name) { () throws(HistoryError) in try currentHistory() }
  }

  private func currentHistory() throws(HistoryError) -> History<Domain> {
    try History<Domain>(at: store.path, of: store.options.journal, fileSystem: store.fileSystem)
  }

  /// How each is doing, in the order in which they were added. Does not wait for those that take events.
  public var health: [ProjectionHealth] { members.withLock { $0 }.map(\.health) }

  /// Lets all take the events that the store's state includes, and returns how each is doing then. Those that failed try again.
  @discardableResult
  public func catchUp() -> [ProjectionHealth] {
    pass(retrying: true)
    return health
  }

  /// Begins one from the first event again, or where these are retired from what was kept of them, and lets it catch up. Until it
  /// has, the old state or the old rows are served.
  ///
  /// - Throws: ``ProjectionError`` if there is none of this name, or nothing to begin with. Then it goes on as before.
  public func rebuild(_ name: String) throws(ProjectionError) {
    guard let member = member(name) else { throw .unknown(name) }
    // No event is retired between reading where it begins and its beginning there.
    try store.retirement.withLock { (_) throws(ProjectionError) in
      try turn.withLock { (_) throws(ProjectionError) in try member.restart(in: try history(for: name)) }
    }
    pass(retrying: false)
  }

  /// Stores the states of those with checkpoints, so that the next program starts with them. Call it before the store is closed.
  ///
  /// - Throws: ``ProjectionError`` of the first that could not be stored, after all were tried.
  public func save() throws(ProjectionError) {
    try turn.withLock { (_) throws(ProjectionError) in
      var problem: ProjectionError?
      for member in members.withLock({ $0 }) {
        do throws(ProjectionError) {
          try member.save(isDue: false)
        } catch {
          problem = problem ?? error
        }
      }
      if let problem { throw problem }
    }
  }

  /// Lets the members take new events.
  ///
  /// - Parameter retrying: Whether those that failed try again.
  /// - Returns: The event up to which those that did not fail have come.
  @discardableResult
  func pass(retrying: Bool) -> UInt64 {
    turn.withLock { pass(&$0, retrying: retrying) }
  }

  private func pass(_ turn: inout Turn, retrying: Bool) -> UInt64 {
    let end = store.lastSequence
    let members = members.withLock { $0 }
    var active = members.filter { member in
      (retrying || member.health.lastError == nil)
        && member.prepare { () throws(HistoryError) in try currentHistory() } && member.sequence < end
    }
    while let start = active.map(\.sequence).min() {
      do throws(HistoryError) {
        var events = try reader(&turn, after: start)
        var last = start
        while last < end, active.contains(where: { $0.sequence == last }) {
          let place = last
          let batch = try events.next(upTo: end)
          last = events.last
          // One that went back takes them once they come again.
          active.removeAll { $0.sequence >= place && !$0.take(batch) }
        }
        turn.events = consume events
      } catch {
        let place = active.map(\.sequence).min() ?? start
        for member in active where member.sequence == place {
          member.fail(.history(member.health.name, error))
        }
        active.removeAll { $0.sequence == place }
      }
      active.removeAll { $0.sequence >= end }
    }
    for member in members {
      member.settle()
      // Why one could not be stored is in its health.
      try? member.save(isDue: true)
    }
    return end
  }

  /// The events after a position, from the last pass if it ended there.
  private func reader(_ turn: inout Turn, after start: UInt64) throws(HistoryError) -> ProjectedEvents<Domain> {
    if let events = turn.events.take(), events.last == start { return events }
    return try ProjectedEvents(try currentHistory(), after: start, sealing: store.options.sealing, reading: reading)
  }

  /// Brings all to a position whose events are about to be retired, and keeps what they need of them.
  ///
  /// - Returns: Why one of them still needs the events.
  private func keepStates(at position: UInt64, in history: History<Domain>) -> JournalError? {
    turn.withLock { turn in
      _ = pass(&turn, retrying: true)
      for member in members.withLock({ $0 }) {
        do throws(ProjectionError) {
          try member.keepState(at: position, in: history)
        } catch {
          return JournalError(.projection, "the projection \(error.projection) \(error.message)", remedy: error.remedy)
        }
      }
      return nil
    }
  }
}

extension String {
  /// Whether a projection or a subscription, and its files, may have this name.
  var isSubscriberName: Bool {
    (1...63).contains(utf8.count) && !hasPrefix(".")
      && utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
      }
  }
}

extension JournalError.Code {
  /// A projection keeps events from being retired.
  public static let projection = JournalError.Code("projection")
}
