import Journal
import WireFormat

/// Iterates over a history in constant memory: the events, and the findings between them.
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

  @usableFromInline let foreign: ForeignDomain?
  /// What ended reading ahead and is returned next.
  @usableFromInline var held: Held?

  init(
    _ items: consuming JournalItems, of foreign: ForeignDomain?, replay: Replay<Machine>, isTrackingState: Bool,
    goesBeyondDamage: Bool
  ) {
    self.foreign = foreign
    let isAhead = isTrackingState && items.last < replay.sequence
    self.items = items
    tracker = StateTracker(
      replay: replay, isTracking: isTrackingState, goesBeyondDamage: goesBeyondDamage, isAhead: isAhead)
  }

  /// Why the state is unknown from here on; `nil` while it is known. Events are still returned.
  public var obstacle: HistoryError? { tracker.obstacle }

  /// The state after the last event returned; `nil` if it is unknown or was not requested.
  public var state: Machine.State? {
    tracker.isTracking && tracker.obstacle == nil && !tracker.isAhead ? tracker.replay.state : nil
  }

  /// The last event after which the state is known. With ``History/cursor(upToCheckpointFrom:)``, the checkpoint's
  /// event until the cursor reaches it.
  public var lastDerivable: UInt64 { tracker.replay.sequence }

  /// The next event or finding; `nil` at the end.
  ///
  /// An event that makes the state unknown is returned like any other, and ``obstacle`` says why no state follows. The
  /// remainder of a batch cut by damage is returned too; no state is known inside it.
  @inlinable
  public mutating func next() throws(HistoryError) -> HistoryItem<Machine>? {
    switch try nextItem() {
    case nil: return nil
    case .event(let event)?:
      if items.isInCutBatch { tracker.recordCutBatch() }
      guard let foreign else { return .event(tracker.step(RecordedEvent(event))) }
      return .event(tracker.step(RecordedEvent(event, in: foreign.schema(of: event))))
    case .finding(let finding)?:
      tracker.recordObstacle(finding)
      return .finding(finding)
    }
  }
}

/// Tracks the state alongside the events returned, as long as it is known.
@usableFromInline
struct StateTracker<Machine: Reducer> {
  @usableFromInline var replay: Replay<Machine>
  @usableFromInline let isTracking: Bool
  @usableFromInline let goesBeyondDamage: Bool
  @usableFromInline var obstacle: HistoryError?
  /// Whether the replay's event has yet to be returned; no state is known before it.
  @usableFromInline var isAhead: Bool
  /// The state after the last step.
  @usableFromInline var last: StateVersion<Machine.State>.Contents?

  @usableFromInline
  init(replay: Replay<Machine>, isTracking: Bool, goesBeyondDamage: Bool, isAhead: Bool) {
    self.replay = replay
    self.isTracking = isTracking
    self.goesBeyondDamage = goesBeyondDamage
    self.isAhead = isAhead
  }

  @usableFromInline
  mutating func recordObstacle(_ finding: Finding) {
    // A checkpoint's state does not depend on the events before it.
    guard finding.losesEvents, !goesBeyondDamage, !isAhead else { return }
    switch obstacle {
    // A cut batch is returned before the finding that cut it.
    case nil, .damaged(_, nil): obstacle = .damaged(lastDerivable: replay.sequence, finding)
    // The first obstacle counts: no state is known after it.
    case .some: return
    }
  }

  /// A batch is one decision and has no state inside it: after the preceding batches, nothing is known.
  @usableFromInline
  mutating func recordCutBatch() {
    guard !goesBeyondDamage, !isAhead, obstacle == nil else { return }
    obstacle = .damaged(lastDerivable: replay.sequence, nil)
  }

  /// Continues with the replay's state once its event is returned.
  @usableFromInline
  mutating func reach(_ record: RecordedEvent<Machine.Event>) -> HistoryStep<Machine> {
    guard record.sequence >= replay.sequence else { return HistoryStep(record: record, before: nil, after: nil) }
    isAhead = false
    guard record.sequence == replay.sequence, record.chain == replay.chain else {
      obstacle = .damaged(lastDerivable: replay.sequence, nil)
      return HistoryStep(record: record, before: nil, after: nil)
    }
    return HistoryStep(record: record, before: nil, after: contents())
  }

  /// The replay's state, shared by the steps before and after it.
  @inlinable
  mutating func contents() -> StateVersion<Machine.State>.Contents {
    if let last, last.sequence == replay.sequence { return last }
    let contents = StateVersion<Machine.State>.Contents(
      state: replay.state, sequence: replay.sequence, chain: replay.chain)
    last = contents
    return contents
  }

  /// Folds an event whose number, type and time satisfy a condition, without decoding more of it than that takes; `false` for
  /// any other, with which it does nothing.
  @inlinable
  mutating func passes(over event: JournalEvent, where isPassedOver: (UInt64, UInt32, Moment) -> Bool) -> Bool {
    var reader = WireReader(event.payload)
    guard let fields = try? EnvelopeFields(from: &reader), isPassedOver(event.sequence, fields.type, fields.moment)
    else {
      return false
    }
    do throws(HistoryError) {
      try replay.fold(event)
    } catch {
      obstacle = error
    }
    return true
  }

  @inlinable
  mutating func step(_ record: consuming RecordedEvent<Machine.Event>) -> HistoryStep<Machine> {
    guard isTracking, obstacle == nil else { return HistoryStep(record: record, before: nil, after: nil) }
    if isAhead { return reach(record) }
    let before = contents()
    do throws(HistoryError) {
      try replay.fold(record)
      let changed = replay.state.takeChangedSlices() ?? ChangedSlices()
      return HistoryStep(record: record, before: before, after: contents(), changed: changed)
    } catch {
      obstacle = error
      // After a gap, the state before the event is unknown too.
      let isNext = record.sequence == replay.sequence + 1
      return HistoryStep(record: record, before: isNext ? before : nil, after: nil)
    }
  }
}

/// One item returned by a ``HistoryCursor``.
public enum HistoryItem<Machine: Reducer>: Sendable {
  /// An event and its effect.
  case event(HistoryStep<Machine>)
  /// Something about the journal's bytes that precedes the next event.
  case finding(Finding)
}

/// One event with the states before and after it.
public struct HistoryStep<Machine: Reducer>: Sendable {
  /// The event.
  public let record: RecordedEvent<Machine.Event>
  @usableFromInline let earlier: StateVersion<Machine.State>.Contents?
  @usableFromInline let later: StateVersion<Machine.State>.Contents?
  /// The slices in which the states may differ.
  @usableFromInline let changed: ChangedSlices

  @usableFromInline
  init(
    record: RecordedEvent<Machine.Event>, before: StateVersion<Machine.State>.Contents?,
    after: StateVersion<Machine.State>.Contents?, changed: ChangedSlices = ChangedSlices()
  ) {
    self.record = record
    self.changed = changed
    earlier = before
    later = after
  }

  /// The state before it; `nil` if unknown or not requested. Copies the state.
  public var before: Machine.State? { earlier?.state }

  /// The state after it; `nil` if unknown or not requested. Copies the state.
  public var after: Machine.State? { later?.state }

  /// Passes both states to `body` without copying them; `nil` if one is unknown or was not requested.
  @inlinable
  public func withStates<Result>(_ body: (borrowing Machine.State, borrowing Machine.State) -> Result) -> Result? {
    guard let earlier, let later else { return nil }
    return later.withStates(since: earlier, body)
  }

  /// Passes the state after the event to `body` without copying it; `nil` if it is unknown or was not requested.
  @inlinable
  public func withLaterState<Result>(_ body: (borrowing Machine.State) -> Result) -> Result? {
    later?.withState(body)
  }

  /// Passes the state before the event to `body` without copying it; `nil` if it is unknown or was not requested.
  @inlinable
  package func withEarlierState<Result>(_ body: (borrowing Machine.State) -> Result) -> Result? {
    earlier?.withState(body)
  }

  /// What the event changed; `nil` if a state is unknown. Recomputed on each call, from the slices that differ.
  public var changes: StateDiff? {
    withStates { before, after in before.changes(to: after) }
  }

  /// The same, found with a differ that is used for many events, in the slices that the event wrote.
  @inlinable
  package func changes(_ differ: StateDiffer) -> StateDiff? {
    withStates { before, after in differ.changes(from: before, to: after, among: changed) }
  }
}
