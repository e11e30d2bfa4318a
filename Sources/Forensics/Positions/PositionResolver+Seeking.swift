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
  }

  /// Reads a history that has all of its events, and of those only the stretches on which the positions depend.
  ///
  /// The times within which a stretch lies tell which one holds the first event after a time, and the last one before
  /// it, even where the clock went back. For the last event of a type, stretches are read from the end.
  ///
  /// - Parameters:
  ///   - stretches: All events in order, in stretches of some thousand events.
  ///   - notes: Calls its second argument for each event of a range, in order.
  /// - Returns: `nil` where only reading everything tells: for the nth event of a type, and where an event did not happen
  ///   within the times of its stretch.
  public init?<Failure>(
    seeking positions: [NamedPosition], in stretches: [Stretch],
    _ notes: @escaping (ClosedRange<UInt64>, (Note) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = stretches.first, let last = stretches.last else { return nil }
    self.init(spanning: first.events.lowerBound...last.events.upperBound)
    var search = StretchSearch(stretches: stretches, notes: notes)
    if positions.contains(where: \.isTime) {
      var ends: [Int64] = []
      for end in [first.events.lowerBound, last.events.upperBound] {
        try notes(end...end) { ends.append($0.wallNanoseconds) }
      }
      guard ends.count == 2 else { return nil }
      span = (ends[0], ends[1])
    }
    for position in positions {
      switch absolute(position) ?? position {
      case .time(let from, let to): times.append(try search.time(from, to))
      case .lastOfType(let type): try search.lastOfType(type)
      case .occurrence: return nil
      // Without a last event, its time is unknown.
      case .timeOfDay, .beforeLastEvent: return nil
      case .sequence, .start, .end, .beforeEnd: break
      }
    }
    guard !search.isContradicted else { return nil }
    lastOfType = search.found
    typeCounts = search.typeCounts
  }
}

/// Looks for events in the stretches that may hold them.
private struct StretchSearch<Failure: Error> {
  let stretches: [PositionResolver.Stretch]
  let notes: (ClosedRange<UInt64>, (PositionResolver.Note) -> Void) throws(Failure) -> Void
  /// Whether an event did not happen within the times of its stretch.
  var isContradicted = false
  /// The last events of the types looked for, and the number of events of each type from ``start`` on.
  var found: [String: UInt64] = [:]
  var typeCounts: [String: UInt64] = [:]
  /// The first event that was read from the end.
  private var start: UInt64

  init(
    stretches: [PositionResolver.Stretch],
    notes: @escaping (ClosedRange<UInt64>, (PositionResolver.Note) -> Void) throws(Failure) -> Void
  ) {
    self.stretches = stretches
    self.notes = notes
    start = (stretches.last?.events.upperBound ?? 0) + 1
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

  private mutating func read(
    _ stretch: PositionResolver.Stretch, _ body: (PositionResolver.Note) -> Void
  ) throws(Failure) {
    var isContradicted = false
    try notes(stretch.events) { note in
      if let times = stretch.times, !times.contains(note.wallNanoseconds) { isContradicted = true }
      body(note)
    }
    if isContradicted { self.isContradicted = true }
  }

  /// Reads from the end until an event of the type is found, or everything was read.
  mutating func lastOfType(_ type: String) throws(Failure) {
    for stretch in stretches.reversed() where stretch.events.upperBound < start {
      if found[type] != nil { return }
      var (found, typeCounts) = (self.found, self.typeCounts)
      var inStretch: [String: UInt64] = [:]
      try notes(stretch.events) { note in
        inStretch[note.type] = note.sequence
        typeCounts[note.type, default: 0] += 1
      }
      found.merge(inStretch) { later, _ in later }
      (self.found, self.typeCounts) = (found, typeCounts)
      start = stretch.events.lowerBound
    }
  }
}
