import PlainText

/// A value inside a document together with its path. Decoders read from nodes so that their errors name line, column
/// and path without further effort.
///
/// ```swift
/// let root = try JSONDocument.parse(bytes).root
/// let name = try root.required("displayName").string()
/// let length = try root.optional("minimumPinLength")?.integer(in: 0...16)
/// ```
public struct JSONNode: Sendable {
  /// What stands at this place of the document.
  public let value: JSONValue
  /// The path from the document to the value.
  public let path: JSONPath

  /// Without a path, the value is a document's outermost.
  public init(_ value: JSONValue, path: JSONPath = JSONPath()) {
    self.value = value
    self.path = path
  }

  /// Where the value begins.
  public var position: JSONPosition { value.position }

  /// Whether the value is `null`.
  public var isNull: Bool { value.isNull }

  /// An error that names this value's place and path.
  public func error(_ code: JSONError.Code, _ message: String, remedy: String) -> JSONError {
    JSONError(code, at: position, path: path, message: message, remedy: remedy)
  }

  // MARK: Objects

  /// The member with this name. If it is missing, the error suggests the nearest existing name.
  public func required(_ name: String) throws(JSONError) -> JSONNode {
    if let node = try optional(name) { return node }
    let names = try object().members.map(\.name)
    var remedy = "add \(JSONExcerpt.quoted(name))"
    if let near = EditDistance.nearest(to: name, in: names, limit: 1).first {
      remedy += ", or rename \(JSONExcerpt.quoted(near))"
    }
    throw error(.missingMember, "the member \(JSONExcerpt.quoted(name)) is missing", remedy: remedy)
  }

  /// The member with this name, or `nil` if it is missing; a member that is `null` is returned.
  public func optional(_ name: String) throws(JSONError) -> JSONNode? {
    try object()[name].map { JSONNode($0, path: path.appending(.member(name))) }
  }

  /// The member with this name, or `nil` if it is missing or `null`.
  public func present(_ name: String) throws(JSONError) -> JSONNode? {
    guard let node = try optional(name), !node.isNull else { return nil }
    return node
  }

  /// All members in order.
  public func members() throws(JSONError) -> [(name: String, node: JSONNode)] {
    try object().members.map { ($0.name, JSONNode($0.value, path: path.appending(.member($0.name)))) }
  }

  /// Rejects members that are not in `known`, so that a misspelled name is reported instead of ignored.
  public func expectMembers(_ known: [String]) throws(JSONError) {
    for member in try object().members where !known.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
      let near = EditDistance.nearest(to: member.name, in: known, limit: 1).first
      throw JSONError(
        .unknownMember, at: member.position, path: path.appending(.member(member.name)),
        message: "the name \(JSONExcerpt.quoted(member.name)) is not known here",
        remedy: near.map { "write \(JSONExcerpt.quoted($0))" } ?? "known names: \(known.joined(separator: ", "))")
    }
  }

  /// The object; throws for any other type.
  public func object() throws(JSONError) -> JSONObject {
    guard let object = value.object else { throw wrongType("an object", remedy: "write an object in { }") }
    return object
  }

  // MARK: Arrays

  /// The elements; throws for any other type.
  public func elements() throws(JSONError) -> [JSONNode] {
    guard let elements = value.array else { throw wrongType("an array", remedy: "write an array in [ ]") }
    return elements.enumerated().map { JSONNode($1, path: path.appending(.element($0))) }
  }

  // MARK: Single values

  /// The text; throws for any other type.
  public func string() throws(JSONError) -> String {
    guard let text = value.string else { throw wrongType("text", remedy: "write the value in double quotes") }
    return text
  }

  /// The truth value; throws for any other type.
  public func bool() throws(JSONError) -> Bool {
    guard let flag = value.bool else { throw wrongType("true or false", remedy: "write true or false without quotes") }
    return flag
  }

  /// The whole number in `range`; throws for another type, a fraction or a number outside the range.
  public func integer<Number: FixedWidthInteger>(
    in range: ClosedRange<Number> = Number.min...Number.max
  ) throws(JSONError) -> Number {
    guard let number = value.number else {
      throw wrongType("a whole number", remedy: "write a number from \(range.lowerBound) to \(range.upperBound)")
    }
    guard let integer = number.integer(Number.self), range.contains(integer) else {
      let isWhole = number.text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= 0x30 && $0 <= 0x39) }
      throw error(
        isWhole ? .outOfRange : .wrongType,
        "\(JSONExcerpt.phrase(value)) is \(isWhole ? "out of range" : "not written as a whole number")",
        remedy: "write a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// The text, which must be one of `names`; otherwise the error suggests the nearest.
  public func name(from names: [String]) throws(JSONError) -> String {
    let text = try string()
    if let name = names.first(where: { $0.utf8.elementsEqual(text.utf8) }) { return name }
    throw error(
      .invalidValue, "\(JSONExcerpt.quoted(text)) is not one of the names allowed here",
      remedy: EditDistance.nearest(to: text, in: names, limit: 1).first.map { "write \(JSONExcerpt.quoted($0))" }
        ?? (names.isEmpty ? "none exist yet: add one first" : "write one of \(names.joined(separator: ", "))"))
  }

  /// An error that states the required and the actual type.
  public func wrongType(_ needed: String, remedy: String) -> JSONError {
    error(.wrongType, "\(needed) is needed, and \(JSONExcerpt.phrase(value)) was found", remedy: remedy)
  }
}
