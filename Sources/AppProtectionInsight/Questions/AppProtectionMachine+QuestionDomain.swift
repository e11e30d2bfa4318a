import AppProtection
import EventSourcing

extension AppProtectionMachine: QuestionDomain {
  /// Every question to the rules.
  public static var questions: [QuestionForm<ProtectionQuestion>] { ProtectionQuestion.forms }

  /// The answer of the rules.
  public static func verdict(
    on question: ProtectionQuestion, in state: AppProtectionState, at moment: Moment, explanation: inout Explanation
  ) -> ProtectionAnswer {
    state.answer(question, at: moment, explanation: &explanation)
  }

  /// The texts of an answer.
  public static func words(of answer: ProtectionAnswer) -> QuestionAnswer {
    QuestionAnswer(answer.name, rule: answer.rule, reason: answer.reason, assumption: answer.assumption)
  }
}
