import EventSourcing

/// What to change to get another answer to a question: only what was found, by asking again, to lead to another one.
public struct Advice<Domain: QuestionDomain>: Sendable {
  /// Changes that lead to another answer together.
  public typealias Item = AdviceItem

  /// The smallest changes, most likely first: all of one change, or, where none is enough, of two.
  public private(set) var items: [Item] = []
  /// How many changes were tried.
  public private(set) var triedCount = 0

  /// The most changes that are named, and that are tried alone and in pairs.
  public static var maximumItems: Int { 5 }
  private static var maximumSingle: Int { 400 }
  private static var maximumPaired: Int { 40 }

  /// Tries changes.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - state: The state that was asked.
  ///   - moment: The time of the question.
  ///   - answer: Today's answer.
  ///   - steps: The rules that led to it.
  public init(
    for question: Domain.Question, in state: Domain.State, at moment: Moment, instead answer: QuestionAnswer,
    _ steps: [Explanation.Step]
  ) {
    let changes = Domain.changes(considering: steps, for: question, in: state, at: moment).prefix(Self.maximumSingle)
    var subjects: Set<String> = []
    for change in changes where items.count < Self.maximumItems && !subjects.contains(change.subject) {
      triedCount += 1
      let other = Self.answer(question, change.state, moment).answer
      guard other.name != answer.name else { continue }
      subjects.insert(change.subject)
      items.append(Item(texts: [change.text], kinds: [change.kind.rawValue], answer: other))
    }
    guard items.isEmpty else { return }
    for first in changes.prefix(Self.maximumPaired) {
      guard items.count < Self.maximumItems else { return }
      // The rules may read something else once the first change is made.
      let steps = Self.answer(question, first.state, moment).steps
      let others = Domain.changes(considering: steps, for: question, in: first.state, at: moment)
      for second in others.prefix(Self.maximumPaired) where second.subject != first.subject {
        triedCount += 1
        let other = Self.answer(question, second.state, moment).answer
        let pair = [first.subject, second.subject].sorted().joined(separator: "+")
        guard other.name != answer.name, subjects.insert(pair).inserted else { continue }
        items.append(
          Item(
            texts: [first.text, second.text], kinds: [first.kind.rawValue, second.kind.rawValue], answer: other))
        if items.count >= Self.maximumItems { return }
      }
    }
  }

  private static func answer(
    _ question: Domain.Question, _ state: Domain.State, _ moment: Moment
  ) -> (answer: QuestionAnswer, steps: [Explanation.Step]) {
    var explanation = Explanation(recording: true)
    let answer = Domain.answer(question, in: state, at: moment, explanation: &explanation)
    return (answer, explanation.steps)
  }
}
