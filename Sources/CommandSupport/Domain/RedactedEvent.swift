import EventSourcing
import Forensics

/// An event as tables show it: see `RedactedLog`, of which these are the contents.
@usableFromInline
package struct RedactedEvent {
  /// The event as it was recorded. Nothing of it may leave unseen.
  package let record: EventRecord
  /// Its metadata as they may leave.
  package let envelope: Envelope
  /// Its type's name.
  package let typeName: String
  /// The pseudonyms of the accounts that it names.
  package let accounts: [String]
  /// Its fields as an object of JSON, or `null`.
  package let fields: [UInt8]
  /// What it changed; `nil` where a state is unknown.
  package let changes: StateDiff?
  /// The likely mistakes in the app that it reveals.
  package let mistakes: [any HistoryFinding]
  /// The versions that apply, as the last event that names some has them, or else the state.
  package let surroundings: HistoryEnvironment?
}

/// Reads a history as it may leave.
@usableFromInline
package struct RedactedEvents {
  /// Prints values of changes.
  package let values: ValueJSON
  private let reading: () throws(HistoryError) -> RedactedEvent?
  private let obstructing: () -> HistoryError?

  @usableFromInline
  init<Domain: QuestionDomain>(_ history: History<Domain>, _ pseudonyms: Pseudonyms?) throws(HistoryError) {
    let source = try RedactedSource(history, pseudonyms)
    values = source.log.values
    reading = { () throws(HistoryError) in try source.next() }
    obstructing = { source.log.obstacle }
  }

  /// The next event; `nil` at the end.
  package func next() throws(HistoryError) -> RedactedEvent? { try reading() }

  /// Why the states after some event are unknown; `nil` as long as none is.
  package var obstacle: HistoryError? { obstructing() }
}

/// A domain's log, and what it has said of versions so far.
private final class RedactedSource<Domain: QuestionDomain> {
  var log: RedactedLog<Domain>
  private var surroundings: HistoryEnvironment?

  init(_ history: History<Domain>, _ pseudonyms: Pseudonyms?) throws(HistoryError) {
    log = try RedactedLog(history, pseudonyms, slices: Domain.State.sliceDescriptors)
  }

  func next() throws(HistoryError) -> RedactedEvent? {
    guard let event = try log.next() else { return nil }
    let step = event.step
    if let named = step.record.event.flatMap({ Domain.surroundings(of: $0) }), named.namesVersions {
      surroundings = named
    }
    // Where the first events are elsewhere, one of them named the versions.
    if surroundings == nil { surroundings = step.withLaterState { Domain.surroundings(in: $0) } ?? nil }
    var fields: [UInt8] = []
    log.appendFields(of: event, to: &fields)
    return RedactedEvent(
      record: EventRecord(step.record), envelope: event.envelope, typeName: step.record.typeName,
      accounts: log.accounts(of: event), fields: fields, changes: event.changes, mistakes: step.findings ?? [],
      surroundings: surroundings)
  }
}
