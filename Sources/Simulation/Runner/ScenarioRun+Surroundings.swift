import AppProtection
import EventSourcing
import JSON
import Journal

extension ScenarioRun {
  /// The device's boot session: derived from the scenario, and different after every reboot.
  var bootSession: GUID? {
    let digest = Digest.sha256(scenario.journal.id.bytes + Array("boot \(boots)".utf8))
    return GUID(bytes: digest.bytes.prefix(16))
  }

  /// The error for a step that cannot run at its place in the scenario.
  func outOfPlace(_ step: ScenarioStep, _ message: String, _ remedy: String) -> ScenarioError {
    ScenarioError(.stepOutOfPlace, file: scenario.file, at: step.position, message: message, remedy: remedy)
  }

  /// Records a refusal that the scenario did not expect.
  mutating func reportUnexpected(_ refusal: UncheckedRefusal) {
    self.refusal = nil
    unmet.append(
      UnmetExpectation(
        file: scenario.file, position: refusal.position, subject: "rejected", expected: "the command is accepted",
        found: names.named("refused by \(refusal.rule): \(refusal.reason)")))
  }
}

extension AppProtectionCommand {
  /// The account of which the app got or removed a token; `nil` for any other command.
  var tokenAccount: AccountReference? {
    if case .acquireToken(let account) = self { return account }
    if case .removeToken(let account) = self { return account }
    return nil
  }
}

extension ScenarioStep.Action {
  /// Whether the step states an expectation about a refusal.
  var asksForRefusal: Bool {
    guard case .expect(let expectation) = self else { return false }
    return expectation.asksForRefusal
  }
}
