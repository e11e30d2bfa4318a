import AppProtection
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
func decisionExample(state: AppProtectionState, alice: AccountNumber) {
  var explanation = Explanation(recording: true)
  let decision = state.saveTo(.box, account: .account(alice), owner: alice, explanation: &explanation)
  print(decision.rule)  // saveTo.13
  print(decision.reason)  // the owner may not save copies, and the location is not among its allowed locations
}
