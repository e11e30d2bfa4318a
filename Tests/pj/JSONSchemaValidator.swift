import JSON

/// Validates values against a JSON Schema with the keywords that the published ones use: type, const, enum, pattern of
/// digits, properties, required, additionalProperties, items, minItems, maxItems, anyOf and oneOf. A keyword that it does
/// not know is a problem itself.
///
/// Stricter than the schema in one point: an object with `properties` may have no others, so that every member is published.
struct JSONSchemaValidator {
  private static let annotations: Set = ["$schema", "$id", "title", "description", "format"]
  private static let keywords: Set = [
    "type", "const", "enum", "pattern", "properties", "required", "additionalProperties", "items", "minItems",
    "maxItems", "anyOf", "oneOf",
  ]

  /// What is wrong with a value, with the path of each place; empty where it is valid.
  static func problems(of value: JSONValue, in schema: JSONValue, at path: String = "") -> [String] {
    guard let schema = schema.object else { return ["\(path): the schema is not an object"] }
    var found = schema.members.map(\.name).filter { !keywords.contains($0) && !annotations.contains($0) }
      .map { "\(path): the keyword \($0) is not known" }
    if let type = schema["type"]?.string, !isType(type, value) { return ["\(path): \(value) is not of type \(type)"] }
    if let constant = schema["const"], constant != value { found.append("\(path): \(value) is not \(constant)") }
    if let words = schema["enum"]?.array, !words.contains(value) {
      found.append("\(path): \(value) is none of \(words)")
    }
    if let pattern = schema["pattern"]?.string {
      let isDigits = value.string?.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } ?? false
      if pattern != "^[0-9a-f]*$" || !isDigits { found.append("\(path): \(value) does not match \(pattern)") }
    }
    found += problems(ofMembersOf: value, schema, path) + problems(ofElementsOf: value, schema, path)
    for (keyword, isOne) in [("anyOf", false), ("oneOf", true)] {
      guard let choices = schema[keyword]?.array else { continue }
      let results = choices.map { problems(of: value, in: $0, at: path) }
      let count = results.count(where: \.isEmpty)
      guard count == 0 || isOne && count > 1 else { continue }
      found += count > 1 ? ["\(path): \(count) choices fit"] : nearest(value, choices, results)
    }
    return found
  }

  /// The problems with the choice of the same kind, or else with all of them.
  private static func nearest(_ value: JSONValue, _ choices: [JSONValue], _ results: [[String]]) -> [String] {
    let kind = value.object?["kind"]
    let place = choices.firstIndex {
      kind != nil && $0.object?["properties"]?.object?["kind"]?.object?["const"] == kind
    }
    return place.map { results[$0] } ?? ["no choice fits: " + results.joined().joined(separator: "; ")]
  }

  private static func problems(ofMembersOf value: JSONValue, _ schema: JSONObject, _ path: String) -> [String] {
    guard let object = value.object else { return [] }
    let properties = schema["properties"]?.object
    var found = (schema["required"]?.array ?? []).compactMap(\.string).filter { object[$0] == nil }
      .map { "\(path): \($0) is missing" }
    for member in object.members {
      if let shape = properties?[member.name] {
        found += problems(of: member.value, in: shape, at: "\(path)/\(member.name)")
      } else if let rest = schema["additionalProperties"] {
        found += problems(of: member.value, in: rest, at: "\(path)/\(member.name)")
      } else if properties != nil {
        found.append("\(path): \(member.name) is not in the schema")
      }
    }
    return found
  }

  private static func problems(ofElementsOf value: JSONValue, _ schema: JSONObject, _ path: String) -> [String] {
    guard let elements = value.array else { return [] }
    var found: [String] = []
    if let least = schema["minItems"]?.number?.integer(), elements.count < least { found.append("\(path): too short") }
    if let most = schema["maxItems"]?.number?.integer(), elements.count > most { found.append("\(path): too long") }
    guard let items = schema["items"] else { return found }
    return found + elements.enumerated().flatMap { problems(of: $1, in: items, at: "\(path)/\($0)") }
  }

  private static func isType(_ name: String, _ value: JSONValue) -> Bool {
    switch name {
    case "object": value.object != nil
    case "array": value.array != nil
    case "string": value.string != nil
    case "boolean": value.bool != nil
    case "integer": value.number.map { !$0.text.contains { ".eE".contains($0) } } ?? false
    case "number": value.number != nil
    case "null": value == .null
    default: false
    }
  }
}
