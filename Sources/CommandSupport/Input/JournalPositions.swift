import EventSourcing
import Forensics
import Journal
import PlainText

/// What positions in a journal mean: numbers, times and names, as the command line has them.
package struct JournalPositions {
  package let journal: JournalInput

  private var path: String { journal.path }
  private var history: AnyHistory { journal.history }
  private var trust: JournalTrust { journal.trust }

  /// Resolves positions: where the journal has all its events, by reading those on which they depend; otherwise by reading
  /// the history once or twice.
  package func resolver(for positions: [NamedPosition]) throws(Failure) -> PositionResolver {
    if let events = try trust.knownEvents() {
      if positions.allSatisfy(\.isNumber) { return PositionResolver(spanning: events) }
      let wasSeeking = trust.isSeeking
      // Where damage is found on the way, everything is read, as for any damaged journal.
      if let found = try seekingResolver(for: positions, among: events), trust.isSeeking == wasSeeking { return found }
    }
    return try readingResolver(for: positions)
  }

  /// Resolves positions by reading the stretches on which they depend; `nil` where that does not tell.
  private func seekingResolver(
    for positions: [NamedPosition], among events: ClosedRange<UInt64>
  ) throws(Failure) -> PositionResolver? {
    guard let outline = trust.soundOutline ?? history.reader.outline(), outline.events == events else { return nil }
    journal.begin("looking for positions in")
    do throws(HistoryError) {
      let stretches =
        positions.contains(where: \.isTime)
        ? try timedStretches(of: outline) : PositionResolver.Stretch.withoutTimes(events)
      return try PositionResolver(seeking: positions, in: stretches) { (events, note) throws(HistoryError) in
        try forEachNote(of: events, note)
      }
    } catch {
      throw Failure(error, journal: path)
    }
  }

  private func timedStretches(of outline: JournalOutline) throws(HistoryError) -> [PositionResolver.Stretch] {
    do throws(JournalError) {
      // A store labels each event with its wall time.
      return try history.reader.labelledEvents(in: outline).map { .init(events: $0.events, times: $0.labels) }
    } catch {
      throw .journal(error)
    }
  }

  /// Calls `note` for the events of a range, as far as the journal has them, until it returns `false`.
  private func forEachNote(
    of events: ClosedRange<UInt64>, _ note: (PositionResolver.Note) -> Bool
  ) throws(HistoryError) {
    try history.forEachHeading(after: events.lowerBound - 1) { heading in
      heading.sequence <= events.upperBound && note(PositionResolver.Note(heading))
        && heading.sequence < events.upperBound
    }
  }

  /// The event at which this journal was forked, as long as it has every event since.
  private var forkedAt: UInt64? {
    let identity = history.reader.identity
    guard !identity.isSalvaged, let parent = identity.parent, history.firstSequence == parent.sequence + 1 else {
      return nil
    }
    return parent.sequence
  }

  private func readingResolver(for positions: [NamedPosition]) throws(Failure) -> PositionResolver {
    let first = history.reader.lostBeginning?.lowerBound ?? history.reader.firstSequence
    let last = history.reader.durableSequence
    var resolver = PositionResolver(held: first <= last ? first...last : nil)
    journal.begin("looking for positions in")
    var isCutOff = false
    do throws(HistoryError) {
      try resolver.read(for: positions) { (note) throws(HistoryError) in
        try history.forEachHeading(
          after: 0, note: { if FindingNotes.losesEvents($0) { isCutOff = true } },
          { heading in
            isCutOff = false
            note(PositionResolver.Note(heading))
            return true
          })
      }
    } catch {
      throw Failure(error, journal: path)
    }
    let knowsEnd = try trust.report().knowsEnd
    resolver.isCutOff = isCutOff || !knowsEnd || history.reader.unknownEnd != nil
    return resolver
  }

  /// Why a position cannot be used here. If lost events make it unknown, the worst damage decides the exit code: what
  /// cannot be read may be too new, or the device may deliver it later.
  package func failure(_ error: PositionError) -> Failure {
    var failure = Failure(error, journal: path)
    if error.code == .lost, let findings = try? trust.findings() {
      let worst = FindingNotes.exitCode(findings, nil)
      if worst != .done { failure.exitCode = worst }
      failure.next = FindingNotes.nextStep(findings, path)
    }
    return failure
  }

  /// The first and the last event of a range, where `nil` is the end with everything that stands after the last event,
  /// and why no event lies in it.
  package func bounds(
    of range: NamedRange
  ) throws(Failure) -> (lower: UInt64, upper: UInt64?, reasonForNothing: String?) {
    guard range != .all else { return (1, nil, nil) }
    var resolver = try resolver(for: [range.lower, range.upper])
    let bounds: (lower: UInt64, upper: UInt64)
    do throws(PositionError) {
      bounds = try resolver.range(range)
    } catch {
      throw failure(error)
    }
    var reason: String?
    if bounds.lower > bounds.upper {
      if resolver.span == nil { resolver = try readingResolver(for: []) }
      if let span = resolver.span {
        let ends = [span.first, span.last].map { CivilTime(nanoseconds: $0).text }
        reason = "this range contains no event; the first event is of \(ends[0]), the last of \(ends[1])"
      }
    }
    return (bounds.lower, range.upper == .end ? nil : bounds.upper, reason)
  }

  /// The days, in UTC, that a position touches: all of a time, or the day of an event. A time on other days than the events is a
  /// failure that names the first and the last one.
  package func days(of position: NamedPosition) throws(Failure) -> Range<Int64> {
    var resolver = try resolver(for: [position])
    guard position.isTime else {
      let event: UInt64
      do throws(PositionError) {
        event = try resolver.event(position)
      } catch {
        throw failure(error)
      }
      let moment = try Failure.translating(journal: path, try journal.states.moment(near: event))
      return Self.days(moment.wallNanoseconds, moment.wallNanoseconds)
    }
    if resolver.span == nil { resolver = try readingResolver(for: []) }
    guard let span = resolver.span, case .time(let first, let last) = resolver.absolute(position) ?? position
    else {
      throw Failure(
        .wrongUse, "\(path): without events, there is no day to ask about",
        next: "\(Tool.name) verify \(path.shellWord)")
    }
    let days = Self.days(first, last)
    guard days.overlaps(Self.days(min(span.first, span.last), max(span.first, span.last))) else {
      let names = [days.lowerBound, span.first, span.last].map { CivilTime(nanoseconds: $0).dateText }
      throw Failure(
        .wrongUse,
        "\(path): \(names[0]) is outside of the history, whose first day is \(names[1]) and whose last is \(names[2])",
        next: "write a day from \(names[1]) to \(names[2])")
    }
    return days
  }

  /// The days from one time to another, whole.
  private static func days(_ first: Int64, _ last: Int64) -> Range<Int64> {
    let day = 86_400 * CivilTime.nanosecondsPerSecond
    func begin(_ time: Int64) -> Int64 {
      let (rest, whole) = (time % day, time - time % day)
      return rest < 0 && whole >= .min + day ? whole - day : whole
    }
    let (end, isTooLate) = begin(last).addingReportingOverflow(day)
    return begin(first)..<(isTooLate ? .max : end)
  }

  /// The event number after which the state at a position is meant. Where the clock ran backwards, a note says which
  /// other position could be meant.
  ///
  /// - Parameter mayPrecede: Whether a time before the first event means the state before it; otherwise the journal does not
  ///   tell what was then, and it is a failure.
  package func sequence(
    of position: NamedPosition, mayPrecede: Bool, _ context: CommandContext
  ) throws(Failure) -> UInt64 {
    if position == .start { return try firstState() }
    var resolver = try resolver(for: [position])
    resolver.forkedAt = forkedAt
    do throws(PositionError) {
      let resolved = try resolver.state(position)
      if resolved.sequence == 0, position.isTime {
        if !mayPrecede { _ = try resolver.event(position) }
        tell("\(path): that time is before the first event; this is the state before it", context)
      }
      if let other = resolved.otherCandidate {
        tell(
          "\(path): the clock ran backwards around that time; this is event \(resolved.sequence), the last one at "
            + "or before it; event \(other) is the last one before the clock first passed that time",
          context)
      }
      return resolved.sequence
    } catch {
      throw failure(error)
    }
  }

  /// The time that a position names, of a period its end; `nil` for one that names an event.
  package func time(of position: NamedPosition) throws(Failure) -> Int64? {
    guard position.isTime else { return nil }
    if case .time(_, let last) = position { return last }
    var resolver = try resolver(for: [position])
    if resolver.span == nil { resolver = try readingResolver(for: []) }
    if case .time(_, let last)? = resolver.absolute(position) { return last }
    return nil
  }

  /// The event after which the first state is that the journal tells: 0, unless it begins with a later event than the first.
  private func firstState() throws(Failure) -> UInt64 {
    guard history.firstSequence > 1 else { return 0 }
    return try Failure.translating(journal: path, try journal.states.beginning(after: 0).sequence)
  }

  /// Writes a note about a position once, also where damage has it resolved again.
  private func tell(_ note: String, _ context: CommandContext) {
    if journal.positionNotes.insert(note).inserted { context.note(note) }
  }
}

extension PositionResolver.Note {
  fileprivate init(_ heading: EventHeading) {
    self.init(sequence: heading.sequence, wallNanoseconds: heading.wallNanoseconds, type: heading.typeName)
  }
}
