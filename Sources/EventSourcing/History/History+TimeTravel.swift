import Journal
import WireFormat

/// A state and its position in the history.
public struct StateAtPosition<State: MachineState>: Sendable {
  /// The position, with the alternative if the clock ran backwards.
  public let position: ResolvedPosition
  /// The state there.
  public let state: State
  /// The journal's chain there.
  public let chain: UInt32
  /// Where its computation began: the stored state it is based on, if any.
  public let origin: StateOrigin
  /// The nearer stored states that did not match, nearest first.
  public let notes: [CheckpointNote]

  @usableFromInline
  init(position: ResolvedPosition, state: State, chain: UInt32, origin: StateOrigin, notes: [CheckpointNote]) {
    self.position = position
    self.state = state
    self.chain = chain
    self.origin = origin
    self.notes = notes
  }
}

extension History {
  /// The state at a position.
  ///
  /// Computed from the nearest earlier keyframe or checkpoint that matches this program and this history, or from the
  /// first event; with ``usesCheckpoints`` off, always from the first event.
  ///
  /// - Throws: ``HistoryError`` if the position lies outside the history, or if damage or an unknown event that must be
  ///   understood makes the state there unknown. No other position is substituted.
  @inlinable
  public func state(at position: Position) throws(HistoryError) -> StateAtPosition<Machine.State> {
    if case .end = position {
      return try travel(to: nil, meant: nil)
    }
    let resolved = try resolve(position)
    return try travel(to: resolved.sequence, meant: resolved)
  }

  /// The difference between the states at two positions, in either order.
  @inlinable
  public func diff(_ one: Position, _ other: Position) throws(HistoryError) -> StateDiff {
    let first = try state(at: one)
    let second = try state(at: other)
    return first.state.changes(to: second.state)
  }

  /// The event number a position refers to.
  ///
  /// A time refers to the last event, in journal order, whose wall time is not later. Where the clock ran backwards, an
  /// earlier position may also be meant: ``ResolvedPosition/otherCandidate`` names it.
  public func resolve(_ position: Position) throws(HistoryError) -> ResolvedPosition {
    switch position {
    case .start:
      guard firstSequence <= 1 else { throw beforeFirst(.beforeKeptRange(requested: 0, first: firstSequence)) }
      return ResolvedPosition(sequence: 0)
    case .sequence(let sequence):
      // The state before the first kept event is a position of its own.
      guard sequence >= firstSequence - 1 else {
        throw beforeFirst(.beforeKeptRange(requested: sequence, first: firstSequence))
      }
      return ResolvedPosition(sequence: sequence)
    case .end: return ResolvedPosition(sequence: try lastSequence())
    case .time(let wall): return try resolve(wallNanoseconds: wall)
    }
  }

  /// The last event readable without crossing damage or, with ``goesBeyondDamage``, without a gap.
  ///
  /// Reads the whole journal: damage anywhere makes an earlier event the last one. O(bytes).
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` at damage that loses events.
  public func lastSequence() throws(HistoryError) -> UInt64 {
    var last = firstSequence - 1
    try forEachRaw(after: 0) { (event) throws(HistoryError) in last = event.sequence }
    return last
  }

  private func resolve(wallNanoseconds wall: Int64) throws(HistoryError) -> ResolvedPosition {
    var lastNotLater: UInt64?
    var firstLater: UInt64?
    var loss: (last: UInt64, finding: Finding?)?
    var latestDamage: Finding?
    var items = try JournalItems(reader, after: firstSequence - 1, beyondDamage: true)
    walk: while let item = try items.next() {
      switch item {
      case .finding(let finding):
        if finding.endsHistory { break walk }
        guard finding.losesEvents else { continue }
        latestDamage = finding
        if !goesBeyondDamage, loss == nil { loss = (items.previous, finding) }
      case .event(let event):
        if items.last != items.previous + 1, loss == nil { loss = (items.previous, latestDamage) }
        let time: Int64
        do throws(WireError) {
          time = try wallTime(of: event.payload)
        } catch {
          if let loss { throw .damaged(lastDerivable: loss.last, loss.finding) }
          throw .foreignPayload(sequence: event.sequence, error)
        }
        if time <= wall { lastNotLater = event.sequence } else if firstLater == nil { firstLater = event.sequence }
      }
    }
    // The lost events may be the ones asked for.
    if let loss, (firstLater ?? .max) > loss.last || (lastNotLater ?? 0) > loss.last {
      throw .damaged(lastDerivable: loss.last, loss.finding)
    }
    guard let sequence = lastNotLater else {
      guard firstSequence <= 1 else {
        throw beforeFirst(.timeBeforeKeptRange(wallNanoseconds: wall, first: firstSequence))
      }
      return ResolvedPosition(sequence: 0)
    }
    guard let firstLater, firstLater < sequence else { return ResolvedPosition(sequence: sequence) }
    return ResolvedPosition(sequence: sequence, otherCandidate: firstLater - 1)
  }

  /// The error for a position before the first event: retired, unless the events are lost.
  private func beforeFirst(_ retired: HistoryError) -> HistoryError {
    reader.firstSequence < firstSequence || reader.lostBeginning != nil
      ? noStartingState : retired
  }

  private func wallTime(of payload: UnsafeRawBufferPointer) throws(WireError) -> Int64 {
    var reader = WireReader(payload)
    return try EnvelopeFields(from: &reader).moment.wallNanoseconds
  }

  /// Replays from the nearest usable keyframe or checkpoint, or from nothing, up to an event; `nil` means the end.
  @inlinable
  func replay(upTo target: UInt64?) throws(HistoryError) -> Replay<Machine> {
    try replay(upTo: target, origin: { _, _ in })
  }

  @inlinable
  func travel(
    to target: UInt64?, meant position: ResolvedPosition?
  ) throws(HistoryError) -> StateAtPosition<Machine.State> {
    var began = (origin: StateOrigin.beginning, notes: [CheckpointNote]())
    var replay = try replay(upTo: target) { began = ($0, $1) }
    try sealing?.open(&replay.state, domain: Machine.Event.domain)
    return StateAtPosition(
      position: position ?? ResolvedPosition(sequence: replay.sequence), state: replay.state, chain: replay.chain,
      origin: began.origin, notes: began.notes)
  }

  /// - Parameter origin: Receives where the replay began and what could not be used.
  @inlinable
  func replay(
    upTo target: UInt64?, origin: (StateOrigin, [CheckpointNote]) -> Void
  ) throws(HistoryError) -> Replay<Machine> {
    try requireOwnDomain()
    var notes: [CheckpointNote] = []
    var replay: Replay<Machine>
    if let near = try replayFromKeyframe(upTo: target, notes: &notes) {
      replay = near.replay
      origin(.keyframe(near.keyframe), notes)
    } else {
      let start = try startingPoint(notAfter: target)
      replay = start.replay
      origin(start.checkpoint.map { .checkpoint($0) } ?? .beginning, notes + start.notes)
      if let target, replay.sequence == target { return replay }
      try forEachRaw(after: replay.sequence, upTo: target) { (event) throws(HistoryError) in
        try replay.fold(event)
      }
    }
    if let target, replay.sequence != target { throw .afterEnd(requested: target, last: replay.sequence) }
    return replay
  }

  /// Calls `body` with every event after `start` up to `end`, and throws at damage that loses events or, with
  /// ``goesBeyondDamage``, at the first gap in the numbers. Of events that a salvage marked as lost, only the last is
  /// passed, without a payload.
  @usableFromInline
  func forEachRaw(
    after start: UInt64, upTo end: UInt64? = nil,
    _ body: (JournalEvent) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let first = max(start, firstSequence - 1)
    guard end.map({ $0 > first }) ?? true else { return }
    var items = try JournalItems(reader, after: first, beyondDamage: goesBeyondDamage)
    while items.last != end {
      if let event = items.nextAtHand() {
        try body(event)
        continue
      }
      guard let item = try items.nextInOrder() else { return }
      switch item {
      case .finding(let finding):
        if finding.endsHistory { return }
        if finding.losesEvents, !goesBeyondDamage { throw .damaged(lastDerivable: items.previous, finding) }
        guard let lost = items.lastLost else { continue }
        // No state is known between lost events.
        guard lost.sequence <= end ?? .max else { throw .damaged(lastDerivable: items.previous, finding) }
        try body(lost)
      case .event(let event): try body(event)
      }
    }
  }
}

/// Where the computation of a state began.
public enum StateOrigin: Equatable, Sendable {
  /// At the state before the first event: based on events alone.
  case beginning
  /// At a checkpoint; the value is the event after which it was stored.
  case checkpoint(UInt64)
  /// At a keyframe; the value is the event after which it was stored.
  case keyframe(UInt64)
}
