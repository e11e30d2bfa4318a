import AppProtection
import JSON

/// The rule of an assignment's filter, such as `(app.deviceManagementType -eq "Unmanaged") and (app.osVersion -startsWith "17")`
/// (D filters, rule syntax). Properties, operators and values ignore case; `and` binds closer than `or` (DERIVED).
///
/// ```swift
/// let rule = try FilterRule(parsing: "(app.deviceModel -startsWith \"iPhone\")")
/// rule.holds(for: facts)
/// ```
public struct FilterRule: Equatable, Sendable {
  indirect enum Node: Equatable, Sendable {
    case comparison(Comparison)
    case all([Node])
    case any([Node])
  }

  struct Comparison: Equatable, Sendable {
    /// Whether it is about the app rather than about a device that is managed.
    let isOfApp: Bool
    let property: String
    let comparison: String
    let values: [String]
    let isNull: Bool
  }

  let root: Node
  /// The rule as it was written.
  public let text: String

  /// The longest rule that the service accepts, in characters.
  private static let longest = 3_072

  /// Reads a rule.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` with the column in the rule.
  public init(parsing text: String) throws(PolicyDocumentError) {
    var parser = Parser(text)
    guard parser.scalars.count <= Self.longest else {
      throw parser.error("the rule is longer than \(Self.longest) characters", "use a filter that the service accepts")
    }
    root = try parser.rule()
    self.text = text
  }

  /// Whether the rule holds, as far as the facts decide.
  public func holds(for facts: FilterFacts) -> Truth { Self.truth(root, facts) }

  /// The properties that the rule needs and the facts do not have, each once.
  public func missing(in facts: FilterFacts) -> [String] {
    var names: [String] = []
    func visit(_ node: Node) {
      switch node {
      case .comparison(let comparison):
        let isKnown = comparison.isOfApp && facts[comparison.property] != nil
        let name = facts.missing(for: comparison.property)
        if !isKnown, !names.contains(name) { names.append(name) }
      case .all(let nodes), .any(let nodes): nodes.forEach(visit)
      }
    }
    visit(root)
    return names
  }

  private static func truth(_ node: Node, _ facts: FilterFacts) -> Truth {
    switch node {
    case .all(let nodes): nodes.reduce(.yes) { $0 && truth($1, facts) }
    case .any(let nodes): nodes.reduce(.no) { $0 || truth($1, facts) }
    case .comparison(let comparison): truth(comparison, facts)
    }
  }

  private static func truth(_ comparison: Comparison, _ facts: FilterFacts) -> Truth {
    // Filters for managed devices say nothing of an app.
    guard comparison.isOfApp, let fact = facts[comparison.property]?.lowercased() else { return .unknown }
    let values = comparison.values.map { $0.lowercased() }
    let isVersion = comparison.property.lowercased() == "operatingsystemversion"
    func equals(_ value: String) -> Bool {
      guard isVersion, let one = PolicyVersionNumber(fact), let other = PolicyVersionNumber(value) else {
        return fact == value
      }
      return one == other
    }
    func order(_ isWanted: (PolicyVersionNumber, PolicyVersionNumber) -> Bool) -> Truth {
      guard let one = PolicyVersionNumber(fact), let value = values.first, let other = PolicyVersionNumber(value) else {
        return .unknown
      }
      return Truth(isWanted(one, other))
    }
    let isLegacyManaged =
      comparison.property.lowercased() == "devicemanagementtype" && values.contains("managed") && fact != "unmanaged"
    switch comparison.comparison {
    case "eq", "equals":
      return Truth(comparison.isNull ? fact.isEmpty : values.contains(where: equals) || isLegacyManaged)
    case "in": return Truth(values.contains(where: equals))
    case "ne", "notequals":
      return Truth(comparison.isNull ? !fact.isEmpty : !(values.contains(where: equals) || isLegacyManaged))
    case "notin": return Truth(!values.contains(where: equals))
    case "startswith": return Truth(values.contains { fact.hasPrefix($0) })
    case "contains": return Truth(values.contains { fact.contains($0) })
    case "notcontains": return Truth(!values.contains { fact.contains($0) })
    case "gt": return order { $0 > $1 }
    case "ge": return order { $0 >= $1 }
    case "lt": return order { $0 < $1 }
    case "le": return order { $0 <= $1 }
    case _: return .unknown
    }
  }
}

extension FilterRule {
  private static let comparisons: Set<String> = [
    "eq", "equals", "ne", "notequals", "in", "notin", "startswith", "contains", "notcontains", "gt", "ge", "lt", "le",
  ]

  /// Reads a rule by recursive descent.
  struct Parser {
    let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private static let deepest = 64

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func rule() throws(PolicyDocumentError) -> Node {
      let node = try alternatives()
      skipBlanks()
      guard index == scalars.count else { throw error("something follows the rule", "join comparisons with and or or") }
      return node
    }

    private func scalar() -> Unicode.Scalar { index < scalars.count ? scalars[index] : "\0" }

    private mutating func skipBlanks() {
      while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
    }

    private mutating func consume(_ wanted: Unicode.Scalar) -> Bool {
      skipBlanks()
      guard index < scalars.count, scalars[index] == wanted else { return false }
      index += 1
      return true
    }

    /// The letters that come next, without moving on.
    private func word(at start: Int) -> (word: String, end: Int) {
      var end = start
      var word = ""
      while end < scalars.count, scalars[end].properties.isAlphabetic || scalars[end].properties.numericType != nil {
        word.unicodeScalars.append(scalars[end])
        end += 1
      }
      return (word, end)
    }

    private mutating func consumeOperator(_ name: String) -> Bool {
      skipBlanks()
      let (word, end) = word(at: scalar() == "-" ? index + 1 : index)
      guard word.lowercased() == name else { return false }
      index = end
      return true
    }

    private mutating func alternatives() throws(PolicyDocumentError) -> Node {
      var nodes = [try conjunction()]
      while consumeOperator("or") { nodes.append(try conjunction()) }
      return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func conjunction() throws(PolicyDocumentError) -> Node {
      var nodes = [try primary()]
      while consumeOperator("and") { nodes.append(try primary()) }
      return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    private mutating func primary() throws(PolicyDocumentError) -> Node {
      guard consume("(") else { return .comparison(try comparison()) }
      depth += 1
      guard depth <= Self.deepest else { throw error("the parentheses are nested too deep", "remove some") }
      let node = try alternatives()
      depth -= 1
      guard consume(")") else { throw error("a closing parenthesis is missing here", "close it") }
      return node
    }

    private mutating func comparison() throws(PolicyDocumentError) -> Comparison {
      skipBlanks()
      let entity = word(at: index)
      let isOfApp = entity.word.lowercased() == "app"
      guard isOfApp || entity.word.lowercased() == "device" else {
        throw error("app. or device. is needed here", "write a comparison such as app.osVersion -startsWith \"17\"")
      }
      index = entity.end
      guard consume(".") else { throw error("a period and a property are needed here", "write app.osVersion") }
      let property = word(at: index)
      guard !property.word.isEmpty else { throw error("a property is needed here", "write app.osVersion") }
      index = property.end
      skipBlanks()
      let start = index
      let name = word(at: scalar() == "-" ? index + 1 : index)
      guard FilterRule.comparisons.contains(name.word.lowercased()) else {
        index = start
        throw error("an operator is needed here", "write one such as -eq")
      }
      index = name.end
      let (values, isNull) = try values()
      return Comparison(
        isOfApp: isOfApp, property: property.word, comparison: name.word.lowercased(), values: values, isNull: isNull)
    }

    private mutating func values() throws(PolicyDocumentError) -> ([String], isNull: Bool) {
      skipBlanks()
      switch scalar() {
      case "[":
        index += 1
        var values: [String] = []
        while !consume("]") {
          skipBlanks()
          guard scalar() == "\"" || scalar() == "'" else {
            throw error("a text in quotes is needed here", "write [\"a\", \"b\"]")
          }
          values.append(try text())
          _ = consume(",")
        }
        return (values, false)
      case "\"", "'": return ([try text()], false)
      case _:
        let start = index
        while index < scalars.count, !scalars[index].properties.isWhitespace, scalars[index] != ")" { index += 1 }
        let word = String(String.UnicodeScalarView(scalars[start..<index]))
        guard !word.isEmpty else { throw error("a value is needed here", "write a text in quotes") }
        return ["null", "$null"].contains(word.lowercased()) ? ([], true) : ([word], false)
      }
    }

    /// A text in quotes. Models of old tablets have a quotation mark in their names, so that one ends a text only before
    /// what may follow it.
    private mutating func text() throws(PolicyDocumentError) -> String {
      let quote = scalar()
      let start = index + 1
      index += 1
      while index < scalars.count {
        if scalars[index] == quote, endsText(index + 1) {
          let value = String(String.UnicodeScalarView(scalars[start..<index]))
          index += 1
          return value
        }
        index += 1
      }
      index = start - 1
      throw error("the text in quotes does not end", "close the quotes")
    }

    private func endsText(_ next: Int) -> Bool {
      var next = next
      // What closes around the text is passed over: `iPad Pro (12.9")` does not end at its own parenthesis.
      while next < scalars.count, scalars[next].properties.isWhitespace || [")", "]"].contains(scalars[next]) {
        next += 1
      }
      guard next < scalars.count, scalars[next] != "," else { return true }
      let word = word(at: scalars[next] == "-" ? next + 1 : next).word.lowercased()
      return word == "and" || word == "or"
    }

    func error(_ message: String, _ remedy: String) -> PolicyDocumentError {
      PolicyDocumentError(
        .filterRule, at: JSONPosition(line: 1, column: index + 1, offset: index), path: JSONPath(), message: message,
        remedy: remedy)
    }
  }
}
