import AppProtection
import JSON

/// A question about an app's environment: its accounts' configuration, named files, work handed to other threads, and
/// the token library. Accounts are named as in the scenario.
public enum AppQuestion: Equatable, Sendable {
  /// The value of a key in an account's app configuration.
  case configuration(ConfigurationQuestion)
  /// The owner of a named file.
  case owner(file: String)
  /// The identity under which a piece of work runs.
  case work(String)
  /// The value that the SDK uses in place of a property-list setting.
  case override(TokenLibraryOverrides.Name)
  /// The enrollment id that a token request carries.
  case enrollmentID(homeAccountID: String?, userID: String?, isCaseSensitive: Bool)

  /// The members that select a question.
  static let kinds = ["config", "work", "override", "enrollmentID", "owner"]

  /// The answer without a value.
  static let nothing = "nothing"

  /// A text as written in an answer.
  static func text(_ text: String?) -> String { text.map { JSONValue.string($0).description } ?? nothing }

  /// Reads a question and its expected answer.
  static func read(
    _ kind: String, _ node: JSONNode, accounts known: [ScenarioAccount]
  ) throws(JSONError) -> (question: AppQuestion, answer: String) {
    let accounts = known.map(\.name)
    let subject = try node.required(kind)
    let expected = try node.required("is")
    switch kind {
    case "config":
      let (question, answer) = try ConfigurationQuestion.read(node, accounts: accounts)
      return (.configuration(question), answer)
    case "owner":
      try node.expectMembers([kind, "is"])
      return (.owner(file: try subject.string()), expected.isNull ? nothing : try expected.owner(among: accounts))
    case "work":
      try node.expectMembers([kind, "is"])
      return (
        .work(try subject.string()), expected.isNull ? "\(Identity.unset)" : try expected.owner(among: accounts)
      )
    case "override":
      try node.expectMembers([kind, "is"])
      return (
        .override(try subject.overrideName()),
        text(expected.isNull ? nil : try expected.string())
      )
    default:
      try node.expectMembers([kind, "isCaseSensitive", "is"])
      let (home, user) = try request(subject, known)
      return (
        .enrollmentID(
          homeAccountID: home, userID: user, isCaseSensitive: try node.optional("isCaseSensitive")?.bool() ?? false),
        text(expected.isNull ? nil : try expected.string())
      )
    }
  }

  /// The account named by a token request: by its name, by ids, or no account.
  private static func request(
    _ node: JSONNode, _ accounts: [ScenarioAccount]
  ) throws(JSONError) -> (homeAccountID: String?, userID: String?) {
    if node.isNull { return (nil, nil) }
    guard node.value.object != nil else {
      let name = try node.name(from: accounts.map(\.name))
      guard let user = accounts.first(where: { $0.name == name })?.reference.userPrincipalName else {
        throw node.error(
          .invalidValue, "the account has no upn to look up its enrollment id with",
          remedy: "write {\"homeAccountID\": TEXT}, or give the account a upn")
      }
      return (nil, user)
    }
    try node.expectMembers(["homeAccountID", "userID"])
    return (try node.optional("homeAccountID")?.string(), try node.optional("userID")?.string())
  }

  /// The question in messages: `owner of report.docx`, `override aadClientIdOverride`.
  var subject: String {
    switch self {
    case .configuration(let question): question.subject
    case .owner(let file): "owner of \(file)"
    case .work(let label): "work \(label)"
    case .override(let name): "override \(name.rawValue)"
    case .enrollmentID(let home, let user, _):
      "enrollmentID" + (home.map { ", homeAccountID \($0)" } ?? "") + (user.map { ", userID \($0)" } ?? "")
    }
  }

  /// Whether the answer is the name of an account.
  var namesAccount: Bool {
    switch self {
    case .owner, .work: true
    case .configuration, .override, .enrollmentID: false
    }
  }
}

extension JSONNode {
  /// The SDK's name of a property that an app can override.
  fileprivate func overrideName() throws(JSONError) -> TokenLibraryOverrides.Name {
    let names = TokenLibraryOverrides.Name.allCases
    let name = try name(from: names.map(\.rawValue))
    return names.first { $0.rawValue == name } ?? .authority
  }

  /// An account's name, or the empty text for no account, as written in an answer.
  func owner(among accounts: [String]) throws(JSONError) -> String {
    if value.string == "" { return "\(Identity.unmanaged)" }
    if let text = value.string, AccountNumber(text) != nil { return text }
    return try name(from: accounts)
  }
}
