import Journal
import WireFormat

/// One event that changed a part of the state.
public struct StateWrite<Event: JournaledEvent>: Sendable {
  /// The event.
  public let record: RecordedEvent<Event>
  /// The value at the path before it; `nil` if there was none.
  public let before: StateTree?
  /// The value at the path after it; `nil` if there is none.
  public let after: StateTree?
  /// The changes at the path, value by value.
  public let changes: [StateChange]
}

extension History {
  /// The events that changed the state at `path` or below it, newest first, at most `limit` of them.
  ///
  /// An event that sets a value to what it already was changes nothing and is not listed. The history is replayed from
  /// its first event, even if checkpoints exist. Memory grows with `limit` only.
  ///
  /// - Parameters:
  ///   - path: A path such as `/accounts/a1/status`.
  ///   - end: The last position to consider.
  ///   - limit: The most writes to keep; at least 0.
  public func lastWrites(
    to path: String, upTo end: Position = .end, limit: Int = 100
  ) throws(HistoryError) -> [StateWrite<Machine.Event>] {
    var writes: [StateWrite<Machine.Event>] = []
    try forEachWrite(to: path, upTo: end) { (write) throws(HistoryError) in
      guard limit > 0 else { return }
      if writes.count >= 2 * limit { writes.removeFirst(writes.count - limit + 1) }
      writes.append(write)
    }
    return writes.suffix(max(0, limit)).reversed()
  }

  /// Calls `body` with every event that changed the state at `path` or below it, in order.
  public func forEachWrite(
    to path: String, upTo end: Position = .end,
    _ body: (StateWrite<Machine.Event>) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let slice = StateTree.components(of: path).first.flatMap { name in
      Machine.State.sliceNames.firstIndex { $0 == name }
    }
    // A path that names no slice matches nothing; the root is in every slice.
    guard slice != nil || StateTree.normalized(path) == "/" else { return }
    let target: UInt64? = if case .end = end { nil } else { try resolve(end).sequence }
    var replay = try origin().replay
    let place = slice == nil ? "" : StateTree.normalized(path)
    var tree = replay.state.tree(at: path)
    try forEachRaw(after: replay.sequence, upTo: target) { (event) throws(HistoryError) in
      let before = replay.state
      try replay.fold(event)
      if let slice, before.slice(slice, equals: replay.state) { return }
      // Most events change another part of the slice, so the previous tree is kept and each event builds only one.
      let earlier = tree
      tree = replay.state.tree(at: path)
      var diff = StateDiff()
      diff.compare(earlier, tree, at: place)
      guard !diff.isEmpty else { return }
      try body(StateWrite(record: RecordedEvent(event), before: earlier, after: tree, changes: diff.changes))
    }
    if let target, replay.sequence != target { throw .afterEnd(requested: target, last: replay.sequence) }
  }
}
