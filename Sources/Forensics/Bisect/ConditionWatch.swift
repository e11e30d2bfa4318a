import EventSourcing

/// A condition that is judged again after each event, in time proportional to what the event changed.
struct ConditionWatch<Domain: QuestionDomain>: Sendable {
  private let condition: StateCondition<Domain>
  private var watched: [WatchedTest<Domain>]
  /// Whether the condition holds.
  private(set) var holds = false

  init(_ condition: StateCondition<Domain>, _ state: Domain.State, at moment: Moment) {
    self.condition = condition
    var watched: [WatchedTest<Domain>] = []
    for test in condition.tests where !watched.contains(where: { $0.test == test }) {
      watched.append(WatchedTest(test, state, at: moment))
    }
    self.watched = watched
    holds = judge()
  }

  private func judge() -> Bool {
    condition.holds { test in watched.first { $0.test == test }?.holds } ?? false
  }

  /// What made the condition flip at an event; `nil` if it did not.
  mutating func flips(at step: HistoryStep<Domain>, _ differ: StateDiffer) -> [Bisection<Domain>.Reason]? {
    step.withStates { (before, after) -> [Bisection<Domain>.Reason]? in
      var reasons: [Bisection<Domain>.Reason] = []
      for index in watched.indices {
        reasons += watched[index].note(before, after, at: step.record.envelope.moment, differ)
      }
      let isHolding = judge()
      guard isHolding != holds else { return nil }
      holds = isHolding
      return reasons
    } ?? nil
  }
}
