import Journal
import WireFormat

/// The events of a segment, and of those after it if it is the last one: which are about which entities, and where they stand.
struct EntityPart: Sendable {
  /// How looking at events ended.
  enum Outcome {
    /// With the last one that was wanted, or that there is for now.
    case complete
    /// With more than may be kept.
    case full
    /// With an event that cannot be read, or that a salvage marked as lost: it may be any entity's.
    case lost
  }

  var mentions: EntityMentions
  /// Whether the file `STREAMS` says what the events are about.
  let isFromFile: Bool
  private var places: [EventPlaces] = []
  /// The first event that was not looked at.
  private(set) var next: UInt64
  /// The chain value before it.
  private(set) var chain: UInt32

  /// Nothing yet of the events from the first one of a segment on.
  ///
  /// - Parameter mentions: What the file `STREAMS` says of them; `nil` to find that out from the events.
  init(_ stretch: SegmentStretch, _ mentions: EntityMentions? = nil) {
    self.mentions = mentions ?? EntityMentions(from: stretch.first)
    isFromFile = mentions != nil
    next = stretch.first
    chain = stretch.chainBefore
  }

  /// How much memory it takes, in bytes.
  var size: Int { places.reduce(mentions.size) { $0 + $1.size } }

  /// An event, if its place is known and it is there. Its payload is valid until the reader's next call.
  func event(_ sequence: UInt64, _ reader: PlacedEvents) -> JournalEvent? {
    places.last { $0.first <= sequence }.flatMap { reader.event(sequence, in: $0) }
  }

  /// Looks at the events that come next.
  ///
  /// - Parameters:
  ///   - end: The first one that is not wanted.
  ///   - limit: How much memory to use, in bytes.
  ///   - keys: Finds out what the events are about.
  mutating func read(
    _ source: HeldItems, before end: UInt64, upTo limit: Int, _ keys: EntityFinder
  ) throws(HistoryError) -> Outcome {
    while next < end {
      let event: JournalEvent
      if let known = source.items.nextAtHand() {
        event = known
      } else {
        switch try source.items.next() {
        case .event(let found): event = found
        case .finding(let finding):
          if finding.losesEvents || finding.endsHistory { return .lost }
          continue
        case nil: return .complete
        }
      }
      guard event.sequence == next else { return .lost }
      guard add(event, keys), event.sequence % 1024 > 0 || size <= limit else { return .full }
    }
    return .complete
  }

  private mutating func add(_ event: JournalEvent, _ keys: EntityFinder) -> Bool {
    if places.last?.isInSegment(of: event) != true {
      places.append(EventPlaces(event, after: chain))
    } else if !places[places.count - 1].add(event, after: chain) {
      return false
    }
    var hasRoom = true
    var reader = WireReader(event.payload)
    if !isFromFile, let fields = try? EnvelopeFields(from: &reader) {
      keys.forEach(fields) { if !mentions.add($0, at: event.sequence) { hasRoom = false } }
    }
    // Only then has it been looked at.
    if hasRoom { (next, chain) = (event.sequence + 1, event.chain) }
    return hasRoom
  }
}
