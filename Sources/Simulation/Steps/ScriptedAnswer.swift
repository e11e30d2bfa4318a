import AppProtection
import JSON

/// What the service of a scenario answers when it is asked about an account.
public enum ScriptedAnswer: Equatable, Sendable {
  /// Enrolled, with the policy of this name. A check-in that finds the app in possession of it is answered "unchanged".
  case policy(String)
  /// Nothing changed since the last answer.
  case unchanged
  /// Enrolled, and no policy is meant for the app.
  case noPolicy
  /// The organisation's data of this account is to be wiped.
  case wipe
  /// The record of this account was deleted (HTTP 410).
  case gone
  /// The service could not be reached.
  case networkFailure
  /// A status code of its own.
  case code(UInt32)

  /// The answers that are written as a single name.
  static let plain: [(name: String, answer: ScriptedAnswer)] = [
    ("unchanged", .unchanged), ("noPolicy", .noPolicy), ("wipe", .wipe), ("gone", .gone),
    ("networkFailure", .networkFailure),
  ]

  init(_ node: JSONNode) throws(JSONError) {
    if node.value.string != nil {
      let name = try node.name(from: Self.plain.map(\.name))
      self = Self.plain.first { $0.name == name }?.answer ?? .unchanged
      return
    }
    try node.expectMembers(["policy", "code"])
    switch (try node.optional("policy"), try node.optional("code")) {
    case (let policy?, nil): self = .policy(try policy.string())
    case (nil, let code?): self = .code(try code.integer(in: 200...999))
    default:
      throw node.error(
        .invalidValue, "an answer is one of policy and code",
        remedy:
          "write {\"policy\": NAME}, {\"code\": NUMBER} or one of \(Self.plain.map(\.name).joined(separator: ", "))")
    }
  }
}

/// What the service answers about one account, from a step on.
public struct ServiceScript: Equatable, Sendable {
  /// The account's name in the scenario.
  public var account: String
  /// The answers in turn; the last one stays. Never empty.
  public var answers: [ScriptedAnswer]

  /// Creates a script.
  public init(account: String, answers: [ScriptedAnswer]) {
    self.account = account
    self.answers = answers
  }
}

/// How remediations of one account end, from a step on.
public struct ComplianceScript: Equatable, Sendable {
  /// The account's name in the scenario.
  public var account: String
  /// The outcomes in turn; the last one stays. Never empty.
  public var outcomes: [ComplianceStatus]

  /// Creates a script.
  public init(account: String, outcomes: [ComplianceStatus]) {
    self.account = account
    self.outcomes = outcomes
  }
}

/// How many files of one account there are on the device, from a step on.
public struct FileScript: Equatable, Sendable {
  /// The account's name in the scenario.
  public var account: String
  /// How many files can be removed.
  public var count: UInt64
  /// Why one more cannot be; `nil` when all can.
  public var failure: String?

  /// Creates a script.
  public init(account: String, count: UInt64, failure: String? = nil) {
    self.account = account
    self.count = count
    self.failure = failure
  }
}
