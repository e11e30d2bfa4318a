import EventSourcing

/// The delegate answers a switch of identity with a constant meant for added accounts: its "failed" reads as "canceled".
///
/// The deciding event is the first such answer.
struct WrongEnumerationRule: ProblemRule {
  private var answers = Sightings()
  private var firstAnswer: IdentitySwitchAnswered?
  /// The answers that read as another result than the one that was meant, and the switches that they ended.
  private var misread = Sightings()
  private var refused = Sightings()

  init() {}

  static var readers: EventReaders { .wrongEnumeration }

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .identitySwitchAnswered(let event):
      guard event.isAddIdentityResult else { break }
      answers.note(context)
      if event.result != .success {
        if misread.count == 0 { firstAnswer = event }
        misread.note(context)
      } else if firstAnswer == nil {
        firstAnswer = event
      }
    case .identitySwitchRefused(let event):
      guard event.reason == .delegate, misread.last?.sequence == context.sequence - 1 else { break }
      refused.note(context)
    default: event.unread(by: .wrongEnumeration, ())
    }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    guard let first = misread.first ?? answers.first, let answer = firstAnswer else { return [] }
    let isHarmless = misread.count == 0
    let times = answers.count == 1 ? "" : ", \(answers.count) times in this history"
    var problem = Problem(
      .wrongEnumeration, of: answer.identity.account?.description,
      "the delegate answers a switch of \(answer.scope) with a constant for added accounts, which reads as "
        + "\(answer.result.name) (event \(first.sequence)\(times))",
      evidence: DiagnosisEvidence(first.sequence, "the answer is not one of the constants for switches"),
      refused.evidence("the identity is not switched") + answers.evidence("the delegate answers so again"),
      next: "answer identitySwitchRequired with IntuneMAMSwitchIdentityResult, not with IntuneMAMAddIdentityResult",
      command: "show JOURNAL \(first.sequence)")
    if isHarmless { problem.severity = .note }
    return [problem]
  }
}
