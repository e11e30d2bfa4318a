import EventSourcing

/// What the rules answered to a question throughout a history.
///
/// The question is answered after each batch of events, at the event's time; a change that comes with time alone is seen at the
/// next one. The event named is the one of the batch that brought the answer. Memory does not grow with the history.
public struct AnswerHistory<Domain: QuestionDomain>: Sendable {
  /// A stretch of a history with one answer, settled by one rule.
  public struct Interval: Equatable, Sendable {
    /// The event after which the answer was first given; 0 before the first event.
    public let first: UInt64
    /// The event's type; empty for the first interval, which began before the events that were looked at.
    public let type: String
    /// When the event was decided, in nanoseconds since 1970-01-01T00:00:00Z; `nil` for the first interval.
    public let wallNanoseconds: Int64?
    /// The answer.
    public let answer: QuestionAnswer
    /// The last event after which it was given.
    public var last: UInt64

    @inlinable
    init(first: UInt64, type: String, wallNanoseconds: Int64?, answer: QuestionAnswer, last: UInt64) {
      (self.first, self.type, self.wallNanoseconds) = (first, type, wallNanoseconds)
      (self.answer, self.last) = (answer, last)
    }
  }

  /// The interval at the end.
  public var current: Interval
  /// The newest interval with another answer, whatever the rule; `nil` if there was only one answer.
  public var previous: Interval?
  /// The beginning of the answer at the end, under whatever rules.
  public var firstWithAnswer: Interval
  /// Number of intervals.
  public var count: UInt64 = 1
  /// The event that last changed each value that was asked about, by its path.
  public var writers: [String: UInt64] = [:]

  /// Reads a history.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - history: The history.
  ///   - state: The state after `first`.
  ///   - first: The event to begin after, and the time at which the question is asked there.
  ///   - last: The last event to look at.
  ///   - paths: The values whose last changes are wanted.
  ///   - body: Receives each interval once it has ended, the current one last.
  @inlinable
  public init(
    of question: Domain.Question, in history: History<Domain>, from state: Domain.State,
    after first: (sequence: UInt64, moment: Moment), upTo last: UInt64, writersOf paths: Set<String> = [],
    _ body: (Interval) -> Void = { _ in }
  ) throws(HistoryError) {
    func answer(_ state: borrowing Domain.State, _ moment: Moment) -> QuestionAnswer {
      var explanation = Explanation()
      return Domain.answer(question, in: state, at: moment, explanation: &explanation)
    }
    current = Interval(
      first: first.sequence, type: "", wallNanoseconds: nil,
      answer: answer(state, first.moment), last: first.sequence)
    firstWithAnswer = current
    if first.sequence < last {
      var settled = SettledValue<QuestionAnswer, Interval>(current.answer)
      let slices = Set(paths.map { PathPattern(Glob($0)) }.flatMap { $0.slices(of: Domain.State.sliceNames) }).sorted()
      let differ = StateDiffer()
      var cursor = try history.cursor(after: first.sequence == 0 ? .start : .sequence(first.sequence))
      let obstacle = try cursor.forEachEvent(upTo: last, watching: slices) { event, before, after in
        for change in differ.changes(from: before, to: after, inSlices: slices).changes
        where paths.contains(change.path) {
          writers[change.path] = event.sequence
        }
        let found = answer(after, event.moment)
        let isLast = event.isLastOfBatch || event.sequence == last
        let next = settled.note(
          found,
          Interval(
            first: event.sequence, type: event.typeName, wallNanoseconds: event.moment.wallNanoseconds, answer: found,
            last: event.sequence), isLast: isLast)
        if let next {
          current.last = next.first - 1
          body(current)
          count += 1
          if next.answer.name != current.answer.name { (previous, firstWithAnswer) = (current, next) }
          current = next
        }
        if isLast { current.last = event.sequence }
        return true
      }
      if let obstacle { throw obstacle }
    }
    body(current)
  }
}
