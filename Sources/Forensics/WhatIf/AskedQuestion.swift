import EventSourcing

/// A question that is asked of a real and an imagined history after every batch of events.
public struct AskedQuestion<Domain: RedecidingDomain>: Sendable {
  /// Events after which both answers stay the same.
  public typealias Interval = AskedInterval

  /// The question.
  public let question: QuestionText<Domain>
  /// The intervals, oldest first, at most as many as were asked for.
  public private(set) var intervals: [Interval] = []
  /// Whether there are more intervals than are kept.
  public private(set) var isOverfull = false
  /// Whether the answers differed anywhere.
  public private(set) var everDiffers = false

  private let limit: Int
  /// The answers so far; `nil` before the first ones.
  private var settled: SettledValue<Answers, Interval>?

  private struct Answers: Equatable {
    var before: QuestionAnswer
    var after: QuestionAnswer
  }

  /// Nothing was asked yet.
  ///
  /// - Parameter limit: The most intervals that are kept.
  public init(_ question: QuestionText<Domain>, limit: Int) {
    (self.question, self.limit) = (question, limit)
  }

  /// Asks both states.
  ///
  /// - Parameters:
  ///   - isFirst: Whether that is the beginning.
  ///   - imagined: `nil` where it is the real one.
  ///   - isLastOfBatch: Whether the answers count; those within a batch tell which of its events brought them.
  public mutating func ask(
    after sequence: UInt64, at moment: Moment, isFirst: Bool = false, real: Domain.State, imagined: Domain.State?,
    isLastOfBatch: Bool = true
  ) {
    let before = answer(real, moment)
    let after = imagined.map { answer($0, moment) } ?? before
    let next = Interval(
      first: sequence, last: sequence, wallNanoseconds: isFirst ? nil : moment.wallNanoseconds, before: before,
      after: after)
    guard var settled else {
      guard isLastOfBatch else { return }
      self.settled = SettledValue(Answers(before: before, after: after))
      return add(next)
    }
    let brought = settled.update(Answers(before: before, after: after), next, isLast: isLastOfBatch)
    self.settled = settled
    if let brought {
      if !isOverfull, let last = intervals.indices.last { intervals[last].last = brought.first - 1 }
      add(brought)
    }
    if isLastOfBatch, !isOverfull, let last = intervals.indices.last { intervals[last].last = sequence }
  }

  private mutating func add(_ interval: Interval) {
    if interval.isDifferent { everDiffers = true }
    if intervals.count < limit { intervals.append(interval) } else { isOverfull = true }
  }

  private func answer(_ state: Domain.State, _ moment: Moment) -> QuestionAnswer {
    var explanation = Explanation()
    return Domain.answer(question.question, in: state, at: moment, explanation: &explanation)
  }
}
