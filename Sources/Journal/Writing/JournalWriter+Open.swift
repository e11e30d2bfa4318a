import PlainText

extension JournalWriter {
  /// Creates a journal and opens it for writing.
  ///
  /// The directory may exist and hold files that are not a journal's. `JOURNAL` is the last file that a journal needs, and is written
  /// before the first segment: a crash leaves a journal without events, or no journal.
  ///
  /// - Parameters:
  ///   - path: the journal's directory; its parent must exist.
  ///   - id: sixteen bytes that identify no other journal, from a good source of random numbers.
  ///   - createdNanoseconds: nanoseconds since 1970-01-01T00:00:00Z; kept for people.
  ///   - parent: the place in the parent journal whose history this one continues; `nil` to begin with event 1.
  ///   - options: how to write.
  ///   - fileSystem: the operating system's, except in tests.
  /// - Throws: `alreadyExists`; `damaged` where only other files of a journal are left, which may prove what it held;
  ///   `locked`, `noSpace`, `inputOutput`.
  public static func create(
    at path: String, id: JournalID, createdNanoseconds: Int64, parent: JournalIdentity.Parent? = nil,
    options: JournalOptions = JournalOptions(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws(JournalError) -> JournalWriter {
    let identity = JournalIdentity(
      id: id, createdNanoseconds: createdNanoseconds, parent: parent, keepsHistoryDigest: options.historyDigest,
      domain: options.domain?.name, isUnfinished: options.isUnfinished)
    return try create(at: path, identity, options: options, fileSystem: fileSystem)
  }

  /// Creates a journal whose `JOURNAL` file gets exactly this identity.
  static func create(
    at path: String, _ identity: JournalIdentity, options: JournalOptions, fileSystem: any FileSystem
  ) throws(JournalError) -> JournalWriter {
    try checkStart(identity.parent?.sequence ?? 0, path)
    let directory = JournalDirectory(path: path, fileSystem: fileSystem)
    try directory.create()
    // A refusal leaves nothing behind, not even the lock's file.
    try directory.requireNoJournal()
    let lock = try WriterLock(directory)
    try directory.requireNoJournal()
    try lock.sign()
    fileSystem.close(try directory.install(Format.identityName, identity.encoded()))
    return try begin(directory, identity, options, lock, findings: [])
  }

  /// Opens a journal for writing and determines how far its history goes.
  ///
  /// Reads the small files, the headers and the last segment, which is read from its newest checkpoint on if the
  /// journal was closed. What verifies there is made durable before anything else happens. A journal that was closed
  /// is durable already: copying it, or restoring it from a backup, must make the copy durable before it is opened.
  /// Where the last segment does not verify to its end, or nothing proves that it was synced up to there, the writer
  /// continues in a fresh segment, whose header says how much of the last one is valid; only zeros are cut off,
  /// nothing is repaired, and what was not proven durable is written again. On a full disk it is written again in
  /// place, and the fresh segment begins when there is room to append: until then the journal is open, and appending
  /// fails with `noSpace`. Retiring events then frees room, provided that `KEPT` and another copy of the checkpoint
  /// that replaces them still fit; so does deleting `KEYFRAMES`.
  ///
  /// - Parameters:
  ///   - path: the journal's directory.
  ///   - options: how to write.
  ///   - onDamage: what to do when durable events of the last segment are lost.
  ///   - fileSystem: the operating system's, except in tests.
  ///   - admit: is asked, before anything is written, whether the program may continue the journal, and throws
  ///     otherwise. Not called without a domain in `options`. Where the directory has no `LOCK` yet, it is asked twice.
  /// - Throws: what `admit` throws; `notAJournal`, `locked`, `otherDomain`, `damaged`, `unsupportedFormat`, `inputOutput`, `noSpace`.
  public static func open(
    at path: String, options: JournalOptions = JournalOptions(), onDamage: DamagePolicy = .refuse,
    fileSystem: any FileSystem = PosixFileSystem(),
    admitting admit: Admission = { (_, _) throws(JournalError) in }
  ) throws(JournalError) -> JournalWriter {
    let directory = JournalDirectory(path: path, fileSystem: fileSystem)
    let names = try directory.names()
    guard names.contains(Format.identityName) || !JournalCatalog.segmentNames(names).isEmpty else {
      throw JournalError(
        .notAJournal, "the directory has neither a JOURNAL file nor a segment",
        remedy: "check the path, or create a journal there", file: path)
    }
    // A refusal leaves nothing behind, and the lock needs its file: without one, the journal is examined before as well.
    if !names.contains(Format.lockName) { _ = try examine(directory, options, onDamage, admit) }
    let lock = try WriterLock(directory)
    let (catalog, ending) = try examine(directory, options, onDamage, admit)
    let findings = catalog.findings + ending.findings
    try lock.sign()
    guard !catalog.segments.isEmpty else {
      // Claims by receipts and checkpoints about segments that are gone must not apply to this one.
      let before = max(catalog.receipt?.ordinal ?? 0, catalog.checkpoints.map(\.ordinal).max() ?? 0)
      // The process that created the journal may have failed to make its name durable.
      try directory.installAgain(Format.identityName, limit: Format.maximumHeaderSize)
      return try begin(directory, catalog.identity, options, lock, findings: findings, after: before)
    }
    var core = WriterCore(
      directory: directory, options: options, identity: catalog.identity, sequence: ending.sequence,
      chain: ending.chain, digest: ending.digest)
    for entry in catalog.segments + catalog.leftOut + catalog.retired { core.takenNames.insert(entry.file) }
    core.nextOrdinal = ending.ordinal + 1
    var head = try HeadWriter(directory, catalog)
    do throws(JournalError) {
      try core.takeOver(ending, catalog, &head, isLoss: findings.contains(where: \.isLoss))
      if core.segment == nil { try core.createSegmentIfRoom() }
      let leavesSegment = core.segment?.header.ordinal != ending.ordinal
      try head.recordOpening(core, catalog, leavesSegment: leavesSegment, isDurable: !ending.isNameDurable)
    } catch {
      if let segment = core.segment { fileSystem.close(segment.file) }
      if let file = head.file { fileSystem.close(file) }
      throw error.code == .noSpace ? Self.noRoom(error, ending) : error
    }
    let report = RecoveryReport(
      findings: findings, wasClosed: catalog.wasClosed, lastSequence: ending.sequence,
      beganSegment: core.lastOrdinal != ending.ordinal)
    return JournalWriter(
      directory, identity: catalog.identity, options: options, core: core, head: head, lock: lock, recovery: report,
      found: findings.isEmpty && !report.beganSegment ? catalog : nil)
  }

  /// Decides whether a program may continue a journal: it reads the journal, and receives the end of its history.
  public typealias Admission = (JournalReader, _ end: (sequence: UInt64, chain: UInt32)) throws(JournalError) -> Void

  /// Determines how far the history goes, and refuses a journal that cannot be continued. Writes nothing.
  private static func examine(
    _ directory: JournalDirectory, _ options: JournalOptions, _ onDamage: DamagePolicy, _ admit: Admission
  ) throws(JournalError) -> sending (catalog: JournalCatalog, ending: JournalEnding) {
    let catalog = try JournalCatalog(directory)
    try catalog.requireFiles()
    if !options.isUnfinished { try catalog.checkFinished() }
    try catalog.requireKnownFormat()
    try catalog.identity.require(options.domain, at: directory.path)
    let reader = JournalReader(directory: directory, catalog: catalog)
    try reader.requireOneDomain()
    let ending = try JournalEnding(directory, catalog)
    if let loss = (catalog.findings + ending.findings).first(where: \.isLoss), onDamage == .refuse {
      throw JournalError(
        .damaged, "\(loss.cause) (\(loss.evidence))",
        remedy: "restore it from a copy, or open it to go on after event \(ending.sequence)",
        file: loss.file, offset: loss.byteRange.lowerBound, sequence: loss.lostEvents?.lowerBound)
    }
    if options.domain != nil { try admit(reader, (ending.sequence, ending.chain)) }
    return (catalog, ending)
  }

  /// Explains in the error what opening a journal needs room for.
  private static func noRoom(_ error: JournalError, _ ending: JournalEnding) -> JournalError {
    var error = error
    let tail = ending.validEnd - min(ending.durableEnd, ending.validEnd)
    error.message =
      "there is no room to open the journal for writing: \((UInt64(Format.segmentHeaderSize) + tail).grouped) bytes may"
      + " have to be written to another segment"
    error.remedy =
      "free some space, for which KEYFRAMES may be deleted, and open it again; it can be read as it is meanwhile"
    return error
  }

  /// Rejects a fork whose first event would have no valid number.
  private static func checkStart(_ start: UInt64, _ path: String) throws(JournalError) {
    guard start >= Format.numberLimit else { return }
    throw JournalError(
      .outOfRange, "the parent's event number is too large", remedy: "check where the fork begins", file: path,
      sequence: start)
  }

  /// Begins the first segment of a journal that has none.
  private static func begin(
    _ directory: JournalDirectory, _ identity: JournalIdentity, _ options: JournalOptions, _ lock: WriterLock,
    findings: [Finding], after ordinal: UInt64 = 0
  ) throws(JournalError) -> JournalWriter {
    let start = identity.parent?.sequence ?? 0
    // Both slots are written, so that a slot of zeros is never valid. They claim nothing.
    var slots = [UInt8](repeating: 0, count: Format.headSize)
    for generation in 1...2 {
      let receipt = HeadReceipt(
        generation: UInt64(generation), ordinal: 0, offset: 0, sequence: start, chain: identity.parent?.chain ?? 0,
        isClean: false, isUnfinished: identity.isUnfinished)
      let place = Format.headSlotOffsets[generation % 2]
      slots.replaceSubrange(place..<place + Format.headSlotSize, with: receipt.encoded(for: identity.id))
    }
    let file = try directory.install(Format.headName, slots)
    var core = WriterCore(
      directory: directory, options: options, identity: identity, sequence: start,
      chain: identity.parent?.chain ?? 0, digest: identity.keepsHistoryDigest ? HistoryDigest() : nil)
    core.nextOrdinal = ordinal + 1
    do {
      try core.createSegment()
    } catch {
      directory.fileSystem.close(file)
      throw error
    }
    let head = HeadWriter(
      directory: directory, id: identity.id, file: file, generation: 2, isUnfinished: identity.isUnfinished)
    let report = RecoveryReport(findings: findings, wasClosed: false, lastSequence: start, beganSegment: true)
    return JournalWriter(
      directory, identity: identity, options: options, core: core, head: head, lock: lock, recovery: report)
  }
}

extension Finding {
  /// Whether events that were durable are lost.
  fileprivate var isLoss: Bool { verdict == .damaged || verdict == .tailLost }
}

extension JournalDirectory {
  /// Refuses a directory that holds anything of a journal: a writer would replace what proves how far it reached.
  func requireNoJournal() throws(JournalError) {
    let names = try names()
    guard !names.contains(Format.identityName), JournalCatalog.segmentNames(names).isEmpty else {
      throw JournalError(
        .alreadyExists, "there is a journal already", remedy: "open it, or choose another directory", file: path)
    }
    let isEvidence = { (name: String) in
      [Format.headName, Format.keptName, Keyframe.fileName].contains(name) || Checkpoint.isName(name)
    }
    guard let left = names.filter(isEvidence).min() else { return }
    throw JournalError(
      .damaged, "it is left of a journal whose other files are missing",
      remedy: "restore them from a copy, choose another directory, or move the file away to begin a journal",
      file: left)
  }

  /// Creates the directory, durably, unless it exists.
  func create() throws(JournalError) {
    var isCreated = true
    do throws(FileSystemError) {
      try fileSystem.createDirectory(path)
    } catch {
      if error.code != OperatingSystem.exists { throw JournalError.system(error, file: path) }
      isCreated = false
    }
    var parent = path
    while parent.hasSuffix("/") && parent.utf8.count > 1 { parent.removeLast() }
    if let slash = parent.lastIndex(of: "/") {
      parent = slash == parent.startIndex ? "/" : String(parent[..<slash])
    } else {
      parent = "."
    }
    do throws(FileSystemError) {
      // Even if it existed: the process that created it may have died before its name was durable.
      try fileSystem.syncDirectory(parent)
    } catch {
      // The parent of a directory that was made for us may not be ours to open.
      if !isCreated, error.code == OperatingSystem.noAccess { return }
      // A retry must create the name again: a later sync would not bring back what this one lost.
      if isCreated { try? fileSystem.remove(path) }
      throw JournalError.system(error, file: parent)
    }
  }
}

/// What a writer found when it opened a journal, and what it did about it.
public struct RecoveryReport: Hashable, Sendable {
  /// What opening found in the small files and the last segment; empty after a clean close, and after most crashes.
  /// Opening reads neither earlier segments nor, in a journal that was closed, what precedes the newest checkpoint:
  /// ``JournalReader/verify(_:)`` reads everything.
  public var findings: [Finding]
  /// Whether the journal had been closed, and not left open by a crash.
  public var wasClosed: Bool
  /// The last event of the verified history, after which the writer continues.
  public var lastSequence: UInt64
  /// Whether the writer left the last segment as it is and continues in a fresh one. False where that found no room:
  /// the next batch then begins it, or fails.
  public var beganSegment: Bool

  /// What opening found and did.
  public init(findings: [Finding], wasClosed: Bool, lastSequence: UInt64, beganSegment: Bool) {
    self.findings = findings
    self.wasClosed = wasClosed
    self.lastSequence = lastSequence
    self.beganSegment = beganSegment
  }
}
