import Journal

/// Reads ahead of a cursor, a stretch from keyframe to keyframe at a time, for other threads to fold.
///
/// The cursor's own state stays where it is until it adopts what a thread found, stretch by stretch, or steps through
/// the events itself. It reads all bytes in order either way, so it finds the same damage at the same places.
package struct HistoryStretches<Machine: Reducer>: Sendable {
  private var keyframes: KeyframesInOrder

  /// The most bytes of events in one stretch, plus one event.
  private static var maximumSize: Int { 1 << 20 }

  /// Reads ahead in a history.
  package init(of history: History<Machine>) {
    keyframes = KeyframesInOrder(of: history.reader)
    keyframes.advance()
  }

  /// Reads the next stretch, up to an event.
  ///
  /// - Returns: `nil` where reading ahead gains nothing: after the last keyframe, where no state is known, before
  ///   anything but an event, and where no keyframe fits before the cursor has adopted everything that was read.
  package mutating func readNext(
    from cursor: inout HistoryCursor<Machine>, upTo last: UInt64?
  ) -> HistoryStretch<Machine>? {
    guard keyframes.current != nil, cursor.mayReadAhead else { return nil }
    let position = cursor.items.last
    var keyframe: Keyframe?
    while let found = keyframes.current, found.sequence <= position {
      keyframe = found.sequence == position ? found : nil
      keyframes.advance()
    }
    guard keyframes.current != nil else { return nil }
    let replay = cursor.tracker.replay
    let start: HistoryStretch<Machine>.Start
    if replay.sequence == position {
      start = .replay(replay)
    } else if let keyframe, let file = keyframes.file {
      start = .keyframe(keyframe, file, of: replay)
    } else {
      return nil
    }
    var events = KeptEvents()
    while events.byteCount < Self.maximumSize, let event = cursor.nextPlainEvent(upTo: last) {
      events.append(event)
      if event.sequence >= keyframes.nextSequence { break }
    }
    return events.last == nil ? nil : HistoryStretch(start: start, events: events)
  }
}

extension HistoryCursor {
  /// Whether events can be read before the states around them are computed.
  fileprivate var mayReadAhead: Bool {
    tracker.isTracking && tracker.obstacle == nil && !tracker.isAhead && foreign == nil && held == nil
  }

  /// The next event if it follows the last one; anything else is held back for ``next()``.
  fileprivate mutating func nextPlainEvent(upTo last: UInt64?) -> JournalEvent? {
    let position = items.last
    guard last.map({ position < $0 }) ?? true else { return nil }
    do throws(HistoryError) {
      switch try items.next() {
      case nil: return nil
      case .event(let event)? where event.sequence == position + 1 && !event.payload.isEmpty && !items.isInCutBatch:
        return event
      case let item?: held = .item(item)
      }
    } catch {
      held = .failure(error)
    }
    return nil
  }

  /// Continues after a stretch that another thread folded. Returns `false`, and does nothing, if this cursor would not
  /// have begun it with the same state: then pass its events to ``step(through:)``.
  package mutating func adopt(_ stretch: FoldedStretch<Machine>) -> Bool {
    let (replay, start) = (tracker.replay, stretch.start)
    guard tracker.obstacle == nil, (start.sequence, start.chain) == (replay.sequence, replay.chain),
      start.state == replay.state
    else { return false }
    tracker.replay = stretch.end
    tracker.last = nil
    return true
  }

  /// The step to an event that was read ahead.
  @inlinable
  package mutating func step(to event: JournalEvent) -> HistoryStep<Machine> { tracker.step(RecordedEvent(event)) }

  /// What was read and could not be read ahead.
  @usableFromInline
  enum Held {
    case item(JournalItem)
    case failure(HistoryError)
  }

  /// The next item, which may have been held back.
  @inlinable @inline(__always)
  mutating func nextItem() throws(HistoryError) -> JournalItem? {
    held == nil ? try items.next() : try nextHeld()
  }

  @usableFromInline
  mutating func nextHeld() throws(HistoryError) -> JournalItem? {
    defer { held = nil }
    switch held {
    case .item(let item): return item
    case .failure(let error): throw error
    case nil: return try items.next()
    }
  }
}
