import AppProtection
import EventSourcing

/// The PIN was wrong as often as the policy accepts.
struct PINAttemptsRule: LaunchConditionRule {
  static let family = ProblemFamily.pinAttempts
  static let conditions: [LaunchRule] = [.pinAttempts]

  init() {}

  static func change(_ rule: LaunchRule) -> String { "the user enters a wrong PIN" }

  static func mending(_ rule: LaunchRule) -> String { "the PIN was reset" }

  static var isFactRefusal: Bool { true }

  static func isFactChanged(
    of rule: LaunchRule, from before: AppProtectionState, to after: AppProtectionState
  ) -> Bool {
    before.launch.pin.failures != after.launch.pin.failures
  }

  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String {
    "the policy \(failure.isOver ? "accepted" : "accepts") \(setting) wrong PINs, and there were \(fact)"
  }

  /// Wrong PINs of several days count together: neither a day nor biometrics make up for one.
  static func course(
    of failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes
  ) -> (words: String, events: [DiagnosisEvidence])? {
    guard let series = notes.pins.series(at: failure.decided), series.days > 1, let first = series.failures.first,
      let last = series.failures.last
    else { return nil }
    let biometrics = series.biometrics.count == 0 ? "" : ", although biometrics opened the app in between"
    return (
      "; they added up from event \(first.sequence) to event \(last.sequence), on \(series.days) days\(biometrics)",
      series.failures.evidence("a wrong PIN") + series.biometrics.evidence("biometrics open the app").prefix(1)
    )
  }

  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String {
    failure.wipe == nil
      ? "let the user sign in with the account and choose a new PIN"
      : "let the user sign in and enroll again; appActionIfMaximumPinRetriesExceeded = block resets the PIN instead"
  }
}
