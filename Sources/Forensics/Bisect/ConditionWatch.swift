import EventSourcing

/// A condition that is judged again after each event, in time proportional to what the event changed.
@usableFromInline
struct ConditionWatch<Domain: QuestionDomain>: Sendable {
  @usableFromInline let condition: StateCondition<Domain>
  @usableFromInline var watched: [WatchedTest<Domain>]
  /// Whether the condition holds.
  @usableFromInline var holds = false

  @inlinable
  init(_ condition: StateCondition<Domain>, _ state: Domain.State, at moment: Moment) {
    self.condition = condition
    var watched: [WatchedTest<Domain>] = []
    for test in condition.tests where !watched.contains(where: { $0.test == test }) {
      watched.append(WatchedTest(test, state, at: moment))
    }
    self.watched = watched
    holds = judge()
  }

  /// The paths at which no value was ever set.
  @inlinable var unmatched: [PathPattern] {
    watched.compactMap { watched in
      if case .value(let path, _) = watched.test, !watched.hasMatched { path } else { nil }
    }
  }

  /// A value that the condition compares in an order that its kind does not have.
  @inlinable var unordered: UnorderedValue? { watched.lazy.compactMap(\.unordered).first }

  /// Whether some value could not be compared, and counts as one that does not pass.
  @inlinable var isUncertain: Bool { watched.contains { $0.isUncertain } }

  @inlinable
  func judge() -> Bool {
    condition.holds { test in watched.first { $0.test == test }?.holds } ?? false
  }

  /// What made the condition flip at an event; `nil` if it did not.
  @inlinable
  mutating func flips(at step: HistoryStep<Domain>, _ differ: StateDiffer) -> [Bisection<Domain>.Reason]? {
    step.withStates { (before, after) -> [Bisection<Domain>.Reason]? in
      var reasons: [Bisection<Domain>.Reason] = []
      for index in watched.indices {
        // Two tests of one value have the same reason.
        for reason in watched[index].note(before, after, at: step.record.envelope.moment, differ)
        where !reasons.contains(reason) {
          reasons.append(reason)
        }
      }
      let isHolding = judge()
      guard isHolding != holds else { return nil }
      holds = isHolding
      return reasons
    } ?? nil
  }
}
