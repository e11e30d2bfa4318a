import EventSourcing

/// The schema of a journal's payloads as a `.proto` file, generated from the catalogue, so that programs in any
/// language can read a journal's contents with standard tools.
public struct SchemaText: Sendable {
  /// The Protocol Buffers package of the messages.
  public let package: String
  /// The event types to describe.
  public let catalog: EventCatalog

  /// `package` must be a valid Protocol Buffers package name.
  public init(_ catalog: EventCatalog, package: String) {
    self.catalog = catalog
    self.package = package
  }

  /// The whole file. Equal catalogues produce equal text.
  public var text: String {
    var definitions = Definitions()
    _ = definitions.add(Envelope.descriptor)
    let bodies = catalog.entries.map { (entry: $0, message: definitions.add($0.body)) }

    var lines = [
      "// The payload of every event frame of a journal is an Envelope. Its body is the message that EventType names for",
      "// its type. Made from the event catalogue by 'pj schema --proto'; not edited by hand.",
      "//",
      "// Fields are written in the order of their numbers, and a field that holds its default is left out unless it is",
      "// optional; repeated fields are not packed. Equal values therefore have equal bytes.",
      "//",
      "// A field is shown under its JSON name, and a member of an enumeration in lower camel case without the name of the",
      "// enumeration, unless the comment above it says otherwise.",
      "", "syntax = \"proto3\";", "", "package \(package);", "",
    ]
    lines += eventTypes(bodies)
    for message in definitions.messages {
      lines.append("")
      let entry = bodies.first { $0.message == message.name }?.entry
      lines += (entry.map { comment("\($0.name): \($0.meaning)", "") } ?? []) + self.lines(of: message)
    }
    for enumeration in definitions.enumerations {
      lines.append("")
      lines += self.lines(of: enumeration.enumeration, enumeration.name)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func eventTypes(_ bodies: [(entry: EventDescriptor, message: String)]) -> [String] {
    var lines = ["// What an envelope's type can be, and the message that its body then is.", "enum EventType {"]
    lines.append("  EVENT_TYPE_UNSPECIFIED = 0;")
    for (entry, message) in bodies {
      let rule = entry.unknownReaders == .ignorable ? "may be ignored" : "must be understood"
      lines += comment("\(entry.name) (\(message), version \(entry.version), \(rule)): \(entry.meaning)", "  ")
      lines.append("  EVENT_TYPE_\(SchemaName.constant(entry.name)) = \(entry.number);")
    }
    return lines + ["}"]
  }

  private func lines(of message: Definitions.Message) -> [String] {
    var lines = ["message \(message.name) {"]
    for (field, type) in zip(message.fields, message.types) {
      let note = [
        field.meaning, SchemaName.note(on: field), field.privacy == .public ? nil : "privacy: \(field.privacy)",
      ]
      lines += comment(note.compactMap { $0 }.joined(separator: "; "), "  ")
      let prefix =
        switch (field.cardinality, field.type) {
        case (.repeated, _): "repeated "
        case (.optional, .message): ""  // Messages always track presence.
        case (.optional, _): "optional "
        case (.single, _): ""
        }
      let name = SchemaName.field(field.name)
      var options: [String] = []
      if field.cardinality == .repeated && SchemaName.isPackable(field.type) { options.append("packed = false") }
      if SchemaName.lowerCamelCase(name) != field.name { options.append("json_name = \"\(field.name)\"") }
      let list = options.isEmpty ? "" : " [\(options.joined(separator: ", "))]"
      lines.append("  \(prefix)\(type) \(name) = \(field.number)\(list);")
    }
    return lines + ["}"]
  }

  private func lines(of enumeration: EnumerationDescriptor, _ name: String) -> [String] {
    let prefix = SchemaName.constant(name)
    var lines = ["enum \(name) {"]
    // The first member of a proto3 enumeration must be zero.
    if enumeration.name(of: 0) == nil { lines.append("  \(prefix)_UNSPECIFIED = 0;") }
    for member in enumeration.members {
      let name = SchemaName.constant(member.name)
      if SchemaName.lowerCamelCase(name) != member.name { lines.append("  // shown as \(member.name)") }
      lines.append("  \(prefix)_\(name) = \(member.number);")
    }
    return lines + ["}"]
  }

  /// A comment, wrapped to the width of the file.
  private func comment(_ text: String, _ indentation: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: { $0.isWhitespace }) {
      if !line.isEmpty && line.count + word.count + indentation.count + 4 > 120 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines.map { "\(indentation)// \($0)" }
  }

  /// Messages and enumerations in the order of their first use, without duplicates. Of several with one name, as types nested in
  /// different ones have, all but the first have the name of the message before theirs that has them first.
  private struct Definitions {
    /// A message, with the names of its fields' types.
    struct Message {
      let name: String
      let fields: [FieldDescriptor]
      var types: [String] = []
    }

    var messages: [Message] = []
    var enumerations: [(name: String, enumeration: EnumerationDescriptor)] = []
    /// The names in the schema, of which no two are the same, by own names and contents.
    private var names: [[String]: String] = [:]
    private var taken: Set<String> = []

    /// Adds a message, and returns its name in the schema.
    mutating func add(_ message: MessageDescriptor, in outer: String = "") -> String {
      let (name, isNew) = name(message.name, Self.content(of: message), in: outer)
      guard isNew else { return name }
      let place = messages.count
      messages.append(Message(name: name, fields: message.fields))
      for field in message.fields {
        let type =
          switch field.type {
          case .message(let inner): add(inner, in: name)
          case .enumeration(let names): add(names, in: name)
          case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence:
            SchemaName.type(of: field)
          }
        messages[place].types.append(type)
      }
      return name
    }

    private mutating func add(_ enumeration: EnumerationDescriptor, in outer: String) -> String {
      let (name, isNew) = name(enumeration.name, "\(enumeration.members)", in: outer)
      if isNew { enumerations.append((name, enumeration)) }
      return name
    }

    /// The name of something in a message, and whether nothing had it before.
    private mutating func name(_ name: String, _ content: String, in outer: String) -> (name: String, isNew: Bool) {
      if let known = names[[name, content]] { return (known, false) }
      var free = name
      while !taken.insert(free).inserted { free = free == name ? outer + name : free + "_" }
      names[[name, content]] = free
      return (free, true)
    }

    private static func content(of message: MessageDescriptor) -> String {
      let fields = message.fields.map { field in
        let inner =
          switch field.type {
          case .message(let message): content(of: message)
          case .enumeration(let enumeration): "\(enumeration.members)"
          case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence: ""
          }
        return "\(field.number) \(field.name) \(SchemaName.type(of: field)) \(inner)"
      }
      return "{\(fields.joined(separator: "; "))}"
    }
  }
}
