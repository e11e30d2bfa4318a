import EventSourcing

/// A question that is asked of one state after another. Words are made only of an answer that differs from the one before.
@usableFromInline
struct RepeatedQuestion<Domain: QuestionDomain>: Sendable {
  @usableFromInline let question: Domain.Question
  @usableFromInline var verdict: Domain.Verdict
  /// The latest answer.
  @usableFromInline var answer: QuestionAnswer
  /// The answer before it; the same one before there is another.
  @usableFromInline var earlier: QuestionAnswer

  @inlinable
  init(_ question: Domain.Question, _ state: borrowing Domain.State, at moment: Moment) {
    self.question = question
    var explanation = Explanation()
    verdict = Domain.verdict(on: question, in: state, at: moment, explanation: &explanation)
    answer = Domain.words(of: verdict)
    earlier = answer
  }

  /// Asks again; returns whether the answer is another one.
  @inlinable
  mutating func ask(_ state: borrowing Domain.State, at moment: Moment) -> Bool {
    var explanation = Explanation()
    let new = Domain.verdict(on: question, in: state, at: moment, explanation: &explanation)
    guard new != verdict else { return false }
    verdict = new
    let words = Domain.words(of: new)
    guard words != answer else { return false }
    (earlier, answer) = (answer, words)
    return true
  }
}
