import AppProtection
import EventSourcing
import JSON
import Journal

extension ScenarioRun {
  /// The device's boot session: the same for the same scenario, another after every reboot.
  var bootSession: GUID? {
    let digest = Digest.sha256(scenario.journal.id.bytes + Array("boot \(boots)".utf8))
    return GUID(bytes: digest.bytes.prefix(16))
  }

  /// An error about a step that cannot be carried out where it stands.
  func outOfPlace(_ step: ScenarioStep, _ message: String, _ remedy: String) -> ScenarioError {
    ScenarioError(.stepOutOfPlace, file: scenario.file, at: step.position, message: message, remedy: remedy)
  }

  /// Notes that a command was refused and nobody expected it.
  mutating func noteUnexpected(_ refusal: (rejection: AppProtectionRejection, position: JSONPosition)) {
    self.refusal = nil
    unmet.append(
      UnmetExpectation(
        file: scenario.file, position: refusal.position, subject: "rejected", expected: "the command is accepted",
        found: "refused by \(refusal.rejection.rule): \(refusal.rejection)"))
  }
}

extension ScenarioStep.Action {
  /// Whether the step says what is expected of a refusal.
  var asksForRefusal: Bool {
    guard case .expect(let expectation) = self else { return false }
    return expectation.conditions.contains { condition in
      if case .rejected = condition.requirement { true } else { false }
    }
  }
}
