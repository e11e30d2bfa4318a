import EventSourcing

/// One command being decided: the events decided so far, the state after them, and the record of the rules evaluated.
///
/// Each event is folded as soon as it is decided, so that later rules see its effect. A command that causes several
/// events needs no second model of their effects.
struct Deliberation {
  /// The events decided so far.
  private(set) var decided: DecidedEvents<AppProtectionMachine>
  /// The rules evaluated.
  var explanation: Explanation

  init(_ state: AppProtectionState, at next: EventContext, explanation: Explanation) {
    decided = DecidedEvents(in: state, at: next)
    self.explanation = explanation
  }

  /// The state after the events decided so far, read in place.
  var state: AppProtectionState { _read { yield decided.state } }

  /// What a rule of the state answers. Methods that may emit events ask it here: calling it on ``state`` would copy the
  /// whole state, because they may also change it.
  @inline(__always)
  func reading<Answer>(_ rule: (AppProtectionState) -> Answer) -> Answer { decided.reading(rule) }

  /// The moment of the decision.
  var moment: Moment { decided.next.moment }

  /// The intervals that apply.
  var schedule: RetrySchedule { RetrySchedule(state.settings.app.retryProfile) }

  /// The time this many nanoseconds later.
  func later(_ length: Int64) -> Int64 {
    moment.wallNanoseconds.advancedClamping(by: length)
  }

  /// Adds an event and folds it.
  mutating func emit(_ event: AppProtectionEvent) {
    decided.append(event)
  }

  /// Refuses the command unless a condition holds.
  mutating func require(
    _ holds: Bool, or rejection: AppProtectionRejection, _ statement: @autoclosure () -> String,
    reads: (AppProtectionState) -> [Explanation.Read] = { _ in [] }
  ) throws(AppProtectionRejection) {
    let reads = explanation.isRecording ? reads(state) : []
    explanation.evaluate(rejection.rule, statement(), holds, reads: reads, decides: !holds)
    guard holds else { throw rejection }
  }

  /// Refuses an answer to any question but the open one, which the event `asked` posed.
  mutating func requireCurrent(
    _ intent: UInt64?, asked: UInt64, _ question: AppProtectionRejection.Question, of account: AccountNumber? = nil
  ) throws(AppProtectionRejection) {
    guard let intent else { return }
    try require(
      intent == asked, or: .staleAnswer(question, account),
      "the answer is to the question that is open, of event \(asked)")
  }

  /// Records a rule that chooses between two outcomes.
  mutating func ask(
    _ rule: String, _ statement: @autoclosure () -> String, _ holds: Bool,
    reads: (AppProtectionState) -> [Explanation.Read] = { _ in [] }
  ) -> Bool {
    let reads = explanation.isRecording ? reads(state) : []
    return explanation.evaluate(rule, statement(), holds, reads: reads, decides: true)
  }
}

extension DecidedEvents where Machine == AppProtectionMachine {
  /// What a rule of the state answers, which may write to the explanation beside these events.
  @inline(__always)
  func reading<Answer>(_ rule: (AppProtectionState) -> Answer) -> Answer { rule(state) }
}
