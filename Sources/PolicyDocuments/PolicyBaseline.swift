import AppProtection
import JSON
import PlainText

/// What an organization asks of its policies, setting by setting. The levels of the data protection framework are baselines
/// that Microsoft publishes.
///
/// ```swift
/// let baseline = try PolicyBaseline.read(bytes)
/// for result in baseline.assess(item) where result.entry != nil { print(result.demand.row.title, result.demand.words) }
/// ```
///
/// A baseline is JSON: `{"baseline": 1, "title": "…", "settings": [{"setting": "minimumPinLength", "is": "atLeast", "value": 6,
/// "reason": "…"}]}`, or made of policies, each of whose settings is the least that is asked.
public struct PolicyBaseline: Sendable {
  /// How a policy's value is compared.
  public enum Comparison: String, CaseIterable, Sendable {
    /// As strict or stricter, as when policies are combined.
    case atLeast
    /// The same.
    case equals
    /// Any value.
    case set
    /// No value.
    case unset

    fileprivate func comparison(of properties: [PolicyProperty], on platform: PolicyPlatform) -> LevelComparison {
      switch self {
      case .atLeast:
        // A list of exceptions restricts only beside what it is an exception of, which a level's comparison looks at.
        FrameworkRow.all(on: platform).first { row in
          row.properties == properties && properties.allSatisfy { platform.combination(of: $0) == .intersection }
        }?.comparison ?? .strictness
      case .equals: .equality
      case .set: .presence
      case .unset: .absence
      }
    }
  }

  /// What is asked of one setting.
  public struct Demand: Sendable {
    /// The setting with its value.
    public let row: FrameworkRow
    /// How it is compared.
    public let comparison: Comparison
    /// Why it is asked; empty where a policy is the baseline.
    public let reason: String
    /// How serious it is if a policy does not have it.
    public let severity: PolicyRule.Severity

    /// The value as Graph has it, for one that the portal shows only beside another.
    private let value: String

    fileprivate init(
      _ properties: [PolicyProperty], as policy: PolicyDocument, _ comparison: Comparison, because reason: String,
      _ severity: PolicyRule.Severity, value: String = ""
    ) {
      row = FrameworkRow(
        properties, as: policy, by: comparison.comparison(of: properties, on: policy.kind.platform))
      (self.comparison, self.reason, self.severity, self.value) = (comparison, reason, severity, value)
    }

    /// The demand in words, such as `6, or stricter`.
    public var words: String {
      let value = row.value(in: row.demands[0].policy)?.words ?? self.value
      return switch comparison {
      case .atLeast: "\(value), or stricter"
      case .equals: value
      case .set: "any value"
      case .unset: "not configured"
      }
    }
  }

  /// A setting that is not as asked, or not known to be.
  public struct Entry: Sendable {
    /// What is asked.
    public let demand: Demand
    /// Whether the value is known.
    public let outcome: LevelAssessment.Outcome
    /// More about the reason; `nil` where the values say all.
    public let reason: String?
  }

  /// The result of one demand.
  public struct Result: Sendable {
    /// What is asked.
    public let demand: Demand
    /// Why the policy does not have it; `nil` if it does.
    public let entry: Entry?
  }

  /// Its title; `nil` for one without.
  public var title: String?
  /// What is asked, in the order of the file.
  public private(set) var demands: [Demand] = []

  /// A baseline without demands.
  public init() {}

  /// Asks at least for every setting of a policy that restricts something.
  public mutating func add(_ policy: PolicyDocument, named name: String) {
    let platform = policy.kind.platform
    for setting in PortalSetting.all(on: platform) where setting.words(policy) != nil {
      let properties = setting.properties.filter { !$0.isUnset(in: policy) && platform.hasOrder($0) }
      guard !properties.isEmpty else { continue }
      var least = PolicyDocument(kind: policy.kind)
      for property in properties { least[property] = policy[property] }
      demands.append(Demand(properties, as: least, .atLeast, because: "as in \(name)", .error))
    }
  }

  /// Asks for what another baseline asks as well, under the first title.
  public mutating func add(_ other: PolicyBaseline) {
    title = title ?? other.title
    demands += other.demands
  }

  /// Whether something is asked of the policies of a platform.
  public func covers(_ platform: PolicyPlatform) -> Bool { demands.contains { $0.row.platform == platform } }

  /// What becomes of each demand on the policy's platform, in its order.
  public func assess(_ item: PolicyFile.Item) -> [Result] {
    demands.filter { $0.row.platform == item.policy.kind.platform }.map { demand in
      let entry = LevelAssessment.entry(demand.row, demand.row.demands[0], item.policy, item.unknown)
      return Result(
        demand: demand, entry: entry.map { Entry(demand: demand, outcome: $0.outcome, reason: $0.reason) })
    }
  }
}

extension PolicyBaseline {
  /// Reads a baseline.
  ///
  /// - Throws: ``/JSON/JSONError`` with the place: an unknown setting or comparison, a value that the setting does not take, or
  ///   a reason that is missing.
  public static func read(_ bytes: [UInt8]) throws(JSONError) -> PolicyBaseline {
    let root = try JSONDocument.parse(bytes).root
    try root.expectMembers(["baseline", "title", "settings"])
    _ = try root.required("baseline").integer(in: 1...1)
    var baseline = PolicyBaseline()
    baseline.title = try root.optional("title")?.string()
    for node in try root.required("settings").elements() { baseline.demands += try demands(node) }
    guard !baseline.demands.isEmpty else {
      throw root.error(.invalidValue, "the baseline asks for nothing", remedy: "add an entry to settings")
    }
    return baseline
  }

  /// Whether a document is a baseline rather than a policy, even one whose JSON has a mistake that ``read(_:)`` refuses.
  public static func isBaseline(_ bytes: [UInt8]) -> Bool {
    (try? JSONDocument.parse(tolerating: bytes))?.0.root.value.object?["baseline"] != nil
  }

  /// What one entry asks, on each platform that has its setting.
  private static func demands(_ node: JSONNode) throws(JSONError) -> [Demand] {
    try node.expectMembers(["setting", "platform", "is", "value", "reason", "severity"])
    let platform = try node.optional("platform").map { (node) throws(JSONError) in
      let name = try node.name(from: PolicyPlatform.allCases.map(\.rawValue))
      return PolicyPlatform(rawValue: name) ?? .ios
    }
    let named = try node.required("setting")
    let found = try properties(named, on: platform.map { [$0] } ?? PolicyPlatform.allCases)
    let word = try node.required("is").name(from: Comparison.allCases.map(\.rawValue))
    let comparison = Comparison(rawValue: word) ?? .atLeast
    let given = try node.required("reason")
    let reason = try given.string()
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw given.error(.invalidValue, "the reason is empty", remedy: "say why, for those who come after you")
    }
    let severity = try node.optional("severity").map { (node) throws(JSONError) in
      let name = try node.name(from: PolicyRule.Severity.allCases.map(\.rawValue))
      return PolicyRule.Severity(rawValue: name) ?? .error
    }
    var demands: [Demand] = []
    for (platform, property) in found {
      let policy: PolicyDocument
      switch comparison {
      case .set, .unset:
        guard try node.optional("value") == nil else {
          throw node.error(
            .invalidValue, "\"\(word)\" has no value", remedy: "remove value, or write atLeast or equals")
        }
        policy = PolicyDocument(kind: platform.kind)
      case .atLeast, .equals:
        policy = try Self.policy(property, on: platform, try node.required("value"))
      }
      guard comparison != .atLeast || platform.hasOrder(property) else {
        throw node.error(
          .invalidValue, "no value of \(property.name) is stricter than another", remedy: "write \"is\": \"equals\"")
      }
      let value = try node.optional("value")?.value.description ?? ""
      demands.append(Demand([property], as: policy, comparison, because: reason, severity ?? .error, value: value))
    }
    return demands
  }

  /// The properties with a name in Graph, or with a title of the portal.
  private static func properties(
    _ node: JSONNode, on platforms: [PolicyPlatform]
  ) throws(JSONError) -> [(PolicyPlatform, PolicyProperty)] {
    let name = try node.string()
    let found = platforms.compactMap { platform in
      (platform.property(named: name)
        ?? PortalSetting.all(on: platform).first { $0.title.lowercased() == name.lowercased() }?.properties.first).map {
          (platform, $0)
        }
    }
    // Of iOS, the default policy has settings of Android as well, which no policy for iOS alone can have.
    let fitting = found.filter { $1.graphTypes.contains($0.graphType) }
    guard found.isEmpty else { return platforms.count > 1 && !fitting.isEmpty ? fitting : found }
    let names = platforms.flatMap { platform in
      platform.properties.map(\.name) + PortalSetting.all(on: platform).map(\.title)
    }
    let near = EditDistance.nearest(to: name, in: names, limit: 1).first
    throw node.error(
      .invalidValue, "no setting has the name \(JSONExcerpt.quoted(name))",
      remedy: near.map { "write \(JSONExcerpt.quoted($0))" }
        ?? "write the name in Graph, such as \"minimumPinLength\", or the portal's title")
  }

  /// A policy with one value, as Graph writes it.
  private static func policy(
    _ property: PolicyProperty, on platform: PolicyPlatform, _ node: JSONNode
  ) throws(JSONError) -> PolicyDocument {
    let empty = PolicyDocument(kind: platform.kind)
    let text = JSONValue.object([
      .init("@odata.type", .string("#microsoft.graph.\(empty.kind.rawValue)")), .init(property.name, node.value),
    ]).description
    let item = (try? PolicyFile.read(Array(text.utf8)))?.policies.first
    let problem = item?.findings.first { $0.setting == property.name && $0.rule.severity == .error }
    let reason = problem?.message ?? "the value is none that the setting can have"
    guard let policy = item?.policy, item?.lost.contains(property.name) == false,
      case .value(let value) = policy[property], !value.isUnrecognized, platform.isVersion(value, of: property)
    else {
      throw node.error(
        .invalidValue, "\(property.name): \(reason)",
        remedy: property.kind.names.map { "write one of \($0.members.map(\.name).joined(separator: ", "))" }
          ?? "write the value as Graph does")
    }
    return policy
  }
}

extension PolicyPlatform {
  /// Whether a value can be compared where it has to be a version.
  fileprivate func isVersion(_ value: PolicyValue, of property: PolicyProperty) -> Bool {
    guard [.higherVersion, .lowerVersion].contains(combination(of: property)), case .text(let text) = value else {
      return true
    }
    return PolicyVersionNumber(text) != nil
  }

  /// Whether one value of a setting can be stricter than another.
  fileprivate func hasOrder(_ property: PolicyProperty) -> Bool {
    switch combination(of: property) {
    case .notCombined, .firstGiven: false
    case .onWins, .offWins, .strictestChoice, .smallestNumber, .largestNumber, .shortestDuration, .shortestLimit,
      .higherVersion, .lowerVersion, .intersection, .strictestGroup:
      true
    }
  }
}

extension PolicyValue {
  /// Whether it is a choice whose name is not known.
  fileprivate var isUnrecognized: Bool {
    switch self {
    case .choice(let number): number == RemediationAction.unrecognizedNumber
    case .choices(let numbers): numbers.contains(RemediationAction.unrecognizedNumber)
    case .text, .flag, .number, .duration, .date, .flags, .texts, .pairs, .apps, .assignments: false
    }
  }
}
