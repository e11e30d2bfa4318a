/// The commands recognised when repeated: the newest ones that had an idempotency key; and by what the keys are known under
/// which a sealed journal has their HMACs.
///
/// The window depends only on the history, so every program that reads the same events has the same window.
@usableFromInline
struct IdempotencyWindow: Equatable, Sendable {
  /// The outcome of one command with a key.
  @usableFromInline
  struct Entry: Equatable, Sendable {
    var key: [UInt8]
    @usableFromInline var fingerprint: [UInt8]
    @usableFromInline var first: UInt64
    var last: UInt64
    /// Whether key and fingerprint are HMACs, so that only a store with the journal's keys recognises the command.
    var isSealed = false
  }

  /// Number of commands kept.
  static var capacity: Int { 1024 }
  /// The most commands a keyframe lists.
  static var keyframeCapacity: Int { 32 }
  /// The longest key, in bytes.
  @usableFromInline static var maximumKeyLength: Int { 64 }

  /// What tells the keys that the journal is sealed with from others; empty until an event has recorded it.
  @usableFromInline var keyCheck: [UInt8] = []
  private var entries: [[UInt8]: Entry] = [:]
  /// The keys, oldest first, starting at `head`; those before it have left the window.
  private var order: [[UInt8]] = []
  private var head = 0

  /// Number of commands recognised.
  var count: Int { order.count - head }

  /// Whether only a store with the journal's keys recognises all of the commands.
  var needsKeys: Bool { order[head...].contains { entries[$0]?.isSealed == true } }

  /// The entries, oldest first.
  var inOrder: [Entry] { order[head...].compactMap { entries[$0] } }

  /// The outcome of the command with this key, if it is still in the window.
  @usableFromInline subscript(key: [UInt8]) -> Entry? { entries[key] }

  /// Records an event whose command had a key. The events of one command are consecutive.
  @usableFromInline
  mutating func record(key: [UInt8], fingerprint: [UInt8], sequence: UInt64, isSealed: Bool = false) {
    if entries[key]?.last == sequence &- 1 {
      entries[key]?.last = sequence
    } else {
      insert(Entry(key: key, fingerprint: fingerprint, first: sequence, last: sequence, isSealed: isSealed))
    }
  }

  /// Adds the newest entry and drops the oldest one beyond the capacity.
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
  static func == (one: IdempotencyWindow, other: IdempotencyWindow) -> Bool {
    one.inOrder == other.inOrder && one.keyCheck == other.keyCheck
  }
}
