import EventSourcing

/// What the rules answered to a question throughout a history.
///
/// The question is answered after each batch of events, at the event's time; a change that comes with time alone is seen at the
/// next one. The event named is the one of the batch that brought the answer. Where the rule changes within the batch and the
/// answer stays, each rule has an interval, so that the answer after any event since then is in one. Memory does not grow with
/// the history.
public struct AnswerHistory<Domain: QuestionDomain>: Sendable {
  /// A stretch of a history with one answer, settled by one rule.
  public typealias Interval = AnswerInterval

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

  @usableFromInline var asked: RepeatedQuestion<Domain>
  /// The answers of the batch at hand.
  @usableFromInline var batch: [Interval] = []

  @inlinable
  init(of question: Domain.Question, from state: Domain.State, after first: (sequence: UInt64, moment: Moment)) {
    asked = RepeatedQuestion<Domain>(question, state, at: first.moment)
    current = Interval(
      first: first.sequence, type: "", wallNanoseconds: nil, answer: asked.answer, last: first.sequence)
    firstWithAnswer = current
  }

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
    self.init(of: question, from: state, after: first)
    if first.sequence < last {
      let slices = Set(paths.map { PathPattern(Glob($0)) }.flatMap { $0.slices(of: Domain.State.sliceNames) }).sorted()
      let differ = StateDiffer()
      var cursor = try history.cursor(after: first.sequence == 0 ? .start : .sequence(first.sequence))
      let obstacle = try cursor.forEachEvent(upTo: last, watching: slices) { event, before, after in
        differ.forEachChange(from: before, to: after, inSlices: slices, among: event.changed) { change in
          if paths.contains(change.path) { writers[change.path] = event.sequence }
        }
        ask(event, after, isLast: event.isLastOfBatch || event.sequence == last, body)
        return true
      }
      if let obstacle { throw obstacle }
    }
    body(current)
  }

  /// The answers to several questions, found in one pass.
  ///
  /// - Parameters:
  ///   - questions: The questions.
  ///   - body: Receives the place of the question and each interval once it has ended.
  @inlinable
  public static func answers(
    to questions: [Domain.Question], in history: History<Domain>, from state: Domain.State,
    after first: (sequence: UInt64, moment: Moment), upTo last: UInt64, _ body: (Int, Interval) -> Void
  ) throws(HistoryError) -> [AnswerHistory] {
    var answers = questions.map { AnswerHistory(of: $0, from: state, after: first) }
    if first.sequence < last {
      var cursor = try history.cursor(after: first.sequence == 0 ? .start : .sequence(first.sequence))
      let obstacle = try cursor.forEachEvent(upTo: last, watching: []) { event, _, after in
        let isLast = event.isLastOfBatch || event.sequence == last
        for place in answers.indices { answers[place].ask(event, after, isLast: isLast) { body(place, $0) } }
        return true
      }
      if let obstacle { throw obstacle }
    }
    for place in answers.indices { body(place, answers[place].current) }
    return answers
  }

  /// Asks after the next event.
  ///
  /// - Parameters:
  ///   - isLast: Whether the event is the last one of its batch that is looked at.
  ///   - body: Receives each interval that ended.
  @inlinable
  mutating func ask(
    _ event: PassedEvent<Domain.Event>, _ after: borrowing Domain.State, isLast: Bool, _ body: (Interval) -> Void
  ) {
    if asked.ask(after, at: event.moment) {
      batch.append(
        Interval(
          first: event.sequence, type: event.typeName, wallNanoseconds: event.moment.wallNanoseconds,
          answer: asked.answer, last: event.sequence))
    }
    guard isLast else { return }
    // Another answer between two events of a batch was never in force.
    let others = batch.lastIndex { $0.answer.name != asked.answer.name }.map { $0 + 1 } ?? 0
    for next in batch[others...] where next.answer != current.answer {
      current.last = next.first - 1
      body(current)
      count += 1
      if next.answer.name != current.answer.name { (previous, firstWithAnswer) = (current, next) }
      current = next
    }
    batch.removeAll(keepingCapacity: true)
    current.last = event.sequence
  }
}
