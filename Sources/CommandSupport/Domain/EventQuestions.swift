import EventSourcing
import Forensics

/// What is asked about the events of one domain. The answers share what computes and prints them, so they belong to one thread at a
/// time.
///
/// Each is a closure that is made where the domain is named: see ``AnyHistory``.
@usableFromInline
package struct EventQuestions {
  /// What an event changed; `nil` when a state is unknown.
  let changes: (LoggedEvent) -> StateDiff?
  /// What it says about mistakes in the app; `nil` when a state is unknown.
  let findings: (LoggedEvent) -> [any HistoryFinding]?
  /// Appends what it means, and returns the number of the other changes; `nil` where the domain says nothing.
  let headline: (LoggedEvent, StateDiff, inout [UInt8]) -> Int?
  /// A change in brief, of an event of a type, for these parts of the state.
  let summary: (StateDiff, String, [PathPattern]) -> EventSummary
  /// The names of an account that the states around an event know.
  let names: (LoggedEvent, UInt64) -> AccountNames
  /// What is seldom asked.
  let particulars: (LoggedEvent) -> EventParticulars
  /// The part of the state after an event at a path; `nil` when that state is unknown.
  let part: (LoggedEvent, String) -> StateTree??
  /// What it says of the surroundings, and what the state after it does; `nil` for the second when that state is unknown.
  let surroundings: (LoggedEvent) -> (event: HistoryEnvironment?, after: HistoryEnvironment??)

  @usableFromInline
  init(
    changes: @escaping (LoggedEvent) -> StateDiff?, findings: @escaping (LoggedEvent) -> [any HistoryFinding]?,
    headline: @escaping (LoggedEvent, StateDiff, inout [UInt8]) -> Int?,
    summary: @escaping (StateDiff, String, [PathPattern]) -> EventSummary,
    names: @escaping (LoggedEvent, UInt64) -> AccountNames,
    particulars: @escaping (LoggedEvent) -> EventParticulars, part: @escaping (LoggedEvent, String) -> StateTree??,
    surroundings: @escaping (LoggedEvent) -> (event: HistoryEnvironment?, after: HistoryEnvironment??)
  ) {
    (self.changes, self.findings, self.headline, self.summary) = (changes, findings, headline, summary)
    (self.names, self.particulars, self.part, self.surroundings) = (names, particulars, part, surroundings)
  }

  @inlinable
  init<Domain: QuestionDomain>(_ domain: Domain.Type, _ values: ValueText) {
    let differ = StateDiffer(rank: Domain.headlineRank)
    let headlines = EventHeadline<Domain>(values)
    self.init(
      changes: { ($0 as? LoggedStep<Domain>)?.step.changes(differ) },
      findings: { ($0 as? LoggedStep<Domain>)?.step.findings },
      headline: { event, changes, bytes in
        guard let event = event as? LoggedStep<Domain> else { return nil }
        return headlines.append(event.step.record, changing: changes, to: &bytes)
      },
      summary: { EventSummary($0, of: Domain.self, type: $1, showing: $2) },
      names: { event, number in
        let step = (event as? LoggedStep<Domain>)?.step
        let after = AccountNames(ofAccount: number, in: step?.after, of: Domain.self)
        // An account that this event removed was known before it.
        return after.identities.isEmpty ? AccountNames(ofAccount: number, in: step?.before, of: Domain.self) : after
      },
      particulars: { EventParticulars(($0 as? LoggedStep<Domain>)?.step.record) },
      part: { event, path in (event as? LoggedStep<Domain>)?.step.withLaterState { $0.tree(at: path) } },
      surroundings: { event in
        let step = (event as? LoggedStep<Domain>)?.step
        return (
          step?.record.event.flatMap { Domain.surroundings(of: $0) },
          step?.withLaterState { Domain.surroundings(in: $0) }
        )
      })
  }
}

/// What is seldom asked about an event: its catalogue's entry, its fields, and what another domain's journal says of it.
@usableFromInline
package struct EventParticulars {
  /// The catalogue's entry for its type; `nil` if there is none.
  package let descriptor: EventDescriptor?
  /// The domain of an event that is not of the tool's; `nil` for the others.
  package let otherDomain: String?
  /// Why the catalogue inside the journal cannot be used; `nil` where it can, and where the event needs none.
  package let catalogError: CatalogError?
  /// What a program must do that does not understand the event.
  package let unknownReaders: UnknownReaderRule
  /// Its fields, with those that hold their default where that is an answer.
  package let fields: MessageFields

  @inlinable
  init<Event>(_ record: RecordedEvent<Event>?) {
    self.init(
      record?.descriptor, record?.otherDomain, record?.catalogError, record?.unknownReaders ?? .mustUnderstand,
      record?.answers ?? MessageFields([], as: nil))
  }

  @usableFromInline
  init(
    _ descriptor: EventDescriptor?, _ otherDomain: String?, _ catalogError: CatalogError?,
    _ unknownReaders: UnknownReaderRule, _ fields: MessageFields
  ) {
    (self.descriptor, self.otherDomain, self.catalogError) = (descriptor, otherDomain, catalogError)
    (self.unknownReaders, self.fields) = (unknownReaders, fields)
  }
}
