import Forensics
import JSON

/// One member of an object in the JSON output: its name, its shape, and how it is got from what the object is about.
///
/// The text and the published schema both follow from it:
///
/// ```swift
/// static let write: [JSONMember<Write>] = [
///   .init("event", \.sequence), .init("before") { $0.before }, .ifAny("rule") { $0.rule },
/// ]
/// ```
///
/// The commands' modules specialise this code for their rows: `pj log -j` takes half of the time that way.
@usableFromInline
package struct JSONMember<Row>: Sendable {
  /// The name.
  @usableFromInline
  package let name: String
  /// What the value looks like.
  @usableFromInline
  package let shape: JSONShape
  /// Whether the member may be missing.
  @usableFromInline
  package let isOptional: Bool
  /// Appends a comma, the name and the value, or nothing.
  @usableFromInline
  package let append: @Sendable (Row, inout [UInt8], Redaction) -> Void

  @usableFromInline
  init(
    _ name: String, _ shape: JSONShape, isOptional: Bool = false,
    append: @escaping @Sendable (Row, inout [UInt8], Redaction) -> Void
  ) {
    (self.name, self.shape, self.isOptional, self.append) = (name, shape, isOptional, append)
  }

  /// A member whose value something else writes.
  @inlinable
  package init(
    _ name: String, as shape: JSONShape, _ append: @escaping @Sendable (Row, inout [UInt8], Redaction) -> Void
  ) {
    let start = Self.start(name)
    self.init(name, shape) { row, bytes, redaction in
      bytes += start
      append(row, &bytes, redaction)
    }
  }

  /// A member with a value.
  @inlinable
  package init<Value: JSONRepresentable>(_ name: String, _ value: @escaping @Sendable (Row) -> Value) {
    self.init(name, as: Value.jsonShape) { value($0).appendJSON(to: &$1, $2) }
  }

  /// A choice among words.
  @inlinable
  package init(_ name: String, oneOf words: [String], _ word: @escaping @Sendable (Row) -> String) {
    self.init(name, as: .oneOf(words)) { word($0).appendJSON(to: &$1, $2) }
  }

  /// An object.
  @inlinable
  package init<Item>(_ name: String, _ members: [JSONMember<Item>], _ item: @escaping @Sendable (Row) -> Item) {
    self.init(name, as: .object(JSONMembers(members))) { JSONMember<Item>.append(members, of: item($0), to: &$1, $2) }
  }

  /// An object, or null.
  @inlinable
  package init<Item>(_ name: String, orNull members: [JSONMember<Item>], _ item: @escaping @Sendable (Row) -> Item?) {
    self.init(name, as: .orNull(.object(JSONMembers(members)))) { row, bytes, redaction in
      guard let item = item(row) else { return JSONNull.append(to: &bytes) }
      JSONMember<Item>.append(members, of: item, to: &bytes, redaction)
    }
  }

  /// A list of objects.
  @inlinable
  package init<Item>(_ name: String, each members: [JSONMember<Item>], _ items: @escaping @Sendable (Row) -> [Item]) {
    self.init(name, as: .list(.object(JSONMembers(members)))) {
      JSONMember<Item>.append(members, ofEach: items($0), to: &$1, $2)
    }
  }

  /// A list of objects, or null.
  @inlinable
  package init<Item>(
    _ name: String, eachOrNull members: [JSONMember<Item>], _ items: @escaping @Sendable (Row) -> [Item]?
  ) {
    self.init(name, as: .orNull(.list(.object(JSONMembers(members))))) { row, bytes, redaction in
      guard let items = items(row) else { return JSONNull.append(to: &bytes) }
      JSONMember<Item>.append(members, ofEach: items, to: &bytes, redaction)
    }
  }

  /// A member that is missing where it has no value.
  @inlinable
  package static func ifAny<Value: JSONRepresentable>(
    _ name: String, _ value: @escaping @Sendable (Row) -> Value?
  ) -> JSONMember {
    ifAny(name, as: Value.jsonShape, value) { $0.appendJSON(to: &$1, $2) }
  }

  /// An object that may be missing, or null.
  @inlinable
  package static func ifAny<Item>(
    _ name: String, orNull members: [JSONMember<Item>], _ item: @escaping @Sendable (Row) -> Item??
  ) -> JSONMember {
    ifAny(name, as: .orNull(.object(JSONMembers(members))), item) { item, bytes, redaction in
      guard let item else { return JSONNull.append(to: &bytes) }
      JSONMember<Item>.append(members, of: item, to: &bytes, redaction)
    }
  }

  /// An object that may be missing.
  @inlinable
  package static func ifAny<Item>(
    _ name: String, _ members: [JSONMember<Item>], _ item: @escaping @Sendable (Row) -> Item?
  ) -> JSONMember {
    ifAny(name, as: .object(JSONMembers(members)), item) { JSONMember<Item>.append(members, of: $0, to: &$1, $2) }
  }

  /// A list of objects that is missing where it is empty.
  @inlinable
  package static func ifAny<Item>(
    _ name: String, each members: [JSONMember<Item>], _ items: @escaping @Sendable (Row) -> [Item]
  ) -> JSONMember {
    ifAny(name, as: .list(.object(JSONMembers(members)))) { (row: Row) -> [Item]? in
      let items = items(row)
      return items.isEmpty ? nil : items
    } append: {
      JSONMember<Item>.append(members, ofEach: $0, to: &$1, $2)
    }
  }

  @inlinable
  package static func ifAny<Value>(
    _ name: String, as shape: JSONShape, _ value: @escaping @Sendable (Row) -> Value?,
    append: @escaping @Sendable (Value, inout [UInt8], Redaction) -> Void
  ) -> JSONMember {
    let start = start(name)
    return JSONMember(name, shape, isOptional: true) { row, bytes, redaction in
      guard let value = value(row) else { return }
      bytes += start
      append(value, &bytes, redaction)
    }
  }

  @usableFromInline
  static func start(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: ",")]
    JSONEscaping.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    return bytes
  }

  /// The member, of something that has what it is about as a part.
  @inlinable
  package func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> JSONMember<Whole> {
    let append = append
    return JSONMember<Whole>(name, shape, isOptional: isOptional) { append(part($0), &$1, $2) }
  }
}

extension JSONMember {
  /// Appends an object with these members.
  @inlinable
  package static func append(_ members: [JSONMember], of row: Row, to bytes: inout [UInt8], _ redaction: Redaction) {
    let start = bytes.count
    for member in members { member.append(row, &bytes, redaction) }
    // The first member has a comma before it.
    if bytes.count > start { bytes[start] = UInt8(ascii: "{") } else { bytes.append(UInt8(ascii: "{")) }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends a list of objects with these members.
  @inlinable
  package static func append(
    _ members: [JSONMember], ofEach rows: [Row], to bytes: inout [UInt8], _ redaction: Redaction
  ) {
    bytes.append(UInt8(ascii: "["))
    for (index, row) in rows.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(members, of: row, to: &bytes, redaction)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension JSONMembers {
  /// What an object with these members looks like.
  @inlinable
  package init<Row>(_ members: [JSONMember<Row>]) {
    self.init(members.map { (name: $0.isOptional ? $0.name + "?" : $0.name, shape: $0.shape) })
  }
}

extension Array {
  /// The members, of something that has what they are about as a part.
  @inlinable
  package func of<Whole, Row>(
    _ part: @escaping @Sendable (Whole) -> Row
  ) -> [JSONMember<Whole>] where Element == JSONMember<Row> { map { $0.of(part) } }
}
