import Journal
import WireFormat

/// A journal as a history of typed events: read, never written, and every state in it can be had again.
///
/// It takes no lock and works while an ``EventStore`` writes to the same journal, in this process or another; it sees
/// whole batches only.
///
/// ```swift
/// let history = try History<Ledger>(at: "ledger.journal")
/// let then = try history.state(at: .sequence(41)).state
/// let changed = try history.diff(.sequence(41), .end).changes
/// ```
///
/// Every operation streams: memory does not grow with the length of the history.
public struct History<Machine: Reducer>: Sendable {
  /// The journal's reader.
  public let reader: JournalReader
  /// The first event that the journal still keeps, or would have if it had any.
  public let firstSequence: UInt64
  /// Whether states may be computed from a checkpoint or keyframe that fits this program instead of from the first event.
  public var usesCheckpoints = true
  /// Whether states are computed behind damage as well, as long as the numbers of the events go on without a gap: what
  /// a writer did that was told to give up the events that were lost. Otherwise no state is known behind damage.
  public var goesBeyondDamage = false

  /// Opens the journal in the directory at `path` for reading.
  public init(at path: String, fileSystem: any FileSystem = PosixFileSystem()) throws(HistoryError) {
    do throws(JournalError) {
      self.init(try JournalReader(path: path, fileSystem: fileSystem))
    } catch {
      throw .journal(error)
    }
  }

  /// The history that a journal's reader shows.
  public init(_ reader: JournalReader) {
    self.reader = reader
    firstSequence = max(1, reader.segments.first?.firstSequence ?? 1)
  }

  /// Walks over the events after `position`, with the states around each.
  ///
  /// - Parameters:
  ///   - position: Where to begin. The state there is computed first.
  ///   - beyondDamage: Whether to go on behind damage, where events can be told but no state is known.
  /// - Throws: ``HistoryError`` when there is no such position or its state is unknown.
  public func cursor(
    after position: Position = .start, beyondDamage: Bool = true
  ) throws(HistoryError) -> HistoryCursor<Machine> {
    let start = try resolve(position).sequence
    let replay = try replay(upTo: max(start, firstSequence - 1))
    let items = try JournalItems(reader, after: replay.sequence, beyondDamage: beyondDamage)
    return HistoryCursor(items, replay: replay, isTrackingState: true, goesBeyondDamage: goesBeyondDamage)
  }

  /// Walks over events whose states are gone with the events before them, which were retired, and goes on behind them with
  /// the states around each: from the event of the oldest usable checkpoint on, which is the walk's
  /// ``HistoryCursor/lastDerivable`` until it is told.
  ///
  /// A journal keeps whole segments, so that the checkpoint mostly lies some events behind the first one that it keeps.
  ///
  /// - Parameter sequence: The first event to tell, before the checkpoint's or that one.
  /// - Throws: ``HistoryError/noStartingState(first:)`` when no events were retired, the first ones of those that were
  ///   kept are missing, or no checkpoint is usable that is not before `sequence`.
  public func cursor(upToCheckpointFrom sequence: UInt64) throws(HistoryError) -> HistoryCursor<Machine> {
    guard reader.retirement?.firstSequence == firstSequence else { throw .noStartingState(first: firstSequence) }
    let replay = try origin().replay
    guard replay.sequence >= sequence else { throw .noStartingState(first: firstSequence) }
    let items = try JournalItems(reader, after: max(sequence, firstSequence) - 1, beyondDamage: true)
    return HistoryCursor(items, replay: replay, isTrackingState: true, goesBeyondDamage: goesBeyondDamage)
  }

  /// Walks over the events after a number without computing any state: faster, and possible where states are unknown.
  ///
  /// - Parameters:
  ///   - sequence: The event after which to begin.
  ///   - beyondDamage: Whether to go on behind damage.
  public func events(
    after sequence: UInt64 = 0, beyondDamage: Bool = true
  ) throws(HistoryError) -> HistoryCursor<Machine> {
    let items = try JournalItems(reader, after: sequence, beyondDamage: beyondDamage)
    return HistoryCursor(items, replay: Replay(after: sequence), isTrackingState: false, goesBeyondDamage: false)
  }
}
