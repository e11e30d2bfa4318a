import Journal
import WireFormat

/// One event of a history that is passed in order: what is known of it without reading its body again.
public struct PassedEvent<Event: JournaledEvent> {
  @usableFromInline let event: JournalEvent
  /// When it was decided.
  public let moment: Moment
  /// The number of its type.
  public let type: UInt32

  /// The event's number.
  @inlinable public var sequence: UInt64 { event.sequence }
  /// Whether it is the last one of its command.
  @inlinable public var isLastOfBatch: Bool { event.isLastOfBatch }
  /// The type's name, or `type 99` when the catalogue has none.
  public var typeName: String { Event.catalog.entry(of: type)?.name ?? RecordedEvent<Event>.nameless(type) }

  @inlinable
  init(_ event: JournalEvent, at moment: Moment, type: UInt32) {
    (self.event, self.moment, self.type) = (event, moment, type)
  }
}

extension HistoryCursor {
  /// Passes each further event to `body`, with the states before and after it, and folds it in place: much faster than
  /// ``next()``, which keeps a state for each event.
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
    while let item = try nextItem() {
      switch item {
      case .finding(let finding): tracker.note(finding)
      case .event(let event):
        guard event.sequence <= last else { return nil }
        if items.isInCutBatch { tracker.noteCutBatch() }
        guard tracker.isTracking, tracker.obstacle == nil, !tracker.isAhead else {
          if tracker.isAhead { _ = tracker.step(RecordedEvent(event)) }
          if let obstacle = tracker.obstacle { return obstacle }
          continue
        }
        var moment = Moment(wallNanoseconds: 0)
        var type: UInt32 = 0
        do throws(HistoryError) {
          try tracker.replay.fold(event) { fields in (moment, type) = (fields.moment, fields.type) }
        } catch {
          tracker.obstacle = error
          return error
        }
        guard body(PassedEvent(event, at: moment, type: type), earlier, tracker.replay.state) else { return nil }
        for slice in slices where !tracker.replay.state.slice(slice, equals: earlier) {
          earlier.takeSlice(slice, of: tracker.replay.state)
        }
      }
    }
    return nil
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
  /// Whether it is the last one of its command.
  @usableFromInline package let isLastOfBatch: Bool
  /// The event; `nil` if this program does not know it.
  @usableFromInline package let event: Event?
  /// The whole of it, with copies of its envelope and its body: where that was asked for, or the program does not know it.
  @usableFromInline package let record: RecordedEvent<Event>?

  @inlinable
  init(_ item: JournalEvent, isWhole: Bool) {
    (sequence, chain, isLastOfBatch) = (item.sequence, item.chain, item.isLastOfBatch)
    var reader = WireReader(item.payload)
    if !isWhole, let fields = try? EnvelopeFields(from: &reader), fields.features.unknown.isEmpty {
      var body = WireReader(fields.body)
      if let event = try? Event.decode(type: fields.type, version: fields.version, body: &body) {
        (moment, self.event, record) = (fields.moment, event, nil)
        return
      }
    }
    let record = RecordedEvent<Event>(item)
    (moment, event, self.record) = (record.envelope.moment, record.event, record)
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
      case .finding(let finding): tracker.note(finding)
      case .event(let event):
        guard event.sequence <= last else { return nil }
        if items.isInCutBatch { tracker.noteCutBatch() }
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
      } else if let record = read.record {
        try tracker.replay.fold(record)
      }
    } catch {
      tracker.obstacle = error
      throw error
    }
  }

  /// A copy of the state after the last event that was folded.
  @inlinable package var reached: Machine.State { tracker.replay.state }

  /// Passes the state after the last event that was folded to `body` without copying it.
  @inlinable
  package func withReached<Result>(_ body: (borrowing Machine.State) -> Result) -> Result {
    body(tracker.replay.state)
  }
}
