import Journal

/// The current state of a journal that another process writes, for readers such as an app's extensions.
///
/// ```swift
/// let follower = try StateFollower<Book>(at: path)
/// let updates = Task { try await follower.follow() }
/// follower.withState { $0.cents }  // never waits
/// ```
///
/// It takes no lock and writes nothing. ``state`` includes what it has read of the journal so far: call ``update()`` to read
/// on, or leave that to ``follow(_:)``.
///
/// **Threads.** All members may be called from any thread. ``state`` and ``withState(_:)`` never wait, as those of an
/// ``EventStore``.
public final class StateFollower<Machine: Reducer>: Sendable {
  /// The journal.
  public let identity: JournalIdentity

  private let path: String
  private let fileSystem: any FileSystem
  private let limit: ReadLimit
  private let sealing: Sealing?
  @usableFromInline let published: PublishedState<Machine.State>
  private let place: Lock<Place>

  /// Where the journal has been read to.
  private struct Place: ~Copyable {
    var replay: Replay<Machine>
    var items: JournalItems
    /// The segment that the last event is in. Another one may have been begun by another program.
    var file: String?
  }

  /// Reads the journal's current state, from its newest usable checkpoint on.
  ///
  /// - Parameters:
  ///   - path: The journal's directory.
  ///   - limit: Whether to include events only once they are known to be durable, so that no power cut undoes what was seen.
  ///   - sealing: Opens sealed data in the state; without it, people whose data is sealed have no names.
  ///   - fileSystem: The file system that holds the journal.
  /// - Throws: ``HistoryError``, as ``History/state(at:)``.
  public init(
    at path: String, upTo limit: ReadLimit = .durable, sealing: Sealing? = nil,
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws(HistoryError) {
    self.path = path
    self.fileSystem = fileSystem
    self.limit = limit
    self.sealing = sealing
    let history = try History<Machine>(at: path, fileSystem: fileSystem)
    identity = history.reader.identity
    var place = try Self.beginning(history, limit, sealing)
    try Self.readOn(&place, sealing)
    published = PublishedState(Self.version(place.replay))
    self.place = Lock(place)
  }

  /// The state after everything read so far. Never waits. Returns a copy.
  @inlinable public var state: Machine.State { published.current.state }

  /// A consistent pair of state and position.
  @inlinable public var version: StateVersion<Machine.State> { published.current }

  /// The last event included in the state.
  @inlinable public var lastSequence: UInt64 { published.current.sequence }

  /// Passes the state to `body` without copying it. Takes no lock, never waits, allocates nothing.
  @inlinable
  public func withState<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Machine.State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try published.current.contents.withState(body)
  }

  /// Reads what has come since.
  ///
  /// Goes on where it stopped; where that is not possible, as when events were retired that it had not read, it computes the
  /// state again.
  ///
  /// - Returns: Whether there is a later state.
  /// - Throws: ``HistoryError``; ``state`` stays what it was, and a later call may succeed. ``HistoryError/journal(_:)`` with
  ///   `conflict` where another journal has taken the place of this one: begin another follower.
  @discardableResult
  public func update() throws(HistoryError) -> Bool {
    try place.withLock { (place) throws(HistoryError) -> Bool in
      do throws(HistoryError) {
        try readOn(&place)
      } catch {
        // Whatever stopped the cursor, the files may be read from the beginning; if not, that says why.
        place = try begin()
        try readOn(&place)
      }
      guard place.replay.sequence != published.current.sequence else { return false }
      published.publish(Self.version(place.replay))
      return true
    }
  }

  /// Notices changes of the journal from this moment on: call it before ``update()``.
  public func changes() throws(HistoryError) -> JournalChanges {
    try History<Machine>(at: path, fileSystem: fileSystem).reader.changes()
  }

  /// Reads what comes, until the task is cancelled. Blocks no thread while it waits.
  ///
  /// - Parameter body: Called after each change of ``state``.
  /// - Throws: As ``update()``; call again to go on.
  public func follow(_ body: @Sendable () -> Void = {}) async throws(HistoryError) {
    let changes = try changes()
    repeat {
      if try update() { body() }
    } while await changes.change()
  }

  // MARK: Reading

  private static func version(_ replay: Replay<Machine>) -> StateVersion<Machine.State> {
    StateVersion(state: replay.state, sequence: replay.sequence, chain: replay.chain)
  }

  private func begin() throws(HistoryError) -> Place {
    let history = try History<Machine>(at: path, fileSystem: fileSystem)
    guard history.reader.identity.id == identity.id else {
      throw .journal(
        JournalError(
          .conflict,
          "the journal was replaced: it is journal \(history.reader.identity.id) now, and was \(identity.id)",
          remedy: "follow the new one", file: path))
    }
    return try Self.beginning(history, limit, sealing)
  }

  /// Begins with the newest usable checkpoint.
  private static func beginning(
    _ history: History<Machine>, _ limit: ReadLimit, _ sealing: Sealing?
  ) throws(HistoryError) -> Place {
    var replay = try history.startingPoint(notAfter: nil).replay
    try sealing?.open(&replay.state, domain: Machine.Event.domain)
    let items = try JournalItems(history.reader, after: replay.sequence, upTo: limit, beyondDamage: true)
    return Place(replay: replay, items: items)
  }

  /// Folds what is there. Where another segment begins, looks again at the programs that wrote the journal: one of them may
  /// have a state that this program must not go on from.
  private func readOn(_ place: inout Place) throws(HistoryError) {
    let file = place.file
    try Self.readOn(&place, sealing)
    guard place.file != file, file != nil else { return }
    let history = try History<Machine>(at: path, fileSystem: fileSystem)
    guard let (first, _) = history.writers.unknownSlice, first <= place.replay.sequence else {
      place.replay = history.bounded(place.replay)
      return
    }
    throw place.replay.beyondBarrier(place.replay.sequence)
  }

  private static func readOn(_ place: inout Place, _ sealing: Sealing?) throws(HistoryError) {
    while let item = try place.items.nextInOrder() {
      switch item {
      case .finding(let finding):
        if finding.losesEvents, place.items.lastLost == nil {
          throw .damaged(lastDerivable: place.replay.sequence, finding)
        }
        if let lost = place.items.lastLost { try place.replay.fold(lost) }
      case .event(let event):
        let record = RecordedEvent<Machine.Event>(event)
        try place.replay.fold(
          try sealing.map { (sealing) throws(HistoryError) in try record.opened(by: sealing) } ?? record)
        if place.file != event.file { place.file = event.file }
      }
    }
  }
}
