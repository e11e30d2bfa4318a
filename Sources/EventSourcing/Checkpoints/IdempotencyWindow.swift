/// The commands that are still recognised when they come again: the newest ones that had an idempotency key.
///
/// The window moves with the history only, so that every program that reads the same events has the same window.
@usableFromInline
struct IdempotencyWindow: Equatable, Sendable {
  /// What one command with a key led to.
  @usableFromInline
  struct Entry: Equatable, Sendable {
    var key: [UInt8]
    @usableFromInline var fingerprint: [UInt8]
    @usableFromInline var first: UInt64
    var last: UInt64
  }

  /// How many commands are kept.
  static var capacity: Int { 1024 }
  /// How many commands a keyframe lists at most.
  static var keyframeCapacity: Int { 32 }
  /// How many bytes a key may have.
  @usableFromInline static var maximumKeyLength: Int { 64 }

  private var entries: [[UInt8]: Entry] = [:]
  /// The keys, oldest first, from `head` on; what is before it has left the window.
  private var order: [[UInt8]] = []
  private var head = 0

  /// How many commands are recognised.
  var count: Int { order.count - head }

  /// The entries, oldest first.
  var inOrder: [Entry] { order[head...].compactMap { entries[$0] } }

  /// What the command with this key led to, if it is still in the window.
  @usableFromInline subscript(key: [UInt8]) -> Entry? { entries[key] }

  /// Notes an event whose command had a key. The events of one command follow each other.
  @usableFromInline
  mutating func note(key: [UInt8], fingerprint: [UInt8], sequence: UInt64) {
    if entries[key]?.last == sequence &- 1 {
      entries[key]?.last = sequence
    } else {
      insert(Entry(key: key, fingerprint: fingerprint, first: sequence, last: sequence))
    }
  }

  /// Adds the newest entry; the oldest leaves when there are too many.
  mutating func insert(_ entry: Entry) {
    if entries[entry.key] != nil, let place = order[head...].firstIndex(of: entry.key) { order.remove(at: place) }
    entries[entry.key] = entry
    order.append(entry.key)
    while order.count - head > IdempotencyWindow.capacity {
      entries[order[head]] = nil
      head += 1
    }
    if head > IdempotencyWindow.capacity {
      order.removeFirst(head)
      head = 0
    }
  }

  @usableFromInline
  static func == (one: IdempotencyWindow, other: IdempotencyWindow) -> Bool { one.inOrder == other.inOrder }
}
