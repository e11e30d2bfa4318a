import AppProtection
import JSON

/// A scenario's question about one key of an account's app configuration.
public struct ConfigurationQuestion: Equatable, Sendable {
  /// How the values that apply are combined into one answer.
  public enum Query: String, CaseIterable, Sendable {
    /// The first value.
    case any
    /// True if any value is true.
    case or
    /// True if all values are true.
    case and
    /// The smallest number, or the first text.
    case min
    /// The largest number, or the last text.
    case max
    /// All values, in order.
    case all
    /// Whether policies that target the account disagree.
    case conflict
  }

  /// The type of value that the app asks for.
  public enum Kind: CaseIterable, Sendable {
    /// As a yes or no.
    case bool
    /// As a number.
    case number
    /// As text.
    case string
  }

  /// The name under which the app asks.
  public var key: String
  /// The account's name in the scenario.
  public var account: String
  /// How values are combined into the answer.
  public var query: Query
  /// The type asked for; all types if no value is expected.
  public var kinds: [Kind]

  /// Reads a question and its expected answer; the type of the expected value determines the type asked for.
  static func read(
    _ node: JSONNode, accounts: [String]
  ) throws(JSONError) -> (question: ConfigurationQuestion, answer: String) {
    try node.expectMembers(["config", "account", "query", "is"])
    let expected = try node.required("is")
    let isList = expected.value.array != nil
    let queries = Query.allCases.filter { isList ? $0 == .all : $0 != .all }
    let name = try node.optional("query")?.name(from: queries.map(\.rawValue))
    let query = name.flatMap(Query.init(rawValue:)) ?? (isList ? .all : .any)
    let kinds: [Kind]
    switch query {
    case .conflict:
      _ = try expected.bool()
      kinds = []
    case .or, .and:
      if !expected.isNull { _ = try expected.bool() }
      kinds = [.bool]
    case .any, .min, .max, .all:
      let asked = query == .any || query == .all ? Kind.allCases : [.number, .string]
      let elements = isList ? try expected.elements() : expected.isNull ? [] : [expected]
      kinds = try elements.first.map { (first) throws(JSONError) in [try kind(of: first, among: asked)] } ?? asked
      for element in elements { _ = try kind(of: element, among: kinds) }
    }
    return (
      ConfigurationQuestion(
        key: try node.required("config").string(), account: try node.required("account").name(from: accounts),
        query: query, kinds: kinds),
      text(expected.value)
    )
  }

  private static func kind(of node: JSONNode, among kinds: [Kind]) throws(JSONError) -> Kind {
    let kind: Kind? =
      switch node.value.content {
      case .bool: .bool
      case .number: .number
      case .string: .string
      case .null, .object, .array: nil
      }
    guard let kind, kinds.contains(kind) else {
      throw node.wrongType(
        kinds.contains(.bool) ? "text, a number, or true or false" : "text or a number",
        remedy: "write values of the one type that the app asks for, or null")
    }
    return kind
  }

  /// An answer in the form used for comparing and displaying; numbers are compared by value.
  private static func text(_ value: JSONValue) -> String {
    switch value.content {
    case .null: AppQuestion.nothing
    case .number(let number): number.double.map(text) ?? number.text
    case .array(let elements) where !elements.isEmpty: "[\(elements.map(text).joined(separator: ", "))]"
    case .array: AppQuestion.nothing
    case .bool, .string, .object: value.description
    }
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// The configuration's answer.
  func answer(_ configuration: AppConfiguration) -> String {
    if query == .conflict { return "\(configuration.hasConflict(key))" }
    for kind in kinds {
      let answer: [String]
      switch kind {
      case .bool:
        let one = AppConfiguration.BoolQuery(rawValue: query.rawValue).map { configuration.bool(key, $0) }
        answer = (one.map { $0.map { [$0] } ?? [] } ?? configuration.allBools(key)).map { "\($0)" }
      case .number:
        let one = AppConfiguration.NumberQuery(rawValue: query.rawValue).map { configuration.number(key, $0) }
        answer = (one.map { $0.map { [$0] } ?? [] } ?? configuration.allNumbers(key)).map(Self.text)
      case .string:
        let one = AppConfiguration.StringQuery(rawValue: query.rawValue).map { configuration.string(key, $0) }
        answer = (one.map { $0.map { [$0] } ?? [] } ?? configuration.allStrings(key)).map {
          JSONValue.string($0).description
        }
      }
      if !answer.isEmpty { return query == .all ? "[\(answer.joined(separator: ", "))]" : answer.joined() }
    }
    return AppQuestion.nothing
  }

  /// A short explanation of the answer's origin.
  func reason(_ configuration: AppConfiguration) -> String {
    let entries = configuration.fullData.filter { $0[key] != nil }
    let targeted = entries.count { !$0.isDefault }
    if targeted == 1 { return "one policy that targets the account has the key" }
    if targeted > 1 { return "\(targeted) policies that target the account have the key" }
    if !entries.isEmpty { return "only the tenant's default has the key" }
    return configuration.fullData.isEmpty ? "the account has no configuration" : "nothing delivered has the key"
  }

  /// The question in messages: `config url of alice`, `config limit of alice, max`.
  var subject: String { "config \(key) of \(account)" + (query == .any ? "" : ", \(query.rawValue)") }
}
