extension PositionResolver {
  /// A stretch of events, and between which times they happened.
  public struct Stretch: Sendable {
    /// The first and the last event.
    public var events: ClosedRange<UInt64>
    /// The earliest and the latest wall time, as what describes the journal has them; `nil` if it does not.
    public var times: ClosedRange<Int64>?

    /// `times` are those of `events`, in nanoseconds since 1970-01-01T00:00:00Z.
    public init(events: ClosedRange<UInt64>, times: ClosedRange<Int64>?) {
      self.events = events
      self.times = times
    }

    /// Stretches of 1,024 events, for positions that depend on no time. O(number of stretches).
    public static func withoutTimes(_ events: ClosedRange<UInt64>) -> [Stretch] {
      let length: UInt64 = 1024
      return (0...(events.upperBound - events.lowerBound) / length).map { index in
        let first = events.lowerBound + index * length
        return Stretch(events: first...min(events.upperBound, first + length - 1), times: nil)
      }
    }
  }

  /// Reads a history that has all of its events, and of those only the stretches on which the positions depend.
  ///
  /// The times within which a stretch lies tell which one holds the first event after a time, and the last one before
  /// it, even where the clock went back. For the last event of a type, stretches are read from the end; for the nth one,
  /// events are read from the beginning until it comes.
  ///
  /// - Parameters:
  ///   - stretches: All events in order, in stretches of some thousand events.
  ///   - notes: Calls its second argument for each event of a range, in order, until that returns `false`.
  /// - Returns: `nil` where only reading everything tells, because an event did not happen within the times of its stretch.
  public init?<Failure>(
    seeking positions: [NamedPosition], in stretches: [Stretch],
    _ notes: @escaping (ClosedRange<UInt64>, (Note) -> Bool) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = stretches.first, let last = stretches.last else { return nil }
    self.init(spanning: first.events.lowerBound...last.events.upperBound)
    var search = StretchSearch(stretches: stretches, notes: notes)
    if positions.contains(where: \.isTime) {
      var ends: [Int64] = []
      for end in [first.events.lowerBound, last.events.upperBound] {
        try notes(end...end) { note in
          ends.append(note.wallNanoseconds)
          return true
        }
      }
      guard ends.count == 2 else { return nil }
      span = (ends[0], ends[1])
    }
    for position in positions {
      switch absolute(position) ?? position {
      case .time(let from, let to): times.append(try search.time(from, to))
      case .lastOfType(let type): try search.lastOfType(type)
      case .occurrence(let type, let number):
        occurrences.append(OccurrenceSearch(type: type, number: number))
      // Without a last event, its time is unknown.
      case .timeOfDay, .beforeLastEvent: return nil
      case .sequence, .start, .end, .beforeEnd: break
      }
    }
    guard !search.isContradicted else { return nil }
    try search.find(&occurrences)
    lastOfType = search.found
    typeCounts = search.typeCounts
  }
}

/// Looks for events in the stretches that may hold them.
private struct StretchSearch<Failure: Error> {
  typealias Note = PositionResolver.Note

  let stretches: [PositionResolver.Stretch]
  let notes: (ClosedRange<UInt64>, (Note) -> Bool) throws(Failure) -> Void
  /// Whether an event did not happen within the times of its stretch.
  var isContradicted = false
  /// The last events of the types looked for, and the number of events of each type among those read; of all events where
  /// one that was looked for does not exist.
  var found: [String: UInt64] = [:]
  var typeCounts: [String: UInt64] = [:]
  /// The number of stretches that were not read from the end.
  private var left: Int

  init(
    stretches: [PositionResolver.Stretch],
    notes: @escaping (ClosedRange<UInt64>, (Note) -> Bool) throws(Failure) -> Void
  ) {
    self.stretches = stretches
    self.notes = notes
    left = stretches.count
  }

  mutating func time(_ from: Int64, _ to: Int64) throws(Failure) -> PositionResolver.TimeSearch {
    var search = PositionResolver.TimeSearch(first: from, last: to)
    search.firstInside = try first({ $0.upperBound >= from }, { $0 >= from })
    search.firstLater = try first({ $0.upperBound > to }, { $0 > to })
    search.lastInside = try last({ $0.lowerBound <= to }, { $0 <= to }) ?? 0
    return search
  }

  /// The first event that happened at such a time; `mayHold` judges the times of a stretch.
  private mutating func first(
    _ mayHold: (ClosedRange<Int64>) -> Bool, _ isWanted: (Int64) -> Bool
  ) throws(Failure) -> UInt64? {
    for stretch in stretches where stretch.times.map(mayHold) ?? true {
      var event: UInt64?
      try read(stretch) { if event == nil, isWanted($0.wallNanoseconds) { event = $0.sequence } }
      if let event { return event }
    }
    return nil
  }

  /// The last event that happened at such a time.
  private mutating func last(
    _ mayHold: (ClosedRange<Int64>) -> Bool, _ isWanted: (Int64) -> Bool
  ) throws(Failure) -> UInt64? {
    for stretch in stretches.reversed() where stretch.times.map(mayHold) ?? true {
      var event: UInt64?
      try read(stretch) { if isWanted($0.wallNanoseconds) { event = $0.sequence } }
      if let event { return event }
    }
    return nil
  }

  private mutating func read(_ stretch: PositionResolver.Stretch, _ body: (Note) -> Void) throws(Failure) {
    var isContradicted = false
    try notes(stretch.events) { note in
      if let times = stretch.times, !times.contains(note.wallNanoseconds) { isContradicted = true }
      body(note)
      return true
    }
    if isContradicted { self.isContradicted = true }
  }

  /// Reads from the end until an event of the type is found, or everything was read.
  mutating func lastOfType(_ type: String) throws(Failure) {
    while found[type] == nil, left > 0 {
      // As many stretches as were read before: at most half of what is read was not needed, and a type without events
      // takes few passes.
      let first = max(0, left - max(1, stretches.count - left))
      var typeCounts = self.typeCounts
      var latest: [String: UInt64] = [:]
      try notes(stretches[first].events.lowerBound...stretches[left - 1].events.upperBound) { note in
        latest[note.type] = note.sequence
        typeCounts[note.type, default: 0] += 1
        return true
      }
      found.merge(latest) { later, _ in later }
      self.typeCounts = typeCounts
      left = first
    }
  }

  /// Reads from the beginning until the nth event of each type is found, or everything was read.
  mutating func find(_ occurrences: inout [PositionResolver.OccurrenceSearch]) throws(Failure) {
    guard let first = stretches.first, let last = stretches.last, !occurrences.isEmpty else { return }
    var searches = occurrences
    var missing = searches.count
    var counts: [String: UInt64] = [:]
    try notes(first.events.lowerBound...last.events.upperBound) { note in
      let count = (counts[note.type] ?? 0) + 1
      counts[note.type] = count
      for index in searches.indices where searches[index].number == count && searches[index].type == note.type {
        searches[index].sequence = note.sequence
        missing -= 1
      }
      return missing > 0
    }
    occurrences = searches
    if missing > 0 { typeCounts = counts }
  }
}
