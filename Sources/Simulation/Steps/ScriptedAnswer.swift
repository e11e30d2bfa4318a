import AppProtection
import JSON

/// The service's answer when asked about an account.
public enum ScriptedAnswer: Equatable, Sendable {
  /// Enrolled, with the policy of this name. A check-in by an app that already has it is answered "unchanged".
  case policy(String)
  /// No change since the last answer.
  case unchanged
  /// Enrolled, but no policy targets the app.
  case noPolicy
  /// The organisation's data of this account must be wiped.
  case wipe
  /// The record of this account was deleted (HTTP 410).
  case gone
  /// The service is unreachable.
  case networkFailure
  /// An explicit status code.
  case code(UInt32)

  /// The answers written as a single name.
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

/// The service's answers about one account, from a step on.
public struct ServiceScript: Equatable, Sendable {
  /// The account's name in the scenario.
  public var account: String
  /// The answers in order; the last one is repeated. Never empty.
  public var answers: [ScriptedAnswer]

  /// `answers` must not be empty.
  public init(account: String, answers: [ScriptedAnswer]) {
    self.account = account
    self.answers = answers
  }
}

/// The outcomes of one account's remediations, from a step on.
public struct ComplianceScript: Equatable, Sendable {
  /// The account's name in the scenario.
  public var account: String
  /// The outcomes in order; the last one is repeated. Never empty.
  public var outcomes: [ComplianceStatus]

  /// `outcomes` must not be empty.
  public init(account: String, outcomes: [ComplianceStatus]) {
    self.account = account
    self.outcomes = outcomes
  }
}

/// The number of an account's files on the device, from a step on.
public struct FileScript: Equatable, Sendable {
  /// The account's name in the scenario.
  public var account: String
  /// Number of files that can be removed.
  public var count: UInt64
  /// Why one additional file cannot be removed; `nil` if all can.
  public var failure: String?

  /// Omit `failure` if every file can be removed.
  public init(account: String, count: UInt64, failure: String? = nil) {
    self.account = account
    self.count = count
    self.failure = failure
  }
}
