import Journal
import Synchronization

/// A projection whose state is in memory, kept up to date by ``Projections``.
///
/// All members may be called from any thread; ``state`` and ``withState(_:)`` never wait.
public final class ReadModel<Model: Projection>: ProjectionMember {
  typealias Domain = Model.Domain

  private struct Work: Sendable {
    /// The state that the next event is folded into.
    var version: StateVersion<Model.State>
    /// While it is rebuilt, the position from which on it is served.
    var target: UInt64?
    /// The position that was stored last.
    var saved: UInt64
    /// The position that was to be stored last.
    var attempted: UInt64
    /// Why it was not stored.
    var savingError: ProjectionError?
    var trouble = ProjectionTrouble()
  }

  private let store: EventStore<Model.Domain>
  private let now: @Sendable () -> Moment
  private let storage: ProjectionStorage
  private let reading: ProjectedEvent<Model.Domain.Event>.Reading
  private let folding: Folding
  private let files: ProjectionFiles<Model>
  @usableFromInline let published: PublishedState<Model.State>
  private let work: Lock<Work>

  init(
    in store: EventStore<Model.Domain>, _ history: History<Model.Domain>, storage: ProjectionStorage,
    reading: @escaping ProjectedEvent<Model.Domain.Event>.Reading, folding: @escaping Folding,
    now: @escaping @Sendable () -> Moment
  ) throws(ProjectionError) {
    self.store = store
    self.now = now
    self.storage = storage
    self.reading = reading
    self.folding = folding
    files = ProjectionFiles(
      folder: store.path, fileSystem: store.fileSystem, journal: history.reader.identity.id,
      sealing: store.options.sealing)
    var stored = storage == .memory ? nil : try files.read(.checkpoint)
    if let found = stored, try !files.fits(found, history) { stored = nil }
    if let stored, stored.revision == Model.revision {
      published = PublishedState(stored.version)
      work = Lock(
        Work(version: stored.version, saved: stored.version.sequence, attempted: stored.version.sequence))
      return
    }
    let origin = try files.origin(in: history)
    // The old state is served until the new one has come as far.
    let old = stored.flatMap { $0.version.sequence > origin.sequence ? $0.version : nil }
    published = PublishedState(old ?? origin)
    work = Lock(Work(version: origin, target: old?.sequence, saved: 0, attempted: 0))
  }

  /// What the events up to the projection's position add up to. Returns a copy.
  @inlinable public var state: Model.State { published.current.state }

  /// A consistent pair of state and position.
  @inlinable public var version: StateVersion<Model.State> { published.current }

  /// Passes the state to `body` without copying it. Takes no lock, never waits, allocates nothing.
  @inlinable
  public func withState<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Model.State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try published.current.contents.withState(body)
  }

  /// How the projection is doing.
  public var health: ProjectionHealth {
    work.withLock { work in
      let position = published.current.sequence
      return ProjectionHealth(
        name: Model.name, position: position, lag: max(store.lastSequence, position) - position,
        isRebuilding: work.target != nil, lastError: work.trouble.error, failingSince: work.trouble.since,
        savingError: work.savingError)
    }
  }

  var sequence: UInt64 { work.withLock { $0.version.sequence } }

  func prepare(in history: () throws(HistoryError) -> History<Model.Domain>) -> Bool { true }

  func take(_ events: [ProjectedEvent<Model.Domain.Event>]) -> Bool {
    let start = work.withLock { $0.version }
    let fresh = events.drop { $0.context.sequence <= start.sequence }
    // They are meant for another one, which has not come this far.
    guard !fresh.isEmpty else { return true }
    var (state, failure) = folding(fresh, start.state)
    var taken = fresh
    if let failure {
      // What a fold changed before it threw does not count.
      taken = fresh[..<failure.index]
      let again = folding(taken, start.state)
      // Rules that depend on more than their arguments have no state that could be trusted.
      (state, taken) = again.failure == nil ? (again.state, taken) : (start.state, [])
    }
    let now = now()
    work.withLock { work in
      if let last = taken.last {
        work.version = StateVersion(state: state, sequence: last.context.sequence, chain: last.chain)
        serve(&work)
        work.trouble.end()
      }
      if let failure { work.trouble.begin(.fold(Model.name, failure.sequence, failure.error), at: now) }
    }
    return failure == nil
  }

  /// Folds events up to the first that throws.
  @usableFromInline
  typealias Folding =
    @Sendable (ArraySlice<ProjectedEvent<Model.Domain.Event>>, Model.State) -> (
      state: Model.State, failure: FoldFailure?
    )

  @inlinable
  static func fold(
    _ events: ArraySlice<ProjectedEvent<Model.Domain.Event>>, into start: Model.State
  ) -> (state: Model.State, failure: FoldFailure?) {
    var state = start
    for index in events.indices {
      guard let event = events[index].event else { continue }
      do {
        try Model.fold(event, into: &state, events[index].context)
      } catch {
        return (state, FoldFailure(index: index, sequence: events[index].context.sequence, error: error))
      }
    }
    return (state, nil)
  }

  /// Serves the state of the last event taken, unless the one served now is of a later one.
  private func serve(_ work: inout Work) {
    if let target = work.target, work.version.sequence < target { return }
    work.target = nil
    published.publish(work.version)
  }

  func fail(_ error: ProjectionError) {
    let now = now()
    work.withLock { $0.trouble.begin(error, at: now) }
  }

  func restart(in history: History<Model.Domain>) throws(ProjectionError) {
    let origin = try files.origin(in: history)
    work.withLock { work in
      work.version = origin
      work.target = published.current.sequence
      (work.saved, work.attempted) = (0, 0)
      work.trouble.end()
      serve(&work)
    }
  }

  func save(isDue: Bool) throws(ProjectionError) {
    guard case .checkpoints(let interval) = storage else { return }
    let (version, last, isRebuilding) = work.withLock {
      ($0.version, isDue ? $0.attempted : $0.saved, $0.target != nil)
    }
    let count = version.sequence - min(version.sequence, last)
    guard !isRebuilding, count >= (isDue ? max(interval, 1) : 1) else { return }
    do throws(ProjectionError) {
      try files.write(version, to: .checkpoint)
    } catch {
      // Encoding it again with each event would cost more than it is worth.
      work.withLock { ($0.attempted, $0.savingError) = (version.sequence, error) }
      throw error
    }
    work.withLock { ($0.saved, $0.attempted, $0.savingError) = (version.sequence, version.sequence, nil) }
  }

  func keepState(at position: UInt64, in history: History<Model.Domain>) throws(ProjectionError) {
    var version = try newestState(notAfter: position, in: history)
    var obstacle: ProjectionError?
    do throws(HistoryError) {
      var events = try ProjectedEvents(
        history, after: version.sequence, sealing: store.options.sealing, reading: reading)
      while version.sequence < position, obstacle == nil {
        let batch = try events.next(upTo: position)
        guard let last = batch.last else { break }
        let (state, failure) = folding(batch[...], version.state)
        obstacle = failure.map { .fold(Model.name, $0.sequence, $0.error) }
        version = StateVersion(state: state, sequence: last.context.sequence, chain: last.chain)
      }
    } catch {
      obstacle = .history(Model.name, error)
    }
    if let obstacle { throw .behind(Model.name, at: self.version.sequence, upTo: position, obstacle) }
    try files.keep(version)
  }

  /// The newest state of these rules at or before a position, from which the state there is folded; where none is left, today's.
  private func newestState(
    notAfter position: UInt64, in history: History<Model.Domain>
  ) throws(ProjectionError) -> StateVersion<Model.State> {
    let current = work.withLock { $0.version }
    if current.sequence <= position { return current }
    if storage != .memory, let stored = try files.read(.checkpoint), stored.version.sequence <= position,
      stored.revision == Model.revision, try files.fits(stored, history)
    {
      return stored.version
    }
    do throws(ProjectionError) {
      return try files.origin(in: history)
    } catch  where error.code == .gone {
      // A rebuilding then begins later, and still with a state of these rules.
      return current
    }
  }
}

/// Where a fold threw.
@usableFromInline
struct FoldFailure {
  let index: Int
  let sequence: UInt64
  let error: any Error

  @usableFromInline
  init(index: Int, sequence: UInt64, error: any Error) {
    self.index = index
    self.sequence = sequence
    self.error = error
  }
}
