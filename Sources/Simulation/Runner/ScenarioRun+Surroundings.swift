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

  /// Notes that something was refused and the scenario did not expect it.
  mutating func noteUnexpected(_ refusal: Refusal) {
    self.refusal = nil
    unmet.append(
      UnmetExpectation(
        file: scenario.file, position: refusal.position, subject: "rejected", expected: "the command is accepted",
        found: names.named("refused by \(refusal.rule): \(refusal.reason)")))
  }

  /// What the SDK uses in place of the property list's settings: what was set last, unless an account was unenrolled
  /// since.
  var overrides: TokenLibraryOverrides {
    let isOver = observer.events.dropFirst(setOverrides.after).contains(
      where: TokenLibraryOverrides.endingEvents.contains)
    return isOver ? TokenLibraryOverrides() : setOverrides.overrides
  }
}

extension ScenarioStep.Action {
  /// Whether the step says what is expected of a refusal.
  var asksForRefusal: Bool {
    guard case .expect(let expectation) = self else { return false }
    return expectation.asksForRefusal
  }
}
