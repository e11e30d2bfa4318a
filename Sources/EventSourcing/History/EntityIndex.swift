import Journal
import WireFormat

/// What a history has found out about its entities: which events are about which, and where they stand. Shared by copies of the
/// history, and a cache: each event that it leads to is read from the journal and verified, and what it cannot say is read there.
///
/// The last segment, and those of which the file `STREAMS` says nothing, are looked through once; of others the file is asked a few
/// times before it is read whole. Where events are damaged or marked as lost, nothing is kept: they may be any entity's.
///
/// One thread at a time uses it, also while it looks through a segment: <doc:Entities> says what that means for others.
///
/// It knows nothing of types, so that it is compiled once and not looked up at run time.
@usableFromInline
final class EntityIndex: Sendable {
  let reader: JournalReader
  let keys: EntityFinder
  private let contents: Lock<Contents>

  /// - Parameter maximumSize: How much memory to use for complete segments, in bytes, and for the last one as well.
  init(_ reader: JournalReader, _ keys: EntityFinder, maximumSize: Int = 32 << 20) {
    self.reader = reader
    self.keys = keys
    contents = Lock(Contents(maximumSize: maximumSize))
  }

  /// The events of one segment that are about an entity, as far as they are known.
  struct Found: Sendable {
    /// Their numbers, the last one first.
    var numbers: [UInt64] = []
    /// The first event that was not looked at; `nil` if there is none.
    var unknownFrom: UInt64?
    /// Whether the file `STREAMS` says so, and not a look at the events.
    var isFromFile = false
  }

  /// The segments, in order. What has changed in the journal's folder is noticed.
  func stretches() -> [SegmentStretch] { contents.withLock { $0.stretches(of: reader) } }

  /// The events of a segment that are about an entity.
  ///
  /// - Parameters:
  ///   - stretch: The segment.
  ///   - end: The last event that is wanted.
  func events(of id: EntityID, in stretch: SegmentStretch, upTo end: UInt64) -> Found {
    contents.withLock { $0.events(of: id, in: stretch, upTo: end, self) }
  }

  /// Shows an event of a segment, if its place is known and it is there.
  ///
  /// - Returns: Whether it was shown.
  func read(_ sequence: UInt64, in stretch: SegmentStretch, _ body: (JournalEvent) -> Void) -> Bool {
    contents.withLock { contents in
      guard let event = contents.event(sequence, in: stretch) else { return false }
      body(event)
      return true
    }
  }

  /// How much memory it takes, in bytes.
  var size: Int { contents.withLock { $0.totalSize } }

  private struct Contents: @unchecked Sendable {
    // Unchecked because of the readers, which only the thread uses that has the index.

    /// What is known of a segment.
    private enum Knowledge {
      /// Nothing yet. It was asked about so many times.
      case asked(Int)
      case part(EntityPart)
      /// It did not fit into this many bytes.
      case noRoom(Int)
      /// Its events have to be looked at each time, unless the file says which are wanted.
      case unknowable
    }

    private let maximumSize: Int
    private var known: [UInt64: Knowledge] = [:]
    /// How much memory the complete segments take.
    private var size = 0
    private var stretches: [SegmentStretch]?
    private var file: StreamFile?
    private var hasOpenedFile = false
    private var placed: PlacedEvents?
    /// The last segment, which grows, and whether there is no room for more of it.
    private var tail: (part: EntityPart, isFull: Bool)?
    /// Stands after the last event of it that was looked at, so that a look at what came since opens no file.
    private var tailSource: HeldItems?
    /// Of the names in the journal's folder, when they were last looked at.
    private var stamp: UInt64?

    /// How often the file is asked about a segment before what it says is kept.
    private static var mostQuestions: Int { 16 }

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    var totalSize: Int { size + (tail?.part.size ?? 0) }

    mutating func stretches(of reader: JournalReader) -> [SegmentStretch] {
      let stamp = reader.fileSystem.stampOfNames(in: reader.path)
      if stamp == nil || stamp != self.stamp { followNames(in: reader) }
      self.stamp = stamp
      if let stretches { return stretches }
      let stretches = SegmentStretch.all(of: reader)
      self.stretches = stretches
      placed = PlacedEvents(reader)
      return stretches
    }

    /// Forgets the files to which names no longer lead, and the segments that are gone or not what they were. Other programs change
    /// names all the time, as a subscription does with each event: that costs a look at the names, and opens no segment.
    private mutating func followNames(in reader: JournalReader) {
      tailSource = nil
      if file?.isCurrent != true { (file, hasOpenedFile) = (nil, false) }
      guard placed?.followNames() == true, !known.isEmpty else { return }
      let now = try? JournalReader(path: reader.path, fileSystem: reader.fileSystem, acceptsUnfinished: true)
      let unchanged = Set(now.map { SegmentStretch.all(of: $0) } ?? []).intersection(stretches ?? [])
      let firsts = Set(unchanged.map(\.first))
      known = known.filter { firsts.contains($0.key) }
      size = known.values.reduce(0) { if case .part(let part) = $1 { $0 + part.size } else { $0 } }
    }

    mutating func events(
      of id: EntityID, in stretch: SegmentStretch, upTo end: UInt64, _ index: EntityIndex
    ) -> Found {
      let isWhole = end >= stretch.next - 1
      var asked: Int?
      switch known[stretch.first] ?? .asked(0) {
      case .part(let part): return Found(numbers: part.mentions.events(of: id), isFromFile: part.isFromFile)
      case .asked(let count): asked = count
      case .noRoom(let room): if maximumSize - size > room { asked = Self.mostQuestions }
      case .unknowable: break
      }
      if stretch.next == SegmentStretch.open {
        if let asked, isWhole || asked > 0, let events = eventsOfTail(id, stretch, index) { return events }
      } else if let asked {
        // Where the events have to be looked at anyway, all of them are.
        let isDue = file(of: index)?.has(stretch) == true ? asked >= Self.mostQuestions : isWhole || asked > 0
        if isDue, let part = part(of: stretch, index) {
          size += part.size
          known[stretch.first] = .part(part)
          return Found(numbers: part.mentions.events(of: id), isFromFile: part.isFromFile)
        }
      }
      if case .asked(let count) = known[stretch.first] ?? .asked(0) {
        known[stretch.first] = .asked(min(count + 1, Self.mostQuestions))
      }
      guard let events = file(of: index)?.events(of: id, in: stretch) else { return Found(unknownFrom: stretch.first) }
      return Found(numbers: events.reversed(), isFromFile: true)
    }

    func event(_ sequence: UInt64, in stretch: SegmentStretch) -> JournalEvent? {
      guard let placed else { return nil }
      if stretch.next == SegmentStretch.open { return tail?.part.event(sequence, placed) }
      guard case .part(let part)? = known[stretch.first] else { return nil }
      return part.event(sequence, placed)
    }

    private mutating func file(of index: EntityIndex) -> StreamFile? {
      if hasOpenedFile { return file }
      hasOpenedFile = true
      let reader = index.reader
      file = StreamFile(in: reader.path, reader.fileSystem, of: reader.identity.id, keys: index.keys.fingerprint())
      return file
    }

    /// Looks at the events of a complete segment; `nil` if they cannot be kept.
    private mutating func part(of stretch: SegmentStretch, _ index: EntityIndex) -> EntityPart? {
      let room = maximumSize - size
      let file = file(of: index)
      // A section takes about as much memory as it is long.
      guard room > 0, file?.length(of: stretch) ?? 0 <= room else {
        known[stretch.first] = .noRoom(room)
        return nil
      }
      var part = EntityPart(stretch, file?.mentions(in: stretch, upTo: room))
      guard let source = try? HeldItems(index.reader, after: stretch.first - 1),
        let outcome = try? part.read(source, before: stretch.next, upTo: room, index.keys)
      else { return nil }
      switch outcome {
      case .complete where part.next == stretch.next && part.chain == stretch.chainAfter:
        if part.size <= room { return part }
        known[stretch.first] = .noRoom(room)
      case .full: known[stretch.first] = .noRoom(room)
      case .complete, .lost: known[stretch.first] = .unknowable
      }
      return nil
    }

    /// The events of the last segment that are about an entity; `nil` if its events cannot be kept.
    private mutating func eventsOfTail(_ id: EntityID, _ stretch: SegmentStretch, _ index: EntityIndex) -> Found? {
      // What was looked at counts as long as its last event is there.
      if let part = tail?.part, part.next > stretch.first, event(part.next - 1, in: stretch) == nil { tail = nil }
      var (part, isFull) = tail ?? (EntityPart(stretch), false)
      if !isFull {
        // Taken out, so that it has one owner while it grows.
        tail = nil
        let held = tailSource.flatMap { $0.items.last == part.next - 1 ? $0 : nil }
        tailSource = nil
        guard let source = try? held ?? HeldItems(index.reader, after: part.next - 1),
          let outcome = try? part.read(source, before: SegmentStretch.open, upTo: maximumSize, index.keys)
        else { return nil }
        if outcome == .complete { tailSource = source }
        if outcome == .lost {
          known[stretch.first] = .unknowable
          return nil
        }
        isFull = outcome == .full
        tail = (part, isFull)
      }
      // Of an event that found no room, some entities may be known: it is looked at.
      return Found(
        numbers: Array(part.mentions.events(of: id).drop { $0 >= part.next }), unknownFrom: isFull ? part.next : nil)
    }
  }
}
