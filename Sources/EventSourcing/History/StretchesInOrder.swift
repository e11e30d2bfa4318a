import Journal

/// Events of a history, kept so that several threads can replay them, in stretches that end with a keyframe each.
@usableFromInline
struct StretchesInOrder: Sendable {
  /// How many threads there are to be.
  let threads: Int
  /// Whether the next event is to be kept. Otherwise nothing is gained by it from here on.
  @usableFromInline private(set) var isKeeping = false
  /// Whether as much was kept as is to be in memory at a time.
  @usableFromInline private(set) var isFull = false
  private var stretches: [Stretch] = []
  private var open = Stretch(keyframe: nil)
  /// How much memory the stretches take, with the states that come from them.
  private var size = 0
  /// The keyframes that come behind what was kept.
  private var keyframes: KeyframesInOrder

  /// Events that follow each other.
  struct Stretch: Sendable {
    /// The one behind which they are; `nil` when there is none, or it is of another history.
    let keyframe: Keyframe?
    var events = KeptEvents()
  }

  /// So many stretches each thread replays before anybody waits for another.
  private static let stretchesPerThread = 8
  /// With so many bytes for each thread, one stretch for each of them is enough.
  private static let sizePerThread = 1 << 20
  /// So many bytes are kept at most, and one event more, for however few stretches: then fewer threads have something to do.
  private static let maximumSize = 16 << 20
  /// How many times as much memory as its encoding a state takes, with those that are kept to be compared.
  private static let stateFactor = 4

  @usableFromInline
  init(threads: Int, before keyframes: KeyframesInOrder) {
    self.threads = threads
    self.keyframes = keyframes
    begin(before: keyframes, isSound: true)
  }

  /// Goes on behind what was taken.
  ///
  /// - Parameters:
  ///   - next: The keyframes that are still to come.
  ///   - isSound: Whether the states in them may be those of the replay.
  @usableFromInline
  mutating func begin(before next: KeyframesInOrder, isSound: Bool) {
    keyframes = next
    isKeeping = threads > 1 && isSound && next.current != nil
  }

  /// Keeps a copy of the event that follows.
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

  /// What was kept.
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
