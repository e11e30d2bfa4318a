import AppProtection
import JSON

extension ExpectedDecision {
  /// The members that select a question.
  static let kinds =
    ["managed", "offline", "launch", "identity", "saveTo", "openFrom"] + ProtectionQuestion.kinds + AppQuestion.kinds

  init(_ node: JSONNode, accounts known: [ScenarioAccount]) throws(JSONError) {
    let accounts = known.map(\.name)
    func account(_ name: String) throws(JSONError) -> String? {
      guard let node = try node.optional(name), !node.isNull else { return nil }
      return try node.name(from: accounts)
    }
    let kind = try Self.kind(of: node)
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
      answer = expected.isNull ? "\(Identity.unset)" : try expected.owner(among: accounts)
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
    case _ where AppQuestion.kinds.contains(kind):
      let (asked, expectedAnswer) = try AppQuestion.read(kind, node, accounts: known)
      question = .app(asked)
      answer = expectedAnswer
    default:
      let (asked, answers) = try ProtectionQuestion.read(kind, node, accounts: accounts)
      question = .protection(asked)
      answer = try expected.name(from: answers)
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
