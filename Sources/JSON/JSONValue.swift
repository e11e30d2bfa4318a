/// A JSON value with the place where it stands in its text.
///
/// Order of members, digits of numbers and code points of strings are kept, so that a document can be written again
/// without loss. Values made by a program may be written as literals:
///
/// ```swift
/// let value: JSONValue = ["kind": "end", "complete": true, "events": 42]
/// value.description  // {"kind":"end","complete":true,"events":42}
/// ```
public struct JSONValue: Sendable {
  /// What a value is.
  public enum Content: Equatable, Sendable {
    /// Named members.
    case object(JSONObject)
    /// Elements in order.
    case array([JSONValue])
    /// Text.
    case string(String)
    /// A number, with its digits.
    case number(JSONNumber)
    /// True or false.
    case bool(Bool)
    /// Nothing.
    case null
  }

  /// What the value is.
  public var content: Content
  /// Where it begins in its text; ``JSONPosition/none`` for a value made by a program.
  public var position: JSONPosition

  /// Creates a value.
  public init(_ content: Content, at position: JSONPosition = .none) {
    self.content = content
    self.position = position
  }

  /// Creates a string.
  public static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }

  /// Creates a whole number.
  public static func number(_ value: some BinaryInteger) -> JSONValue { JSONValue(.number(JSONNumber(value))) }

  /// Creates a truth value.
  public static func bool(_ flag: Bool) -> JSONValue { JSONValue(.bool(flag)) }

  /// Creates an array.
  public static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }

  /// Creates an object.
  public static func object(_ members: [JSONObject.Member]) -> JSONValue { JSONValue(.object(JSONObject(members))) }

  /// Nothing.
  public static let null = JSONValue(.null)

  /// The members, when this is an object.
  public var object: JSONObject? {
    if case .object(let object) = content { object } else { nil }
  }

  /// The elements, when this is an array.
  public var array: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The text, when this is a string.
  public var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The number, when this is one.
  public var number: JSONNumber? {
    if case .number(let number) = content { number } else { nil }
  }

  /// The truth value, when this is one.
  public var bool: Bool? {
    if case .bool(let flag) = content { flag } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool { content == .null }
}

extension JSONValue: Equatable {
  /// Whether both are the same value, members in the same order. Positions do not count.
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one.content, other.content) {
    // Swift takes strings for equal that merely look the same; JSON does not.
    case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
    default: one.content == other.content
    }
  }

  /// Whether both are the same value when the order of an object's members does not count (RFC 8259 section 4).
  public func isEquivalent(to other: JSONValue) -> Bool {
    switch (content, other.content) {
    case (.object(let one), .object(let other)):
      let sortedOne = one.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      let sortedOther = other.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      return sortedOne.count == sortedOther.count
        && zip(sortedOne, sortedOther).allSatisfy {
          $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.isEquivalent(to: $1.value)
        }
    case (.array(let one), .array(let other)):
      return one.count == other.count && zip(one, other).allSatisfy { $0.isEquivalent(to: $1) }
    default: return self == other
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON in one line.
  public var description: String {
    var writer = JSONWriter()
    writer.write(self)
    return writer.text
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral text: String) { self.init(.string(text)) }

  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self.init(.number(JSONNumber(value))) }

  /// Creates a truth value.
  public init(booleanLiteral flag: Bool) { self.init(.bool(flag)) }

  /// Creates `null`.
  public init(nilLiteral: ()) { self.init(.null) }

  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }

  /// Creates an object with the members in the order in which they are written.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(.object(JSONObject(members.map { JSONObject.Member($0.0, $0.1) })))
  }
}
