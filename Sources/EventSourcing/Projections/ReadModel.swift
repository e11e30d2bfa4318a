import Journal
import Synchronization

/// A projection whose state is in memory, kept up to date by ``Projections``.
///
/// All members may be called from any thread; ``state`` and ``withState(_:)`` never wait.
public final class ReadModel<Model: Projection>: ProjectionMember {
  typealias Domain = Model.Domain

  /// What only the one that lets it take events uses.
  private struct Course: Sendable {
    /// The state that the next event is folded into. Nothing shares it between two events, so that a fold copies nothing.
    var state: Model.State
    var sequence: UInt64
    var chain: UInt32
    /// The newest state that no event after it can spoil, from which events are folded again once one has thrown.
    var sound: StateVersion<Model.State>
    /// The event that threw, while those before it are folded again.
    var obstacle: FoldFailure?
    /// Number of events after which the state is sound next. What is folded after that copies the parts that it changes.
    var stretch: UInt64

    init(_ start: StateVersion<Model.State>) {
      (state, sequence, chain, sound) = (start.state, start.sequence, start.chain, start)
      stretch = Self.stretches.lowerBound
    }

    /// The least and the most events between two sound states of one pass.
    static var stretches: ClosedRange<UInt64> { 1 << 12...1 << 18 }
  }

  /// What ``health`` shows, and what is stored.
  private struct Work: Sendable {
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
  private let course: Lock<Course>
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
      course = Lock(Course(stored.version))
      work = Lock(Work(saved: stored.version.sequence, attempted: stored.version.sequence))
      return
    }
    let origin = try files.origin(in: history)
    // The old state is served until the new one has come as far.
    let old = stored.flatMap { $0.version.sequence > origin.sequence ? $0.version : nil }
    published = PublishedState(old ?? origin)
    course = Lock(Course(origin))
    work = Lock(Work(target: old?.sequence, saved: 0, attempted: 0))
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

  var sequence: UInt64 { course.withLock { $0.sequence } }

  func prepare(in history: () throws(HistoryError) -> History<Model.Domain>) -> Bool {
    course.withLock { course in
      course.obstacle = nil
      course.stretch = Course.stretches.lowerBound
    }
    return true
  }

  func take(_ events: [ProjectedEvent<Model.Domain.Event>]) -> Bool {
    course.withLock { take(events, &$0) }
  }

  private func take(_ events: [ProjectedEvent<Model.Domain.Event>], _ course: inout Course) -> Bool {
    let fresh = events.drop { $0.context.sequence <= course.sequence }
    let sound = course.sound.sequence
    let obstacle = course.obstacle
    let taken = obstacle.map { obstacle in fresh.prefix { $0.context.sequence < obstacle.sequence } } ?? fresh
    if let failure = folding(taken, &course.state) {
      // What a fold changed before it threw does not count.
      let isNext = course.sequence == sound && failure.index == taken.startIndex
      (course.state, course.sequence) = (course.sound.state, sound)
      // Those before it are read and folded again. Rules that depend on more than their arguments, and throw then, have no later
      // state that could be trusted.
      guard isNext || obstacle != nil else {
        course.obstacle = failure
        return true
      }
      return stop(at: failure, &course)
    }
    // They are meant for another one, which has not come this far, or the first of them threw.
    if let last = taken.last {
      course.sequence = last.context.sequence
      course.chain = last.chain
      work.withLock { $0.trouble.end() }
    }
    if let obstacle, taken.endIndex < fresh.endIndex { return stop(at: obstacle, &course) }
    if course.sequence - sound >= course.stretch {
      settle(&course)
      course.stretch = min(2 * course.stretch, Course.stretches.upperBound)
    }
    return true
  }

  /// Stays before an event that threw.
  private func stop(at failure: FoldFailure, _ course: inout Course) -> Bool {
    course.obstacle = nil
    settle(&course)
    fail(.fold(Model.name, failure.sequence, failure.error))
    return false
  }

  /// Folds events up to the first that throws, which leaves the state half changed.
  @usableFromInline
  typealias Folding =
    @Sendable (ArraySlice<ProjectedEvent<Model.Domain.Event>>, inout Model.State) -> FoldFailure?

  @inlinable
  static func fold(
    _ events: ArraySlice<ProjectedEvent<Model.Domain.Event>>, into state: inout Model.State
  ) -> FoldFailure? {
    for index in events.indices {
      guard let event = events[index].event else { continue }
      do {
        try Model.fold(event, into: &state, events[index].context)
      } catch {
        return FoldFailure(index: index, sequence: events[index].context.sequence, error: error)
      }
    }
    return nil
  }

  func settle() { course.withLock { settle(&$0) } }

  /// Keeps the state as it is now, and serves it unless the one served now is of a later event.
  private func settle(_ course: inout Course) {
    guard course.sequence > course.sound.sequence else { return }
    course.sound = StateVersion(state: course.state, sequence: course.sequence, chain: course.chain)
    serve(course.sound)
  }

  private func serve(_ version: StateVersion<Model.State>) {
    let isServed = work.withLock { work in
      if let target = work.target, version.sequence < target { return false }
      work.target = nil
      published.publish(version)
      return true
    }
    // Letting go of large states takes time, and ``health`` waits for none.
    if isServed { published.dropEarlier() }
  }

  func fail(_ error: ProjectionError) {
    let now = now()
    work.withLock { $0.trouble.begin(error, at: now) }
  }

  func restart(in history: History<Model.Domain>) throws(ProjectionError) {
    let origin = try files.origin(in: history)
    course.withLock { $0 = Course(origin) }
    work.withLock { work in
      work.target = published.current.sequence
      (work.saved, work.attempted) = (0, 0)
      work.trouble.end()
    }
    serve(origin)
  }

  func save(isDue: Bool) throws(ProjectionError) {
    guard case .checkpoints(let interval) = storage else { return }
    let version = course.withLock { $0.sound }
    let (last, isRebuilding) = work.withLock { (isDue ? $0.attempted : $0.saved, $0.target != nil) }
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
    let start = try newestState(notAfter: position, in: history)
    var (state, sequence, chain) = (start.state, start.sequence, start.chain)
    var obstacle: ProjectionError?
    do throws(HistoryError) {
      var events = try ProjectedEvents(history, after: sequence, sealing: store.options.sealing, reading: reading)
      while sequence < position, obstacle == nil {
        let batch = try events.next(upTo: position)
        guard let last = batch.last else { break }
        obstacle = folding(batch[...], &state).map { .fold(Model.name, $0.sequence, $0.error) }
        (sequence, chain) = (last.context.sequence, last.chain)
      }
    } catch {
      obstacle = .history(Model.name, error)
    }
    if let obstacle { throw .behind(Model.name, at: self.sequence, upTo: position, obstacle) }
    try files.keep(StateVersion(state: state, sequence: sequence, chain: chain))
  }

  /// The newest state of these rules at or before a position, from which the state there is folded; where none is left, today's.
  private func newestState(
    notAfter position: UInt64, in history: History<Model.Domain>
  ) throws(ProjectionError) -> StateVersion<Model.State> {
    let current = course.withLock { $0.sound }
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
struct FoldFailure: Sendable {
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
