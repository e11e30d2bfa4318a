import AppProtection
import JSON
import Spelling

/// What must be true at one point of a scenario: a list of conditions, each with its place.
public struct Expectation: Equatable, Sendable {
  /// One condition.
  public struct Condition: Equatable, Sendable {
    /// What must be true.
    public var requirement: Requirement
    /// Where it stands in the file.
    public var position: JSONPosition

    /// Creates a condition.
    public init(_ requirement: Requirement, at position: JSONPosition = .none) {
      self.requirement = requirement
      self.position = position
    }
  }

  /// What must be true.
  public enum Requirement: Equatable, Sendable {
    /// The state has this value at this path; `null` means that nothing is set there, an object names parts of what is
    /// there.
    case state(path: String, JSONValue)
    /// The command before this step was refused by this rule; `nil` when it was accepted.
    case rejected(String?)
    /// The app was called back so since the last expectation about callbacks; every callback counts.
    case callbacks([String])
    /// These callbacks were among those since the last expectation about callbacks, in this order; an empty list only
    /// begins to count anew.
    case callbacksContain([String])
    /// Events of these types were written since the last expectation about events; every event counts.
    case events([String])
    /// Events of these types were among those written since the last expectation about events, in this order; an empty
    /// list only begins to count anew.
    case eventsContain([String])
    /// These findings were made since the last expectation about findings, by their labels; every one counts.
    case findings([String])
    /// This is what the engine still has to do, in order.
    case pending([String])
    /// A decision has this answer.
    case decision(ExpectedDecision)
  }

  /// The conditions in the order in which they are written.
  public var conditions: [Condition]

  /// Creates an expectation.
  public init(_ conditions: [Condition]) {
    self.conditions = conditions
  }

  init(_ node: JSONNode, accounts: [String]) throws(JSONError) {
    try node.expectMembers([
      "state", "rejected", "callbacks", "callbacksContain", "events", "eventsContain", "findings", "pending",
      "decisions",
    ])
    conditions = []
    for (name, member) in try node.members() {
      switch name {
      case "state":
        for (path, value) in try member.members() {
          try Self.checkPath(path, at: value)
          if case .object(let object) = value.value.content, object.members.isEmpty { throw Self.empty(value) }
          add(.state(path: path, value.value), at: value)
        }
      case "rejected": add(.rejected(member.isNull ? nil : try member.string()), at: member)
      case "callbacks": add(.callbacks(try member.strings()), at: member)
      case "callbacksContain": add(.callbacksContain(try member.strings()), at: member)
      case "events": add(.events(try member.strings()), at: member)
      case "eventsContain": add(.eventsContain(try member.strings()), at: member)
      case "findings": add(.findings(try member.strings()), at: member)
      case "pending": add(.pending(try member.strings()), at: member)
      default:
        let decisions = try member.elements()
        guard !decisions.isEmpty else { throw Self.empty(member) }
        for decision in decisions {
          add(.decision(try ExpectedDecision(decision, accounts: accounts)), at: decision)
        }
      }
    }
    guard !conditions.isEmpty else {
      throw node.error(
        .invalidValue, "nothing is expected here", remedy: "add state, callbacks, events or another member")
    }
  }

  private mutating func add(_ requirement: Requirement, at node: JSONNode) {
    conditions.append(Condition(requirement, at: node.position))
  }

  /// A condition that cannot fail is a mistake.
  private static func empty(_ node: JSONNode) -> JSONError {
    node.error(
      .invalidValue, "this expects nothing and is met by anything", remedy: "say what is expected, or remove it")
  }

  private static func checkPath(_ path: String, at node: JSONNode) throws(JSONError) {
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count > 1, path.utf8.last != UInt8(ascii: "/") else {
      throw node.error(
        .invalidValue, "a path into the state begins with a slash and ends without one",
        remedy: "write a path such as \"/accounts/alice/enrollment/status\"")
    }
    let slice = String(path.dropFirst().prefix { $0 != "/" })
    let slices = AppProtectionState.sliceNames
    guard slices.contains(slice) else {
      let nearest = EditDistance.nearest(to: slice, in: slices, limit: 1).first ?? slices.joined(separator: ", ")
      throw node.error(
        .invalidValue, "the state has no part \(JSONExcerpt.quoted(slice))", remedy: "begin with one of: \(nearest)")
    }
  }
}

extension JSONNode {
  /// The texts of an array of texts.
  func strings() throws(JSONError) -> [String] {
    var strings: [String] = []
    for element in try elements() { strings.append(try element.string()) }
    return strings
  }
}
