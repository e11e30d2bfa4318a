import AppProtection
import JSON

/// A question to the rules and its expected answer.
public struct ExpectedDecision: Equatable, Sendable {
  /// What to ask. Accounts are named as in the scenario; `nil` means no account.
  public enum Question: Equatable, Sendable {
    /// Whether policy is applied to an account.
    case managed(account: String)
    /// What the offline intervals of an account's policy require now.
    case offline(account: String)
    /// The outcome of an account's launch conditions now, with or without all findings.
    case launch(account: String, showsFindings: Bool)
    /// The identity under which a task runs on the thread with this label; `nil` is the main thread.
    case identity(EffectiveIdentity.Task, thread: String?)
    /// Whether data of `owner` may be saved to a location of `account`.
    case saveTo(SaveLocation, account: String?, owner: String?)
    /// Whether `receiver` may open data from a location of `account`.
    case openFrom(OpenLocation, account: String?, receiver: String?)
    /// A question about the accounts' environment.
    case app(AppQuestion)
    /// Any other question about data protection.
    case protection(ProtectionQuestion)
  }

  /// The question to ask.
  public var question: Question
  /// The expected answer: `true` or `false`; `open`, `blocked` or `wipeDue`; an account's name, `unmanaged`, `unset` or
  /// `nothing`; `allowed` or `denied`; the name of another outcome; or a value.
  public var answer: String
  /// The rule that must have decided it; `nil` accepts any.
  public var rule: String?

  /// Whether the answer is the name of an account.
  var namesAccount: Bool {
    switch question {
    case .identity: true
    case .app(let question): question.namesAccount
    case .managed, .offline, .launch, .saveTo, .openFrom, .protection: false
    }
  }

  /// The outcome of launch conditions followed by the findings.
  static func answer(_ outcome: String, _ findings: [String]) -> String {
    "\(outcome) [\(findings.joined(separator: ", "))]"
  }

  /// The question in messages: `managed alice`, `identity ui, window 2`, `saveTo box of alice, owner alice`.
  var subject: String {
    switch question {
    case .managed(let account): return "managed \(account)"
    case .offline(let account): return "offline \(account)"
    case .launch(let account, _): return "launch \(account)"
    case .identity(let task, let thread):
      var text = "identity file"
      if case .ui(let window) = task { text = "identity ui" + (window.map { ", window \($0)" } ?? "") }
      return text + (thread.map { ", thread \($0)" } ?? "")
    case .saveTo(let location, let account, let owner):
      return "saveTo \(location.name)\(account.map { " of \($0)" } ?? ""), owner \(owner ?? "none")"
    case .openFrom(let location, let account, let receiver):
      return "openFrom \(location.name)\(account.map { " of \($0)" } ?? ""), receiver \(receiver ?? "none")"
    case .app(let question): return question.subject
    case .protection(let question): return question.subject
    }
  }
}
