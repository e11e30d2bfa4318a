import PlainText

/// Finds the events that named positions refer to in one history.
///
/// ```swift
/// var resolver = PositionResolver()
/// try resolver.read(for: [.lastOfType("wipe.requested")]) { note in
///   // call note(PositionResolver.Note(…)) for every event, in order
/// }
/// let position = try resolver.event(.lastOfType("wipe.requested"))
/// ```
///
/// A lost event may have had any time and any type. A time resolves only if no event is lost between the event found
/// and the next existing one; a type, the nth event of a type, and a position counted from the end resolve only if no
/// lost event could be the one meant. Everything else is ``PositionError/Code/lost``. A range that ends at a time
/// includes adjacent lost events instead, and its reader then encounters them.
///
/// Memory does not grow with the history: event types are only counted.
public struct PositionResolver: Sendable {
  /// What the resolver needs to know about an event.
  public struct Note: Sendable {
    /// The event's number.
    public var sequence: UInt64
    /// Its wall time in nanoseconds since 1970-01-01T00:00:00Z.
    public var wallNanoseconds: Int64
    /// The name of its type.
    public var type: String

    /// `sequence` counts from 1.
    public init(sequence: UInt64, wallNanoseconds: Int64, type: String) {
      self.sequence = sequence
      self.wallNanoseconds = wallNanoseconds
      self.type = type
    }
  }

  /// The event a position refers to, and the alternative if the clock ran backwards.
  public struct Resolved: Equatable, Sendable {
    /// The event, or the event after which the state is meant; 0 means before the first event.
    public var sequence: UInt64
    /// The event before the first one later than the requested time, if it differs from ``sequence``.
    public var otherCandidate: UInt64?

    /// `otherCandidate` is `nil` when the position is unambiguous.
    public init(sequence: UInt64, otherCandidate: UInt64? = nil) {
      self.sequence = sequence
      self.otherCandidate = otherCandidate
    }
  }

  /// The first event; `nil` if the history has none.
  public private(set) var first: UInt64?
  /// The last event; `nil` if the history has none.
  public private(set) var last: UInt64?
  /// The times of the first and the last event in journal order.
  public internal(set) var span: (first: Int64, last: Int64)?
  /// Number of events of each type.
  public internal(set) var typeCounts: [String: UInt64] = [:]
  /// Whether events after the last one may be lost or unreadable, regardless of the journal's own count.
  public var isCutOff = false
  /// The event at which a fork began: not among its own, but the state after it is known there.
  public var forkedAt: UInt64?
  var lastOfType: [String: UInt64] = [:]
  /// The previous event in the current pass.
  private var previous: UInt64?
  /// The first and the last run of lost events before an existing one.
  private var firstLoss: Loss?
  private var lastLoss: Loss?
  var times: [TimeSearch] = []
  var occurrences: [OccurrenceSearch] = []

  struct TimeSearch: Sendable {
    var first: Int64
    var last: Int64
    /// The first event not before the span.
    var firstInside: UInt64?
    /// The loss immediately before it.
    fileprivate var lossBeforeFirst: Loss?
    /// The last event not after the span.
    var lastInside: UInt64 = 0
    /// The loss immediately after it, before another event.
    fileprivate var lossBehindLast: Loss?
    /// The first event after the span.
    var firstLater: UInt64?

    init(first: Int64, last: Int64) {
      (self.first, self.last) = (first, last)
    }
  }

  struct OccurrenceSearch: Sendable {
    var type: String
    var number: UInt64
    var sequence: UInt64?
  }

  /// The events that the journal claims to hold; those that are missing are lost.
  let held: ClosedRange<UInt64>?

  /// A resolver that has read nothing.
  ///
  /// - Parameter held: The events that the journal claims to hold, if it does. A missing event among them is
  ///   ``PositionError/Code/lost``; any other missing event never existed or was retired.
  public init(held: ClosedRange<UInt64>? = nil) {
    self.held = held
  }

  /// A resolver for a history that has exactly these events, none of them lost. Without reading any it finds the
  /// positions that are ``NamedPosition/isNumber``; it knows no times and no types.
  public init(spanning events: ClosedRange<UInt64>) {
    held = events
    first = events.lowerBound
    last = events.upperBound
  }

  /// Reads a history once or twice: `events` must call its argument for every event in order.
  ///
  /// Positions relative to the last event's time need a second pass.
  public mutating func read<Failure: Error>(
    for positions: [NamedPosition], _ events: ((Note) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    watch(positions)
    var pass = self
    try events { pass.record($0) }
    self = pass
    let dependent = positions.compactMap { absolute($0) }
    guard !dependent.isEmpty else { return }
    watch(dependent)
    // The second pass looks only for times.
    var second = self
    second.previous = nil
    try events { second.search($0) }
    self = second
  }

  /// The event that a position refers to.
  ///
  /// - Throws: ``PositionError`` that names the nearest position if no such event exists.
  public func event(_ position: NamedPosition) throws(PositionError) -> UInt64 {
    guard let first, let last else {
      if let lossAtEnd {
        throw PositionError(.lost, "no event is left: \(lossAtEnd.text)", remedy: remedyForLoss)
      }
      throw PositionError(.outside, "the journal has no events", remedy: "look at another journal")
    }
    if position == .start || position == .sequence(0) {
      throw PositionError(
        .outside, "start lies before the first event", remedy: "write \(first)")
    }
    let sequence = try place(position, .point).sequence
    guard sequence >= first else {
      if case .beforeEnd(let count) = position {
        throw PositionError(
          .outside, "end~\(count) lies before the first event", remedy: "write \(first)")
      }
      throw PositionError(
        .outside, "no event happened at or before that time", remedy: "the first event is \(first): write \(first)")
    }
    return min(sequence, last)
  }

  /// The event after which the position lies; 0 means before the first event.
  ///
  /// - Throws: ``PositionError`` that names the nearest position if the history has none like it.
  public func state(_ position: NamedPosition) throws(PositionError) -> Resolved {
    if let forkedAt, position == .sequence(forkedAt) { return Resolved(sequence: forkedAt) }
    if last == nil, let forkedAt, position == .end, lossAtEnd == nil { return Resolved(sequence: forkedAt) }
    return try place(position, .point)
  }

  /// The first and last event of a range; the first is greater than the last if the range is empty. Lost events that
  /// may lie in the range are included.
  ///
  /// - Throws: ``PositionError`` if an end lies outside the history, or if both ends are numbers in the wrong order.
  public func range(_ range: NamedRange) throws(PositionError) -> (lower: UInt64, upper: UInt64) {
    let lower = try place(range.lower, .lower).sequence
    let upper = try place(range.upper, .upper).sequence
    if lower > upper, case .sequence(let one) = range.lower, case .sequence(let other) = range.upper {
      throw PositionError(.reversed, "\(one)..\(other) ends before it begins", remedy: "write \(other)..\(one)")
    }
    return (max(lower, first ?? 1), upper)
  }

  /// How a position is used: alone, or as one end of a range.
  private enum Role {
    case point
    case lower
    case upper
  }

  private func place(_ position: NamedPosition, _ role: Role) throws(PositionError) -> Resolved {
    let last = last ?? 0
    switch position {
    case .start, .sequence(0): return Resolved(sequence: 0)
    case .end:
      if role == .point, let lossAtEnd { throw unknown("the last event", lossAtEnd) }
      return Resolved(sequence: last)
    case .sequence(let sequence):
      try expectKept(sequence)
      return Resolved(sequence: sequence)
    case .beforeEnd(let count):
      if let lossAtEnd { throw unknown("end~\(count)", lossAtEnd) }
      guard count <= last else {
        throw PositionError(
          .outside, "end~\(count) is before the first event: the last one is \(last)", remedy: "write start")
      }
      if count < last { try expectKept(last - count) }
      return Resolved(sequence: last - count)
    case .time(let from, let to): return try time(from, to, role)
    case .timeOfDay, .beforeLastEvent:
      if let lossAtEnd { throw unknown("the time of the last event", lossAtEnd) }
      guard case .time(let from, let to)? = absolute(position) else { return Resolved(sequence: 0) }
      return try time(from, to, role)
    case .lastOfType(let type):
      guard let sequence = lastOfType[type] else { throw noSuchType(type) }
      if let loss = lossAtEnd ?? lastLoss, loss.first > sequence {
        throw unknown("whether event \(sequence) is the last \(type)", loss)
      }
      return Resolved(sequence: sequence)
    case .occurrence(let type, let number): return Resolved(sequence: try occurrence(type, number))
    }
  }

  private func occurrence(_ type: String, _ number: UInt64) throws(PositionError) -> UInt64 {
    let found = occurrences.first { $0.type == type && $0.number == number }?.sequence
    if let found, !(firstLoss.map { $0.first < found } ?? false) { return found }
    guard let count = typeCounts[type] else { throw noSuchType(type) }
    if let loss = firstLoss ?? lossAtEnd {
      throw unknown("which event is \(type)#\(number), of which \(count) \(count == 1 ? "is" : "are") left,", loss)
    }
    throw PositionError(
      .outside, "\(type)#\(number) does not exist: the journal has \(count)", remedy: "write \(type)#\(count)")
  }

  private func expectKept(_ sequence: UInt64) throws(PositionError) {
    guard let first, let last else {
      try expectNotLost(sequence, "no event is left")
      if let forkedAt {
        throw PositionError(
          .outside, "event \(sequence) is not in it: it was forked after event \(forkedAt) and has no event yet",
          remedy: "write \(forkedAt) or end")
      }
      throw PositionError(
        .outside, "event \(sequence) does not exist: the journal is empty", remedy: "write start or end")
    }
    if sequence > last { try expectNotLost(sequence, "the last one left is \(last)") }
    if sequence < first { try expectNotLost(sequence, "the first one left is \(first)") }
    if sequence > last {
      let year =
        (1678...2261).contains(sequence)
        ? "; to mean a year, add a month: \(sequence)-01" : ""
      throw PositionError(
        .outside, "event \(sequence) does not exist: the last one is \(last)", remedy: "write \(last) or end\(year)")
    }
    if sequence < first {
      throw PositionError(
        .outside, "event \(sequence) is no longer kept: the first one is \(first)", remedy: "write \(first)")
    }
  }

  private func expectNotLost(_ sequence: UInt64, _ rest: String) throws(PositionError) {
    guard held?.contains(sequence) ?? false else { return }
    throw PositionError(.lost, "event \(sequence) is lost: \(rest)", remedy: "restore the journal's files from a copy")
  }

  private func time(_ from: Int64, _ to: Int64, _ role: Role) throws(PositionError) -> Resolved {
    guard let search = times.first(where: { $0.first == from && $0.last == to }) else { return Resolved(sequence: 0) }
    if role == .lower {
      return Resolved(sequence: search.lossBeforeFirst?.first ?? search.firstInside ?? (last ?? 0) &+ 1)
    }
    if let loss = search.lossBehindLast ?? (search.lastInside == last ?? 0 ? lossAtEnd : nil) {
      if role == .upper { return Resolved(sequence: loss.last ?? .max) }
      throw unknown(
        search.lastInside == 0 ? "the state at that time" : "the last event at or before that time", loss)
    }
    let other = search.firstLater.map { $0 - 1 }
    return Resolved(
      sequence: search.lastInside, otherCandidate: other.flatMap { $0 < search.lastInside ? $0 : nil })
  }

  /// Converts a position relative to the last event's time to an absolute time; `nil` for another position, and where no event is
  /// known.
  package func absolute(_ position: NamedPosition) -> NamedPosition? {
    guard let end = span?.last else { return nil }
    switch position {
    case .beforeLastEvent(let nanoseconds):
      let value = Self.sum(end, -nanoseconds)
      return .time(first: value, last: value)
    case .timeOfDay(let first, let last):
      let midnight = CivilTime(nanoseconds: end)
      guard let day = CivilTime(year: midnight.year, month: midnight.month, day: midnight.day)?.nanoseconds else {
        return nil
      }
      return .time(first: Self.sum(day, first), last: Self.sum(day, last))
    case .sequence, .start, .end, .beforeEnd, .time, .lastOfType, .occurrence: return nil
    }
  }

  /// The sum, or the nearest number that 64 bits hold.
  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, isOverflow) = one.addingReportingOverflow(other)
    return isOverflow ? (other < 0 ? .min : .max) : sum
  }

  private func noSuchType(_ type: String) -> PositionError {
    let names = typeCounts.keys.sorted()
    let remedy =
      EditDistance.nearest(to: type, in: names, limit: 1).first.map { "nearest: \($0) (\(typeCounts[$0] ?? 0))" }
      ?? "write a type that 'pj stats' lists"
    if let loss = firstLoss ?? lossAtEnd {
      return PositionError(.lost, "no event of type \(type) is left, and \(loss.text)", remedy: remedy)
    }
    return PositionError(.outside, "the journal has no event of type \(type)", remedy: remedy)
  }

  private mutating func watch(_ positions: [NamedPosition]) {
    for position in positions {
      switch position {
      case .time(let first, let last): times.append(TimeSearch(first: first, last: last))
      case .occurrence(let type, let number): occurrences.append(OccurrenceSearch(type: type, number: number))
      // The end, the last event and the last of each type are known without a search.
      case .sequence, .start, .end, .beforeEnd, .timeOfDay, .beforeLastEvent, .lastOfType: break
      }
    }
  }

  private mutating func record(_ event: Note) {
    if let loss = loss(between: previous, and: event.sequence) {
      firstLoss = firstLoss ?? loss
      lastLoss = loss
    }
    if first == nil { first = event.sequence }
    last = event.sequence
    span = (span?.first ?? event.wallNanoseconds, event.wallNanoseconds)
    typeCounts[event.type, default: 0] += 1
    lastOfType[event.type] = event.sequence
    for index in occurrences.indices
    where occurrences[index].type == event.type && occurrences[index].number == typeCounts[event.type] {
      occurrences[index].sequence = event.sequence
    }
    search(event)
  }

  private mutating func search(_ event: Note) {
    let loss = loss(between: previous, and: event.sequence)
    for index in times.indices {
      if event.wallNanoseconds >= times[index].first && times[index].firstInside == nil {
        times[index].firstInside = event.sequence
        times[index].lossBeforeFirst = loss
      }
      if event.wallNanoseconds <= times[index].last {
        times[index].lastInside = event.sequence
        times[index].lossBehindLast = nil
      } else {
        if let loss, times[index].lastInside == previous ?? 0 { times[index].lossBehindLast = loss }
        if times[index].firstLater == nil { times[index].firstLater = event.sequence }
      }
    }
    previous = event.sequence
  }
}
