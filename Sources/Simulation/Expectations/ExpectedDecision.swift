import AppProtection
import AppProtectionInsight
import JSON

/// A question to the rules and its expected answer.
public struct ExpectedDecision: Equatable, Sendable {
  /// What to ask.
  public enum Question: Equatable, Sendable {
    /// A question about the accounts' environment.
    case app(AppQuestion)
    /// A question to the rules. Its accounts are numbered by their places in the scenario.
    case protection(ProtectionQuestion)
  }

  /// The question to ask.
  public var question: Question
  /// The question in messages: `managed alice`, `identity ui, window 2`, `saveTo box of alice, owner alice`.
  public var subject: String
  /// The expected answer: `true` or `false`; `open`, `blocked` or `wipeDue`; an account's name, `unmanaged`, `unset` or
  /// `nothing`; `allowed` or `denied`; the name of another outcome; or a value.
  public var answer: String
  /// The rule that must have decided it; `nil` accepts any.
  public var rule: String?
  /// The URL that must be opened in place of the one that was asked about; `nil` accepts any.
  public var opens: String?
  /// Whether the answer lists the findings of launch conditions.
  public var showsFindings = false

  /// Whether the answer is the name of an account.
  var namesAccount: Bool {
    switch question {
    case .app(let question): question.namesAccount
    case .protection(.identity): true
    case .protection: false
    }
  }

  /// The outcome of launch conditions followed by the findings.
  static func answer(_ outcome: String, _ findings: [String]) -> String {
    "\(outcome) [\(findings.joined(separator: ", "))]"
  }
}
