import JSON

/// What a value of the JSON output looks like, and how JSON Schema says so.
@usableFromInline
package indirect enum JSONShape: Sendable {
  case integer, number, flag, text
  /// RFC 3339 in UTC.
  case time
  /// Bytes as hexadecimal digits.
  case digits
  /// Anything: what a state or an event holds.
  case value
  /// One of these words.
  case oneOf([String])
  case list(JSONShape)
  /// The first and the last of something.
  case pair(JSONShape)
  /// An object with these members; a name that ends in `?` may be missing.
  case object(JSONMembers)
  /// An object with any names, whose values have this shape.
  case table(JSONShape)
  case orNull(JSONShape)

  /// The shape as JSON Schema.
  @usableFromInline
  package var schema: JSONValue {
    func type(_ name: String, _ others: [JSONObject.Member] = []) -> JSONValue {
      .object([.init("type", .string(name))] + others)
    }
    switch self {
    case .integer: return type("integer")
    case .number: return type("number")
    case .flag: return type("boolean")
    case .text: return type("string")
    case .time: return type("string", [.init("format", "date-time")])
    case .digits: return type("string", [.init("pattern", "^[0-9a-f]*$")])
    case .value: return .object([])
    case .oneOf(let words): return type("string", [.init("enum", .array(words.map { .string($0) }))])
    case .list(let shape): return type("array", [.init("items", shape.schema)])
    case .pair(let shape):
      return type("array", [.init("items", shape.schema), .init("minItems", 2), .init("maxItems", 2)])
    case .object(let members): return .object(members.schema())
    case .table(let shape): return type("object", [.init("additionalProperties", shape.schema)])
    case .orNull(let shape):
      return .object([.init("anyOf", .array([shape.schema, type("null")]))])
    }
  }
}

/// The members of an object, in order; a name that ends in `?` may be missing.
@usableFromInline
package struct JSONMembers: Sendable {
  private var pairs: [(name: String, shape: JSONShape)]

  @usableFromInline
  package init(_ members: [(name: String, shape: JSONShape)]) { pairs = members }

  /// These members, and others.
  static func + (one: JSONMembers, other: JSONMembers) -> JSONMembers {
    var members = one
    members.pairs += other.pairs
    return members
  }

  /// These members, and those of the others whose names are new.
  @usableFromInline
  package func merging(_ other: JSONMembers) -> JSONMembers {
    let names = Set(pairs.map(\.name))
    return JSONMembers(pairs + other.pairs.filter { !names.contains($0.name) })
  }

  /// These members, each of which may be missing.
  @usableFromInline
  package var optional: JSONMembers {
    var members = self
    members.pairs = pairs.map { ($0.name.hasSuffix("?") ? $0.name : $0.name + "?", $0.shape) }
    return members
  }

  /// What JSON Schema says of an object with these members and others with one value.
  @usableFromInline
  package func schema(besides constants: [(name: String, value: String)] = []) -> [JSONObject.Member] {
    let members = pairs.map { ($0.name.hasSuffix("?") ? String($0.name.dropLast()) : $0.name, $0.shape.schema) }
    let required = constants.map(\.name) + pairs.map(\.name).filter { !$0.hasSuffix("?") }
    return [
      .init("type", .string("object")),
      .init(
        "properties",
        .object(
          constants.map { .init($0.name, .object([.init("const", .string($0.value))])) }
            + members.map { .init($0.0, $0.1) })),
      .init("required", .array(required.map { .string($0) })),
    ]
  }
}
