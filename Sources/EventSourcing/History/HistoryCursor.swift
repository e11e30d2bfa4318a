import Journal

/// Walks over a history, item by item, in constant memory: the events, and what is wrong between them.
///
/// ```swift
/// var cursor = try history.cursor()
/// while let item = try cursor.next() {
///   guard case .event(let step) = item else { continue }
///   print(step.record.sequence, step.record.typeName, step.changes?.changes.count ?? 0)
/// }
/// ```
public struct HistoryCursor<Machine: Reducer>: ~Copyable {
  @usableFromInline var items: JournalItems
  @usableFromInline var tracker: StateTracker<Machine>

  init(_ items: consuming JournalItems, replay: Replay<Machine>, isTrackingState: Bool, goesBeyondDamage: Bool) {
    let isAhead = isTrackingState && items.last < replay.sequence
    self.items = items
    tracker = StateTracker(
      replay: replay, isTracking: isTrackingState, goesBeyondDamage: goesBeyondDamage, isAhead: isAhead)
  }

  /// Why the state is unknown from here on; `nil` while it is known. Events are still told.
  public var obstacle: HistoryError? { tracker.obstacle }

  /// The state after the last event that was told; `nil` when it is unknown or not asked for.
  public var state: Machine.State? {
    tracker.isTracking && tracker.obstacle == nil && !tracker.isAhead ? tracker.replay.state : nil
  }

  /// The last event after which the state is known; before the event of ``History/cursor(upToCheckpointFrom:)``, that one.
  public var lastDerivable: UInt64 { tracker.replay.sequence }

  /// The next event or finding; `nil` at the end.
  ///
  /// An event that makes the state unknown is told like every other, and ``obstacle`` says why no state follows; so is what
  /// is left of a batch that damage cuts, inside which no state is known.
  @inlinable
  public mutating func next() throws(HistoryError) -> HistoryItem<Machine>? {
    switch try items.next() {
    case nil: return nil
    case .event(let event)?:
      if items.isInCutBatch { tracker.noteCutBatch() }
      return .event(tracker.step(RecordedEvent(event)))
    case .finding(let finding)?:
      tracker.note(finding)
      return .finding(finding)
    }
  }
}

/// The state beside the events that are told, for as long as it is known.
@usableFromInline
struct StateTracker<Machine: Reducer> {
  @usableFromInline var replay: Replay<Machine>
  @usableFromInline let isTracking: Bool
  @usableFromInline let goesBeyondDamage: Bool
  @usableFromInline var obstacle: HistoryError?
  /// Whether the replay's event is still to be told, before which no state is known.
  @usableFromInline var isAhead: Bool

  @usableFromInline
  init(replay: Replay<Machine>, isTracking: Bool, goesBeyondDamage: Bool, isAhead: Bool) {
    self.replay = replay
    self.isTracking = isTracking
    self.goesBeyondDamage = goesBeyondDamage
    self.isAhead = isAhead
  }

  @usableFromInline
  mutating func note(_ finding: Finding) {
    // A checkpoint's state does not rest on the events before it.
    guard finding.losesEvents, !goesBeyondDamage, !isAhead else { return }
    switch obstacle {
    // A batch that is cut is told before what cut it.
    case nil, .damaged(_, nil): obstacle = .damaged(lastDerivable: replay.sequence, finding)
    default: return
    }
  }

  /// A batch is one decision, and no state lies inside it: behind the batches before it nothing is known.
  @usableFromInline
  mutating func noteCutBatch() {
    guard !goesBeyondDamage, !isAhead, obstacle == nil else { return }
    obstacle = .damaged(lastDerivable: replay.sequence, nil)
  }

  /// Goes on with the replay's state where its event is told.
  @usableFromInline
  mutating func reach(_ record: RecordedEvent<Machine.Event>) -> HistoryStep<Machine> {
    guard record.sequence >= replay.sequence else { return HistoryStep(record: record, before: nil, after: nil) }
    isAhead = false
    guard record.sequence == replay.sequence, record.chain == replay.chain else {
      obstacle = .damaged(lastDerivable: replay.sequence, nil)
      return HistoryStep(record: record, before: nil, after: nil)
    }
    return HistoryStep(record: record, before: nil, after: replay.state)
  }

  @inlinable
  mutating func step(_ record: RecordedEvent<Machine.Event>) -> HistoryStep<Machine> {
    guard isTracking, obstacle == nil else { return HistoryStep(record: record, before: nil, after: nil) }
    if isAhead { return reach(record) }
    let before = replay.state
    do throws(HistoryError) {
      try replay.fold(record)
      return HistoryStep(record: record, before: before, after: replay.state)
    } catch {
      obstacle = error
      // After a gap nothing is known of the state before the event either.
      let isNext = record.sequence == replay.sequence + 1
      return HistoryStep(record: record, before: isNext ? before : nil, after: nil)
    }
  }
}

/// What a ``HistoryCursor`` tells.
public enum HistoryItem<Machine: Reducer>: Sendable {
  /// An event, and what it did.
  case event(HistoryStep<Machine>)
  /// Something about the journal's bytes that stands before the next event.
  case finding(Finding)
}

/// One event and the states around it.
public struct HistoryStep<Machine: Reducer>: Sendable {
  /// The event.
  public let record: RecordedEvent<Machine.Event>
  /// The state before it; `nil` when that is unknown or was not asked for.
  public let before: Machine.State?
  /// The state after it; `nil` when that is unknown or was not asked for.
  public let after: Machine.State?

  @usableFromInline
  init(record: RecordedEvent<Machine.Event>, before: Machine.State?, after: Machine.State?) {
    self.record = record
    self.before = before
    self.after = after
  }

  /// What the event changed; `nil` when a state is unknown. Computed anew at each call, from the slices that differ.
  public var changes: StateDiff? {
    guard let before, let after else { return nil }
    return before.changes(to: after)
  }
}
