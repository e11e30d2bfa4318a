import EventSourcing

/// A test of a condition, and what its result rests on.
struct WatchedTest<Domain: QuestionDomain>: Sendable {
  let test: StateTest<Domain>
  /// Whether it holds.
  private(set) var holds = false
  /// The slices that a path can match.
  private let slices: [Int]
  /// The paths with values that pass.
  private var passing: Set<String> = []
  /// The answer to a question.
  private var answer: QuestionAnswer?

  init(_ test: StateTest<Domain>, _ state: Domain.State, at moment: Moment) {
    self.test = test
    switch test {
    case .value(let path, let value):
      slices = path.slices(of: Domain.State.sliceNames)
      for slice in slices {
        for leaf in state.tree(ofSlice: slice).leaves(under: "/" + Domain.State.sliceNames[slice])
        where path.matches(leaf.path) && value.holds(for: leaf.value) {
          passing.insert(leaf.path)
        }
      }
      holds = !passing.isEmpty
    case .answer(let question, let name):
      slices = []
      var explanation = Explanation()
      let first = Domain.answer(question.question, in: state, at: moment, explanation: &explanation)
      (answer, holds) = (first, name.matches(first.name))
    }
  }

  /// Takes in an event's changes; what made the test flip, if it did.
  mutating func note(
    _ before: Domain.State, _ after: Domain.State, at moment: Moment, _ differ: StateDiffer
  ) -> [Bisection<Domain>.Reason] {
    let held = holds
    switch test {
    case .value(let path, let value):
      let changes = differ.changes(from: before, to: after, inSlices: slices).changes.filter { path.matches($0.path) }
      for change in changes {
        if value.holds(for: change.after) { passing.insert(change.path) } else { passing.remove(change.path) }
      }
      holds = !passing.isEmpty
      return holds == held ? [] : changes.map { .value($0) }
    case .answer(let question, let name):
      var explanation = Explanation()
      let now = Domain.answer(question.question, in: after, at: moment, explanation: &explanation)
      defer { answer = now }
      holds = name.matches(now.name)
      guard holds != held, let answer else { return [] }
      return [.answer(question: question.text, before: answer, after: now)]
    }
  }
}
