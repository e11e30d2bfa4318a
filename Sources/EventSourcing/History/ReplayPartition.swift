import Journal

/// Cuts a history into stretches of events, each ending at a keyframe, so that several threads can replay them.
@usableFromInline
struct ReplayPartition: Sendable {
  /// The events after the last cut.
  private var open = Stretch(keyframe: nil)
  /// The keyframes after the last cut.
  private var keyframes: KeyframesInOrder

  init(before keyframes: KeyframesInOrder) {
    self.keyframes = keyframes
  }

  /// Whether another keyframe follows. After the last one, no thread knows the state.
  var hasNextKeyframe: Bool { keyframes.current != nil }

  /// Whether there are no events after the last cut.
  var isEmpty: Bool { open.events.count == 0 }

  /// Memory used by the events after the last cut, in bytes. Stored, because asking them would copy them for each event.
  private(set) var byteCount = 0

  /// Copies the next event. Returns whether a stretch ends with it.
  mutating func keep(_ event: JournalEvent) -> Bool {
    open.events.append(event)
    byteCount = open.events.byteCount
    return event.sequence >= keyframes.nextSequence
  }

  /// Removes and returns the events after the last cut, and cuts here.
  mutating func cut() -> Stretch {
    let cut = open
    byteCount = 0
    let last = cut.events.last
    open = Stretch(keyframe: keyframes.current.flatMap { ($0.sequence, $0.chain) == last ?? (0, 0) ? $0 : nil })
    while let found = keyframes.current, found.sequence <= last?.sequence ?? 0 { keyframes.advance() }
    return cut
  }

  /// A run of consecutive events.
  @usableFromInline
  struct Stretch: Sendable {
    /// The keyframe before the first event; `nil` if there is none or it belongs to another history.
    let keyframe: Keyframe?
    /// Copies of the events.
    var events = KeptEvents()

    /// Memory taken by a state, as a multiple of its encoding, including the states kept for comparison.
    private static let stateFactor = 4

    /// Memory used by the events and by the states computed from the keyframe, in bytes.
    var size: Int { events.byteCount + (keyframe?.bodyLength ?? 0) * Self.stateFactor }

    /// Passes the events to `body` in order.
    @usableFromInline
    func forEachEvent(_ body: (JournalEvent) throws(HistoryError) -> Void) throws(HistoryError) {
      try events.forEach(body)
    }
  }
}
