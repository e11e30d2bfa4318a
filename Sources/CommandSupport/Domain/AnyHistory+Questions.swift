import EventSourcing
import Forensics
import Journal

extension AnyHistory {
  /// Refuses a journal that names no domain, unless every event in it fits the catalogue of this history's events.
  package func requireFittingEvents() throws(HistoryError) { try fittingEvents() }

  /// Refuses to compute states of events of another domain.
  package func requireOwnDomain() throws(HistoryError) { try ownDomain() }

  /// The state at a position.
  package func state(at position: Position, usesCheckpoints: Bool = true) throws(HistoryError) -> ReachedState {
    try stateAt(position, usesCheckpoints)
  }

  /// The state after the first event whose state is known, where the events that lead to it are retired; `nil` if none is.
  package func firstKeptState() throws(HistoryError) -> KeptState? { try kept() }

  /// The number of the last event.
  package func lastSequence() throws(HistoryError) -> UInt64 { try last() }

  /// Whether the state after an event can be computed without reading the events that follow it.
  package func isStateKnown(after sequence: UInt64) -> Bool { knowing(sequence) }

  /// The first event after a number that can be read, also beyond damage; `nil` if none follows.
  package func firstEvent(after sequence: UInt64) throws(HistoryError) -> FoundEvent? { try first(sequence) }

  /// Passes the heading of every event after a number to `body`, in order and beyond damage, until that returns `false`.
  package func forEachHeading(
    after sequence: UInt64, note: (Finding) -> Void = { _ in }, _ body: (EventHeading) -> Bool
  ) throws(HistoryError) { try headings(sequence, note, body) }

  /// The scheme of the digest that was recorded last up to an event.
  package func digestScheme(at sequence: UInt64) -> StateDigest.Scheme { scheme(sequence) }

  /// Compares what is recorded beside the events with a replay.
  package func check() throws(HistoryError) -> CheckReport { try checking() }

  /// Rewrites the keyframes, and returns how many there are.
  package func rebuildKeyframes() throws(HistoryError) -> Int { try rebuilding() }

  /// Counts over a stretch of events; `nil` is the end.
  package func statistics(from lower: UInt64, upTo upper: UInt64?) throws(HistoryError) -> HistoryStatistics {
    try counting(lower, upper)
  }

  /// The events that gave values of a state what they are.
  package func blame(_ request: BlameRequest) throws(HistoryError) -> BlameAnswer { try blaming(request) }

  /// The events between two that last changed each value.
  package func lastWriters(after first: UInt64, upTo last: UInt64) throws(HistoryError) -> LastWriters {
    try writers(first, last)
  }

  /// The paths of a state that rules read to answer questions about the accounts in it.
  package func pathsRead(in state: AnyState, at moment: Moment) -> Set<String> { reads(state, moment) }

  @usableFromInline
  static func pathsRead<Domain: RedecidingDomain>(
    in state: AnyState, at moment: Moment, by domain: Domain.Type
  ) -> Set<String> {
    (state.value as? Domain.State).map { DecisionComparison<Domain>.pathsRead(in: $0, at: moment) } ?? []
  }

  /// Counts what an export would hold.
  package func preview(_ request: ExportRequest, _ report: VerificationReport) throws(HistoryError) -> ExportSummary {
    try exporting(request, report, nil)
  }

  /// Exports, piece by piece.
  package func export(
    _ request: ExportRequest, _ report: VerificationReport, to sink: @escaping ([UInt8]) -> Void
  ) throws(HistoryError) -> ExportSummary { try exporting(request, report, sink) }

  /// What retiring the events before one would remove.
  package func retirementPlan(before sequence: UInt64) throws(HistoryError) -> RetirementPlan { try retiring(sequence) }

  /// Writes a journal that continues from an event.
  package func fork(_ fork: NewFork) throws(HistoryError) { try forking(fork) }

  /// Opens the journal for writing, so that events can be retired.
  package func openForRetiring(
    _ options: StoreOptions, _ fileSystem: any FileSystem
  ) throws(HistoryError) -> RetiringStore { try opening(options, fileSystem) }

  /// Passes every event at which a condition flips to `body`, which returns whether to go on; `nil` for a condition of
  /// another domain.
  package func bisect(
    _ request: BisectionRequest, _ body: (BisectionFlip) -> Bool
  ) throws(HistoryError) -> BisectionAnswer? { try bisecting(request, body) }

  /// Compares the history with another one of the domain, or the events of an account of each.
  ///
  /// - Parameter clocks: The fields to exclude along with clock values; `nil` if every byte counts.
  package func comparison(
    of account: UInt64? = nil, with other: AnyHistory, of otherAccount: UInt64? = nil, leavingOut clocks: Set<String>?
  ) throws(HistoryError) -> ComparisonAnswer { try comparing(account, other, otherAccount, clocks) }

  /// The events as they may leave.
  ///
  /// - Parameter pseudonyms: Replaces what is personal; `nil` to show everything but secrets.
  package func redacted(_ pseudonyms: Pseudonyms?) throws(HistoryError) -> RedactedEvents { try redacting(pseudonyms) }

  /// Draws a part of the history; `nil` where that has too many events.
  package func timeline(
    from lower: UInt64, upTo upper: UInt64?, _ redaction: Redaction
  ) throws(HistoryError) -> Timeline? { try drawing(lower, upper, redaction) }

  /// Reads the log from an event on, up to another one; `nil` is the end.
  package func log(
    from lower: UInt64, upTo upper: UInt64?, needsStates: Bool = true
  ) throws(HistoryError) -> AnyLogReader { try logging(lower, upper, needsStates) }

  /// Passes the items of a stretch to `body`, on any thread: see `LogReader.read(_:passingOver:_:)`.
  ///
  /// - Returns: What the reader adopts; `nil` where it has to find the items itself.
  package func fold(
    _ stretch: LogStretch, passingOver isPassedOver: ((UInt32) -> Bool)? = nil, _ tools: LogTools,
    _ body: (LoggedItem) -> Void
  ) -> (any Sendable)? { folding(stretch, isPassedOver, tools, body) }
}

/// A state that was reached, and from where.
@usableFromInline
package struct ReachedState: Sendable {
  package let state: AnyState
  /// The event after which it is the state; 0 before the first.
  package let sequence: UInt64
  package let origin: StateOrigin

  @usableFromInline
  init(_ state: AnyState, _ sequence: UInt64, _ origin: StateOrigin) {
    (self.state, self.sequence, self.origin) = (state, sequence, origin)
  }
}

/// The first state that a journal without its oldest events knows.
@usableFromInline
package struct KeptState: Sendable {
  package let state: AnyState
  package let sequence: UInt64
  package let moment: Moment

  @usableFromInline
  init(_ state: AnyState, _ sequence: UInt64, _ moment: Moment) {
    (self.state, self.sequence, self.moment) = (state, sequence, moment)
  }
}

/// An event that was looked for.
@usableFromInline
package struct FoundEvent: Sendable {
  package let sequence: UInt64
  package let moment: Moment
  package let typeName: String

  @usableFromInline
  init(_ sequence: UInt64, _ moment: Moment, _ typeName: String) {
    (self.sequence, self.moment, self.typeName) = (sequence, moment, typeName)
  }
}

/// Which values are asked about, and how.
@usableFromInline
package struct BlameRequest: Sendable {
  @usableFromInline let pattern: PathPattern
  /// The event after which the values are asked for.
  @usableFromInline let last: UInt64
  /// The state there.
  @usableFromInline let state: AnyState
  /// The most events named for each value.
  @usableFromInline let limit: Int
  @usableFromInline let countsRepeats: Bool

  /// Whether `countsRepeats` tries each later event on each value.
  package init(
    of pattern: PathPattern, upTo last: UInt64, state: AnyState, limit: Int, countsRepeats: Bool = false
  ) {
    (self.pattern, self.last, self.state) = (pattern, last, state)
    (self.limit, self.countsRepeats) = (limit, countsRepeats)
  }
}

/// The values that were asked about, and who set them.
@usableFromInline
package struct BlameAnswer: Sendable {
  package let values: [BlamedValue]
  /// Whether more values match than are kept track of.
  package let isOverfull: Bool

  @usableFromInline
  init(_ values: [BlamedValue], isOverfull: Bool) { (self.values, self.isOverfull) = (values, isOverfull) }
}

/// What is exported, and how.
@usableFromInline
package struct ExportRequest: Sendable {
  /// Replaces what is personal; `nil` to export everything as it is.
  @usableFromInline package var pseudonyms: Pseudonyms?
  /// The first and the last event; `nil` for all.
  @usableFromInline package var range: ClosedRange<UInt64>?
  /// The program that exports.
  @usableFromInline package var tool: String

  package init(pseudonyms: Pseudonyms?, range: ClosedRange<UInt64>?, tool: String) {
    (self.pseudonyms, self.range, self.tool) = (pseudonyms, range, tool)
  }
}

/// A journal that continues from an event of another one.
@usableFromInline
package struct NewFork: Sendable {
  /// The last event that both share.
  @usableFromInline let sequence: UInt64
  @usableFromInline let path: String
  @usableFromInline let id: JournalID
  @usableFromInline let createdNanoseconds: Int64
  @usableFromInline let options: StoreOptions
  @usableFromInline let fileSystem: any FileSystem

  package init(
    at sequence: UInt64, to path: String, _ id: JournalID, createdNanoseconds: Int64, _ options: StoreOptions,
    _ fileSystem: any FileSystem
  ) {
    (self.sequence, self.path, self.id) = (sequence, path, id)
    (self.createdNanoseconds, self.options, self.fileSystem) = (createdNanoseconds, options, fileSystem)
  }
}

/// A journal that is open for writing, to retire events.
@usableFromInline
package struct RetiringStore: Sendable {
  /// What would be removed now.
  package let plan: @Sendable (UInt64) throws(HistoryError) -> RetirementPlan
  /// Removes the events before one, and returns the first that was kept.
  package let retire: @Sendable (UInt64) throws(HistoryError) -> UInt64
  package let close: @Sendable () throws(HistoryError) -> Void

  @usableFromInline
  init(
    plan: @escaping @Sendable (UInt64) throws(HistoryError) -> RetirementPlan,
    retire: @escaping @Sendable (UInt64) throws(HistoryError) -> UInt64,
    close: @escaping @Sendable () throws(HistoryError) -> Void
  ) {
    (self.plan, self.retire, self.close) = (plan, retire, close)
  }
}
