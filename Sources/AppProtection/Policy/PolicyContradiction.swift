import EventSourcing

/// Two settings of a policy that contradict each other, as a check of policies finds them.
public struct PolicyContradiction: Equatable, Sendable {
  /// The rule that finds it, by its stable name.
  public let rule: String
  /// How bad it is.
  public let severity: DiagnosisSeverity
  /// What contradicts what, in one sentence without a full stop.
  public let message: String
  /// What to do, in one sentence without a full stop.
  public let remedy: String
  /// Whether no version of the operating system satisfies the policy.
  public let refusesEverySystem: Bool

  /// The texts name no person.
  public init(
    _ rule: String, _ severity: DiagnosisSeverity, _ message: String, remedy: String, refusesEverySystem: Bool = false
  ) {
    (self.rule, self.severity, self.message, self.remedy) = (rule, severity, message, remedy)
    self.refusesEverySystem = refusesEverySystem
  }
}
