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
    /// Anything else about data protection.
    case protection(ProtectionQuestion)
  }

  /// What is asked.
  public var question: Question
  /// The answer: `true` or `false`; `open`, `blocked` or `wipeDue`; an account's name, `unmanaged` or `unset`; `allowed` or
  /// `denied`; the name of another outcome of a decision.
  public var answer: String
  /// The rule that must have settled it; `nil` when any may.
  public var rule: String?

  init(_ node: JSONNode, accounts: [String]) throws(JSONError) {
    func account(_ name: String) throws(JSONError) -> String? {
      guard let node = try node.optional(name), !node.isNull else { return nil }
      return try node.name(from: accounts)
    }
    let kinds = ["managed", "offline", "launch", "identity", "saveTo", "openFrom"] + ProtectionQuestion.kinds
    let asked = try node.object().members.map(\.name).filter(kinds.contains)
    guard let kind = asked.first, asked.count == 1 else {
      throw node.error(
        .invalidValue, "a decision is one of \(kinds.joined(separator: ", "))", remedy: "say what is asked")
    }
    let subject = try node.required(kind)
    let expected = try node.required("is")
    switch kind {
    case "managed":
      try node.expectMembers([kind, "is"])
      question = .managed(account: try subject.name(from: accounts))
      answer = try expected.bool() ? "true" : "false"
    case "offline":
      try node.expectMembers([kind, "is", "rule"])
      question = .offline(account: try subject.name(from: accounts))
      answer = try expected.name(from: OfflineOutcome.allCases.map(\.name))
    case "launch":
      try node.expectMembers([kind, "is", "rule", "findings"])
      let findings = try node.optional("findings")?.strings()
      question = .launch(account: try subject.name(from: accounts), showsFindings: findings != nil)
      answer = try expected.name(from: LaunchOutcome.allCases.map(\.name))
      if let findings { answer = Self.answer(answer, findings) }
    case "identity":
      try node.expectMembers([kind, "window", "thread", "is"])
      let window = try node.optional("window")
      let isFile = try subject.name(from: ["ui", "file"]) == "file"
      question = .identity(
        isFile ? .file : .ui(window: try window?.integer(in: 1...UInt32.max)),
        thread: try node.optional("thread")?.string())
      answer = expected.isNull ? "unset" : try expected.string()
      if answer.isEmpty { answer = "unmanaged" }
    case "saveTo":
      try node.expectMembers([kind, "account", "owner", "is", "rule"])
      let name = try subject.name(from: SaveLocation.allCases.map(\.name))
      question = .saveTo(
        SaveLocation(name: name) ?? .other, account: try account("account"), owner: try account("owner"))
      answer = try expected.name(from: ["allowed", "denied"])
    case "openFrom":
      try node.expectMembers([kind, "account", "receiver", "is", "rule"])
      let name = try subject.name(from: OpenLocation.allCases.map(\.name))
      question = .openFrom(
        OpenLocation(name: name) ?? .other, account: try account("account"), receiver: try account("receiver"))
      answer = try expected.name(from: ["allowed", "denied"])
    default:
      let (asked, answers) = try ProtectionQuestion.read(kind, node, accounts: accounts)
      question = .protection(asked)
      answer = try expected.name(from: answers)
    }
    rule = try node.optional("rule")?.string()
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
    case .protection(let question): return question.subject
    }
  }
}
