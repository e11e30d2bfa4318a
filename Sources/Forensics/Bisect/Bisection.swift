import EventSourcing

/// Every event of a history at which a condition begins or ceases to hold.
///
/// One exact pass: a condition that flips back and forth is found each time, which halving the history would miss. Answers
/// that depend on time are those at the time of each event. The condition is judged where a batch of events is complete, and
/// the event named is the one of the batch that made it flip.
public struct Bisection<Domain: QuestionDomain>: Sendable {
  /// An event at which the condition flips.
  public typealias Flip = BisectionFlip
  /// What made a test flip.
  public typealias Reason = BisectionReason

  /// The event after which the first state is known; 0 for the beginning.
  public let first: UInt64
  /// Whether the condition holds there; `nil` where that is unknown.
  public let heldAtFirst: Bool?
  /// Whether it holds after the last event; `nil` where that is unknown.
  public var holdsAtLast: Bool?
  /// The last event that was looked at.
  public var last: UInt64
  /// Whether it is known everywhere if the condition holds.
  public var isCertain = true
  /// The paths of the condition at which no value was ever set.
  public var unmatched: [PathPattern] = []
  /// A value that the condition compares in an order that its kind does not have, where no other value has one.
  public var unordered: UnorderedValue?
  /// Number of flips.
  public var count: UInt64 = 0

  /// Reads a history.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - history: The history.
  ///   - state: The state after `first`.
  ///   - first: The event to begin after.
  ///   - last: The last event to look at.
  ///   - body: Receives each flip, in order; returns whether to go on.
  /// - Throws: ``/EventSourcing/HistoryError``, where a state on the way is not known; `body` has then received what came before.
  @inlinable
  public init(
    of condition: StateCondition<Domain>, in history: History<Domain>, from state: Domain.State, after first: UInt64,
    at moment: Moment, upTo last: UInt64, _ body: (Flip) -> Bool
  ) throws(HistoryError) {
    var watch = ConditionWatch(condition, state, at: moment)
    (self.first, self.last, heldAtFirst) = (first, first, watch.holds)
    (isCertain, unmatched, unordered) = (!watch.wasUnknown, watch.unmatched, watch.unordered)
    holdsAtLast = watch.holds
    guard first < last else { return }
    let differ = StateDiffer()
    var cursor = try history.cursor(after: first == 0 ? .start : .sequence(first))
    let obstacle = try cursor.forEachEvent(upTo: last, watching: watch.slices) { event, before, after in
      self.last = event.sequence
      let isLast = event.isLastOfBatch || event.sequence == last
      let flip = watch.flip(
        at: event.sequence, event.typeName, event.moment, before, after, event.changed, isLast: isLast, differ)
      guard let flip else { return true }
      count += 1
      return body(flip)
    }
    if let obstacle { throw obstacle }
    holdsAtLast = watch.holds
    (isCertain, unmatched, unordered) = (!watch.wasUnknown, watch.unmatched, watch.unordered)
  }
}
