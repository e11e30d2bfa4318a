import EventSourcing
import Forensics

/// A condition on the states of the tool's domain.
@usableFromInline
package struct AnyStateCondition: Sendable {
  /// The condition itself.
  @usableFromInline let value: any Sendable
  /// The values within the parentheses of each question in it.
  package let questioned: [[String]]
  private let unordered: @Sendable (AnyState) -> UnorderedValue?

  @usableFromInline
  init<Domain: QuestionDomain>(_ condition: StateCondition<Domain>) {
    value = condition
    questioned = condition.tests.compactMap { test in
      if case .answer(let question, _) = test { question.values } else { nil }
    }
    unordered = { state in (state.value as? Domain.State).flatMap { condition.unorderedValue(in: $0) } }
  }

  /// The first value of a state that it compares in an order that its kind does not have.
  package func unorderedValue(in state: AnyState) -> UnorderedValue? { unordered(state) }
}

/// Where a condition is judged.
@usableFromInline
package struct BisectionRequest: Sendable {
  @usableFromInline let condition: AnyStateCondition
  /// The state to begin with.
  @usableFromInline let state: AnyState
  /// The event after which it is the state, and when questions are asked there.
  @usableFromInline let first: (sequence: UInt64, moment: Moment)
  /// The last event to look at.
  @usableFromInline let last: UInt64

  package init(
    _ condition: AnyStateCondition, from state: AnyState, after first: (sequence: UInt64, moment: Moment),
    upTo last: UInt64
  ) { (self.condition, self.state, self.first, self.last) = (condition, state, first, last) }
}

/// What is known of a condition at both ends of a history: see `Bisection`.
@usableFromInline
package struct BisectionAnswer: Sendable {
  package let first, last: UInt64
  package let heldAtFirst, holdsAtLast: Bool?
  package let isCertain: Bool
  package let unmatched: [PathPattern]
  package let unordered: UnorderedValue?
  /// Number of flips.
  package let count: UInt64

  @usableFromInline
  init<Domain: QuestionDomain>(_ bisection: Bisection<Domain>) {
    (first, last, count) = (bisection.first, bisection.last, bisection.count)
    (heldAtFirst, holdsAtLast) = (bisection.heldAtFirst, bisection.holdsAtLast)
    (isCertain, unmatched, unordered) = (bisection.isCertain, bisection.unmatched, bisection.unordered)
  }
}
