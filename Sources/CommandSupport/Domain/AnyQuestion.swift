import EventSourcing
import Forensics

/// A question to the rules of the tool's domain, as it is written: see `QuestionText`.
///
/// What is asked of it is a closure that is made where the domain is named: see ``AnyHistory``.
@usableFromInline
package struct AnyQuestion: Sendable {
  /// The text, with every value that was given.
  package let text: String
  /// The value of each of its parameters, in order.
  package let values: [String]
  /// The names of the answers that it can have.
  package let answerNames: [String]
  /// The question itself.
  @usableFromInline let value: any Sendable
  private let answering: Answering
  private let wording: @Sendable (Explanation.Read, AnyState) -> SettingWording?
  private let advising: Advising
  private let following: Following

  @usableFromInline
  typealias Answering = @Sendable (AnyState, Moment) -> (answer: QuestionAnswer, steps: [Explanation.Step])
  @usableFromInline
  typealias Advising =
    @Sendable (AnyState, Moment, QuestionAnswer, [Explanation.Step]) -> (items: [AdviceItem], triedCount: Int)
  @usableFromInline
  typealias Following =
    @Sendable (AnyHistory, FollowedStretch, Set<String>, (AnswerInterval) -> Void) throws(HistoryError) -> AnswerCourse

  @inlinable
  init<Domain: QuestionDomain>(_ question: QuestionText<Domain>) {
    self.init(
      question.text, question.values, question.answers?.names ?? [], question,
      answering: { state, moment in
        var explanation = Explanation(recording: true)
        let answer = Domain.answer(
          question.question, in: state.of(Domain.self), at: moment, explanation: &explanation)
        return (answer, explanation.steps)
      },
      wording: { Domain.wording(of: $0, in: $1.of(Domain.self)) },
      advising: { state, moment, answer, steps in
        let advice = Advice<Domain>(
          for: question.question, in: state.of(Domain.self), at: moment, instead: answer, steps)
        return (advice.items, advice.triedCount)
      },
      following: { (history, stretch, paths, body) throws(HistoryError) in
        AnswerCourse(
          try AnswerHistory<Domain>(
            of: question.question, in: history.of(Domain.self), from: stretch.state.of(Domain.self),
            after: stretch.first, upTo: stretch.last, writersOf: paths, body))
      })
  }

  @usableFromInline
  init(
    _ text: String, _ values: [String], _ answerNames: [String], _ value: any Sendable,
    answering: @escaping Answering, wording: @escaping @Sendable (Explanation.Read, AnyState) -> SettingWording?,
    advising: @escaping Advising, following: @escaping Following
  ) {
    (self.text, self.values, self.answerNames, self.value) = (text, values, answerNames, value)
    (self.answering, self.wording, self.advising, self.following) = (answering, wording, advising, following)
  }

  /// The answer in a state, at a time, and the rules that led to it.
  package func answer(in state: AnyState, at moment: Moment) -> (answer: QuestionAnswer, steps: [Explanation.Step]) {
    answering(state, moment)
  }

  /// A value that rules read, in the words of its administrators; `nil` for one that no setting holds.
  package func wording(of read: Explanation.Read, in state: AnyState) -> SettingWording? { wording(read, state) }

  /// What to change to get another answer, and how many changes were tried: see `Advice`.
  package func advice(
    in state: AnyState, at moment: Moment, instead answer: QuestionAnswer, _ steps: [Explanation.Step]
  ) -> (items: [AdviceItem], triedCount: Int) { advising(state, moment, answer, steps) }

  /// What the rules answered throughout a history: see `AnswerHistory`.
  ///
  /// - Parameters:
  ///   - paths: The values whose last changes are wanted.
  ///   - body: Receives each interval once it has ended, the current one last.
  package func answers(
    in history: AnyHistory, _ stretch: FollowedStretch, writersOf paths: Set<String>,
    _ body: (AnswerInterval) -> Void
  ) throws(HistoryError) -> AnswerCourse { try following(history, stretch, paths, body) }
}

/// A stretch of a history, and the state with which it begins.
@usableFromInline
package struct FollowedStretch: Sendable {
  /// The state after the first event.
  @usableFromInline let state: AnyState
  /// The event to begin after, and the time at which questions are asked there.
  @usableFromInline let first: (sequence: UInt64, moment: Moment)
  /// The last event to look at.
  @usableFromInline let last: UInt64

  package init(from state: AnyState, after first: (sequence: UInt64, moment: Moment), upTo last: UInt64) {
    (self.state, self.first, self.last) = (state, first, last)
  }
}

/// What the rules answered throughout a history: see `AnswerHistory`.
@usableFromInline
package struct AnswerCourse: Sendable {
  /// The interval at the end.
  package let current: AnswerInterval
  /// The newest interval with another answer; `nil` if there was only one answer.
  package let previous: AnswerInterval?
  /// The beginning of the answer at the end.
  package let firstWithAnswer: AnswerInterval
  /// Number of intervals.
  package let count: UInt64
  /// The event that last changed each value that was asked about, by its path.
  package let writers: [String: UInt64]

  @usableFromInline
  init<Domain: QuestionDomain>(_ answers: AnswerHistory<Domain>) {
    (current, previous, firstWithAnswer) = (answers.current, answers.previous, answers.firstWithAnswer)
    (count, writers) = (answers.count, answers.writers)
  }
}
