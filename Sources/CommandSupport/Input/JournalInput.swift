import AppProtection
import EventSourcing
import Forensics
import Journal
import PlainText

/// A journal that a command reads: where it is, and its history.
package final class JournalInput {
  /// The path as it was given.
  package let path: String
  /// How it was packed, if it was not read from a folder.
  package let packed: MountedJournals.Mount?
  /// What is in it.
  package let history: History<AppProtectionMachine>
  /// The line that tells how far reading it is; `nil` where none is shown.
  private let progress: Progress?
  /// Number of threads that compute what is printed of it.
  package let threadCount: Int
  /// The report on the journal's bytes, once all were read.
  package private(set) var knownReport: VerificationReport?
  /// The notes about positions that were written.
  private var told: Set<String> = []
  /// What the journal's headers, footers and HEAD say, where answers may rest on them; `nil` where all bytes are read.
  private let outline: JournalOutline?

  /// Opens a journal for reading. Nothing is locked or written.
  ///
  /// - Parameters:
  ///   - path: Its folder.
  ///   - environment: Where the folder is, and where reading is shown.
  ///   - seeksFrom: The size in bytes from which a journal is not read as a whole, but only where the answer is; `nil` if
  ///     it always is. Seeking ends where anything is wrong: everything is then read and named.
  package init(
    _ path: String, _ environment: ToolEnvironment = ToolEnvironment(), seeksFrom: UInt64? = nil
  ) throws(Failure) {
    self.path = path
    progress = environment.progress
    threadCount = environment.threadCount
    try environment.door?.open(path)
    packed = environment.door?.mount(at: path)
    do throws(JournalError) {
      var reader = try JournalReader(path: path, fileSystem: progress.noting(environment.fileSystem))
      if let seeksFrom, reader.segments.reduce(0, { $0 &+ $1.length }) >= seeksFrom {
        reader.coverage = ReadCoverage()
        outline = reader.outline()
      } else {
        outline = nil
      }
      history = History(reader)
    } catch {
      throw Failure(.journal(error), journal: path)
    }
    try Failure.translating(journal: path, try history.requireFittingEvents())
  }

  /// A journal that was verified already.
  package init(
    _ path: String, _ environment: ToolEnvironment, verified reader: JournalReader, _ report: VerificationReport
  ) {
    self.path = path
    progress = environment.progress
    threadCount = environment.threadCount
    packed = environment.door?.mount(at: path)
    history = History(reader)
    outline = nil
    knownReport = report
  }

  /// The domain of a journal whose states this program does not know; `nil` for its own.
  package var otherDomain: String? { history.isOfOtherDomain ? history.reader.domain : nil }

  /// Refuses a journal of another domain, of which nothing can be told that rests on its states.
  package func requireOwnDomain() throws(Failure) {
    try Failure.translating(journal: path, try history.requireOwnDomain())
  }

  /// The outline, as long as nothing was found in what was read so far.
  private var soundOutline: JournalOutline? {
    guard knownReport == nil, let outline, history.reader.coverage?.findings.allSatisfy(\.isHarmless) ?? true else {
      return nil
    }
    return outline
  }

  /// Whether answers come from single places of the journal, so far.
  package var isSeeking: Bool { soundOutline != nil }

  /// The events that were not read: damage among them would not have been found.
  var notVerified: [ClosedRange<UInt64>] {
    soundOutline.flatMap { history.reader.coverage?.unread(of: $0.events) } ?? []
  }

  /// The events of a journal that has all of them, by its outline or because all were read; `nil` otherwise.
  package func knownEvents() throws(Failure) -> ClosedRange<UInt64>? {
    if let soundOutline { return soundOutline.events }
    let (reader, report) = (history.reader, try report())
    guard report.knowsEnd, report.findings.allSatisfy(\.isHarmless), !reader.identity.isSalvaged,
      report.lastSequence >= history.firstSequence, reader.firstSequence == history.firstSequence
    else { return nil }
    return history.firstSequence...report.lastSequence
  }

  /// Refuses a journal that was read from a file, for what only a folder can be used for.
  ///
  /// - Parameter next: What helps, if a folder with the same journal does not.
  package func requireFolder(_ what: String, next: String? = nil) throws(Failure) {
    guard let packed else { return }
    let file =
      switch packed.kind {
      case .export: "an export"
      case .archive: "an archive"
      }
    throw Failure(
      .wrongUse, "\(path): \(what), and this is \(file)",
      next: next ?? packed.unpacking ?? FindingNotes.recovery(packed.kind.recovery, path))
  }

  /// Shows that the journal is read again, and why.
  package func begin(_ work: String) {
    guard let progress else { return }
    progress.begin("\(work) \(path)", total: history.reader.segments.reduce(0) { $0 + $1.length })
  }

  /// The findings about all of the journal's bytes: trust in a history does not depend on what happened to be read.
  /// While nothing is wrong with a journal that is not read as a whole, those about what describes its bytes.
  package func findings() throws(Failure) -> [Finding] {
    // Once every event was read, so can be what else the journal says of them.
    if let soundOutline, !notVerified.isEmpty { return soundOutline.findings }
    return try report().findings + missing
  }

  /// What says that events may have followed, where the file that the journal is from is cut.
  private var missing: [Finding] { packed?.finding.map { [$0] } ?? [] }

  /// The additional findings about an answer that depends on the journal's end.
  /// Where the file that the journal is from is cut, that is named instead.
  package var unknownEnd: [Finding] { missing.isEmpty ? history.reader.unknownEnd.map { [$0] } ?? [] : [] }

  /// The additional findings about an answer that depends on a stretch of the journal: which events before the first one
  /// are lost, and whether others followed the last one.
  ///
  /// - Parameter upper: The last event of the stretch; `nil` for the journal's end.
  package func lossesAround(from lower: UInt64, upTo upper: UInt64?) -> [Finding] {
    (lower <= history.firstSequence ? history.reader.lossesBeforeFirst : []) + (upper == nil ? unknownEnd : [])
  }

  /// What reading all of the journal's bytes found.
  package func report() throws(Failure) -> VerificationReport {
    if let knownReport { return knownReport }
    begin("verifying")
    do throws(JournalError) {
      let report = try history.reader.verify()
      knownReport = report
      return report
    } catch {
      throw Failure(error, journal: path)
    }
  }

  /// Resolves positions: where the journal has all its events, by reading those on which they depend; otherwise by reading
  /// the history once or twice.
  package func resolver(for positions: [NamedPosition]) throws(Failure) -> PositionResolver {
    if let events = try knownEvents() {
      if positions.allSatisfy(\.isNumber) { return PositionResolver(spanning: events) }
      let wasSeeking = isSeeking
      // Where damage is found on the way, everything is read, as for any damaged journal.
      if let found = try seekingResolver(for: positions, among: events), isSeeking == wasSeeking { return found }
    }
    return try readingResolver(for: positions)
  }

  /// Resolves positions by reading the stretches on which they depend; `nil` where that does not tell.
  private func seekingResolver(
    for positions: [NamedPosition], among events: ClosedRange<UInt64>
  ) throws(Failure) -> PositionResolver? {
    guard let outline = soundOutline ?? history.reader.outline(), outline.events == events else { return nil }
    begin("looking for positions in")
    do throws(HistoryError) {
      let stretches =
        positions.contains(where: \.isTime)
        ? try timedStretches(of: outline) : PositionResolver.Stretch.withoutTimes(events)
      return try PositionResolver(seeking: positions, in: stretches) { (events, note) throws(HistoryError) in
        try self.forEachNote(of: events, note)
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
    begin("looking for positions in")
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
    let knowsEnd = try report().knowsEnd
    resolver.isCutOff = isCutOff || !knowsEnd || history.reader.unknownEnd != nil
    return resolver
  }

  /// Why a position cannot be used here. If lost events make it unknown, the worst damage decides the exit code: what
  /// cannot be read may be too new, or the device may deliver it later.
  package func failure(_ error: PositionError) -> Failure {
    var failure = Failure(error, journal: path)
    if error.code == .lost, let findings = try? findings() {
      let worst = FindingNotes.exitCode(findings, nil)
      if worst != .done { failure.exitCode = worst }
      failure.next = FindingNotes.nextStep(findings, path)
    }
    return failure
  }

  /// The first and the last event of a range, where `nil` is the end with everything that stands after the last event,
  /// and why no event lies in it.
  package func bounds(of range: NamedRange) throws(Failure) -> (
    lower: UInt64, upper: UInt64?, reasonForNothing: String?
  ) {
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

  /// The event after which the first state is that the journal tells: 0, unless it begins with a later event than the first.
  private func firstState() throws(Failure) -> UInt64 {
    guard history.firstSequence > 1 else { return 0 }
    return try Failure.translating(journal: path, try beginning(after: 0).sequence)
  }

  /// Writes a note about a position once, also where damage has it resolved again.
  private func tell(_ note: String, _ context: CommandContext) {
    if told.insert(note).inserted { context.note(note) }
  }

  /// The state after the event at a position, from the nearest stored state that these rules wrote; from the first event
  /// where bytes are damaged, because nothing then says whether they are before that state.
  ///
  /// When the end is asked for and cannot be reached, it is the last state that can, and ``TrustedState/obstacle`` says
  /// why; any other position after such a place is a failure.
  ///
  /// - Parameters:
  ///   - fromStart: Whether stored states are left alone.
  ///   - mayPrecede: Whether a time before the first event means the state before it.
  package func reading(
    at position: NamedPosition, fromStart: Bool = false, mayPrecede: Bool = false, _ context: CommandContext
  ) throws(Failure) -> TrustedState {
    // Which position exists does not matter where no state does.
    try requireOwnDomain()
    let target: UInt64? = position == .end ? nil : try sequence(of: position, mayPrecede: mayPrecede, context)
    return try Self.settled([self]) { () throws(Failure) in try reading(after: target, fromStart: fromStart) }
  }

  /// Returns what `work` finds in journals. Where it finds damage in one of which only places were read, everything is read,
  /// as for any damaged journal, and the work done again.
  package static func settled<Value>(
    _ journals: [JournalInput], _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let wereSeeking = journals.filter(\.isSeeking)
    let found = Result { () throws(Failure) in try work() }
    return wereSeeking.allSatisfy(\.isSeeking) ? try found.get() : try work()
  }

  /// Reads the bytes of the events after one and up to another, on which an answer rests, so that damage among them is known
  /// before the answer is given. Where these are all events, everything is verified.
  package func verify(after first: UInt64, upTo last: UInt64) throws(Failure) {
    guard let outline = soundOutline, first < last else { return }
    if first < outline.events.lowerBound, last >= outline.events.upperBound {
      _ = try report()
      return
    }
    begin("verifying")
    do throws(JournalError) {
      var cursor = try history.reader.cursor(after: first)
      while cursor.lastSequence < last, try cursor.next() != nil {}
    } catch {
      throw Failure(error, journal: path)
    }
  }

  /// The state after an event; `nil` is the end.
  package func reading(after target: UInt64?, fromStart: Bool = false) throws(Failure) -> TrustedState {
    let damage = try findings()
    let findings = target == nil ? damage + unknownEnd : damage
    var history = history
    begin("replaying")
    history.usesCheckpoints = !fromStart && FindingNotes.exitCode(damage, nil) == .done
    do throws(HistoryError) {
      do throws(HistoryError) {
        return reading(
          try history.state(at: target.map { .sequence($0) } ?? .end), findings, isOfEnd: target == nil)
      } catch {
        guard target == nil, let last = error.lastDerivable else { throw error }
        var reading = reading(try history.state(at: .sequence(last)), findings, isOfEnd: true)
        reading.obstacle = error
        return reading
      }
    } catch {
      throw Failure(error, journal: path)
    }
  }

  private func reading(
    _ found: StateAtPosition<AppProtectionState>, _ findings: [Finding], isOfEnd: Bool
  ) -> TrustedState {
    var reading = TrustedState(
      journal: self, sequence: found.position.sequence, state: found.state, findings: findings)
    reading.isOfEnd = isOfEnd
    switch found.origin {
    case .beginning: break
    case .checkpoint(let sequence): reading.stored = ("checkpoint", sequence)
    case .keyframe(let sequence): reading.stored = ("keyframe", sequence)
    }
    return reading
  }

  /// The end of a journal of another domain, or an event of it: how far its events can be read, with a state that says
  /// nothing.
  package func endWithoutState(at target: UInt64?) throws(Failure) -> TrustedState {
    let findings = try findings() + (target == nil ? unknownEnd : [])
    var last = history.firstSequence - 1
    var obstacle: HistoryError?
    do throws(HistoryError) {
      last = try history.lastSequence()
    } catch {
      guard let known = error.lastDerivable else { throw Failure(error, journal: path) }
      (last, obstacle) = (known, error)
    }
    let sequence = min(target ?? last, last)
    var reading = TrustedState(
      journal: self, sequence: sequence, state: AppProtectionMachine.initialState, findings: findings)
    reading.obstacle = target.map { $0 > last } ?? true ? obstacle : nil
    return reading
  }

  /// When an event happened, by the wall clock; `nil` if it does not exist.
  package func wallNanoseconds(of sequence: UInt64) throws(HistoryError) -> Int64? {
    var cursor = try history.events(after: sequence - min(sequence, 1))
    while let item = try cursor.next() {
      if case .event(let step) = item {
        return step.record.sequence == sequence ? step.record.envelope.moment.wallNanoseconds : nil
      }
    }
    return nil
  }
}

extension PositionResolver.Note {
  fileprivate init(_ heading: EventHeading) {
    self.init(sequence: heading.sequence, wallNanoseconds: heading.wallNanoseconds, type: heading.typeName)
  }
}
