/// A JSON value with its place in the text.
///
/// The order of members, the digits of numbers and the code points of strings are kept, so that a document can be
/// written again without loss. Values created by a program can be written as literals:
///
/// ```swift
/// let value: JSONValue = ["kind": "end", "complete": true, "events": 42]
/// value.description  // {"kind":"end","complete":true,"events":42}
/// ```
public struct JSONValue: Sendable {
  /// The kind of value.
  public enum Content: Equatable, Sendable {
    /// Named members.
    case object(JSONObject)
    /// Elements, in order.
    case array([JSONValue])
    /// Text.
    case string(String)
    /// A number, with its digits as written.
    case number(JSONNumber)
    /// True or false.
    case bool(Bool)
    /// Nothing.
    case null
  }

  /// The value itself.
  public var content: Content
  /// Where it begins in its text; ``JSONPosition/none`` for a value created by a program.
  public var position: JSONPosition

  /// Omit `position` for a value that does not come from a text.
  public init(_ content: Content, at position: JSONPosition = .none) {
    self.content = content
    self.position = position
  }

  /// A string value.
  public static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }

  /// A number value, written in decimal digits.
  public static func number(_ value: some BinaryInteger) -> JSONValue { JSONValue(.number(JSONNumber(value))) }

  /// `true` or `false`.
  public static func bool(_ flag: Bool) -> JSONValue { JSONValue(.bool(flag)) }

  /// An array value.
  public static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }

  /// An object value; of several members with the same name, the last one is kept.
  public static func object(_ members: [JSONObject.Member]) -> JSONValue { JSONValue(.object(JSONObject(members))) }

  /// The value `null`.
  public static let null = JSONValue(.null)

  /// The members; `nil` unless this is an object.
  public var object: JSONObject? {
    if case .object(let object) = content { object } else { nil }
  }

  /// The elements; `nil` unless this is an array.
  public var array: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The text; `nil` unless this is a string.
  public var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The number; `nil` unless this is one.
  public var number: JSONNumber? {
    if case .number(let number) = content { number } else { nil }
  }

  /// The truth value; `nil` unless this is one.
  public var bool: Bool? {
    if case .bool(let flag) = content { flag } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool { content == .null }
}

extension JSONValue: Equatable {
  /// Whether both are the same value, with members in the same order. Positions are ignored.
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one.content, other.content) {
    // Swift treats different strings as equal if they merely look the same; JSON does not.
    case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
    default: one.content == other.content
    }
  }

  /// Whether both are the same value regardless of the order of members (RFC 8259 section 4).
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
  /// The value as JSON on one line.
  public var description: String {
    var writer = JSONWriter()
    writer.write(self)
    return writer.text
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a string literal a JSON string.
  public init(stringLiteral text: String) { self.init(.string(text)) }

  /// Makes an integer literal a JSON number.
  public init(integerLiteral value: Int64) { self.init(.number(JSONNumber(value))) }

  /// Makes a Boolean literal `true` or `false` in JSON.
  public init(booleanLiteral flag: Bool) { self.init(.bool(flag)) }

  /// Makes `nil` the value `null`.
  public init(nilLiteral: ()) { self.init(.null) }

  /// Makes an array literal a JSON array.
  public init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }

  /// Makes a dictionary literal a JSON object, in the order of its members.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(.object(JSONObject(members.map { JSONObject.Member($0.0, $0.1) })))
  }
}
