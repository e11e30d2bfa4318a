import AppProtection
import EventSourcing

/// Why the rules refused a command.
public struct CommandRefusal: Equatable, Sendable, CustomStringConvertible {
  /// The rule that refused, such as a transition's number in the table of the enrollment machine.
  public let rule: String
  /// What was refused, why, and what to do.
  public let explanation: String
  /// The reason as a value. `nil` if the refusal is itself an event, as that of an identity switch; for any other refusal
  /// nothing was written.
  public let rejection: AppProtectionRejection?
  /// The result of a refused identity switch; `nil` for any other command.
  public let switchResult: SwitchIdentityResult?

  /// A refusal that writes nothing.
  public init(_ rejection: AppProtectionRejection) {
    rule = rejection.rule
    explanation = rejection.description
    self.rejection = rejection
    switchResult = nil
  }

  /// The refusal that the events of an app's own identity switch record; `nil` if they record none.
  public init?(of command: AppProtectionCommand, in result: AppendResult<AppProtectionMachine>) {
    guard case .setIdentity(let scope, _, _) = command else { return nil }
    let events = result.events.map(\.event)
    let refusal = events.lazy.compactMap { event -> IdentitySwitchRefused? in
      if case .identitySwitchRefused(let refusal) = event, refusal.scope == scope { refusal } else { nil }
    }.first
    guard let refusal else { return nil }
    let decision = result.before.state.identitySwitchDecision(refusal.identity, in: scope)
    let condition = events.lazy.compactMap { event -> LaunchRule? in
      if case .launchEvaluated(let evaluation) = event { evaluation.rule } else { nil }
    }.last
    if !decision.isAllowed {
      rule = decision.rule
      explanation = "\(refusal.identity) cannot be set for \(scope): this requires that \(decision.reason)"
    } else if let condition {
      rule = condition.id
      explanation = "\(refusal.identity) cannot be set for \(scope): \(condition.statement)"
    } else {
      rule = "launch.canceled"
      explanation = "\(refusal.identity) cannot be set for \(scope): the user did not meet its launch conditions"
    }
    rejection = nil
    switchResult = refusal.result
  }

  /// The explanation.
  public var description: String { explanation }
}
