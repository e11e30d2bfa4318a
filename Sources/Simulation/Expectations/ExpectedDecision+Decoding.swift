import AppProtection
import JSON

extension ExpectedDecision {
  /// The members that say what is asked.
  static let kinds =
    ["managed", "offline", "launch", "identity", "saveTo", "openFrom", "config", "work", "override", "enrollmentID"]
    + ProtectionQuestion.kinds + ["owner"]

  init(_ node: JSONNode, accounts known: [Scenario.Account]) throws(JSONError) {
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
      answer = expected.isNull ? "\(Identity.unset)" : try Self.owner(expected, accounts)
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
    case "config":
      let (asked, expectedAnswer) = try ConfigurationQuestion.read(node, accounts: accounts)
      question = .configuration(asked)
      answer = expectedAnswer
    case "owner":
      try node.expectMembers([kind, "is"])
      question = .owner(file: try subject.string())
      answer = expected.isNull ? Self.nothing : try Self.owner(expected, accounts)
    case "work":
      try node.expectMembers([kind, "is"])
      question = .work(try subject.string())
      answer = expected.isNull ? "\(Identity.unset)" : try Self.owner(expected, accounts)
    case "override":
      try node.expectMembers([kind, "is"])
      question = .override(try subject.name(from: TokenLibraryOverrides.names))
      answer = expected.isNull ? Self.nothing : try expected.string()
    case "enrollmentID":
      try node.expectMembers([kind, "isCaseSensitive", "is"])
      question = try Self.enrollmentID(
        subject, known, isCaseSensitive: try node.optional("isCaseSensitive")?.bool() ?? false)
      answer = expected.isNull ? Self.nothing : try expected.string()
    default:
      let (asked, answers) = try ProtectionQuestion.read(kind, node, accounts: accounts)
      question = .protection(asked)
      answer = try expected.name(from: answers)
    }
    rule = try node.optional("rule")?.string()
  }

  /// What is asked. The owner of data is also a member of other questions.
  private static func kind(of node: JSONNode) throws(JSONError) -> String {
    let names = try node.object().members.map(\.name)
    var asked = kinds.filter(names.contains)
    if asked.count > 1 { asked.removeAll { $0 == "owner" } }
    if let kind = asked.first, asked.count == 1 { return kind }
    if asked.isEmpty { try node.expectMembers(kinds + ["is", "rule"]) }
    throw node.error(
      .invalidValue, "a decision is one of \(kinds.joined(separator: ", "))", remedy: "say what is asked")
  }

  /// An account's name, or the empty text for nobody.
  private static func owner(_ node: JSONNode, _ accounts: [String]) throws(JSONError) -> String {
    if node.value.string == "" { return "\(Identity.unmanaged)" }
    if let text = node.value.string, AccountNumber(text) != nil { return text }
    return try node.name(from: accounts)
  }

  /// A token request: of an account, by its name; with ids of its own; or of somebody who is not named.
  private static func enrollmentID(
    _ node: JSONNode, _ accounts: [Scenario.Account], isCaseSensitive: Bool
  ) throws(JSONError) -> Question {
    if node.isNull { return .enrollmentID(homeAccountID: nil, userID: nil, isCaseSensitive: isCaseSensitive) }
    guard node.value.object != nil else {
      let name = try node.name(from: accounts.map(\.name))
      let reference = accounts.first { $0.name == name }?.reference
      guard let user = reference?.userPrincipalName else {
        throw node.error(
          .invalidValue, "the account has no upn by which its enrollment id is found",
          remedy: "write {\"homeAccountID\": TEXT}, or give the account a upn")
      }
      return .enrollmentID(homeAccountID: nil, userID: user, isCaseSensitive: isCaseSensitive)
    }
    try node.expectMembers(["homeAccountID", "userID"])
    return .enrollmentID(
      homeAccountID: try node.optional("homeAccountID")?.string(), userID: try node.optional("userID")?.string(),
      isCaseSensitive: isCaseSensitive)
  }
}
