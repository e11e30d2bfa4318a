import EventSourcing

/// A condition that is judged again after each batch of events, in time proportional to what they changed.
@usableFromInline
struct ConditionWatch<Domain: QuestionDomain>: Sendable {
  @usableFromInline let condition: StateCondition<Domain>
  @usableFromInline var watched: [WatchedTest<Domain>]
  /// Whether the condition holds; `nil` where that rests on values that cannot be compared.
  @usableFromInline var settled = SettledValue<Bool?, Bisection<Domain>.Flip>(nil)
  /// Whether that was so after any batch.
  @usableFromInline var wasUnknown = false

  @inlinable
  init(_ condition: StateCondition<Domain>, _ state: Domain.State, at moment: Moment) {
    self.condition = condition
    var watched: [WatchedTest<Domain>] = []
    for test in condition.tests where !watched.contains(where: { $0.test == test }) {
      watched.append(WatchedTest(test, state, at: moment))
    }
    self.watched = watched
    settled = SettledValue(judge())
    wasUnknown = holds == nil
  }

  /// Whether the condition holds; `nil` where that rests on values that cannot be compared.
  @inlinable var holds: Bool? { settled.value }

  /// The paths at which no value was ever set.
  @inlinable var unmatched: [PathPattern] {
    watched.compactMap { watched in
      if case .value(let path, _) = watched.test, !watched.hasMatched { path } else { nil }
    }
  }

  /// A value that the condition compares in an order that its kind does not have.
  @inlinable var unordered: UnorderedValue? { watched.lazy.compactMap(\.unordered).first }

  @inlinable
  func judge() -> Bool? {
    condition.holds { test in watched.first { $0.test == test }?.holds }
  }

  /// The slices in which values are tested.
  @inlinable var slices: [Int] { Set(watched.flatMap(\.slices)).sorted() }

  /// The event of a batch that made the condition flip; `nil` if none did, or the batch is not complete.
  ///
  /// - Parameters:
  ///   - before: The state before the event, as far as ``slices`` go.
  ///   - changed: The slices that it may have changed; all where that is not known.
  ///   - isLast: Whether the event is the last of its batch.
  @inlinable
  mutating func flip(
    at sequence: UInt64, _ type: @autoclosure () -> String, _ moment: Moment, _ before: borrowing Domain.State,
    _ after: borrowing Domain.State, _ changed: ChangedSlices = ChangedSlices(), isLast: Bool, _ differ: StateDiffer
  ) -> Bisection<Domain>.Flip? {
    var reasons: [Bisection<Domain>.Reason] = []
    for index in watched.indices {
      // Two tests of one value have the same reason.
      for reason in watched[index].update(before, after, changed, at: moment, differ) where !reasons.contains(reason) {
        reasons.append(reason)
      }
    }
    // Whatever makes a test flip is a reason.
    let isHolding = reasons.isEmpty ? settled.latest : judge()
    let flip = settled.update(
      isHolding,
      Bisection<Domain>.Flip(
        sequence: sequence, type: type(), wallNanoseconds: moment.wallNanoseconds, holds: isHolding, reasons: reasons),
      isLast: isLast)
    if isLast, isHolding == nil { wasUnknown = true }
    return flip
  }
}
