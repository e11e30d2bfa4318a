import EventSourcing
import JSON
import Journal
import WireFormat

/// What an export holds, read into memory.
public struct ExportedHistory: Sendable {
  /// How the file ends.
  public enum Ending: Equatable, Sendable {
    /// With its last record, and everything verifies.
    case complete
    /// Without its last record, or before something that does not verify.
    case cut(line: Int, reason: String)
  }

  /// One event, or several lost ones.
  enum Item: Sendable {
    /// An event, with the place of its payload in ``ExportedHistory/content``.
    case event(Range<Int>, isLastOfBatch: Bool)
    /// Events that are lost.
    case lost(UInt64)
    /// The catalogue of the events from here on.
    case catalog([UInt8]?)
  }

  /// The identity of the journal that was exported.
  public internal(set) var identity: JournalIdentity
  /// The last event before the first one here.
  var start: JournalTranscript.Place
  /// Whether what is personal was replaced by pseudonyms.
  public internal(set) var isRedacted = false
  /// The program that wrote it.
  public internal(set) var tool = ""
  /// Number of events.
  public internal(set) var eventCount: UInt64 = 0
  /// Number of lost events.
  public internal(set) var lostCount: UInt64 = 0
  /// The last event, lost or not.
  public internal(set) var lastSequence: UInt64
  /// How the file ends.
  public internal(set) var ending = Ending.cut(line: 1, reason: "it has no record")
  /// The kinds of records that this program does not know, and may leave out, with their numbers.
  public internal(set) var unknownKinds: [String: UInt64] = [:]

  var items: [Item] = []
  var content: [UInt8] = []
  var checkpoints: [(sequence: UInt64, body: [UInt8])] = []
  var retiredBehind: UInt64?
  var head: JSONObject
  var kept: [ExportSidecar.Record] = []
  var additions = ExportAdditions()
  var chain: UInt32
  var knowsEnd = true

  /// Whether the journal that is written from it is the one that was exported, and not an incomplete copy.
  public var isWhole: Bool {
    guard ending == .complete, knowsEnd || identity.lastKnownOfParent != nil else { return false }
    return identity.isSalvaged || (lostCount == 0 && hasStart)
  }

  /// Whether the state before the first event is known where no event leads to it.
  private var hasStart: Bool { retiredBehind.map { wanted in checkpoints.contains { $0.sequence == wanted } } ?? true }

  /// The identity of the journal that is written from it.
  public var writtenIdentity: JournalIdentity {
    guard !isWhole else { return identity }
    let knowsEnd = ending == .complete && self.knowsEnd
    return JournalTranscript.salvagedIdentity(
      of: identity, from: start, to: .init(sequence: lastSequence, chain: chain),
      lastKnown: knowsEnd ? identity.lastKnownOfParent : max(lastSequence, identity.lastKnownOfParent ?? 0),
      lost: lostBeforeFirst)
  }

  /// The events before the first one that were lost: only a copy of an earlier version does not say which were.
  private var lostBeforeFirst: [ClosedRange<UInt64>]? {
    guard start.sequence > 0 else { return nil }
    return identity.lostBeforeFirst ?? (identity.isSalvaged && retiredBehind == nil ? nil : [])
  }

  /// Writes the journal to a directory that does not exist or is empty. After an error, nothing of it is left.
  public func write(to path: String, _ fileSystem: any FileSystem) throws(JournalError) {
    var firstCatalog: [UInt8]?
    for case .catalog(let bytes) in items {
      firstCatalog = bytes
      break
    }
    var transcript = try JournalTranscript(
      at: path, writtenIdentity, from: start, catalog: firstCatalog, fileSystem: fileSystem)
    do throws(JournalError) {
      try write(to: &transcript)
      guard transcript.lastChain == chain else {
        throw JournalError(
          .inputOutput, "what was written is not what was read", remedy: "import the file again", file: path)
      }
      // Before the journal counts as whole: without this file, redacted events would be taken for the originals.
      if ending == .complete { try writeSidecar(path, fileSystem) }
      try transcript.finish(
        checkpoints.filter { $0.sequence <= lastSequence }, keptBehind: retiredBehind)
    } catch {
      try? fileSystem.remove("\(path)/\(ExportOrigin.fileName)")
      transcript.abandon()
      throw error
    }
  }

  private func write(to transcript: inout JournalTranscript) throws(JournalError) {
    for item in items {
      switch item {
      case .event(let place, let isLast):
        try transcript.append(content[place], label: label(of: place), isLastOfBatch: isLast)
      case .lost(let count): try transcript.markLost(count)
      case .catalog(let bytes):
        try transcript.endBatch()
        transcript.describe(by: bytes)
      }
    }
    try transcript.endBatch()
  }

  /// The wall time of an event, by which stores label it; `nil` where it is not an envelope.
  private func label(of place: Range<Int>) -> Int64? {
    content.withUnsafeBytes { bytes in
      try? WireReader.decode(UnsafeRawBufferPointer(rebasing: bytes[place])) { (reader) throws(WireError) in
        try Envelope(from: &reader).moment.wallNanoseconds
      }
    }
  }

  private func writeSidecar(_ path: String, _ fileSystem: any FileSystem) throws(JournalError) {
    let sidecar = ExportSidecar(
      end: .init(sequence: lastSequence, chain: chain), start: head, records: kept, additions: additions)
    try ExportSidecar.write(sidecar.bytes, to: path, fileSystem)
  }
}

extension ExportedHistory {
  /// The payloads of the events, in order.
  package var payloads: [[UInt8]] {
    items.compactMap { item in if case .event(let place, _) = item { Array(content[place]) } else { nil } }
  }
}
