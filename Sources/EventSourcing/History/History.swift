import Journal
import WireFormat

/// A journal as a read-only history of typed events, from which every past state can be recomputed.
///
/// It takes no lock and works while an ``EventStore`` writes to the same journal, in this or another process; it sees
/// whole batches only.
///
/// ```swift
/// let history = try History<Ledger>(at: "ledger.journal")
/// let then = try history.state(at: .sequence(41)).state
/// let changed = try history.diff(.sequence(41), .end).changes
/// ```
///
/// Every operation streams: memory does not grow with the length of the history. What is kept of entities is bounded
/// (<doc:Entities>).
public struct History<Machine: Reducer>: Sendable {
  /// The journal's reader.
  public let reader: JournalReader
  /// The first event that the journal still keeps, or the one it would start with if empty.
  public let firstSequence: UInt64
  /// Whether states may be computed from a checkpoint or keyframe that fits this program instead of from the first
  /// event.
  public var usesCheckpoints = true
  /// Whether states are also computed beyond damage, as long as the event numbers continue without a gap: a writer that
  /// gave up the lost events did the same. If `false`, no state beyond damage is known.
  public var goesBeyondDamage = false

  /// Opens the sealed personal data in the states that ``state(at:)`` computes; `nil` leaves it sealed. No state becomes
  /// another one by it: encodings, digests and differences use the sealed bytes.
  public var sealing: Sealing?

  /// Describes the events of a journal that is not this program's.
  let foreign: ForeignDomain?
  /// Why the events of a journal that names no domain do not fit, once that was looked for.
  let admission = Memo<JournalError?>()
  /// The programs that wrote it, once that was looked for.
  let writing = Memo<Writers>()
  /// What was found out about entities.
  let entityIndex: EntityIndex

  /// Opens the journal in the directory at `path` for reading.
  public init(at path: String, fileSystem: any FileSystem = PosixFileSystem()) throws(HistoryError) {
    do throws(JournalError) {
      self.init(try JournalReader(path: path, fileSystem: fileSystem))
    } catch {
      throw .journal(error)
    }
  }

  /// A history read through `reader`.
  public init(_ reader: JournalReader) {
    self.reader = reader
    foreign = Self.foreign(reader)
    entityIndex = EntityIndex(reader, EntityFinder(Machine.self))
    firstSequence = max(1, reader.segments.first?.firstSequence ?? reader.firstSequence)
  }

  /// Returns a cursor over the events after `position`, with the states around each.
  ///
  /// - Parameters:
  ///   - position: Where to begin; the state there is computed first.
  ///   - beyondDamage: Whether to continue beyond damage, where events can be read but no state is known.
  /// - Throws: ``HistoryError`` if the position does not exist or its state is unknown.
  public func cursor(
    after position: Position = .start, beyondDamage: Bool = true
  ) throws(HistoryError) -> HistoryCursor<Machine> {
    let start = try resolve(position).sequence
    let replay = try replay(upTo: max(start, firstSequence - 1))
    let items = try JournalItems(reader, after: replay.sequence, beyondDamage: beyondDamage)
    return HistoryCursor(
      items, of: foreign, replay: replay, isTrackingState: true, goesBeyondDamage: goesBeyondDamage)
  }

  /// Returns a cursor over events whose states are unknown because the events before them were retired. From the event
  /// of the oldest usable checkpoint on, it supplies the states too; until it reaches that event,
  /// ``HistoryCursor/lastDerivable`` names it.
  ///
  /// A journal retires whole segments, so its first kept event usually precedes the checkpoint.
  ///
  /// - Parameter sequence: The first event to return, at or before the checkpoint's.
  /// - Throws: ``HistoryError/noStartingState(first:newer:)`` if no events were retired, the first of the kept events are
  ///   missing, or no usable checkpoint is at or after `sequence`.
  public func cursor(upToCheckpointFrom sequence: UInt64) throws(HistoryError) -> HistoryCursor<Machine> {
    guard reader.retirement?.firstSequence == firstSequence else { throw noStartingState }
    let replay = try origin().replay
    guard replay.sequence >= sequence else { throw noStartingState }
    let items = try JournalItems(reader, after: max(sequence, firstSequence) - 1, beyondDamage: true)
    return HistoryCursor(
      items, of: foreign, replay: replay, isTrackingState: true, goesBeyondDamage: goesBeyondDamage)
  }

  /// Returns a cursor over the events after a number that computes no states: faster, and possible where states are
  /// unknown.
  ///
  /// - Parameters:
  ///   - sequence: The event after which to begin.
  ///   - beyondDamage: Whether to continue beyond damage.
  public func events(
    after sequence: UInt64 = 0, beyondDamage: Bool = true
  ) throws(HistoryError) -> HistoryCursor<Machine> {
    try requireFittingEvents()
    let items = try JournalItems(reader, after: sequence, beyondDamage: beyondDamage)
    return HistoryCursor(
      items, of: foreign, replay: Replay(after: sequence), isTrackingState: false, goesBeyondDamage: false)
  }
}
