import Synchronization

/// A journal open for writing: durable, ordered bytes, appended in batches that enter together or not at all.
///
/// ```swift
/// let journal = try Journal.create(at: "Journal", id: id, createdNanoseconds: now)
/// var batch = JournalBatch()
/// try batch.append(payload: bytes, label: now)
/// let numbers = try journal.append(&batch)  // durable when this returns
/// try journal.close()
/// ```
///
/// There is one writer per journal, in this process or any other; it may be used from many threads at once, and threads
/// that wait at the same time share one sync. Tasks use ``submit(_:expecting:)``. Events are numbered from 1 without
/// gaps. What a payload means is not the journal's business.
///
/// An error from ``append(_:expecting:)`` means that the batch is not in the history, except for `poisoned`, whose
/// message says that it is unknown. A journal that is dropped without ``close()`` is left as by a crash: nothing that
/// was acknowledged is lost.
public final class Journal: Sendable {
  /// Which journal it is.
  public let identity: JournalIdentity
  /// What was found when it was opened.
  public let recovery: RecoveryReport

  let directory: JournalDirectory
  let options: JournalOptions
  // Lock order: `turn`, had by the one thread that syncs for all who wait, then `head`, held while syncing and while
  // segments change, then `core`, held while appending.
  let turn = SyncTurn()
  let head: Mutex<HeadWriter>
  let core: Lock<WriterCore>
  private let durable: Atomic<UInt64>
  /// The newest event whose writer waits for it to be durable: no answer that rests on it is given before. Everything,
  /// once the device failed for good. Changed under the lock of `core`.
  let due: Atomic<UInt64>
  private let lock: Mutex<WriterLock?>
  /// Held while checkpoints are put in place and segments are removed from the front, which happens beside everything
  /// else, but not once others may write. Before the other locks. Guards the events of the checkpoints whose names this
  /// writer has made durable; never iterated.
  let upkeep = Mutex<Set<UInt64>>([])
  let background: BackgroundThread
  /// Whether a sync is planned for what nobody waits for.
  let isSyncPlanned = Atomic(false)
  let submissions = Mutex(SubmissionQueue())
  /// What its small files and headers said when it was opened, until ``takeReader()``; `nil` where opening it changed more
  /// than HEAD.
  private let found: Mutex<JournalCatalog?>

  init(
    _ directory: JournalDirectory, identity: JournalIdentity, options: JournalOptions,
    core: consuming sending WriterCore, head: sending HeadWriter, lock: WriterLock, recovery: RecoveryReport,
    found: JournalCatalog? = nil
  ) {
    self.directory = directory
    self.identity = identity
    self.options = options
    self.recovery = recovery
    self.found = Mutex(found)
    durable = Atomic(core.durableSequence)
    due = Atomic(core.sequence)
    self.core = Lock(core)
    self.head = Mutex(head)
    self.lock = Mutex(lock)
    background = BackgroundThread(directory.fileSystem)
  }

  deinit {
    background.stop()
    releaseFiles()
  }

  /// The journal's identity.
  public var id: JournalID { identity.id }

  /// The last event that was appended; zero before the first. It may not be durable yet.
  public var lastSequence: UInt64 { core.withLock { $0.sequence } }

  /// The chain value after the last event.
  public var lastChain: UInt32 { core.withLock { $0.chain } }

  /// The last event that is durable.
  public var durableSequence: UInt64 { durable.load(ordering: .acquiring) }

  /// Whether it takes more: it was not closed, and its device has not failed for good.
  package var isUsable: Bool { core.withLock { !$0.isClosed && $0.failure == nil } }

  /// A reader of the journal as it was found, which reads none of its small files and headers again: once, for whoever has
  /// just opened it. `nil` where opening it changed more than HEAD, or found something to say.
  package func takeReader() -> JournalReader? {
    found.withLock { found in
      defer { found = nil }
      return found.map { JournalReader(directory: directory, catalog: $0) }
    }
  }

  /// Appends a batch and returns the numbers of its events, when ``SyncPolicy`` is met. The batch is empty afterwards.
  ///
  /// - Parameters:
  ///   - batch: at least one event. It keeps its events when the append fails.
  ///   - expected: the last event that the caller has seen; `nil` appends behind whatever is there.
  /// - Throws: `emptyBatch`, `conflict`, `noSpace`, `inputOutput`, `closed`: the batch is not in the history.
  ///   `poisoned`: the device failed, and it is unknown.
  @discardableResult
  public func append(_ batch: inout JournalBatch, expecting expected: UInt64? = nil) throws(JournalError)
    -> ClosedRange<UInt64>
  {
    let written = try put(batch, expecting: expected)
    try waitUntilAcknowledged(written)
    batch.removeAll()
    return written.events
  }

  /// Writes a batch without waiting for anything, for whoever has more to do before ``waitUntilAcknowledged(_:)``. The
  /// batch is empty afterwards.
  ///
  /// - Throws: `emptyBatch`, `conflict`, `noSpace`, `inputOutput`, `closed`: the batch is not in the history, and keeps
  ///   its events. `poisoned`: the device failed before.
  public func write(_ batch: inout JournalBatch, expecting expected: UInt64? = nil) throws(JournalError)
    -> WrittenBatch
  {
    let written = try put(batch, expecting: expected)
    batch.removeAll()
    return written
  }

  /// Writes several batches with one call, all of them or none.
  ///
  /// - Returns: what was written, and the chain values behind all batches but the last.
  package func writeTrain(
    _ batches: inout JournalBatch, expecting expected: UInt64
  ) throws(JournalError) -> (WrittenBatch, innerChains: [UInt32]) {
    let written = try put(batches, expecting: expected)
    let chains = batches.innerChains
    batches.removeAll()
    return (written, chains)
  }

  func put(_ batch: borrowing JournalBatch, expecting expected: UInt64?) throws(JournalError) -> WrittenBatch {
    guard !batch.isEmpty else {
      throw JournalError(.emptyBatch, "the batch has no event", remedy: "append events to it first")
    }
    while true {
      let attempt: WriterCore.Attempt
      do throws(JournalError) {
        attempt = try core.withLock { (core) throws(JournalError) in
          let attempt = try core.write(batch, expecting: expected)
          if case .written(let written) = attempt, written.isSyncDue {
            due.store(written.events.upperBound, ordering: .releasing)
          }
          return attempt
        }
      } catch {
        try settleRefusal()
        throw error
      }
      switch attempt {
      case .needsSegment:
        try head.withLock { (head) throws(JournalError) in
          try core.withLock { (core) throws(JournalError) in try advance(&core, &head, room: batch.encodedLength) }
        }
      case .written(let written):
        // Also where one is due: whether whoever wrote this waits for it is not known here.
        if case .interval(let nanoseconds) = options.syncPolicy { planSync(after: nanoseconds) }
        return written
      }
    }
  }

  /// Returns when a batch is acknowledged, that is when ``SyncPolicy`` is met.
  ///
  /// - Throws: `poisoned`: the device failed, and whether the batch is in the history is unknown.
  public func waitUntilAcknowledged(_ batch: WrittenBatch) throws(JournalError) {
    try waitUntilAcknowledged(upTo: batch.events.upperBound)
  }

  /// Returns when everything up to an event that was written is acknowledged: for answers that rest on it. Where some of
  /// it has to be durable for that, it is; the rest only has to be written, on a device that has not failed.
  ///
  /// - Throws: `poisoned`: the device failed, and whether the event is in the history is unknown.
  public func waitUntilAcknowledged(upTo sequence: UInt64) throws(JournalError) {
    try makeDurable(min(sequence, due.load(ordering: .acquiring)))
  }

  /// Makes everything durable that was appended before.
  public func sync() throws(JournalError) {
    let last = try core.withLock { (core) throws(JournalError) in
      try core.checkUsable()
      return core.sequence
    }
    try makeDurable(last)
  }

  /// Makes everything durable, gives reserved space back, notes that the end is the end, and lets others write.
  ///
  /// Closing a closed journal does nothing. After an error the journal is as after a crash, and is closed too.
  public func close() throws(JournalError) {
    defer {
      background.stop()
      releaseFiles()
    }
    try head.withLock { (head) throws(JournalError) in
      try core.withLock { (core) throws(JournalError) in
        guard !core.isClosed else { return }
        defer { core.isClosed = true }
        try core.checkUsable()
        try endSegment(&core, &head)
        try head.noteClosed(core)
      }
    }
  }

  private func releaseFiles() {
    head.withLock { head in
      core.withLock { core in
        core.isClosed = true
        if let segment = core.segment { directory.fileSystem.close(segment.file) }
        core.segment = nil
      }
      if let file = head.file { directory.fileSystem.close(file) }
      head.file = nil
    }
    // Whoever is at work on a file that others may write ends first, and whoever comes later is told that it is closed.
    upkeep.withLock { _ in lock.withLock { $0 = nil } }
  }

  /// Publishes how far the journal is durable.
  func publish(durable sequence: UInt64) {
    if sequence > durable.load(ordering: .relaxed) { durable.store(sequence, ordering: .releasing) }
  }
}
