import Journal
import Synchronization

/// A projection whose rows are in a sink, kept up to date by ``Projections``.
public final class RowModel<Model: RowProjection>: ProjectionMember {
  typealias Domain = Model.Domain

  private struct Work: Sendable {
    /// The last event whose rows are in the sink, as far as that is known and they are of this history.
    var position: ProjectionPosition?
    /// Whether ``position`` need not be asked for.
    var isKnown = false
    /// Whether the rows are of another revision, of another history, or unwanted.
    var isRebuilding = false
    var trouble = ProjectionTrouble()
  }

  private let store: EventStore<Model.Domain>
  private let now: @Sendable () -> Moment
  private let sink: Model.Sink
  private let reading: ProjectedEvent<Model.Domain.Event>.Reading
  private let writing: Writing
  private let work = Lock(Work())

  init(
    in store: EventStore<Model.Domain>, _ sink: Model.Sink,
    reading: @escaping ProjectedEvent<Model.Domain.Event>.Reading, writing: @escaping Writing,
    now: @escaping @Sendable () -> Moment
  ) {
    self.store = store
    self.sink = sink
    self.reading = reading
    self.writing = writing
    self.now = now
  }

  /// How the projection is doing.
  public var health: ProjectionHealth {
    work.withLock { work in
      let position = work.position?.sequence
      return ProjectionHealth(
        name: Model.name, position: position, lag: position.map { max(store.lastSequence, $0) - $0 },
        isRebuilding: work.isRebuilding, lastError: work.trouble.error, failingSince: work.trouble.since,
        savingError: nil)
    }
  }

  var sequence: UInt64 { work.withLock { $0.position?.sequence ?? 0 } }

  func prepare(in history: () throws(HistoryError) -> History<Model.Domain>) -> Bool {
    guard !work.withLock({ $0.isKnown }) else { return true }
    do {
      let history = try history()
      let stored = try sink.position(of: Model.name)
      let last = store.lastSequence
      let place = stored ?? (history.firstSequence == 1 ? Self.position(0, chain: 0, history) : nil)
      let isOwn = try place.map { try Self.isOfHistory($0, history, upTo: last) } ?? false
      let own = isOwn ? place : nil
      let isRebuilding = work.withLock { work in
        work.position = own
        work.isRebuilding = work.isRebuilding || own?.revision != Model.revision
        return work.isRebuilding
      }
      if isRebuilding { try rebuild(from: history) }
      work.withLock { work in
        work.isKnown = true
        // Where rows are to be written, what keeps them from it may be there still.
        if let position = work.position, position.sequence >= last { work.trouble.end() }
      }
      return true
    } catch {
      fail(Self.problem(error))
    }
    return false
  }

  private static func isOfHistory(
    _ stored: ProjectionPosition, _ history: History<Model.Domain>, upTo last: UInt64
  ) throws(HistoryError) -> Bool {
    guard stored.sequence <= last else { return false }
    return try history.contains(stored.sequence, chain: stored.chain, of: stored.journal)
  }

  private static func problem(_ error: any Error) -> ProjectionError {
    switch error {
    case let error as ProjectionError: error
    case let error as HistoryError: .history(Model.name, error)
    default: .sink(Model.name, error)
    }
  }

  private static func position(
    _ sequence: UInt64, chain: UInt32, _ history: History<Model.Domain>
  ) -> ProjectionPosition {
    ProjectionPosition(
      sequence: sequence, chain: chain, revision: Model.revision, journal: history.reader.identity.id)
  }

  /// Writes all rows again in one transaction: until it commits, the old ones are served.
  private func rebuild(from history: History<Model.Domain>) throws {
    let last = store.lastSequence
    var event: UInt64?
    var position = Self.position(0, chain: 0, history)
    do {
      try sink.transaction(of: Model.name, after: nil) { rows in
        if history.firstSequence > 1 {
          let start = try history.oldestState(openedBy: store.options.sealing)
          guard try Model.write(start.state, at: start.sequence, to: &rows) else {
            throw ProjectionError.gone(Model.name, upTo: history.firstSequence - 1)
          }
          position = Self.position(start.sequence, chain: start.chain, history)
        }
        var events = try ProjectedEvents(
          history, after: position.sequence, sealing: store.options.sealing, reading: reading)
        while case let batch = try events.next(upTo: last), !batch.isEmpty {
          position = try write(batch[...], to: &rows, after: position, &event)
        }
        return position
      }
    } catch let error where event != nil && !(error is SinkFailure) {
      throw ProjectionError.fold(Model.name, event ?? 0, error)
    }
    work.withLock { work in
      work.position = position
      work.isRebuilding = false
      work.trouble.end()
    }
  }

  /// Writes the rows of events, up to the first that throws.
  @usableFromInline
  typealias Writing =
    @Sendable (ArraySlice<ProjectedEvent<Model.Domain.Event>>, inout Model.Sink.Rows) -> FoldFailure?

  @inlinable
  static func write(
    _ events: ArraySlice<ProjectedEvent<Model.Domain.Event>>, to rows: inout Model.Sink.Rows
  ) -> FoldFailure? {
    for index in events.indices {
      guard let event = events[index].event else { continue }
      do {
        try Model.write(event, to: &rows, events[index].context)
      } catch {
        return FoldFailure(index: index, sequence: events[index].context.sequence, error: error)
      }
    }
    return nil
  }

  /// Writes the rows of events.
  ///
  /// - Parameter failing: The event that could not be written.
  /// - Returns: The position after them.
  private func write(
    _ events: ArraySlice<ProjectedEvent<Model.Domain.Event>>, to rows: inout Model.Sink.Rows,
    after position: ProjectionPosition, _ failing: inout UInt64?
  ) throws -> ProjectionPosition {
    if let failure = writing(events, &rows) {
      failing = failure.sequence
      throw failure.error
    }
    var position = position
    if let last = events.last { (position.sequence, position.chain) = (last.context.sequence, last.chain) }
    return position
  }

  func take(_ events: [ProjectedEvent<Model.Domain.Event>]) -> Bool {
    guard let position = work.withLock({ $0.position }) else { return false }
    let fresh = events.drop { $0.context.sequence <= position.sequence }
    guard let error = write(fresh, after: position) else { return true }
    if let event = error.event, let place = fresh.firstIndex(where: { $0.context.sequence == event }) {
      // Those before it are sound; what the sink says of them comes first.
      if let other = write(fresh[..<place], after: position) {
        fail(other)
        return false
      }
    }
    fail(error)
    return false
  }

  /// Writes events in a transaction of their own.
  private func write(
    _ events: ArraySlice<ProjectedEvent<Model.Domain.Event>>, after position: ProjectionPosition
  ) -> ProjectionError? {
    guard !events.isEmpty else { return nil }
    var event: UInt64?
    var after = position
    do {
      try sink.transaction(of: Model.name, after: position) { rows in
        after = try write(events, to: &rows, after: position, &event)
        return after
      }
    } catch {
      if let event, !(error is SinkFailure) { return .fold(Model.name, event, error) }
      // Whether a transaction was committed whose answer did not arrive, only the sink knows.
      work.withLock { $0.isKnown = false }
      return .sink(Model.name, error)
    }
    work.withLock { work in
      work.position = after
      work.trouble.end()
    }
    return nil
  }

  func fail(_ error: ProjectionError) {
    let now = now()
    work.withLock { $0.trouble.begin(error, at: now) }
  }

  func restart(in history: History<Model.Domain>) throws(ProjectionError) {
    do {
      try rebuild(from: history)
      work.withLock { $0.isKnown = true }
    } catch {
      let problem = Self.problem(error)
      if problem.code == .gone { throw problem }
      work.withLock { work in
        work.isKnown = false
        work.isRebuilding = true
      }
      fail(problem)
    }
  }

  // Rows are served once they are committed.
  func settle() {}

  func save(isDue: Bool) {}

  func keepState(at position: UInt64, in history: History<Model.Domain>) throws(ProjectionError) {
    let health = health
    guard !health.isRebuilding, let sequence = health.position, sequence >= position else {
      throw .behind(Model.name, at: health.position, upTo: position, health.lastError)
    }
  }
}
