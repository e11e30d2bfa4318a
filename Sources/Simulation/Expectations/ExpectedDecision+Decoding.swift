import AppProtection
import AppProtectionInsight
import JSON

extension ExpectedDecision {
  /// The members that select a question.
  static let kinds =
    ["managed", "offline", "launch", "identity"] + ProtectionQuestion.kinds + AppQuestion.kinds

  init(_ node: JSONNode, accounts known: [ScenarioAccount], app: ProtectionSettings) throws(JSONError) {
    let accounts = known.map(\.name)
    let kind = try Self.kind(of: node)
    let subject = try node.required(kind)
    let expected = try node.required("is")
    if AppQuestion.kinds.contains(kind) {
      let (asked, expectedAnswer) = try AppQuestion.read(kind, node, accounts: known)
      (question, self.subject, answer) = (.app(asked), asked.subject, expectedAnswer)
    } else {
      let asked: ProtectionQuestion
      switch kind {
      case "managed":
        try node.expectMembers([kind, "is"])
        asked = .managed(try subject.account(among: accounts))
        answer = try expected.bool() ? "true" : "false"
      case "launch":
        try node.expectMembers([kind, "is", "rule", "findings"])
        let findings = try node.optional("findings")?.strings()
        asked = .launch(try subject.account(among: accounts))
        showsFindings = findings != nil
        answer = try expected.name(from: LaunchOutcome.allCases.map(\.name))
        if let findings { answer = Self.answer(answer, findings) }
      case "identity":
        try node.expectMembers([kind, "window", "thread", "is"])
        let window = try node.optional("window")
        let isFile = try subject.name(from: ["ui", "file"]) == "file"
        asked = .identity(
          isFile ? .file : .ui(window: try window?.integer(in: 1...UInt32.max)),
          thread: try node.optional("thread")?.string())
        answer = expected.isNull ? "\(Identity.unset)" : try expected.owner(among: accounts)
      default:
        let (read, answers) = try ProtectionQuestion.read(kind, node, accounts: accounts, app: app)
        asked = read
        if case .url = asked { opens = try node.optional("opens")?.string() }
        answer = try expected.name(from: answers)
      }
      (question, self.subject) = (.protection(asked), asked.subject(accounts))
    }
    rule = try node.optional("rule")?.string()
  }

  /// The kind of question. `owner` is also a member of other questions.
  private static func kind(of node: JSONNode) throws(JSONError) -> String {
    let names = try node.object().members.map(\.name)
    var asked = kinds.filter(names.contains)
    if asked.count > 1 { asked.removeAll { $0 == "owner" } }
    if let kind = asked.first, asked.count == 1 { return kind }
    if asked.isEmpty { try node.expectMembers(kinds + ["is", "rule"]) }
    throw node.error(
      .invalidValue, "a decision is one of \(kinds.joined(separator: ", "))", remedy: "write one of them")
  }
}
