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
    /// What an account's app configuration says about a key.
    case configuration(ConfigurationQuestion)
    /// Whose a named file is.
    case owner(file: String)
    /// Under whose identity a piece of work runs.
    case work(String)
    /// What the SDK uses in place of a setting of the property list.
    case override(String)
    /// Which enrollment id a token request carries.
    case enrollmentID(homeAccountID: String?, userID: String?, isCaseSensitive: Bool)
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

  /// What is answered where nothing is there.
  static let nothing = "nothing"

  /// Whether the answer is an account's name.
  var namesAccount: Bool {
    switch question {
    case .identity, .owner, .work: true
    case .managed, .offline, .launch, .saveTo, .openFrom, .configuration, .override, .enrollmentID, .protection: false
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
    case .configuration(let question): return question.subject
    case .owner(let file): return "owner of \(file)"
    case .work(let label): return "work \(label)"
    case .override(let name): return "override \(name)"
    case .enrollmentID(let home, let user, _):
      return "enrollmentID" + (home.map { ", homeAccountID \($0)" } ?? "") + (user.map { ", userID \($0)" } ?? "")
    case .protection(let question): return question.subject
    }
  }
}
