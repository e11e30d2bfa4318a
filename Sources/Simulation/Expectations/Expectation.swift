import AppProtection
import JSON

/// What must hold at one point of a scenario: a list of conditions, each with its place.
public struct Expectation: Equatable, Sendable {
  /// A single condition.
  public struct Condition: Equatable, Sendable {
    /// What must hold.
    public var requirement: Requirement
    /// Its place in the file.
    public var position: JSONPosition

    /// Omit `position` for a condition that does not come from a file.
    public init(_ requirement: Requirement, at position: JSONPosition = .none) {
      self.requirement = requirement
      self.position = position
    }
  }

  /// What a condition demands.
  public enum Requirement: Equatable, Sendable {
    /// The state has this value at this path. `null` requires that no value is set there; an object lists parts and
    /// their values.
    case state(path: String, JSONValue)
    /// This rule refused the command before this step; `nil` if the command was accepted.
    case rejected(String?)
    /// A demand on a list. Callbacks, events and findings are counted from the last expectation about the same list.
    case list(ExpectedList, ExpectedList.Demand)
    /// The number of an account's files on the device.
    case filesLeft(account: String, ExpectedCount)
    /// At least one of these expectations holds, with all its conditions.
    case anyOf([Expectation])
    /// A decision has this answer.
    case decision(ExpectedDecision)
  }

  /// The conditions in the order written.
  public var conditions: [Condition]

  /// Keeps the order of `conditions`.
  public init(_ conditions: [Condition]) {
    self.conditions = conditions
  }

  /// The members that an expectation may have.
  static let members =
    ["state", "rejected"]
    + ExpectedList.allCases.flatMap { list in ExpectedList.endings.map { list.rawValue + $0 } }
    + ["filesLeft", "decisions", "anyOf"]

  /// - Parameters:
  ///   - app: The app's settings that its questions use.
  ///   - isAlternative: Whether it is one of several alternatives: then every condition must be able to fail.
  init(
    _ node: JSONNode, accounts known: [ScenarioAccount], app: ProtectionSettings, isAlternative: Bool = false
  ) throws(JSONError) {
    let accounts = known.map(\.name)
    try node.expectMembers(Self.members)
    conditions = []
    for (name, member) in try node.members() {
      if let (list, ending) = ExpectedList.parts(of: name) {
        try read(list, ending, member, accounts: accounts, isAlternative: isAlternative)
        continue
      }
      switch name {
      case "state":
        for (path, value) in try member.members() {
          try Self.checkPath(path, at: value)
          try StatePathCheck(accounts: accounts).check(path, at: value)
          if case .object(let object) = value.value.content, object.members.isEmpty { throw Self.empty(value) }
          add(.state(path: path, value.value), at: value)
        }
      case "rejected": add(.rejected(member.isNull ? nil : try member.string()), at: member)
      case "filesLeft":
        for (name, count) in try member.members() {
          let account = try count.word(name, from: accounts)
          add(.filesLeft(account: account, try ExpectedCount(count)), at: count)
        }
      case "anyOf":
        var alternatives: [Expectation] = []
        for alternative in try member.elements() {
          alternatives.append(try Expectation(alternative, accounts: known, app: app, isAlternative: true))
        }
        guard alternatives.count > 1 else {
          throw member.error(
            .invalidValue, "a choice needs at least two alternatives",
            remedy: "write [{...}, {...}] with an expectation each")
        }
        add(.anyOf(alternatives), at: member)
      default:
        let decisions = try member.elements()
        guard !decisions.isEmpty else { throw Self.empty(member) }
        for decision in decisions {
          add(.decision(try ExpectedDecision(decision, accounts: known, app: app)), at: decision)
        }
      }
    }
    guard !conditions.isEmpty else {
      throw node.error(
        .invalidValue, "this expectation is empty", remedy: "add state, callbacks, events or another member")
    }
  }

  /// Reads the demands on a list.
  private mutating func read(
    _ list: ExpectedList, _ ending: String, _ node: JSONNode, accounts: [String], isAlternative: Bool
  ) throws(JSONError) {
    guard ending != "Count" else {
      for (item, count) in try node.members() {
        try list.check(item, at: count, accounts: accounts, isWhole: false)
        add(.list(list, .counts(item, try ExpectedCount(count))), at: count)
      }
      return
    }
    var items: [String] = []
    for element in try node.elements() {
      let item = try element.string()
      try list.check(item, at: element, accounts: accounts, isWhole: ending != "Exclude")
      items.append(item)
    }
    switch ending {
    case "Contain":
      // On its own, an empty list restarts counting; as an alternative it would make all others redundant.
      guard !items.isEmpty || !isAlternative else { throw Self.empty(node) }
      add(.list(list, .contains(items)), at: node)
    case "Exclude":
      guard !items.isEmpty else { throw Self.empty(node) }
      add(.list(list, .excludes(items)), at: node)
    default: add(.list(list, .equals(items)), at: node)
    }
  }

  /// The lists with demands, in any alternative.
  var lists: Set<ExpectedList> {
    conditions.reduce(into: []) { lists, condition in
      switch condition.requirement {
      case .list(let list, _): lists.insert(list)
      case .anyOf(let alternatives): for alternative in alternatives { lists.formUnion(alternative.lists) }
      case .state, .rejected, .filesLeft, .decision: break
      }
    }
  }

  /// Whether the expectation or one of its alternatives concerns the preceding command.
  var asksForRefusal: Bool {
    conditions.contains { condition in
      switch condition.requirement {
      case .rejected: true
      case .anyOf(let alternatives): alternatives.contains { $0.asksForRefusal }
      case .state, .list, .filesLeft, .decision: false
      }
    }
  }

  private mutating func add(_ requirement: Requirement, at node: JSONNode) {
    conditions.append(Condition(requirement, at: node.position))
  }

  /// The error for a condition that cannot fail.
  private static func empty(_ node: JSONNode) -> JSONError {
    node.error(
      .invalidValue, "this expects nothing, so it always holds", remedy: "say what is expected, or remove it")
  }

  private static func checkPath(_ path: String, at node: JSONNode) throws(JSONError) {
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count > 1, path.utf8.last != UInt8(ascii: "/") else {
      throw node.error(
        .invalidValue, "a path into the state begins with a slash and ends without one",
        remedy: "write a path such as \"/accounts/alice/enrollment/status\"")
    }
  }
}

extension JSONNode {
  /// The elements of an array of texts.
  func strings() throws(JSONError) -> [String] {
    var strings: [String] = []
    for element in try elements() { strings.append(try element.string()) }
    return strings
  }

  /// A word contained in or preceding this value's text, if it is one of these names.
  func word(_ text: String, from names: [String]) throws(JSONError) -> String {
    try JSONNode(JSONValue(.string(text), at: value.position), path: path).name(from: names)
  }
}

/// The required number of items.
public struct ExpectedCount: Equatable, Sendable, CustomStringConvertible {
  /// The numbers accepted.
  public var range: ClosedRange<UInt64>

  /// Accepts every number in `range`.
  public init(_ range: ClosedRange<UInt64>) {
    self.range = range
  }

  /// A number, or an object with `atLeast`, `atMost` or both.
  init(_ node: JSONNode) throws(JSONError) {
    guard node.value.object != nil else {
      let count: UInt64 = try node.integer()
      range = count...count
      return
    }
    try node.expectMembers(["atLeast", "atMost"])
    let least: UInt64 = try node.optional("atLeast")?.integer() ?? 0
    let most: UInt64 = try node.optional("atMost")?.integer() ?? .max
    guard least <= most, least > 0 || most < .max else {
      throw node.error(
        .invalidValue,
        least > most ? "no number is at least \(least) and at most \(most)" : "this accepts any number",
        remedy: "write a number, or atLeast or atMost with one")
    }
    range = least...most
  }

  /// `3`, `at least 3`, `at most 5`, `3 to 5`.
  public var description: String {
    if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
    if range.upperBound == .max { return "at least \(range.lowerBound)" }
    return range.lowerBound == 0 ? "at most \(range.upperBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
