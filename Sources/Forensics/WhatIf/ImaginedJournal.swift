import EventSourcing
import Journal
import WireFormat

/// Writes an imagined history as a journal of its own.
///
/// The journal is marked: its identity says that it is imagined, and so does each event, with the number that it has in the
/// real history; where its metadata is full, the mark takes the place of the last entry. The journal names the real journal as its parent and holds every event that can be read, or from the first known
/// state on. The digests of states are those of the imagined ones.
///
/// Until ``finish(_:)`` has returned, the journal is marked as unfinished, and readers refuse it. Where the history cannot be
/// written to its end, ``abandon(with:)`` removes it.
public final class ImaginedJournal<Domain: RedecidingDomain> {
  private let writer: JournalWriter
  private let place: NewJournalPlace
  private let path: String
  private let fileSystem: any FileSystem
  private let catalog = Domain.Event.catalog
  private var batch = JournalBatch()
  private var body = WireWriter()
  private var envelopeWriter = WireWriter()
  private var digester = StateDigester<Domain.State>()
  /// The key of the mark in an event's metadata.
  private static var mark: String { "imagined" }
  /// The start of the process that the next inserted event belongs to.
  private var process: UInt64 = 0

  /// Begins a journal in a folder that does not exist or is empty.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - history: The real history.
  ///   - sequence: The event after which the imagined events begin.
  ///   - edits: What is different.
  ///   - words: The same in words; together with the real journal they make the journal's identity.
  ///   - createdNanoseconds: The creation time.
  ///   - fileSystem: The file system that holds the journal.
  public init(
    at path: String, imagining history: History<Domain>, after sequence: UInt64, _ edits: HistoryEdits<Domain>,
    words: String, createdNanoseconds: Int64, fileSystem: any FileSystem
  ) throws(HistoryError) {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    options.journal.isUnfinished = true
    // Copying a sealed state needs no keys.
    options.onMissingKeys = .refuseCommands
    let id = JournalID.imagined(of: history.reader.identity.id, words)
    let place = NewJournalPlace(at: path, id: id, fileSystem: fileSystem)
    (self.place, self.path, self.fileSystem) = (place, path, fileSystem)
    let store = try EventStore<Domain>.fork(
      from: history, at: sequence, changing: { $0 = edits.beginning($0, after: sequence) }, to: path, journalID: id,
      createdNanoseconds: createdNanoseconds, options: options, fileSystem: fileSystem)
    do throws(HistoryError) {
      try store.close()
      do throws(JournalError) {
        options.journal.domain = try Domain.journalDomain()
        writer = try JournalWriter.open(at: path, options: options.journal, fileSystem: fileSystem)
      } catch {
        throw .journal(error)
      }
    } catch {
      place.clear()
      throw error
    }
  }

  /// Adds the next event.
  ///
  /// - Parameter state: The state after it, if it is known.
  public func append(
    _ event: ImaginedEvent<Domain.Event>, _ numbering: Renumbering, _ state: Domain.State?
  ) throws(HistoryError) {
    var envelope = envelope(of: event, numbering)
    if event.isLastOfBatch, let state {
      envelope.digest = RecordedDigest(digester.combined(of: state).prefix, as: Domain.State.digestScheme)
    }
    envelopeWriter.removeAll()
    envelope.encode(into: &envelopeWriter)
    do throws(JournalError) {
      try batch.append(payload: envelopeWriter.bytes, label: event.moment.wallNanoseconds)
      guard event.isLastOfBatch else { return }
      batch.endBatch()
      if batch.count >= 1024 || batch.encodedLength > 256 << 10 { try flush() }
    } catch {
      throw .journal(error)
    }
  }

  /// Makes everything durable, and then the journal one that readers accept.
  ///
  /// - Parameter complete: Writes what else belongs to the journal, which no reader accepts without it.
  public func finish(_ complete: () throws(JournalError) -> Void = {}) throws(HistoryError) {
    do throws(JournalError) {
      try flush()
      try writer.sync()
      try writer.close()
      try complete()
      try JournalWriter.markFinished(at: path, fileSystem: fileSystem)
    } catch {
      throw .journal(error)
    }
  }

  /// Removes the journal again, as far as that is possible.
  ///
  /// - Parameter others: The names of other files that were written for it.
  public func abandon(with others: [String] = []) {
    try? writer.close()
    place.clear(with: others)
  }

  private func flush() throws(JournalError) {
    guard !batch.isEmpty else { return }
    _ = try writer.append(&batch)
    batch.removeAll()
  }

  private func envelope(
    of event: ImaginedEvent<Domain.Event>, _ numbering: Renumbering
  ) -> Envelope {
    var envelope = event.envelope ?? blank(for: event)
    if event.envelope != nil {
      envelope.cause = numbering.reference(to: envelope.cause)
      envelope.correlation = numbering.reference(to: envelope.correlation)
      envelope.process = numbering.reference(to: envelope.process)
      process = envelope.process
    }
    envelope.digest = nil
    let mark: String
    switch event.origin {
    case .kept(let number): mark = "\(number)"
    case .rewritten(let number):
      mark = "\(number) rewritten"
      encodeBody(of: event, into: &envelope)
    case .replaced(let number): mark = "\(number) replaced"
    case .moved(let number): mark = "\(number) moved"
    case .added: mark = "inserted"
    }
    var attributes = envelope.attributes ?? CommandAttributes()
    // What is imagined of an imagined history has the numbers of that one.
    attributes.metadata.removeAll { $0.key == Self.mark }
    attributes.metadata =
      attributes.metadata.prefix(CommandAttributes.maximumEntryCount - 1) + [
        MetadataEntry(Self.mark, mark)
      ]
    envelope.attributes = attributes
    return envelope
  }

  /// The envelope of an event that is not from the real history.
  private func blank(for event: ImaginedEvent<Domain.Event>) -> Envelope {
    guard let known = event.event else { return Envelope(type: 0, at: event.moment) }
    if known.type == Domain.processStart { process = event.sequence }
    var envelope = Envelope(type: known.type, at: event.moment)
    envelope.process = process
    encodeBody(of: event, into: &envelope)
    return envelope
  }

  private func encodeBody(of event: ImaginedEvent<Domain.Event>, into envelope: inout Envelope) {
    guard let known = event.event else { return }
    if let entry = catalog[known.type] {
      (envelope.version, envelope.unknownReaders) = (entry.version, entry.unknownReaders)
    }
    body.removeAll()
    known.encodeBody(into: &body)
    envelope.body = body.bytes
  }
}

extension JournalID {
  /// What the identity of every imagined journal begins with.
  private static let imaginedBeginning = Array("imagined".utf8)

  /// Whether the journal's events are imagined, and not recorded on a device. A journal of a device has a random identity,
  /// which begins so in one of 2⁶⁴ cases.
  public var isImagined: Bool { Array(bytes.prefix(Self.imaginedBeginning.count)) == Self.imaginedBeginning }

  /// The identity of a journal that `edits` make of another one.
  static func imagined(of parent: JournalID, _ edits: String) -> JournalID {
    let digest = Digest.sha256(parent.bytes + Array(edits.utf8)).prefix
    return JournalID(bytes: imaginedBeginning + digest) ?? .none
  }
}
