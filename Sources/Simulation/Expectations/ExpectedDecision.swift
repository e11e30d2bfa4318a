import AppProtection
import JSON

/// A question to the rules together with the answer that is expected.
public struct ExpectedDecision: Equatable, Sendable {
  /// What is asked. Accounts are named as in the scenario; `nil` is nobody.
  public enum Question: Equatable, Sendable {
    /// Whether policy is applied to an account.
    case managed(account: String)
    /// What the offline intervals of an account's policy demand at this moment.
    case offline(account: String)
    /// What the launch conditions of an account come to at this moment, with or without everything that was found.
    case launch(account: String, showsFindings: Bool)
    /// Under whose identity a task runs, on the thread of this label; `nil` is the main thread.
    case identity(EffectiveIdentity.Task, thread: String?)
    /// Whether data of `owner` may be saved to a location of `account`.
    case saveTo(SaveLocation, account: String?, owner: String?)
    /// Whether `receiver` may open data from a location of `account`.
    case openFrom(OpenLocation, account: String?, receiver: String?)
    /// Something about what surrounds the accounts.
    case app(AppQuestion)
    /// Anything else about data protection.
    case protection(ProtectionQuestion)
  }

  /// What is asked.
  public var question: Question
  /// The answer: `true` or `false`; `open`, `blocked` or `wipeDue`; an account's name, `unmanaged`, `unset` or
  /// `nothing`; `allowed` or `denied`; the name of another outcome of a decision; a value.
  public var answer: String
  /// The rule that must have settled it; `nil` when any may.
  public var rule: String?

  /// Whether the answer is an account's name.
  var namesAccount: Bool {
    switch question {
    case .identity: true
    case .app(let question): question.namesAccount
    case .managed, .offline, .launch, .saveTo, .openFrom, .protection: false
    }
  }

  /// An outcome of launch conditions with what was found.
  static func answer(_ outcome: String, _ findings: [String]) -> String {
    "\(outcome) [\(findings.joined(separator: ", "))]"
  }

  /// What is asked, for messages: `managed alice`, `identity ui, window 2`, `saveTo box of alice, owner alice`.
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
      return "saveTo \(location.name)\(account.map { " of \($0)" } ?? ""), owner \(owner ?? "nobody")"
    case .openFrom(let location, let account, let receiver):
      return "openFrom \(location.name)\(account.map { " of \($0)" } ?? ""), receiver \(receiver ?? "nobody")"
    case .app(let question): return question.subject
    case .protection(let question): return question.subject
    }
  }
}
