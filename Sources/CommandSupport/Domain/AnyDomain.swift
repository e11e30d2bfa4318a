import EventSourcing
import Forensics
import Journal

/// What the commands of a tool ask of its domain, whose types they do not name.
@usableFromInline
package struct AnyDomain: Sendable {
  /// The domain's name in journals.
  package let name: String
  /// Describes its events.
  package let catalog: EventCatalog
  /// The revision of its rules.
  package let revision: UInt32
  /// The parts of its states.
  package let sliceNames: [String]
  /// The state before the first event.
  package let initialState: AnyState
  /// Reads a journal's events as its own.
  package let history: @Sendable (JournalReader) -> AnyHistory
  /// What is asked about its events, for one thread.
  let questions: @Sendable (ValueText) -> EventQuestions
  /// Reads a condition that ends the following of a log.
  package let stoppingCondition: @Sendable (String) throws(FilterError) -> AnyStoppingCondition
  /// Reads a condition on a state.
  package let stateCondition: @Sendable (String) throws(FilterError) -> AnyStateCondition
  /// What the tool says besides; `nil` for nothing.
  package let additions: (any DomainAdditions)?

  /// The domain of a machine. What runs over whole histories is compiled for it where this is called.
  @inlinable
  package init<Domain: QuestionDomain & Decider>(_ domain: Domain.Type, additions: (any DomainAdditions)? = nil) {
    self.init(
      name: Domain.Event.domain, catalog: Domain.Event.catalog, revision: Domain.revision,
      sliceNames: Domain.State.sliceNames, initialState: AnyState(Domain.initialState, of: Domain.self),
      history: { AnyHistory(History<Domain>($0)) }, questions: { EventQuestions(Domain.self, $0) },
      stoppingCondition: { (text) throws(FilterError) in AnyStoppingCondition(try StoppingCondition<Domain>(text)) },
      stateCondition: { (text) throws(FilterError) in
        AnyStateCondition(try StateCondition<Domain>(state: text, of: Domain.self))
      }, additions: additions)
  }

  @usableFromInline
  init(
    name: String, catalog: EventCatalog, revision: UInt32, sliceNames: [String], initialState: AnyState,
    history: @escaping @Sendable (JournalReader) -> AnyHistory,
    questions: @escaping @Sendable (ValueText) -> EventQuestions,
    stoppingCondition: @escaping @Sendable (String) throws(FilterError) -> AnyStoppingCondition,
    stateCondition: @escaping @Sendable (String) throws(FilterError) -> AnyStateCondition,
    additions: (any DomainAdditions)?
  ) {
    (self.name, self.catalog, self.revision) = (name, catalog, revision)
    (self.sliceNames, self.initialState, self.history) = (sliceNames, initialState, history)
    (self.questions, self.stoppingCondition, self.stateCondition) = (questions, stoppingCondition, stateCondition)
    self.additions = additions
  }

  /// The event types that a journal may hold, in the order of their numbers: those of the domain, and the one that every
  /// domain has.
  package var entries: [EventDescriptor] { catalog.entries + [StateMigration.descriptor] }
}
