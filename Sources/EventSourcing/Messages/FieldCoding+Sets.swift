import WireFormat

/// A message with one field, 1, for each element, in their order.
public struct SetCoding<Element: FieldKey>: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .lengthDelimited }
  @inlinable public static var type: FieldType {
    .message(
      MessageDescriptor(
        "\(Element.Coding.typeName)Set", [Element.Coding.field(1, "elements", .repeated, "the elements in their order")]
      ))
  }
  @inlinable public static func isDefault(_ value: Set<Element>) -> Bool { value.isEmpty }
  /// The default shows as unset.
  @inlinable public static var hidesDefault: Bool { true }
  @inlinable
  public static func write(_ value: Set<Element>, to number: Int, of writer: inout WireWriter) {
    writer.write(number) { message in
      for element in value.sorted(by: Element.precedes) { Element.Coding.write(element, to: 1, of: &message) }
    }
  }
  /// Refuses elements that are not in order.
  @inlinable
  public static func read(
    _ field: WireReader.Field, from reader: inout WireReader
  ) throws(WireError) -> Set<Element>? {
    try reader.message(field) { (inner) throws(WireError) in
      var elements: [Element] = []
      while let field = try inner.nextField() {
        guard field.number == 1 else {
          try inner.skip(field)
          continue
        }
        elements.append(
          try inner.element(field, Element.coding, after: elements.last, isInOrder: Element.precedes))
      }
      return try Set(elements).checked(count: elements.count, field)
    }
  }
  @inlinable
  public static func tree(of value: Set<Element>, _ privacy: Privacy) -> StateTree {
    FieldPresenter.tree(value.sorted(by: Element.precedes), Element.coding, privacy) ?? .value(.unset)
  }
}

extension Set: FieldValue where Element: FieldKey {
  /// The elements in their order.
  @inlinable public static var coding: SetCoding<Element> { SetCoding() }
}

/// A message with one field, 1, for each key, in their order: a message of the key, 1, and its value, 2.
public struct DictionaryCoding<Key: FieldKey, Content: FieldValue>: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .lengthDelimited }
  @inlinable public static var type: FieldType {
    let name = Key.Coding.typeName + Content.Coding.typeName
    let entry = MessageDescriptor(
      "\(name)Entry",
      [Key.Coding.field(1, "key", .single, "the key"), Content.Coding.field(2, "value", .single, "its value")])
    return .message(
      MessageDescriptor(
        "\(name)Dictionary",
        [FieldDescriptor(1, "entries", .message(entry), .repeated, "the keys in their order, with their values")]
      ).keyed(.public, content: 2))
  }
  @inlinable public static func isDefault(_ value: [Key: Content]) -> Bool { value.isEmpty }
  /// The default shows as unset.
  @inlinable public static var hidesDefault: Bool { true }
  @inlinable public static var isPersonal: Bool { Content.Coding.isPersonal }
  @inlinable
  public static func write(_ value: [Key: Content], to number: Int, of writer: inout WireWriter) {
    writer.write(number) { message in
      for (key, content) in inOrder(value) {
        message.write(1) { entry in
          Key.Coding.write(key, to: 1, of: &entry)
          Content.Coding.write(content, to: 2, of: &entry)
        }
      }
    }
  }
  /// Refuses keys that are not in order, and an entry without its key or value.
  @inlinable
  public static func read(
    _ field: WireReader.Field, from reader: inout WireReader
  ) throws(WireError) -> [Key: Content]? {
    try reader.message(field) { (inner) throws(WireError) in
      var value: [Key: Content] = [:]
      var last: Key?
      while let field = try inner.nextField() {
        guard field.number == 1 else {
          try inner.skip(field)
          continue
        }
        let (key, content) = try inner.message(field) { (entry) throws(WireError) in try readEntry(&entry) }
        if let last, !Key.precedes(last, key) { throw WireError(.outOfRange(field: 1), at: field.offset) }
        if value.updateValue(content, forKey: key) != nil { throw WireError(.outOfRange(field: 1), at: field.offset) }
        last = key
      }
      return value
    }
  }
  @usableFromInline
  static func readEntry(_ reader: inout WireReader) throws(WireError) -> (Key, Content) {
    var (key, content): (Key?, Content?)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: key = try Key.Coding.read(field, from: &reader)
      case 2: content = try Content.Coding.read(field, from: &reader)
      default: try reader.skip(field)
      }
    }
    guard let key else { throw WireError(.missing(field: 1), at: reader.offset) }
    guard let content else { throw WireError(.missing(field: 2), at: reader.offset) }
    return (key, content)
  }
  @usableFromInline
  static func inOrder(_ value: [Key: Content]) -> [(key: Key, value: Content)] {
    value.sorted { Key.precedes($0.key, $1.key) }
  }
  /// The values named by their keys, as the rows of a table are; by their places from 1 where keys are not for everyone, or two
  /// have one description.
  public static func tree(of value: [Key: Content], _ privacy: Privacy) -> StateTree {
    let entries = inOrder(value)
    let names = entries.map { StatePath.name(of: "\($0.key)") }
    if privacy == .public, Set(names).count == names.count {
      return .members(zip(names, entries).map { .init($0, Content.Coding.tree(of: $1.value, privacy)) })
    }
    return .members(
      entries.enumerated().map { place, entry in
        .init(
          "\(place + 1)",
          .members([
            .init("key", Key.Coding.tree(of: entry.key, privacy)),
            .init("value", Content.Coding.tree(of: entry.value, privacy)),
          ]))
      })
  }
  /// Passes each value.
  public static func pass(
    _ value: inout [Key: Content], _ privacy: Privacy, to pass: inout PersonalPass
  ) throws(SealingError) {
    guard isPersonal else { return }
    for (key, content) in inOrder(value) {
      var content = content
      let before = pass.changeCount
      try Content.Coding.pass(&content, privacy, to: &pass)
      if pass.changeCount != before { value[key] = content }
    }
  }
}

extension Dictionary: FieldValue where Key: FieldKey, Value: FieldValue {
  /// The keys in their order, with their values.
  @inlinable public static var coding: DictionaryCoding<Key, Value> { DictionaryCoding() }
}

extension Set {
  /// The set, unless two of its elements were equal, which differ in their bytes.
  @usableFromInline
  func checked(count: Int, _ field: WireReader.Field) throws(WireError) -> Self {
    guard self.count == count else { throw WireError(.outOfRange(field: field.number), at: field.offset) }
    return self
  }
}

extension FieldCoding {
  /// The type as a part of a message's name, such as `String`.
  @usableFromInline static var typeName: String {
    let name = refinement.map { "\($0)" } ?? type.name
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The description of such a field in a message that its coding makes.
  @usableFromInline
  static func field(
    _ number: Int, _ name: String, _ cardinality: FieldDescriptor.Cardinality, _ meaning: String
  ) -> FieldDescriptor {
    // The class of the field around it applies too.
    FieldDescriptor(
      number, name, type, refinement: refinement, cardinality, privacy: isPersonal ? .account : .public, meaning)
  }
}
