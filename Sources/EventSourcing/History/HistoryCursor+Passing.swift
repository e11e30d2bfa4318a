import Journal
import WireFormat

/// One event of a history that is passed in order: what is known of it without reading its envelope again.
///
/// Valid only as long as it is passed.
public struct PassedEvent<Event: JournaledEvent> {
  @usableFromInline let item: JournalEvent
  /// When it was decided.
  public let moment: Moment
  /// The number of its type.
  public let type: UInt32
  /// The rare fields of its envelope.
  @usableFromInline let rest: UnsafeRawBufferPointer
  /// The slices that it may have changed.
  @usableFromInline package let changed: ChangedSlices

  /// The event's number.
  @inlinable public var sequence: UInt64 { item.sequence }
  /// Whether it is the last one of its command.
  @inlinable public var isLastOfBatch: Bool { item.isLastOfBatch }
  /// The type's name, or `type 99` when the catalogue has none.
  public var typeName: String { Event.catalog.entry(of: type)?.name ?? RecordedEvent<Event>.nameless(type) }
  /// What its command carried; `nil` if nothing.
  @inlinable package var attributes: CommandAttributes? { rest.isEmpty ? nil : readAttributes() }

  @inlinable
  init(
    _ item: JournalEvent, at moment: Moment, type: UInt32, rest: UnsafeRawBufferPointer, _ changed: ChangedSlices
  ) {
    (self.item, self.moment, self.type, self.rest, self.changed) = (item, moment, type, rest, changed)
  }

  @usableFromInline
  func readAttributes() -> CommandAttributes? { try? CommandAttributes(among: rest) }
}

extension HistoryCursor {
  /// Folds further events in place, as long as the states around them are known: much faster than ``next()``, which keeps a
  /// state for each event.
  ///
  /// - Parameters:
  ///   - last: The last event to fold.
  ///   - slices: The slices in which the state before an event is needed; in others, it may be that before an earlier one.
  ///   - earlier: The state before the next event. Kept from call to call.
  ///   - decoded: Receives the content of each event before it is folded, if the program knows it.
  ///   - body: Receives each event that was folded, and the states before and after it; returns whether to go on. All are
  ///     valid until it returns.
  /// - Returns: What ends it, as ``next()`` returns it: a finding, or an event around which not both states are known. `nil`
  ///   after `last`, at the end, and where `body` stopped.
  /// - Throws: What ``next()`` throws.
  @inlinable
  package mutating func nextAfterFolding(
    upTo last: UInt64, watching slices: [Int], _ earlier: inout Machine.State,
    decoded: (Machine.Event) -> Void = { _ in },
    _ body: (PassedEvent<Machine.Event>, borrowing Machine.State, borrowing Machine.State) -> Bool
  ) throws(HistoryError) -> HistoryItem<Machine>? {
    while let item = try nextItem() {
      switch item {
      case .finding(let finding):
        tracker.recordObstacle(finding)
        return .finding(finding)
      case .event(let event):
        guard event.sequence <= last else { return nil }
        if items.isInCutBatch { tracker.recordCutBatch() }
        guard tracker.isTracking, tracker.obstacle == nil, !tracker.isAhead else {
          return .event(tracker.step(RecordedEvent(event)))
        }
        // Separate variables: an optional of this size looks up at run time how to destroy itself.
        var moment = Moment(wallNanoseconds: 0)
        var type: UInt32 = 0
        var rest = UnsafeRawBufferPointer(start: nil, count: 0)
        do throws(HistoryError) {
          try tracker.replay.fold(
            event, observe: { fields in (moment, type, rest) = (fields.moment, fields.type, fields.rest) },
            decoded: decoded)
        } catch {
          tracker.obstacle = error
          return .event(tracker.step(RecordedEvent(event)))
        }
        let changed = tracker.replay.state.takeChangedSlices()
        let passed = PassedEvent<Machine.Event>(
          event, at: moment, type: type, rest: rest, changed ?? ChangedSlices())
        let goesOn = body(passed, earlier, tracker.replay.state)
        earlier.follow(tracker.replay.state, inSlices: slices, changed)
        guard goesOn, event.sequence < last else { return nil }
      }
    }
    return nil
  }

  /// Passes each further event to `body`, with the states before and after it, and folds it in place.
  ///
  /// Events after which no state is known are not passed.
  ///
  /// - Parameters:
  ///   - last: The last event to pass.
  ///   - slices: The slices in which the state before an event is needed; in others, it may be that before an earlier one.
  ///   - body: Returns whether to go on. The event and the states are valid until it returns.
  /// - Returns: Why the state is unknown after the first event up to `last` that was not passed; `nil` if all were.
  /// - Throws: What ``next()`` throws.
  @inlinable
  public mutating func forEachEvent(
    upTo last: UInt64, watching slices: [Int],
    _ body: (PassedEvent<Machine.Event>, borrowing Machine.State, borrowing Machine.State) -> Bool
  ) throws(HistoryError) -> HistoryError? {
    var earlier = tracker.replay.state
    while let item = try nextAfterFolding(upTo: last, watching: slices, &earlier, body) {
      if case .event = item, let obstacle = tracker.obstacle { return obstacle }
    }
    return nil
  }
}

extension MachineState {
  /// Becomes a later state in some slices, where these may have changed.
  ///
  /// - Parameter changed: The slices that may have changed since this state was the same; `nil` if that is not known.
  @inlinable
  mutating func follow(_ later: borrowing Self, inSlices slices: [Int], _ changed: ChangedSlices?) {
    for index in slices {
      if let changed {
        guard changed.contains(index) else { continue }
      } else {
        guard !slice(index, equals: later) else { continue }
      }
      copySlice(index, of: later)
    }
  }
}

/// An event that was read and is not folded yet.
@usableFromInline
package struct ReadEvent<Event: JournaledEvent>: Sendable {
  /// The event's number.
  @usableFromInline package let sequence: UInt64
  @usableFromInline let chain: UInt32
  /// When it was decided.
  @usableFromInline package let moment: Moment
  /// The event named as its cause; 0 for none.
  @usableFromInline package let cause: UInt64
  /// Whether it is the last one of its command.
  @usableFromInline package let isLastOfBatch: Bool
  /// The event; `nil` if this program does not know it.
  @usableFromInline package let event: Event?
  @usableFromInline let whole: Whole?

  /// Elsewhere than in the event, which is moved about often and mostly without it.
  @usableFromInline
  final class Whole: Sendable {
    @usableFromInline let record: RecordedEvent<Event>

    @usableFromInline
    init(_ record: RecordedEvent<Event>) { self.record = record }
  }

  /// The whole of it, with copies of its envelope and its body: where that was asked for, or the program does not know it.
  @inlinable package var record: RecordedEvent<Event>? { whole?.record }

  @inlinable
  init(_ item: JournalEvent, isWhole: Bool) {
    (sequence, chain, isLastOfBatch) = (item.sequence, item.chain, item.isLastOfBatch)
    var reader = WireReader(item.payload)
    if !isWhole, let fields = try? EnvelopeFields(from: &reader), fields.features.unknown.isEmpty {
      var body = WireReader(fields.body)
      if let event = try? Event.decode(type: fields.type, version: fields.version, body: &body) {
        (moment, cause, self.event, whole) = (fields.moment, fields.cause, event, nil)
        return
      }
    }
    let record = RecordedEvent<Event>(item)
    (moment, cause, event, whole) = (record.envelope.moment, record.envelope.cause, record.event, Whole(record))
  }
}

/// For passes that look at an event before it is folded.
extension HistoryCursor {
  /// The next event up to a number, before it is folded; ``fold(_:)`` must fold each event in order. `nil` at the end.
  ///
  /// - Parameter isWhole: Whether the envelope is needed as well.
  /// - Throws: What ``next()`` throws, and why the state before the event is unknown.
  @inlinable
  package mutating func nextToFold(
    upTo last: UInt64, isWhole: Bool
  ) throws(HistoryError) -> ReadEvent<Machine.Event>? {
    while let item = try nextItem() {
      switch item {
      case .finding(let finding): tracker.recordObstacle(finding)
      case .event(let event):
        guard event.sequence <= last else { return nil }
        if items.isInCutBatch { tracker.recordCutBatch() }
        if let obstacle = tracker.obstacle { throw obstacle }
        return ReadEvent(event, isWhole: isWhole)
      }
    }
    return nil
  }

  /// Folds an event that ``nextToFold(upTo:isWhole:)`` returned.
  @inlinable
  package mutating func fold(_ read: ReadEvent<Machine.Event>) throws(HistoryError) {
    do throws(HistoryError) {
      if let event = read.event {
        try tracker.replay.fold(event, read.sequence, chain: read.chain, at: read.moment)
      } else if let record = read.whole?.record {
        try tracker.replay.fold(record)
      }
    } catch {
      tracker.obstacle = error
      throw error
    }
  }

  /// The slices that may have changed since this or ``next()`` last took them; all where that is not known.
  @inlinable
  package mutating func takeChangedSlices() -> ChangedSlices {
    tracker.replay.state.takeChangedSlices() ?? ChangedSlices()
  }

  /// A copy of the state after the last event that was folded.
  @inlinable package var reached: Machine.State { tracker.replay.state }

  /// Passes the state after the last event that was folded to `body` without copying it.
  @inlinable
  package func withReached<Result>(_ body: (borrowing Machine.State) -> Result) -> Result {
    body(tracker.replay.state)
  }
}
