import EventSourcing

/// The outcome of an account's launch conditions at one moment, and why.
public struct LaunchDecision: Equatable, Sendable {
  /// The account.
  public let account: AccountNumber
  /// The outcome of the first finding.
  public let outcome: LaunchOutcome
  /// The rule that settled it.
  public let rule: LaunchRule
  /// All failed conditions in the order in which they count, without warnings that the user has seen in this process.
  public let findings: [LaunchFinding]
  /// The dialog's reason; `nil` if the app may be used without a dialog.
  public let dialog: LaunchReason?
  /// Whether a dialog offers to remove the account: an app of one identity has nothing else to show.
  public let offersRemoval: Bool
  /// The member of ``Assumptions`` on which the outcome rests; `nil` where the rule is published.
  public let assumption: String?

  /// The rule as a reason for the outcome, in one sentence.
  public var reason: String { rule.statement }

  /// The settings after it, by their names in Graph.
  public var settings: [String] { rule.settings(for: outcome) }

  /// The facts that were compared with them, as paths of the state.
  public var facts: [String] { rule.facts(of: account) }

  /// The warnings to be shown, one after another; none unless the outcome is ``LaunchOutcome/warn``.
  public var warnings: [LaunchRule] { outcome == .warn ? findings.map(\.rule) : [] }
}
