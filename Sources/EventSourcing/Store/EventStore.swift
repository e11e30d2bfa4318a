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
/// **Threads.** Everything may be called from any thread. Commands are taken one at a time. ``state`` never waits for
/// a command or for the disk: it is an immutable value, and its lock is held for copying a reference.
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
  @usableFromInline let writer: Mutex<StoreWriter<Machine>>
  @usableFromInline let published: Mutex<Publication<Machine.State>>

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
    published = Mutex(Publication(version))
    writer = Mutex(StoreWriter(version, window: start.window))
  }

  /// The state after everything that was appended. Waits for nobody but a copy of a reference.
  @inlinable public var state: Machine.State { version.state }

  /// The state and its position, which belong together.
  @inlinable public var version: StateVersion<Machine.State> {
    published.withLock { $0.current }.version
  }

  /// The last event that is in the state.
  @inlinable public var lastSequence: UInt64 { version.sequence }
}

/// What readers see, and who waits for more.
@usableFromInline
struct Publication<State: MachineState>: Sendable {
  /// An immutable state behind a reference, so that handing it out copies one pointer.
  @usableFromInline
  final class Snapshot: Sendable {
    @usableFromInline let version: StateVersion<State>

    @inlinable
    init(_ version: StateVersion<State>) { self.version = version }
  }

  @usableFromInline var current: Snapshot
  var isClosed = false
  @usableFromInline var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ version: StateVersion<State>) {
    current = Snapshot(version)
  }
}
