import Journal
import Synchronization
import WireFormat

/// The current state of a machine and the only way to change it: commands that become events in a journal.
///
/// ```swift
/// let store = try EventStore<Ledger>.create(at: path, journalID: id, createdNanoseconds: now)
/// try store.append(.open(account: 1), at: Moment(wallNanoseconds: now))
/// store.state.accounts.count  // 1: already durable and visible to all threads
/// ```
///
/// **Order.** A command is decided in the state produced by all earlier commands. Its events are appended as one atomic
/// batch and are durable under the journal's sync policy before the new state becomes visible.
///
/// **Threads.** All members may be called from any thread. Commands are decided one at a time; those waiting for the
/// disk at the same time share one sync. Tasks use
/// ``submit(_:at:expecting:idempotencyKey:cause:attributes:)-(_,_,UInt64?,_,_,_)``, which blocks no thread. ``state`` and
/// ``withState(_:)`` never wait for a command, the disk or a lock: they show an immutable value, never an older one than
/// before.
///
/// When the device fails for good, the journal is *poisoned*: all waiting calls fail, later commands are refused, and
/// ``state`` stays what it was. Unacknowledged events may be in the history; reopening it determines whether they are.
///
/// A store owns its journal: one writer in one process. ``suspend()`` lets others write it, ``resume()`` goes on after them.
public final class EventStore<Machine: Decider>: Sendable {
  /// The longest idempotency key, in bytes.
  @inlinable public static var maximumKeyLength: Int { IdempotencyWindow.maximumKeyLength }
  /// Number of commands with a key that are recognised when repeated: the newest ones.
  public static var recognizedCommandCount: Int { IdempotencyWindow.capacity }

  /// What opening the store did.
  public let opening: OpeningReport
  /// The journal; another writer of it after each ``resume()``. Appending to it directly is a caller's bug; the store
  /// refuses the next command.
  public var journal: JournalWriter { current.withLock { $0 } }

  /// The writer that ``journal`` shows. Commands use that of ``StoreWriter``, which is the same.
  let current: Mutex<JournalWriter>
  /// The journal's folder.
  package let path: String
  /// What holds it.
  package let fileSystem: any FileSystem
  /// How it was opened.
  @usableFromInline package let options: StoreOptions
  @usableFromInline let writer: Lock<StoreWriter<Machine>>
  @usableFromInline let published: PublishedState<Machine.State>
  @usableFromInline let waiting = Lock(Waiting())
  /// Commands of tasks that are not being decided yet.
  @usableFromInline let submissions = Lock<[Submission]>([])
  /// Held while the file `STREAMS` is written.
  let streams = Lock(UInt64(0))
  /// Asked before events are retired. Held meanwhile, so that none that needs them is added.
  let retirement = Lock<[RetirementCheck<Machine>]>([])

  @usableFromInline
  init(
    _ journal: JournalWriter, at path: String, fileSystem: any FileSystem, options: StoreOptions,
    from start: StartingPoint<Machine>, opening: OpeningReport
  ) {
    current = Mutex(journal)
    self.path = path
    self.fileSystem = fileSystem
    self.options = options
    self.opening = opening
    let version = StateVersion(state: start.replay.state, sequence: start.replay.sequence, chain: start.replay.chain)
    published = PublishedState(version)
    writer = Lock(
      StoreWriter(
        journal, version, window: start.window, lacking: start.replay.leftOut,
        lacksKeys: Self.lacksKeys(start, options), mayRecordKeys: start.mayRecordKeys,
        digestScheme: start.digestScheme, keyframesEvery: options.keyframeInterval))
  }

  /// The state after everything acknowledged under the journal's sync policy; under a policy that does not wait for the
  /// disk, a power cut may undo the latest changes. Never waits. Returns a copy: for a single question, as on a main
  /// thread, ``withState(_:)`` is several times as fast.
  @inlinable public var state: Machine.State { published.current.state }

  /// A consistent pair of state and position.
  @inlinable public var version: StateVersion<Machine.State> {
    published.current
  }

  /// Passes the state after everything appended to `body` without copying it. Takes no lock, never waits, allocates
  /// nothing.
  ///
  /// ```swift
  /// let decision = store.withState { $0.saveTo(.box, account: account, owner: owner) }
  /// ```
  ///
  /// The state passed does not change, whatever is appended meanwhile. `body` may take its time and may itself append.
  @inlinable
  public func withState<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Machine.State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try published.current.contents.withState(body)
  }

  /// The last event included in the state.
  @inlinable public var lastSequence: UInt64 { published.current.sequence }
}

/// Tasks waiting for new events.
@usableFromInline
struct Waiting: Sendable {
  var isClosed = false
  @usableFromInline var continuations: [CheckedContinuation<Void, Never>] = []
}
