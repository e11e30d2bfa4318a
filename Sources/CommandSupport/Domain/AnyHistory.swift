import EventSourcing
import Forensics
import Journal

/// A history of the tool's domain, whose types only that domain knows.
///
/// Each question is a closure that is made where the domain is named, so that the compiler makes its loops for that domain alone.
/// The commands are compiled once, for every domain.
@usableFromInline
package struct AnyHistory: Sendable {
  /// The journal's reader.
  @usableFromInline package let reader: JournalReader
  /// The first event that the journal still keeps, or the one it would start with if empty.
  @usableFromInline package let firstSequence: UInt64
  /// Whether only the catalogue inside the journal describes its events.
  @usableFromInline package let isOfOtherDomain: Bool
  /// The history itself, for a command that knows its domain.
  @usableFromInline package let typed: any Sendable

  @usableFromInline let fittingEvents: @Sendable () throws(HistoryError) -> Void
  @usableFromInline let ownDomain: @Sendable () throws(HistoryError) -> Void
  @usableFromInline let stateAt: @Sendable (Position, Bool) throws(HistoryError) -> ReachedState
  @usableFromInline let kept: @Sendable () throws(HistoryError) -> KeptState?
  @usableFromInline let last: @Sendable () throws(HistoryError) -> UInt64
  @usableFromInline let knowing: @Sendable (UInt64) -> Bool
  @usableFromInline let first: @Sendable (UInt64) throws(HistoryError) -> FoundEvent?
  @usableFromInline let headings: Headings
  @usableFromInline let scheme: @Sendable (UInt64) -> StateDigest.Scheme
  @usableFromInline let checking: @Sendable () throws(HistoryError) -> CheckReport
  @usableFromInline let rebuilding: @Sendable () throws(HistoryError) -> Int
  @usableFromInline let counting: @Sendable (UInt64, UInt64?) throws(HistoryError) -> HistoryStatistics
  @usableFromInline let blaming: @Sendable (BlameRequest) throws(HistoryError) -> BlameAnswer
  @usableFromInline let writers: @Sendable (UInt64, UInt64) throws(HistoryError) -> LastWriters
  @usableFromInline let reads: @Sendable (AnyState, Moment) -> Set<String>
  @usableFromInline let exporting: Exporting
  @usableFromInline let retiring: @Sendable (UInt64) throws(HistoryError) -> RetirementPlan
  @usableFromInline let forking: @Sendable (NewFork) throws(HistoryError) -> Void
  @usableFromInline let opening: @Sendable (StoreOptions, any FileSystem) throws(HistoryError) -> RetiringStore
  @usableFromInline let logging: @Sendable (UInt64, UInt64?, Bool) throws(HistoryError) -> AnyLogReader
  @usableFromInline let folding: Folding
  @usableFromInline let bisecting: Bisecting
  @usableFromInline let comparing: Comparing
  @usableFromInline let redacting: @Sendable (Pseudonyms?) throws(HistoryError) -> RedactedEvents
  @usableFromInline let drawing: @Sendable (UInt64, UInt64?, Redaction) throws(HistoryError) -> Timeline?

  @usableFromInline
  typealias Headings =
    @Sendable (UInt64, (Finding) -> Void, (EventHeading) -> Bool) throws(HistoryError) -> Void
  @usableFromInline
  typealias Exporting =
    @Sendable (ExportRequest, VerificationReport, (([UInt8]) -> Void)?) throws(HistoryError) -> ExportSummary

  @usableFromInline
  typealias Folding =
    @Sendable (LogStretch, ((UInt32) -> Bool)?, LogTools, (LoggedItem) -> Void) -> (any Sendable)?

  @usableFromInline
  typealias Bisecting =
    @Sendable (BisectionRequest, (BisectionFlip) -> Bool) throws(HistoryError) -> BisectionAnswer?
  @usableFromInline
  typealias Comparing =
    @Sendable (UInt64?, AnyHistory, UInt64?, Set<String>?) throws(HistoryError) -> ComparisonAnswer

  /// The history as one of a domain, which is the tool's.
  @inlinable
  func of<Domain: Reducer>(_ domain: Domain.Type) -> History<Domain> {
    typed as? History<Domain> ?? History(reader)
  }

  /// A history of any domain.
  @inlinable
  package init<Domain: QuestionDomain & Decider>(_ history: History<Domain>) {
    reader = history.reader
    firstSequence = history.firstSequence
    isOfOtherDomain = history.isOfOtherDomain
    typed = history
    fittingEvents = { () throws(HistoryError) in try history.requireFittingEvents() }
    ownDomain = { () throws(HistoryError) in try history.requireOwnDomain() }
    stateAt = { (position, usesCheckpoints) throws(HistoryError) in
      var history = history
      history.usesCheckpoints = usesCheckpoints
      let found = try history.state(at: position)
      return ReachedState(AnyState(found.state, of: Domain.self), found.position.sequence, found.origin)
    }
    kept = { () throws(HistoryError) in
      var cursor = try history.cursor(upToCheckpointFrom: history.firstSequence)
      while let item = try cursor.next() {
        guard case .event(let step) = item, let state = cursor.state else { continue }
        return KeptState(AnyState(state, of: Domain.self), step.record.sequence, step.record.envelope.moment)
      }
      return nil
    }
    last = { () throws(HistoryError) in try history.lastSequence() }
    knowing = { (try? history.cursor(after: .sequence($0))) != nil }
    first = { (sequence) throws(HistoryError) in
      var cursor = try history.events(after: sequence)
      while let item = try cursor.next() {
        guard case .event(let step) = item else { continue }
        return FoundEvent(step.record.sequence, step.record.envelope.moment, step.record.typeName)
      }
      return nil
    }
    headings = { (sequence, note, body) throws(HistoryError) in
      try history.forEachHeading(after: sequence, note: note, body)
    }
    scheme = { history.digestScheme(at: $0) }
    checking = { () throws(HistoryError) in try history.check() }
    rebuilding = { () throws(HistoryError) in try history.rebuildKeyframes() }
    counting = { (lower, upper) throws(HistoryError) in
      try HistoryStatistics(of: history, from: lower, upTo: upper)
    }
    blaming = { (request) throws(HistoryError) in
      guard let state = request.state.value as? Domain.State else { return BlameAnswer([], isOverfull: false) }
      let blame = try Blame(
        of: request.pattern, in: history, upTo: request.last, state: state, limit: request.limit,
        countsRepeats: request.countsRepeats)
      return BlameAnswer(blame.values, isOverfull: blame.isOverfull)
    }
    writers = { (first, last) throws(HistoryError) in try LastWriters(in: history, after: first, upTo: last) }
    reads = { (state, moment) in
      // Only rules that decide say which subjects there are to ask about.
      (Domain.self as? any RedecidingDomain.Type).map { Self.pathsRead(in: state, at: moment, by: $0) } ?? []
    }
    exporting = { (request, report, sink) throws(HistoryError) in
      var export = HistoryExport(history)
      export.pseudonyms = request.pseudonyms
      export.slices = Domain.State.sliceDescriptors
      export.tool = request.tool
      export.range = request.range
      guard let sink else { return try export.preview(report) }
      return try export.write(report, to: sink)
    }
    retiring = { (sequence) throws(HistoryError) in
      try history.retirementPlan(before: sequence, keepingStates: true)
    }
    forking = { (fork) throws(HistoryError) in
      try EventStore<Domain>.fork(
        from: history, at: fork.sequence, to: fork.path, journalID: fork.id,
        createdNanoseconds: fork.createdNanoseconds, options: fork.options, fileSystem: fork.fileSystem
      ).close()
    }
    opening = { (options, fileSystem) throws(HistoryError) in
      let path = history.reader.path
      let store = try EventStore<Domain>.open(at: path, options: options, fileSystem: fileSystem)
      return RetiringStore(
        plan: { (sequence) throws(HistoryError) in
          try History<Domain>(at: path, fileSystem: fileSystem).retirementPlan(before: sequence, keepingStates: true)
        },
        retire: { (sequence) throws(HistoryError) in try store.retire(before: sequence, keepingStates: true) },
        close: { () throws(HistoryError) in try store.close() })
    }
    logging = { (lower, upper, needsStates) throws(HistoryError) in
      AnyLogReader(try LogSource(history, from: lower, upTo: upper, needsStates: needsStates))
    }
    folding = { stretch, isPassedOver, tools, body in
      guard let stretch = stretch.value as? HistoryStretch<Domain> else { return nil }
      return LogReader<Domain>.read(stretch, passingOver: isPassedOver) { body(LoggedItem($0, tools)) }
    }
    bisecting = { (request, body) throws(HistoryError) in
      guard let condition = request.condition.value as? StateCondition<Domain>,
        let state = request.state.value as? Domain.State
      else { return nil }
      return BisectionAnswer(
        try Bisection(
          of: condition, in: history, from: state, after: request.first.sequence, at: request.first.moment,
          upTo: request.last, body))
    }
    comparing = { (account, other, otherAccount, clocks) throws(HistoryError) in
      let other = ComparedSide(History<Domain>(other.reader), account: otherAccount)
      return ComparisonAnswer(
        try HistoryComparison(ComparedSide(history, account: account), other, leavingOut: clocks))
    }
    redacting = { (pseudonyms) throws(HistoryError) in try RedactedEvents(history, pseudonyms) }
    drawing = { (lower, upper, redaction) throws(HistoryError) in
      try Timeline.read(history, from: lower, upTo: upper, redaction)
    }
  }
}
