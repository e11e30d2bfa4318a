/// Reads a journal: never locks, never writes, and works on read-only media and while a writer is active.
///
/// ```swift
/// let reader = try JournalReader(path: "Journal")
/// var cursor = try reader.cursor()
/// while let item = try cursor.next() {
///   if case .event(let event) = item { print(event.sequence, event.payload.count) }
/// }
/// ```
///
/// A reader holds the content of the journal's small files at the time it was created; cursors read the segments
/// themselves and see later appends. Memory does not grow with the journal.
public struct JournalReader: Sendable {
  let directory: JournalDirectory
  let catalog: JournalCatalog
  /// Whether whole blocks are verified by their anchors' checksums; tests compare both methods.
  package var readsBlocks = true
  /// Where cursors note what they have read; `nil` if that is not wanted.
  package var coverage: ReadCoverage?

  /// Opens a journal for reading. O(number of segments).
  ///
  /// - Throws: `notAJournal`, `unsupportedFormat`, `inputOutput`; `damaged` only when no file says which journal it
  ///   is, and when the command that writes it has not finished it.
  public init(path: String, fileSystem: any FileSystem = PosixFileSystem()) throws(JournalError) {
    try self.init(path: path, fileSystem: fileSystem, acceptsUnfinished: false)
  }

  /// - Parameter acceptsUnfinished: Whether to read a journal that is not finished, as its own writer does.
  package init(path: String, fileSystem: any FileSystem, acceptsUnfinished: Bool) throws(JournalError) {
    directory = JournalDirectory(path: path, fileSystem: fileSystem)
    catalog = try JournalCatalog(directory)
    if !acceptsUnfinished { try catalog.checkFinished() }
  }

  init(directory: JournalDirectory, catalog: JournalCatalog) {
    self.directory = directory
    self.catalog = catalog
  }

  /// The journal's directory.
  public var path: String { directory.path }

  /// Where the journal's files are read.
  public var fileSystem: any FileSystem { directory.fileSystem }

  /// Returns the same reader with cursors that read through another file system, which must lead to the same files:
  /// for counting reads.
  public func reading(through fileSystem: any FileSystem) -> JournalReader {
    JournalReader(directory: JournalDirectory(path: directory.path, fileSystem: fileSystem), catalog: catalog)
  }

  /// Which journal it is.
  public var identity: JournalIdentity { catalog.identity }

  /// The segments in order.
  public var segments: [JournalSegment] {
    catalog.segments.map {
      JournalSegment(
        file: $0.file, ordinal: $0.header.ordinal, firstSequence: $0.header.firstSequence, chainIn: $0.header.chainIn,
        length: $0.length, predecessorEnd: $0.header.predecessor.end)
    }
  }

  /// The first event that the journal claims to hold: 1, the first after its parent's history, or the first that was
  /// not retired. The segment that held it may be missing. Where `KEPT` cannot be read, the first event that exists.
  public var firstSequence: UInt64 {
    let first = catalog.segments.first?.header.firstSequence
    return catalog.retirementFault == nil ? catalog.firstSequence : first ?? catalog.firstSequence
  }

  /// The last event that HEAD, the last segment's header or a checkpoint says was durable.
  public var durableSequence: UInt64 {
    max(
      catalog.head?.sequence ?? 0, (catalog.segments.last?.header.firstSequence ?? 1) - 1, catalog.claimedSequence)
  }

  /// Whether the journal was closed, and not left open by a crash or by an active writer.
  public var wasClosed: Bool { catalog.wasClosed }

  /// Whether `HEAD` says how far the journal reached.
  var knowsEnd: Bool { catalog.head != nil }

  /// What is wrong with the small files and the headers. Damage inside the segments is found by reading them.
  public var findings: [Finding] { catalog.findings }

  /// Returns a cursor that serves the events after `sequence`, in order.
  ///
  /// - Parameters:
  ///   - sequence: the last event that is not wanted; zero for all events.
  ///   - limit: whether to stop at what is known to be durable.
  ///   - beyondDamage: whether to serve verified events after damage too, and the rest of damaged batches. Otherwise
  ///     the cursor serves whole batches only, and ends for good at the first damage.
  /// - Throws: `inputOutput`, `unsupportedFormat`. A missing segment is a finding, at its place.
  public func cursor(
    after sequence: UInt64 = 0, upTo limit: ReadLimit = .written, beyondDamage: Bool = false
  ) throws(JournalError) -> JournalCursor {
    var index = 0
    for (place, entry) in catalog.segments.enumerated() where entry.header.firstSequence - 1 <= sequence {
      index = place
    }
    let walker = HistoryWalker(directory, catalog, from: index, beyondDamage: beyondDamage, readsBlocks: readsBlocks)
    if sequence > 0, index < catalog.segments.count {
      try SegmentIndex.seek(walker, after: sequence)
    }
    return JournalCursor(
      walker: walker, after: sequence, durable: limit == .durable ? durableSequence : nil, coverage: coverage)
  }

  /// The checkpoints whose header verifies, newest first. Their bodies are verified when they are read.
  public func checkpoints() -> [Checkpoint] {
    catalog.checkpoints.reversed()
  }

  /// Whether a later segment begins at or before the checkpoint's event: the journal was continued after a loss, and
  /// the checkpoint is of a history that was given up. O(number of segments).
  public func isOverruled(_ checkpoint: Checkpoint) -> Bool {
    catalog.isOverruled(ordinal: checkpoint.ordinal, sequence: checkpoint.sequence)
  }

  /// Reads a checkpoint's body and verifies it.
  ///
  /// - Throws: `badCheckpoint` when the file is not what its header says; `inputOutput`.
  public func body(of checkpoint: Checkpoint) throws(JournalError) -> [UInt8] {
    try directory.body(of: checkpoint)
  }
}

extension JournalReader {
  /// Reads a checkpoint's body and verifies it, from the device as far as the system lets a program ask it.
  ///
  /// - Throws: As ``body(of:)``.
  package func bodyOnDevice(of checkpoint: Checkpoint) throws(JournalError) -> [UInt8] {
    try directory.body(of: checkpoint, onDevice: true)
  }
}

extension JournalCatalog {
  /// Whether `JOURNAL` or `HEAD` says that the journal is not finished: one of them may be lost or damaged.
  var isUnfinished: Bool { identity.isUnfinished || headFile.saysUnfinished }

  /// - Throws: `damaged` for a journal that a program has begun and not finished: it holds only what was written so
  ///   far, all of which verifies, and nothing in it shows what is missing.
  func checkFinished() throws(JournalError) {
    guard isUnfinished else { return }
    throw JournalError(
      .damaged, "the command that writes this journal is still at work, or was ended before the journal was complete",
      remedy: "wait for it; if it was ended, remove this journal and run the command again",
      file: identity.isUnfinished ? Format.identityName : Format.headName, offset: identity.isUnfinished ? 20 : 44)
  }
}

extension JournalDirectory {
  /// Reads a checkpoint's body and verifies it; nothing larger than the file is allocated.
  ///
  /// - Parameter onDevice: whether to ask the device for it, not what the system keeps in memory.
  func body(of checkpoint: Checkpoint, onDevice: Bool = false) throws(JournalError) -> [UInt8] {
    func bad(_ why: String) -> JournalError {
      JournalError(
        .badCheckpoint, why, remedy: "use an older checkpoint, or replay the events", file: checkpoint.file,
        sequence: checkpoint.sequence)
    }
    let file = try open(checkpoint.file)
    defer { fileSystem.close(file) }
    if onDevice { fileSystem.forgetCached(file) }
    let start = UInt64(Format.checkpointHeaderSize)
    let size = try size(of: file, checkpoint.file)
    guard size >= start, size - start == checkpoint.bodyLength, let count = Int(exactly: checkpoint.bodyLength) else {
      throw bad("its length is not what its header says")
    }
    let body = try read(file, checkpoint.file, at: start, count: count)
    guard body.count == count, Checksum.crc32(0, body) == checkpoint.bodyChecksum else {
      throw bad("the checksum of its body is wrong")
    }
    return body
  }
}

extension JournalReader {
  /// Which events were retired on purpose; `nil` when none were. Those that are kept begin with its first sequence.
  public var retirement: Retirement? { catalog.retirement }
}
