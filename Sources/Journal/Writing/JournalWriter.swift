import Synchronization

/// A journal open for writing: durable, ordered bytes, appended in batches that enter together or not at all.
///
/// ```swift
/// let journal = try JournalWriter.create(at: "Journal", id: id, createdNanoseconds: now)
/// var batch = JournalBatch()
/// try batch.append(payload: bytes, label: now)
/// let numbers = try journal.append(&batch)  // durable when this returns
/// try journal.close()
/// ```
///
/// A journal has one writer, in this process or any other. Many threads may use it at once, and threads that wait at
/// the same time share one sync. Tasks use ``submit(_:expecting:)``. Events are numbered from 1 without gaps. The
/// journal does not interpret payloads.
///
/// An error from ``append(_:expecting:)`` means that the batch is not in the history, except for `poisoned`, whose
/// message says that this is unknown. Dropping a journal without ``close()`` leaves it as a crash would: nothing that
/// was acknowledged is lost.
public final class JournalWriter: Sendable {
  /// Which journal it is.
  public let identity: JournalIdentity
  /// What opening the journal found.
  public let recovery: RecoveryReport

  let directory: JournalDirectory
  let options: JournalOptions
  // Lock order: `turn`, which the one thread that syncs for all waiting threads has, then `head`, held while syncing
  // and while segments change, then `core`, held while appending.
  let turn = SyncLeader()
  let head: Mutex<HeadWriter>
  let core: Lock<WriterCore>
  private let durable: Atomic<UInt64>
  /// The newest event whose writer waits for it to be durable: no answer that rests on it is returned earlier. All
  /// events, once the device has failed for good. Changed under the lock of `core`.
  let due: Atomic<UInt64>
  private let lock: Mutex<WriterLock?>
  /// Held while checkpoints are installed and segments are removed from the front. That runs beside all other work,
  /// but not once another writer may enter. Taken before the other locks. Guards the events of the checkpoints whose
  /// names this writer has made durable; never iterated.
  let upkeep = Mutex<Set<UInt64>>([])
  let background: BackgroundThread
  /// Whether a sync is planned for events whose writers do not wait.
  let isSyncPlanned = Atomic(false)
  let submissions = Mutex(SubmissionQueue())
  /// What its small files and headers said when it was opened, until ``takeReader()``; `nil` where opening changed
  /// more than HEAD.
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

  /// The last appended event; zero before the first. It may not be durable yet.
  public var lastSequence: UInt64 { core.withLock { $0.sequence } }

  /// The chain value after the last event.
  public var lastChain: UInt32 { core.withLock { $0.chain } }

  /// The last event that is durable.
  public var durableSequence: UInt64 { durable.load(ordering: .acquiring) }

  /// Whether the journal accepts events: it is open, and its device has not failed for good.
  package var isUsable: Bool { core.withLock { !$0.isClosed && $0.failure == nil } }

  /// Returns, once, a reader of the journal as it was found, for callers that have just opened it: the reader does
  /// not read the small files and headers again. `nil` where opening changed more than HEAD, or produced a finding.
  package func takeReader() -> JournalReader? {
    found.withLock { found in
      defer { found = nil }
      return found.map { JournalReader(directory: directory, catalog: $0) }
    }
  }

  /// Appends a batch and returns the numbers of its events once ``SyncPolicy`` is met. The batch is empty afterwards.
  ///
  /// - Parameters:
  ///   - batch: at least one event. It keeps its events if the append fails.
  ///   - expected: the last event that the caller has seen; `nil` appends after the current end.
  /// - Throws: `emptyBatch`, `conflict`, `noSpace`, `inputOutput`, `closed`: the batch is not in the history.
  ///   `poisoned`: the device failed, and whether the batch is in the history is unknown.
  @discardableResult
  public func append(_ batch: inout JournalBatch, expecting expected: UInt64? = nil) throws(JournalError)
    -> ClosedRange<UInt64>
  {
    let written = try put(batch, expecting: expected)
    try waitUntilAcknowledged(written)
    batch.removeAll()
    return written.events
  }

  /// Writes a batch without waiting, for callers with more to do before ``waitUntilAcknowledged(_:)``. The batch is
  /// empty afterwards.
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

  /// Writes several batches with one call: all of them or none.
  ///
  /// - Returns: what was written, and the chain values after all batches but the last.
  package func writeTrain(
    _ batches: inout JournalBatch, expecting expected: UInt64
  ) throws(JournalError) -> (WrittenBatch, innerChains: [UInt32]) {
    let written = try put(batches, expecting: expected)
    let chains = batches.innerChains
    batches.removeAll()
    return (written, chains)
  }

  /// Describes the events from the next batch on by another catalogue, or by none where theirs is lost.
  func describe(by catalog: SegmentCatalog?) {
    core.withLock { $0.describe(by: catalog) }
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
        try discardRefused()
        throw error
      }
      switch attempt {
      case .needsSegment:
        try head.withLock { (head) throws(JournalError) in
          try core.withLock { (core) throws(JournalError) in try advance(&core, &head, room: batch.encodedLength) }
        }
      case .written(let written):
        // Even where a sync is due: this cannot tell whether the caller will wait for it.
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

  /// Returns when everything up to a written event is acknowledged, for answers that rest on it. The part whose
  /// writers wait for durability must be durable; the rest only has to be written, on a device that has not failed.
  ///
  /// - Throws: `poisoned`: the device failed, and whether the event is in the history is unknown.
  public func waitUntilAcknowledged(upTo sequence: UInt64) throws(JournalError) {
    try makeDurable(min(sequence, due.load(ordering: .acquiring)))
  }

  /// Makes every event appended so far durable.
  public func sync() throws(JournalError) {
    let last = try core.withLock { (core) throws(JournalError) in
      try core.checkUsable()
      return core.sequence
    }
    try makeDurable(last)
  }

  /// Makes everything durable, releases reserved space, records the end as final, and lets other writers in.
  ///
  /// Closing a closed journal does nothing. After an error the journal is closed too, and left as a crash would leave
  /// it.
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
        try head.recordClosing(core)
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
    // Work on files that the next writer may change finishes first; later work is refused, because the journal is
    // closed.
    upkeep.withLock { _ in lock.withLock { $0 = nil } }
  }

  /// Publishes how far the journal is durable.
  func publish(durable sequence: UInt64) {
    if sequence > durable.load(ordering: .relaxed) { durable.store(sequence, ordering: .releasing) }
  }
}
