import Spelling

/// Finds out which events the positions that somebody named mean in one history.
///
/// ```swift
/// var resolver = PositionResolver()
/// try resolver.read(for: [.lastOfType("wipe.requested")]) { note in
///   // call note(PositionResolver.Note(…)) for every event, in order
/// }
/// let position = try resolver.event(.lastOfType("wipe.requested"))
/// ```
///
/// A lost event may have any time and any type. A time is known only where no lost event lies between the event found
/// and the next one that is there; a type, its number among its like, and what counts from the end only where no lost
/// event could be the one. Everything else is ``PositionError/Code/lost``; the end of a range that is a time takes in
/// the lost events beside it instead, which its reader then meets.
///
/// Memory does not grow with the history: only the types of events are counted.
public struct PositionResolver: Sendable {
  /// What the resolver has to know of every event.
  public struct Note: Sendable {
    /// The event's number.
    public var sequence: UInt64
    /// Its wall time in nanoseconds since 1970-01-01T00:00:00Z.
    public var wallNanoseconds: Int64
    /// The name of its type.
    public var type: String

    /// Creates a note.
    public init(sequence: UInt64, wallNanoseconds: Int64, type: String) {
      self.sequence = sequence
      self.wallNanoseconds = wallNanoseconds
      self.type = type
    }
  }

  /// Where a position lies, and the other one that could be meant where the clock ran backwards.
  public struct Resolved: Equatable, Sendable {
    /// The event, or the event after which the state is meant; 0 before the first.
    public var sequence: UInt64
    /// The event before the first one that is later than the time asked for, when that is another one.
    public var otherCandidate: UInt64?

    /// Creates a place.
    public init(sequence: UInt64, otherCandidate: UInt64? = nil) {
      self.sequence = sequence
      self.otherCandidate = otherCandidate
    }
  }

  /// The first event there is; `nil` when there is none.
  public private(set) var first: UInt64?
  /// The last event there is; `nil` when there is none.
  public private(set) var last: UInt64?
  /// When the first and the last event happened, in the order of the journal.
  public private(set) var span: (first: Int64, last: Int64)?
  /// How many events there are of each type.
  public private(set) var typeCounts: [String: UInt64] = [:]
  /// Whether events behind the last one may be lost or cannot be read, whatever the journal says of their number.
  public var isCutOff = false
  private var lastOfType: [String: UInt64] = [:]
  /// The event that was read before, in one pass.
  private var previous: UInt64?
  /// The first and the last stretch of lost events before one that is there.
  private var firstLoss: Loss?
  private var lastLoss: Loss?
  private var times: [TimeSearch] = []
  private var occurrences: [OccurrenceSearch] = []

  private struct TimeSearch: Sendable {
    var first: Int64
    var last: Int64
    /// The first event that is not before the span.
    var firstInside: UInt64?
    /// What is lost right before it.
    var lossBeforeFirst: Loss?
    /// The last event that is not after the span.
    var lastInside: UInt64 = 0
    /// What is lost right behind it, and before another event.
    var lossBehindLast: Loss?
    /// The first event that is after the span.
    var firstLater: UInt64?
  }

  private struct OccurrenceSearch: Sendable {
    var type: String
    var number: UInt64
    var sequence: UInt64?
  }

  /// The events that the journal has by its own account; those of them that are not there are lost.
  let held: ClosedRange<UInt64>?

  /// Creates a resolver that knows nothing yet.
  ///
  /// - Parameter held: The events that the journal has by its own account, where it gives one: a position among them that
  ///   is not there is ``PositionError/Code/lost``, and any other one was never there, or was retired.
  public init(held: ClosedRange<UInt64>? = nil) {
    self.held = held
  }

  /// Reads a history, once or twice: `events` is to call its argument for every event in order.
  ///
  /// Twice is needed for positions that depend on the time of the last event.
  public mutating func read<Failure: Error>(
    for positions: [NamedPosition], _ events: ((Note) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    watch(positions)
    var pass = self
    try events { pass.note($0) }
    self = pass
    let dependent = positions.compactMap { absolute($0) }
    guard !dependent.isEmpty else { return }
    watch(dependent)
    // The second pass looks for times alone.
    var second = self
    second.previous = nil
    try events { second.search($0) }
    self = second
  }

  /// The event that a position means.
  ///
  /// - Throws: ``PositionError`` that names the nearest position when there is no such event.
  public func event(_ position: NamedPosition) throws(PositionError) -> UInt64 {
    guard let first, let last else {
      if let lossAtEnd {
        throw PositionError(.lost, "no event is there: \(lossAtEnd.text)", remedy: remedyForLoss)
      }
      throw PositionError(.outside, "the journal has no events", remedy: "look at another journal")
    }
    if position == .start || position == .sequence(0) {
      throw PositionError(
        .outside, "there is no event at the start: it lies before the first", remedy: "write \(first)")
    }
    let sequence = try place(position, .point).sequence
    guard sequence >= first else {
      if case .beforeEnd(let count) = position {
        throw PositionError(
          .outside, "there is no event at end~\(count): it lies before the first", remedy: "write \(first)")
      }
      throw PositionError(
        .outside, "there is no event at or before that time", remedy: "the first event is \(first): write \(first)")
    }
    return min(sequence, last)
  }

  /// The event after which a position lies; 0 before the first event.
  ///
  /// - Throws: ``PositionError`` that names the nearest position when the history has none like it.
  public func state(_ position: NamedPosition) throws(PositionError) -> Resolved {
    try place(position, .point)
  }

  /// The first and the last event of a range; the first is larger than the last when there are none in it. Lost events
  /// that may be in it count as well.
  ///
  /// - Throws: ``PositionError`` when an end lies outside the history, or the ends are numbers in the wrong order.
  public func range(_ range: NamedRange) throws(PositionError) -> (lower: UInt64, upper: UInt64) {
    let lower = try place(range.lower, .lower).sequence
    let upper = try place(range.upper, .upper).sequence
    if lower > upper, case .sequence(let one) = range.lower, case .sequence(let other) = range.upper {
      throw PositionError(.reversed, "\(one)..\(other) ends before it begins", remedy: "write \(other)..\(one)")
    }
    return (max(lower, first ?? 1), upper)
  }

  /// What a position is named for.
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
          .outside, "end~\(count) is before the first event: there are \(last)", remedy: "write start")
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
      .outside, "there is no \(type)#\(number): there are \(count)", remedy: "write \(type)#\(count)")
  }

  private func expectKept(_ sequence: UInt64) throws(PositionError) {
    guard let first, let last else {
      try expectNotLost(sequence, "no event is there")
      throw PositionError(.outside, "there is no event \(sequence): the journal has none", remedy: "write start or end")
    }
    if sequence > last { try expectNotLost(sequence, "the last one that is there is \(last)") }
    if sequence < first { try expectNotLost(sequence, "the first one that is there is \(first)") }
    if sequence > last {
      let year =
        (1678...2261).contains(sequence)
        ? "; a year needs its month, such as \(sequence)-01, to be no event's number" : ""
      throw PositionError(
        .outside, "there is no event \(sequence): the last one is \(last)", remedy: "write \(last) or end\(year)")
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
        search.lastInside == 0 ? "what there was at that time" : "the last event of that time or before it", loss)
    }
    let other = search.firstLater.map { $0 - 1 }
    return Resolved(
      sequence: search.lastInside, otherCandidate: other.flatMap { $0 < search.lastInside ? $0 : nil })
  }

  /// A position that depends on the last event's time, as a time.
  private func absolute(_ position: NamedPosition) -> NamedPosition? {
    guard let end = span?.last else { return nil }
    switch position {
    case .beforeLastEvent(let nanoseconds):
      let time = end.subtractingReportingOverflow(nanoseconds)
      let value = time.overflow ? Int64.min : time.partialValue
      return .time(first: value, last: value)
    case .timeOfDay(let first, let last):
      let midnight = CivilTime(nanoseconds: end)
      guard let day = CivilTime(year: midnight.year, month: midnight.month, day: midnight.day)?.nanoseconds else {
        return nil
      }
      return .time(first: day &+ first, last: day &+ last)
    default: return nil
    }
  }

  private func noSuchType(_ type: String) -> PositionError {
    let names = typeCounts.keys.sorted()
    let remedy =
      EditDistance.nearest(to: type, in: names, limit: 1).first.map { "nearest: \($0) (\(typeCounts[$0] ?? 0))" }
      ?? "write a type that 'pj stats' lists"
    if let loss = firstLoss ?? lossAtEnd {
      return PositionError(.lost, "no event of type \(type) is left, and \(loss.text)", remedy: remedy)
    }
    return PositionError(.outside, "there is no event of type \(type)", remedy: remedy)
  }

  private mutating func watch(_ positions: [NamedPosition]) {
    for position in positions {
      switch position {
      case .time(let first, let last): times.append(TimeSearch(first: first, last: last))
      case .occurrence(let type, let number): occurrences.append(OccurrenceSearch(type: type, number: number))
      default: break
      }
    }
  }

  private mutating func note(_ event: Note) {
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
