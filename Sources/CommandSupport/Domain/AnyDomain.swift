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
  /// Which values may be shown, revealing persons or not.
  package let redaction: @Sendable (Bool) -> Redaction
  /// The state before the first event.
  package let initialState: AnyState
  /// Reads a journal's events as its own.
  package let history: @Sendable (JournalReader) -> AnyHistory
  /// What is asked about its events, for one thread.
  let eventQuestions: @Sendable (ValueText) -> EventQuestions
  /// Reads a condition that ends the following of a log.
  package let stoppingCondition: @Sendable (String) throws(FilterError) -> AnyStoppingCondition
  /// Reads a condition on a state.
  package let stateCondition: @Sendable (String) throws(FilterError) -> AnyStateCondition
  private let outlining: @Sendable () -> [QuestionOutline]
  /// Reads a question to them.
  package let question: @Sendable (String) throws(FilterError) -> AnyQuestion
  /// How well a part of a state describes the event that changed it.
  package let headlineRank: @Sendable (String) -> HeadlineRank
  /// What the tool says besides; `nil` for nothing.
  package let additions: (any DomainAdditions)?
  /// What finds the problems of its histories; `nil` for a domain that knows none.
  @usableFromInline package var diagnostics: DomainDiagnostics?
  /// What imagines other histories; `nil` for a domain whose decisions cannot be made again.
  @usableFromInline package var imagination: DomainImagination?

  /// The domain of a machine. What runs over whole histories is compiled for it where this is called.
  @inlinable
  package init<Domain: QuestionDomain & Decider>(_ domain: Domain.Type, additions: (any DomainAdditions)? = nil) {
    self.init(
      name: Domain.Event.domain, catalog: Domain.Event.catalog, revision: Domain.revision,
      sliceNames: Domain.State.sliceNames,
      redaction: { Redaction(revealing: $0, pathsOf: Domain.State.self) },
      initialState: AnyState(Domain.initialState, of: Domain.self),
      history: { AnyHistory(History<Domain>($0)) }, eventQuestions: { EventQuestions(Domain.self, $0) },
      stoppingCondition: { (text) throws(FilterError) in AnyStoppingCondition(try StoppingCondition<Domain>(text)) },
      stateCondition: { (text) throws(FilterError) in
        AnyStateCondition(try StateCondition<Domain>(state: text, of: Domain.self))
      }, outlining: { Domain.questions.map { QuestionOutline($0, of: Domain.self) } },
      question: { (text) throws(FilterError) in AnyQuestion(try QuestionText<Domain>(parsing: text)) },
      headlineRank: { Domain.headlineRank(ofPath: $0) }, additions: additions)
  }

  @usableFromInline
  init(
    name: String, catalog: EventCatalog, revision: UInt32, sliceNames: [String],
    redaction: @escaping @Sendable (Bool) -> Redaction, initialState: AnyState,
    history: @escaping @Sendable (JournalReader) -> AnyHistory,
    eventQuestions: @escaping @Sendable (ValueText) -> EventQuestions,
    stoppingCondition: @escaping @Sendable (String) throws(FilterError) -> AnyStoppingCondition,
    stateCondition: @escaping @Sendable (String) throws(FilterError) -> AnyStateCondition,
    outlining: @escaping @Sendable () -> [QuestionOutline],
    question: @escaping @Sendable (String) throws(FilterError) -> AnyQuestion,
    headlineRank: @escaping @Sendable (String) -> HeadlineRank, additions: (any DomainAdditions)?
  ) {
    (self.name, self.catalog, self.revision) = (name, catalog, revision)
    (self.sliceNames, self.redaction) = (sliceNames, redaction)
    (self.initialState, self.history) = (initialState, history)
    (self.eventQuestions, self.stoppingCondition) = (eventQuestions, stoppingCondition)
    self.stateCondition = stateCondition
    (self.outlining, self.question) = (outlining, question)
    (self.headlineRank, self.additions) = (headlineRank, additions)
  }

  /// Whether its events name accounts, which texts show by pseudonyms.
  package var hasAccounts: Bool { catalog.entries.contains { EventAccounts.mayBeNamed(in: $0.body) } }

  /// The questions that its rules answer.
  package var questions: [QuestionOutline] { outlining() }

  /// The same domain with the problems that its histories show.
  ///
  /// - Parameter examination: Makes what looks for them.
  @inlinable
  package func diagnosing<Domain: DiagnosisDomain & Decider>(
    _ machine: Domain.Type, by examination: @escaping @Sendable () -> Domain.Examination = { Domain.Examination() }
  ) -> AnyDomain {
    var domain = self
    domain.diagnostics = DomainDiagnostics(machine, by: examination)
    return domain
  }

  /// The same domain with what makes its decisions again.
  @inlinable
  package func redeciding<Domain: RedecidingDomain>(_ machine: Domain.Type) -> AnyDomain {
    var domain = self
    domain.imagination = DomainImagination(machine)
    return domain
  }

  /// The event types that a journal may hold, in the order of their numbers: those of the domain, and the one that every
  /// domain has.
  package var entries: [EventDescriptor] { catalog.entries + [StateMigration.descriptor] }
}
