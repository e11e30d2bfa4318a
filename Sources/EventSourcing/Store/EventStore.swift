import Journal
import Synchronization
import WireFormat

/// The current state of a machine, and the only way to change it: commands that become events in a journal.
///
/// ```swift
/// let store = try EventStore<Ledger>.create(at: path, journalID: id, createdNanoseconds: now)
/// try store.append(.open(account: 1), at: Moment(wallNanoseconds: now))
/// store.state.accounts.count  // 1: durable already, and visible to everybody
/// ```
///
/// **Order.** A command is decided in the state that all earlier commands led to. Its events are appended as one atomic
/// batch; they are durable under the journal's sync policy before anybody can see the state with them.
///
/// **Threads.** Everything may be called from any thread. Commands are decided one at a time, each in the state that the
/// ones before it led to; those that wait for the disk at the same time share one sync. Tasks use
/// ``submit(_:at:expecting:idempotencyKey:cause:)``, which blocks no thread. ``state`` and ``withState(_:)`` never wait,
/// not for a command, not for the disk and not for a lock: they show an immutable value, and never an older one than
/// before.
///
/// When the device fails for good, the journal is *poisoned*: everybody who waits is told so, commands are refused from
/// then on, and ``state`` stays what it was. What was not acknowledged may be in the history; opening it again finds out.
///
/// A store owns its journal: there is one writer, in one process.
public final class EventStore<Machine: Decider>: Sendable {
  /// How many bytes an idempotency key may have.
  @inlinable public static var maximumKeyLength: Int { IdempotencyWindow.maximumKeyLength }
  /// How many commands with a key are recognised when they come again: the newest ones.
  public static var recognizedCommandCount: Int { IdempotencyWindow.capacity }

  /// What opening did.
  public let opening: OpeningReport
  /// The journal. Appending to it past the store is a caller's bug, and the next command is refused.
  public let journal: Journal

  let path: String
  let fileSystem: any FileSystem
  @usableFromInline let options: StoreOptions
  @usableFromInline let writer: Lock<StoreWriter<Machine>>
  @usableFromInline let published: PublishedState<Machine.State>
  @usableFromInline let waiting = Lock(Waiting())
  /// Commands of tasks that nobody has begun to decide.
  @usableFromInline let submissions = Lock<[Submission]>([])

  @usableFromInline
  init(
    _ journal: Journal, at path: String, fileSystem: any FileSystem, options: StoreOptions,
    from start: StartingPoint<Machine>, opening: OpeningReport
  ) {
    self.journal = journal
    self.path = path
    self.fileSystem = fileSystem
    self.options = options
    self.opening = opening
    let version = StateVersion(state: start.replay.state, sequence: start.replay.sequence, chain: start.replay.chain)
    published = PublishedState(version)
    writer = Lock(StoreWriter(version, window: start.window, keyframesEvery: options.keyframeInterval))
  }

  /// The state after everything that is acknowledged under the journal's sync policy: under one that waits for no disk,
  /// a power cut may take the last of it back. Waits for nobody. A copy: where one question is asked, as on a main thread,
  /// ``withState(_:)`` is several times as fast.
  @inlinable public var state: Machine.State { published.current.state }

  /// The state and its position, which belong together.
  @inlinable public var version: StateVersion<Machine.State> {
    published.current
  }

  /// Looks at the state after everything that was appended, without copying it: takes no lock, waits for nobody, and
  /// allocates nothing.
  ///
  /// ```swift
  /// let decision = store.withState { $0.saveTo(.box, account: account, owner: owner) }
  /// ```
  ///
  /// What `body` sees stays as it is, whatever is appended meanwhile. It may take its time, and may append itself.
  @inlinable
  public func withState<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Machine.State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try published.current.contents.withState(body)
  }

  /// The last event that is in the state.
  @inlinable public var lastSequence: UInt64 { published.current.sequence }
}

/// Who waits for more.
@usableFromInline
struct Waiting: Sendable {
  var isClosed = false
  @usableFromInline var continuations: [CheckedContinuation<Void, Never>] = []
}
