extension JournalWriter {
  /// Creates a journal that continues from an event of another one, as a history of its own.
  ///
  /// The new journal names its parent, and its first event takes the next number and continues the parent's chain: the
  /// chain values show where two histories part, in any journals. The parent's events are not copied, and the parent is
  /// not changed. A fork that fails removes the files that it made, as far as they can be removed.
  ///
  /// - Parameters:
  ///   - reader: the parent.
  ///   - sequence: the last event that both share. It must be durable, and reading the parent must reach it.
  ///   - path: the new journal's directory; its parent directory must exist.
  ///   - id: sixteen bytes that identify no other journal, from a good source of random numbers.
  ///   - createdNanoseconds: nanoseconds since 1970-01-01T00:00:00Z; kept for people.
  ///   - checkpoint: the state at the fork, which the new journal keeps as a checkpoint; `nil`, or a fork at 0, for none.
  ///     ``writeCheckpoint(sequence:body:)`` accepts one of `sequence` later too.
  ///   - options: how to write. Without a domain, the new journal has the parent's, with the catalogue of that event, if
  ///     it has one.
  ///   - fileSystem: the operating system's, except in tests.
  /// - Throws: `outOfRange` when the event does not exist, or only after damage; `otherDomain`; `damaged` when the
  ///   parent's catalogue is needed and cannot be read; as
  ///   ``create(at:id:createdNanoseconds:parent:options:fileSystem:)`` and ``writeCheckpoint(sequence:body:)``.
  public static func fork(
    from reader: JournalReader, at sequence: UInt64, to path: String, id: JournalID, createdNanoseconds: Int64,
    checkpoint: [UInt8]? = nil, options: JournalOptions = JournalOptions(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws(JournalError) -> JournalWriter {
    let parent = try reader.parent(at: sequence)
    var options = options
    if let name = reader.domain {
      if options.domain != nil {
        try reader.identity.require(options.domain, at: path)
      } else if let catalog = try reader.catalog(at: sequence) {
        options.domain = try JournalDomain(name: name, catalog: catalog)
      }
    }
    // What the parent lacks, the fork lacks too.
    let lost = reader.lostBeforeFirst
    let identity = JournalIdentity(
      id: id, createdNanoseconds: createdNanoseconds, parent: parent, keepsHistoryDigest: options.historyDigest,
      lostBeforeFirst: lost.isEmpty ? nil : lost, domain: options.domain?.name ?? reader.domain,
      isUnfinished: options.isUnfinished)
    let place = NewJournalPlace(JournalDirectory(path: path, fileSystem: fileSystem), id)
    return try place.begin {
      () throws(JournalError) in
      try create(at: path, identity, options: options, fileSystem: fileSystem)
    } with: { (journal) throws(JournalError) in
      if let checkpoint, sequence > 0 { try journal.writeCheckpoint(sequence: sequence, body: checkpoint) }
    }
  }
}

extension JournalReader {
  /// What a fork at an event names as its parent. Nothing is written: where this returns, the event can be forked at.
  ///
  /// - Throws: As ``JournalWriter/fork(from:at:to:id:createdNanoseconds:checkpoint:options:fileSystem:)`` does before it creates
  ///   anything: `outOfRange` when the event does not exist, is only after damage, or is not durable.
  public func parent(at sequence: UInt64) throws(JournalError) -> JournalIdentity.Parent {
    let chain = try chain(at: sequence)
    guard sequence <= durableSequence else {
      throw JournalError(
        .outOfRange, "a power cut could still take the event away", remedy: "fork at an earlier event, or sync first",
        file: directory.path, sequence: sequence)
    }
    return JournalIdentity.Parent(id: identity.id, sequence: sequence, chain: chain)
  }

  /// Returns the chain value after an event by reading the events of its block, or of its segment when that has no
  /// index.
  ///
  /// - Throws: `outOfRange` when the event does not exist, or only after damage; `inputOutput`, `unsupportedFormat`.
  func chain(at sequence: UInt64) throws(JournalError) -> UInt32 {
    if sequence &+ 1 == catalog.firstSequence {
      return catalog.retirement?.chainIn ?? catalog.identity.parent?.chain ?? 0
    }
    if sequence > 0, sequence < Format.numberLimit {
      var cursor = try cursor(after: sequence - 1)
      search: while let item = try cursor.next() {
        guard case .event(let event) = item else { continue }
        if event.sequence == sequence { return event.chain }
        break search
      }
    }
    throw JournalError(
      .outOfRange, "there is no such event that can be read",
      remedy: "name an event that the journal keeps, or verify it",
      file: directory.path, sequence: sequence)
  }
}
