import EventSourcing
import WireFormat

extension PolicyProperty {
  /// Writes the setting as one field, even when its value is zero or empty: absence means that it is not set.
  ///
  /// A list is a separate message, because an empty list differs from no list.
  func encode(_ value: PolicyValue, into writer: inout WireWriter) {
    switch value {
    case .text(let text): writer.writePresent(number, string: text)
    case .flag(let flag): writer.writePresent(number, unsigned: flag ? 1 : 0)
    case .number(let value): writer.writePresent(number, unsigned: UInt64(clamping: value))
    case .duration(let duration): writer.writePresent(number, string: duration.text)
    case .date(let date): writer.writePresent(number, string: date.text)
    case .choice(let member): writer.writePresent(number, unsigned: member)
    case .flags(let bits): writer.writePresent(number, unsigned: bits)
    case .choices(let members):
      writer.write(number) { writer in for member in members { writer.writePresent(1, unsigned: member) } }
    case .texts(let texts):
      writer.write(number) { writer in for text in texts { writer.writePresent(1, string: text) } }
    case .pairs(let pairs): encode(pairs, into: &writer)
    case .apps(let apps): encode(apps, into: &writer)
    case .assignments(let assignments): encode(assignments, into: &writer)
    }
  }

  /// Writes a list of messages in place: taking one out of the list would copy it.
  private func encode(_ list: [some Message], into writer: inout WireWriter) {
    writer.write(number) { writer in
      list.withUnsafeBufferPointer { list in
        for index in list.indices { writer.write(1) { list[index].encode(into: &$0) } }
      }
    }
  }

  /// Reads the setting from its field.
  func decode(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> PolicyValue {
    switch kind {
    case .text: return .text(try reader.string(field))
    case .flag: return .flag(try reader.bool(field))
    case .number(let range):
      let value = try reader.unsigned(field, as: Int64.self)
      guard range.contains(value) else { throw WireError(.outOfRange(field: field.number), at: field.offset) }
      return .number(value)
    case .duration:
      guard let duration = try? PolicyDuration(try reader.string(field)) else {
        throw WireError(.outOfRange(field: field.number), at: field.offset)
      }
      return .duration(duration)
    case .date:
      guard let date = try? PolicyDate(try reader.string(field)) else {
        throw WireError(.outOfRange(field: field.number), at: field.offset)
      }
      return .date(date)
    case .choice: return .choice(try reader.unsigned(field))
    case .flags: return .flags(try reader.unsigned(field))
    case .choices:
      return .choices(
        try list(field, &reader) { (inner, element) throws(WireError) in try inner.unsigned(element) })
    case .texts:
      return .texts(try list(field, &reader) { (inner, element) throws(WireError) in try inner.string(element) })
    case .pairs:
      return .pairs(
        try list(field, &reader) { (inner, element) throws(WireError) in
          try inner.message(element) { (reader) throws(WireError) in try PolicyPair(from: &reader) }
        })
    case .apps:
      return .apps(
        try list(field, &reader) { (inner, element) throws(WireError) in
          try inner.message(element) { (reader) throws(WireError) in try PolicyApp(from: &reader) }
        })
    case .assignments:
      return .assignments(
        try list(field, &reader) { (inner, element) throws(WireError) in
          try inner.message(element) { (reader) throws(WireError) in try PolicyAssignment(from: &reader) }
        })
    }
  }

  private func list<Element>(
    _ field: WireReader.Field, _ reader: inout WireReader,
    _ element: (inout WireReader, WireReader.Field) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    try reader.message(field) { (inner) throws(WireError) -> [Element] in
      var elements: [Element] = []
      while let field = try inner.nextField() {
        if field.number == 1 { elements.append(try element(&inner, field)) } else { try inner.skip(field) }
      }
      return elements
    }
  }

  /// The setting's type in the published schema.
  var fieldType: FieldType {
    switch kind {
    case .text, .duration, .date: .string
    case .flag: .bool
    case .number, .flags: .unsigned
    case .choice(let names): .enumeration(names)
    case .choices(let names): listType(names.name, .enumeration(names))
    case .texts: listType("Text", .string)
    case .pairs: listType("PolicyPair", .message(PolicyPair.descriptor))
    case .apps: listType("PolicyApp", .message(PolicyApp.descriptor))
    case .assignments: listType("PolicyAssignment", .message(PolicyAssignment.descriptor))
    }
  }

  private func listType(_ name: String, _ element: FieldType) -> FieldType {
    .message(
      MessageDescriptor(
        "\(name)List", [FieldDescriptor(1, "items", element, .repeated, privacy: privacy, "The elements in order")]))
  }
}
