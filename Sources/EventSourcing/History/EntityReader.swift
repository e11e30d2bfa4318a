import Journal
import WireFormat

/// Finds and reads the events of one entity, whatever their domain, for an ``EntityCursor``.
@usableFromInline
final class EntityReader {
  /// Whether something was passed over that may be about the entity.
  private(set) var hasSkipped = false
  private let index: EntityIndex
  private let id: EntityID
  /// The last event that is wanted.
  private let end: UInt64
  private let goesBeyondDamage: Bool
  /// The segments that are still to be looked at, the last one first.
  private var stretches: [SegmentStretch]
  /// The segment that is looked at.
  private var stretch: SegmentStretch?
  /// The events in it that are known to be about the entity and still to be read, the last one first.
  private var found: [UInt64] = []
  /// Whether the file `STREAMS` says that they are.
  private var isFromFile = false
  /// The first event in it that is read to see what it is about; `nil` if none is.
  private var unknownFrom: UInt64?
  private var source: HeldItems?
  /// The payload of an event that was read at its place.
  private var payload = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Further than this, finding the place in the journal's index takes less than reading on.
  private static let longestStep: UInt64 = 256

  init(_ index: EntityIndex, _ id: EntityID, upTo end: UInt64, goesBeyondDamage: Bool) {
    self.index = index
    self.id = id
    self.end = end
    self.goesBeyondDamage = goesBeyondDamage
    stretches = index.stretches().filter { $0.first <= end }.reversed()
  }

  deinit { payload.deallocate() }

  /// The next event, and the same again until ``advance()`` is called; `nil` after the last one. Its payload is valid until the
  /// next call.
  ///
  /// - Throws: As ``EntityCursor/next()``.
  @usableFromInline
  func next() throws(HistoryError) -> JournalEvent? {
    do throws(HistoryError) {
      while true {
        if let sequence = found.last, let stretch {
          guard sequence <= end else { return nil }
          if let event = try read(sequence, in: stretch) { return event }
        } else if let first = unknownFrom, let stretch {
          if let event = try scan(stretch, from: first) { return event }
          unknownFrom = nil
        } else {
          guard let next = stretches.popLast() else { return nil }
          let events = index.events(of: id, in: next, upTo: end)
          stretch = next
          (found, isFromFile, unknownFrom) = (events.numbers, events.isFromFile, events.unknownFrom)
        }
      }
    } catch {
      // The next call asks the files again.
      source = nil
      throw error
    }
  }

  /// Goes on after the event that ``next()`` returned.
  @usableFromInline
  func advance() {
    if found.isEmpty { unknownFrom = unknownFrom.map { $0 + 1 } } else { found.removeLast() }
  }

  /// Reads an event that is known to be about the entity.
  ///
  /// - Returns: `nil` if it is not there; then the next one is to be looked for.
  private func read(_ sequence: UInt64, in stretch: SegmentStretch) throws(HistoryError) -> JournalEvent? {
    var placed: JournalEvent?
    if index.read(sequence, in: stretch, { placed = copy($0) }), let placed {
      if isAbout(placed) { return placed }
      found.removeLast()
      return nil
    }
    guard isFromFile else {
      // It is not what it was: what has become of it and of those after it is to be looked at.
      (found, unknownFrom) = ([], sequence)
      return nil
    }
    if source.map({ $0.items.last >= sequence || sequence - $0.items.last > Self.longestStep }) ?? true {
      source = try HeldItems(index.reader, after: sequence - 1)
    }
    while let source, source.items.last < sequence, let item = try source.items.next() {
      guard case .event(let event) = item, event.sequence == sequence else { continue }
      if isAbout(event) { return event }
      // The journal holds another history by now.
      (found, unknownFrom) = ([], sequence)
      return nil
    }
    source = nil
    guard goesBeyondDamage else { throw .damaged(lastDerivable: sequence - 1, nil) }
    hasSkipped = true
    found.removeLast()
    return nil
  }

  /// Reads on to the next event of a segment that is about the entity.
  private func scan(_ stretch: SegmentStretch, from first: UInt64) throws(HistoryError) -> JournalEvent? {
    let last = min(stretch.next - 1, end)
    let source: HeldItems
    if let known = self.source, known.items.last == first - 1 {
      source = known
    } else {
      source = try HeldItems(index.reader, after: first - 1)
    }
    self.source = source
    while source.items.last < last, let item = try source.items.next() {
      switch item {
      case .finding(let finding):
        if finding.endsHistory { return nil }
        guard finding.losesEvents else { continue }
        guard goesBeyondDamage else { throw .damaged(lastDerivable: source.items.previous, finding) }
        hasSkipped = true
      case .event(let event):
        guard event.sequence <= last else { return nil }
        if event.sequence != source.items.previous + 1 {
          guard goesBeyondDamage else { throw .damaged(lastDerivable: source.items.previous, nil) }
          hasSkipped = true
        }
        unknownFrom = event.sequence
        if isAbout(event) { return event }
      }
    }
    return nil
  }

  private func isAbout(_ event: JournalEvent) -> Bool {
    var isFound = false
    var reader = WireReader(event.payload)
    guard let fields = try? EnvelopeFields(from: &reader) else { return false }
    index.keys.forEach(fields) { if $0 == id { isFound = true } }
    return isFound
  }

  /// The event with a payload that stays, while others use the index.
  private func copy(_ event: JournalEvent) -> JournalEvent {
    if event.payload.count > payload.count {
      payload.deallocate()
      payload = .allocate(byteCount: max(event.payload.count, 256), alignment: 16)
    }
    payload.copyMemory(from: event.payload)
    var event = event
    event.payload = UnsafeRawBufferPointer(rebasing: payload[..<event.payload.count])
    return event
  }
}
