import Journal

/// A run of consecutive events, and where the state before it comes from: enough for any thread to fold it.
///
/// Where a stretch begins at a keyframe, it shares no object with the states of other stretches, so threads that fold
/// different ones do not slow each other down by counting references to the same objects.
@usableFromInline
package struct HistoryStretch<Machine: Reducer>: Sendable {
  /// What the state before the events comes from.
  enum Start: Sendable {
    /// A replay that has reached it.
    case replay(Replay<Machine>)
    /// A keyframe, of a history whose replay is at another place.
    case keyframe(Keyframe, KeyframeFile, of: Replay<Machine>)
  }

  let start: Start
  let events: KeptEvents

  /// The number of events.
  package var eventCount: Int { events.count }

  /// The memory that the events take, in bytes.
  package var byteCount: Int { events.byteCount }

  /// Passes the events to `body` in order. A payload is valid until `body` returns.
  @usableFromInline
  package func forEachEvent(_ body: (JournalEvent) -> Void) {
    events.forEach(body)
  }

  /// Passes each event with the states around it to `body`. Any thread may call it.
  ///
  /// - Parameter isPassedOver: Receives the number, the type and the time of an event, and returns whether to fold it alone:
  ///   then it is not passed, which takes a fraction of the time.
  /// - Returns: The states at both ends; `nil` where a state is not known, with as many steps as came before. A cursor
  ///   that steps through the same events says why.
  @inlinable
  package func fold(
    passingOver isPassedOver: (UInt64, UInt32, Moment) -> Bool = { _, _, _ in false },
    _ body: (consuming HistoryStep<Machine>) -> Void
  ) -> FoldedStretch<Machine>? {
    guard let start = replay() else { return nil }
    var tracker = StateTracker(replay: start, isTracking: true, goesBeyondDamage: false, isAhead: false)
    forEachEvent { event in
      guard tracker.obstacle == nil, !tracker.passes(over: event, where: isPassedOver) else { return }
      body(tracker.step(RecordedEvent(event)))
    }
    return tracker.obstacle == nil ? FoldedStretch(start: start, end: tracker.replay) : nil
  }

  /// A replay that has reached the state before the events; `nil` if its keyframe cannot be used.
  @usableFromInline
  func replay() -> Replay<Machine>? {
    switch start {
    case .replay(let replay): return replay
    case .keyframe(let keyframe, let file, let whole):
      var digester = StateDigester<Machine.State>()
      return Replay(after: keyframe, in: file, of: whole, &digester)
    }
  }
}

/// The replays before and after a stretch.
@usableFromInline
package struct FoldedStretch<Machine: Reducer>: Sendable {
  let start: Replay<Machine>
  let end: Replay<Machine>

  @usableFromInline
  init(start: Replay<Machine>, end: Replay<Machine>) {
    self.start = start
    self.end = end
  }
}

extension Replay {
  /// A replay of the same history as another one that begins after a keyframe; `nil` if the keyframe cannot be used.
  init?(
    after keyframe: Keyframe, in file: KeyframeFile, of whole: Replay, _ digester: inout StateDigester<Machine.State>
  ) {
    guard let body = try? History<Machine>.body(in: file, of: keyframe),
      let state = try? body.restore(as: Machine.self, digester: &digester)
    else { return nil }
    self.init(from: state, after: keyframe.sequence, chain: keyframe.chain)
    leftOut = body.lacking(at: keyframe.sequence, in: Machine.State.sliceNames)
    (barrier, unknownSlice) = (whole.barrier, whole.unknownSlice)
    migration = whole.migration
    hasSeenMigration = whole.hasSeenMigration
  }
}
