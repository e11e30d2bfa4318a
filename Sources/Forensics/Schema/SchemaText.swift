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
    definitions.add(Envelope.descriptor)
    for entry in catalog.entries { definitions.add(entry.body) }

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
    lines += eventTypes()
    for message in definitions.messages {
      lines.append("")
      lines += self.lines(of: message)
    }
    for enumeration in definitions.enumerations {
      lines.append("")
      lines += self.lines(of: enumeration)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func eventTypes() -> [String] {
    var lines = ["// What an envelope's type can be, and the message that its body then is.", "enum EventType {"]
    lines.append("  EVENT_TYPE_UNSPECIFIED = 0;")
    for entry in catalog.entries {
      let rule = entry.unknownReaders == .ignorable ? "may be ignored" : "must be understood"
      lines += comment("\(entry.name) (\(entry.body.name), version \(entry.version), \(rule)): \(entry.meaning)", "  ")
      lines.append("  EVENT_TYPE_\(SchemaName.constant(entry.name)) = \(entry.number);")
    }
    return lines + ["}"]
  }

  private func lines(of message: MessageDescriptor) -> [String] {
    var lines: [String] = []
    let entries = catalog.entries.filter { $0.body.name == message.name }
    if let entry = entries.first { lines += comment("\(entry.name): \(entry.meaning)", "") }
    lines.append("message \(message.name) {")
    for field in message.fields {
      let note = [
        field.meaning, SchemaName.note(on: field), field.privacy == .public ? nil : "privacy: \(field.privacy)",
      ]
      lines += comment(note.compactMap { $0 }.joined(separator: "; "), "  ")
      let type = SchemaName.type(of: field)
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

  private func lines(of enumeration: EnumerationDescriptor) -> [String] {
    let prefix = SchemaName.constant(enumeration.name)
    var lines = ["enum \(enumeration.name) {"]
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

  /// Messages and enumerations in the order of their first use, without duplicates.
  private struct Definitions {
    var messages: [MessageDescriptor] = []
    var enumerations: [EnumerationDescriptor] = []
    private var names: Set<String> = []

    mutating func add(_ message: MessageDescriptor) {
      guard names.insert(message.name).inserted else { return }
      messages.append(message)
      for field in message.fields {
        switch field.type {
        case .message(let inner): add(inner)
        case .enumeration(let names): add(names)
        case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence: break
        }
      }
    }

    mutating func add(_ enumeration: EnumerationDescriptor) {
      if names.insert(enumeration.name).inserted { enumerations.append(enumeration) }
    }
  }
}
