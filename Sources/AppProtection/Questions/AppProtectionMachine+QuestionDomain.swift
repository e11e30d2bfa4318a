import EventSourcing

extension AppProtectionMachine: QuestionDomain {
  /// Every question to the rules.
  public static var questions: [QuestionForm<ProtectionQuestion>] { ProtectionQuestion.forms }

  /// The answer of the rules.
  public static func answer(
    _ question: ProtectionQuestion, in state: AppProtectionState, at moment: Moment, explanation: inout Explanation
  ) -> QuestionAnswer {
    let answer = state.answer(question, at: moment, explanation: &explanation)
    return QuestionAnswer(answer.name, rule: answer.rule, reason: answer.reason, assumption: answer.assumption)
  }
}
