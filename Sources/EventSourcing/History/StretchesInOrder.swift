import Journal

/// Buffers events of a history in stretches, each ending at a keyframe, so that several threads can replay them.
@usableFromInline
struct StretchesInOrder: Sendable {
  /// Number of threads to use.
  let threads: Int
  /// Whether to buffer the next event. If `false`, more buffering would save nothing.
  @usableFromInline private(set) var isKeeping = false
  /// Whether the memory limit is reached.
  @usableFromInline private(set) var isFull = false
  private var stretches: [Stretch] = []
  private var open = Stretch(keyframe: nil)
  /// Memory used by the stretches and the states computed from them, in bytes.
  private var size = 0
  /// The keyframes after the buffered events.
  private var keyframes: KeyframesInOrder

  /// A run of consecutive events.
  struct Stretch: Sendable {
    /// The keyframe before the first event; `nil` if there is none or it belongs to another history.
    let keyframe: Keyframe?
    var events = KeptEvents()
  }

  /// Number of stretches each thread replays before it waits for others.
  private static let stretchesPerThread = 8
  /// With this many bytes per thread, one stretch per thread is enough.
  private static let sizePerThread = 1 << 20
  /// The most bytes buffered, plus at most one event, however few stretches they form: fewer threads then have work.
  private static let maximumSize = 16 << 20
  /// Memory taken by a state, as a multiple of its encoding, including the states kept for comparison.
  private static let stateFactor = 4

  @usableFromInline
  init(threads: Int, before keyframes: KeyframesInOrder) {
    self.threads = threads
    self.keyframes = keyframes
    begin(before: keyframes, isSound: true)
  }

  /// Continues after the stretches taken.
  ///
  /// - Parameters:
  ///   - next: The remaining keyframes.
  ///   - isSound: Whether their states may match the replay's.
  @usableFromInline
  mutating func begin(before next: KeyframesInOrder, isSound: Bool) {
    keyframes = next
    isKeeping = threads > 1 && isSound && next.current != nil
  }

  /// Buffers a copy of the next event.
  @usableFromInline
  mutating func keep(_ event: JournalEvent) {
    open.events.append(event)
    if event.sequence >= keyframes.nextSequence {
      endStretch()
    } else if size + open.events.byteCount > Self.maximumSize {
      isFull = true
    }
  }

  private mutating func endStretch() {
    let last = open.events.last
    let next = keyframes.current.flatMap { ($0.sequence, $0.chain) == last ?? (0, 0) ? $0 : nil }
    while let found = keyframes.current, found.sequence <= last?.sequence ?? 0 { keyframes.advance() }
    size += open.events.byteCount + (next?.bodyLength ?? 0) * Self.stateFactor
    stretches.append(open)
    open = Stretch(keyframe: next)
    isFull =
      keyframes.current == nil || stretches.count >= threads * Self.stretchesPerThread || size > Self.maximumSize
      || (stretches.count >= threads && size >= threads * Self.sizePerThread)
  }

  /// Removes and returns the buffered stretches.
  mutating func take() -> [Stretch] {
    var taken = stretches
    if open.events.last != nil { taken.append(open) }
    stretches = []
    open = Stretch(keyframe: nil)
    size = 0
    isFull = false
    return taken
  }
}
