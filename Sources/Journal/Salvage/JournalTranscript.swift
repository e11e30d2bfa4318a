/// Writes a journal again from what another program read of it: the same identity, the same numbers, the same bytes of
/// every event.
///
/// Until ``finish(_:keptBehind:)`` has returned, the directory holds a journal that says that it is unfinished, and
/// readers refuse it.
package struct JournalTranscript: ~Copyable {
  /// A place between two events.
  package struct Place: Hashable, Sendable {
    /// The event before it; 0 at the beginning.
    package var sequence: UInt64
    /// The chain value there.
    package var chain: UInt32

    /// Names a place.
    package init(sequence: UInt64, chain: UInt32) {
      (self.sequence, self.chain) = (sequence, chain)
    }
  }

  private let target: SalvageTarget
  private let start: Place
  private let journal: JournalWriter
  private var batch = JournalBatch()
  /// Whether each event of the batch has a label.
  private var knowsLabels = true

  /// Begins a journal in a directory that does not exist or is empty.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - identity: The identity of the finished journal.
  ///   - start: The place before its first event.
  ///   - catalog: The catalogue of its first event; `nil` where none is known, or the journal names no domain.
  ///   - fileSystem: Where it is written.
  package init(
    at path: String, _ identity: JournalIdentity, from start: Place, catalog: [UInt8]?, fileSystem: any FileSystem
  ) throws(JournalError) {
    self.start = start
    target = SalvageTarget(directory: JournalDirectory(path: path, fileSystem: fileSystem), identity: identity)
    try target.check()
    var beginning = target.unfinishedIdentity
    // A writer takes the place of its first event from the parent.
    beginning.parent =
      start.sequence == 0
      ? nil
      : JournalIdentity.Parent(
        id: identity.parent?.id ?? identity.id, sequence: start.sequence, chain: start.chain)
    var options = JournalOptions()
    options.syncPolicy = .none
    options.historyDigest = identity.keepsHistoryDigest
    if let name = identity.domain, let catalog { options.domain = try JournalDomain(name: name, catalog: catalog) }
    do throws(JournalError) {
      journal = try JournalWriter.create(at: path, beginning, options: options, fileSystem: fileSystem)
    } catch {
      guard error.code != .alreadyExists, error.code != .locked else { throw error }
      target.clearBeginning()
      throw target.explained(error)
    }
  }

  /// Says which catalogue describes the events from here on. Call it between batches.
  package mutating func describe(by catalog: [UInt8]?) {
    journal.describe(by: catalog.map { SegmentCatalog(inflated: $0) })
  }

  /// Appends an event.
  ///
  /// - Parameter label: The number by which its first writer labelled it; `nil` where that is not known.
  package mutating func append(
    _ payload: ArraySlice<UInt8>, label: Int64?, isLastOfBatch: Bool
  ) throws(JournalError) {
    let result = payload.withUnsafeBytes { bytes in
      Result { () throws(JournalError) in try batch.append(payload: bytes, label: label ?? 0) }
    }
    do throws(JournalError) {
      try result.get()
    } catch {
      // Only a batch that no writer wrote is too large.
      guard error.code == .tooLarge, !batch.isEmpty else { throw error }
      try endBatch()
      try payload.withUnsafeBytes { bytes in
        Result { () throws(JournalError) in try batch.append(payload: bytes, label: label ?? 0) }
      }.get()
    }
    if label == nil { knowsLabels = false }
    if isLastOfBatch { try endBatch() }
  }

  /// Marks events as lost: each takes its number, and has no content.
  package mutating func markLost(_ count: UInt64) throws(JournalError) {
    try endBatch()
    for index in 0..<count {
      try append([], label: nil, isLastOfBatch: (index + 1) % UInt64(Format.maximumBatchEvents) == 0)
    }
    try endBatch()
  }

  /// Ends the batch.
  package mutating func endBatch() throws(JournalError) {
    guard !batch.isEmpty else { return }
    if !knowsLabels { batch.forgetLabels() }
    knowsLabels = true
    _ = try journal.append(&batch)
  }

  /// The chain value after the events so far.
  package var lastChain: UInt32 { journal.lastChain }

  /// Writes the checkpoints, closes the journal and makes it one that readers accept.
  ///
  /// - Parameters:
  ///   - checkpoints: The events after which they were made, and their bodies.
  ///   - keptBehind: The checkpoint's event in whose place the events before the first one were retired; `nil` if none
  ///     were.
  package mutating func finish(
    _ checkpoints: [(sequence: UInt64, body: [UInt8])], keptBehind: UInt64?
  ) throws(JournalError) {
    try endBatch()
    var kept: Checkpoint?
    for checkpoint in checkpoints {
      let written = try journal.writeCheckpoint(sequence: checkpoint.sequence, body: checkpoint.body)
      if checkpoint.sequence == keptBehind { kept = written }
    }
    try journal.close()
    if let kept {
      try target.writeRetirement(before: SalvageRoute.Place(sequence: start.sequence, chain: start.chain), kept)
    }
    try target.finish()
  }

  /// Closes the journal and removes what was written of it.
  package consuming func abandon() {
    try? journal.close()
    target.clear()
  }

  /// The identity of an incomplete copy of a journal, as a salvage would name it: computed from what it holds.
  ///
  /// - Parameters:
  ///   - original: The identity of the whole journal.
  ///   - start: The place before the first event.
  ///   - end: The place after the last event.
  ///   - lastKnown: The last event known to have existed, where no evidence shows how far the original reached.
  ///   - lost: The events before the first one that were lost; `nil` where the original does not say which were.
  package static func salvagedIdentity(
    of original: JournalIdentity, from start: Place, to end: Place, lastKnown: UInt64?,
    lost: [ClosedRange<UInt64>]?
  ) -> JournalIdentity {
    let digest = HistoryDigest()
    var record = FixedRecord(size: 40)
    record.set(original.id.bytes, at: 0)
    for (index, place) in [start, end].enumerated() {
      record.set(place.sequence, at: 16 + 12 * index)
      record.set(place.chain, at: 24 + 12 * index)
    }
    let bytes = Array("export".utf8) + record.bytes
    bytes.withUnsafeBytes { digest.add($0) }
    var identity = original
    identity.id = JournalID(bytes: Array(digest.value().prefix(16))) ?? .none
    identity.parent = JournalIdentity.Parent(id: original.id, sequence: start.sequence, chain: start.chain)
    identity.isSalvaged = true
    identity.lastKnownOfParent = lastKnown
    identity.lostBeforeFirst = lost
    return identity
  }
}

extension JournalReader {
  /// The place before the first event that the journal keeps.
  package var start: JournalTranscript.Place {
    if let retirement { return .init(sequence: retirement.firstSequence - 1, chain: retirement.chainIn) }
    return .init(sequence: identity.parent?.sequence ?? 0, chain: identity.parent?.chain ?? 0)
  }
}
