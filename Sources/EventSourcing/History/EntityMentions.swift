/// Which events of a part of a history may be about which entities: for each hash of a key a chain of events, the newest one
/// first.
struct EntityMentions: Sendable {
  private struct Mention: Sendable {
    /// The hash of the key: ``EntityID/tag``.
    var tag: UInt32
    /// Counted from the first event of the part.
    var event: UInt32
    /// The place of the one before it in the chain; ``none`` for the first one.
    var previous: UInt32
  }

  private let first: UInt64
  private var mentions: [Mention] = []
  /// The place of the newest mention of each chain. A power of two of them, not fewer than mentions.
  private var heads: [UInt32] = Array(repeating: none, count: 16)

  private let maximumCount: Int

  private static let none = UInt32.max

  /// Of the events from one on.
  ///
  /// - Parameter maximumCount: How many mentions there is room for. More than by default cannot be numbered.
  init(from first: UInt64, maximumCount: Int = Int(UInt32.max)) {
    self.first = first
    self.maximumCount = maximumCount
  }

  /// How much memory it takes, in bytes.
  var size: Int { mentions.capacity * MemoryLayout<Mention>.stride + heads.capacity * MemoryLayout<UInt32>.stride }

  /// Adds an entity of an event. The events of one entity come in order.
  ///
  /// - Returns: Whether there is room for it.
  mutating func add(_ id: EntityID, at sequence: UInt64) -> Bool {
    guard let event = UInt32(exactly: sequence - first), mentions.count < maximumCount else { return false }
    let tag = id.tag
    let head = heads[Int(tag) & (heads.count - 1)]
    if head != Self.none, mentions[Int(head)].tag == tag, mentions[Int(head)].event == event { return true }
    mentions.append(Mention(tag: tag, event: event, previous: Self.none))
    if mentions.count > heads.count {
      heads = Array(repeating: Self.none, count: 2 * heads.count)
      for place in mentions.indices { link(place) }
    } else {
      link(mentions.count - 1)
    }
    return true
  }

  private mutating func link(_ place: Int) {
    let head = Int(mentions[place].tag) & (heads.count - 1)
    mentions[place].previous = heads[head]
    heads[head] = UInt32(place)
  }

  /// The events that may be about an entity, the last one first: some are about another one with the same tag, which one of four
  /// thousand million has.
  func events(of id: EntityID) -> [UInt64] {
    let tag = id.tag
    var events: [UInt64] = []
    var isInOrder = true
    var place = heads[Int(tag) & (heads.count - 1)]
    while place != Self.none {
      let mention = mentions[Int(place)]
      if mention.tag == tag {
        let event = first + UInt64(mention.event)
        if let last = events.last, event >= last { isInOrder = false }
        events.append(event)
      }
      place = mention.previous
    }
    // Those of each entity are in order.
    return isInOrder ? events : Set(events).sorted(by: >)
  }
}
