import AppProtection
import AppProtectionInsight
import EventSourcing

/// The example of the page on the module AppProtection.
func decidingExample(
  account: AccountReference, state: AppProtectionState, sequence: UInt64, moment: Moment
) throws -> [AppProtectionEvent] {
  var explanation = Explanation(recording: true)
  let decided = try AppProtectionMachine.decide(
    .registerAndEnroll(account), in: state, at: EventContext(sequence: sequence + 1, moment: moment),
    explanation: &explanation)
  return decided.events
}

/// The example of the page on data protection decisions.
func decisionExample(state: AppProtectionState, alice: AccountNumber, now: Moment) {
  let decision = state.saveTo(.box, account: alice, owner: alice)
  print(decision.rule)  // saveTo.13
  print(decision.reason)  // the owner may not save copies, and the location is not among its allowed locations

  var explanation = Explanation(recording: true)
  let question = ProtectionQuestion.saveTo(.box, account: .account(alice), owner: alice)
  let answer = state.answer(question, at: now, explanation: &explanation)
  print(answer.name)  // denied
  for step in explanation.steps { print(step.statement, step.holds, step.reads.map(\.path)) }
}
