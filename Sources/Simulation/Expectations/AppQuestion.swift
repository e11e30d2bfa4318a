import AppProtection
import JSON

/// A question about what surrounds an app's accounts: their configuration, named files, work that is handed on, and the
/// token library. Accounts are named as in the scenario.
public enum AppQuestion: Equatable, Sendable {
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

  /// The members that say what is asked.
  static let kinds = ["config", "work", "override", "enrollmentID", "owner"]

  /// What is answered where nothing is there.
  static let nothing = "nothing"

  /// A text as it stands in an answer.
  static func text(_ text: String?) -> String { text.map { JSONValue.string($0).description } ?? nothing }

  /// Reads a question and its answer.
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
        .override(try subject.name(from: TokenLibraryOverrides.names)),
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

  /// Whom a token request names: an account, by its name; the ids that are written; or no account.
  private static func request(
    _ node: JSONNode, _ accounts: [ScenarioAccount]
  ) throws(JSONError) -> (homeAccountID: String?, userID: String?) {
    if node.isNull { return (nil, nil) }
    guard node.value.object != nil else {
      let name = try node.name(from: accounts.map(\.name))
      guard let user = accounts.first(where: { $0.name == name })?.reference.userPrincipalName else {
        throw node.error(
          .invalidValue, "the account has no upn by which its enrollment id is found",
          remedy: "write {\"homeAccountID\": TEXT}, or give the account a upn")
      }
      return (nil, user)
    }
    try node.expectMembers(["homeAccountID", "userID"])
    return (try node.optional("homeAccountID")?.string(), try node.optional("userID")?.string())
  }

  /// What is asked, for messages: `owner of report.docx`, `override aadClientIdOverride`.
  var subject: String {
    switch self {
    case .configuration(let question): question.subject
    case .owner(let file): "owner of \(file)"
    case .work(let label): "work \(label)"
    case .override(let name): "override \(name)"
    case .enrollmentID(let home, let user, _):
      "enrollmentID" + (home.map { ", homeAccountID \($0)" } ?? "") + (user.map { ", userID \($0)" } ?? "")
    }
  }

  /// Whether the answer is an account's name.
  var namesAccount: Bool {
    switch self {
    case .owner, .work: true
    case .configuration, .override, .enrollmentID: false
    }
  }
}

extension JSONNode {
  /// An account's name, or the empty text for no account, as an answer names them.
  func owner(among accounts: [String]) throws(JSONError) -> String {
    if value.string == "" { return "\(Identity.unmanaged)" }
    if let text = value.string, AccountNumber(text) != nil { return text }
    return try name(from: accounts)
  }
}
