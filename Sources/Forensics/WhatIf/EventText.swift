import EventSourcing
import JSON
import SensitiveText
import PlainText
import WireFormat

/// An event as it is written in JSON: in the form that `pj show -j` and `pj log -j` print, of which only the type and the
/// fields are needed.
///
/// ```
/// {"type": "wipe.requested", "time": "2026-10-12T09:00:00Z", "data": {"account": "a1", "reason": "administrator"}}
/// ```
public struct EventText<Event: JournaledEvent>: Sendable {
  /// The event.
  public let event: Event
  /// When it is said to have happened; `nil` where the text does not say.
  public let moment: Moment?

  /// Members of printed events that follow from the place in a history.
  private static var derived: [String] {
    [
      "kind", "seq", "typeNumber", "version", "known", "mustUnderstand", "accounts", "cause", "correlation", "process",
      "chain", "stateDigest", "changes", "findings", "match", "meaning", "remedy", "attributes", "origin", "stream",
      "metadata", "features",
    ]
  }

  /// Reads an event.
  ///
  /// - Throws: `JSONError`, with the place and the nearest name.
  public init(_ node: JSONNode) throws(JSONError) {
    try node.expectMembers(["type", "data", "time", "uptime"] + Self.derived)
    let type = try node.required("type")
    let name = try type.name(from: Event.catalog.entries.map(\.name))
    guard let descriptor = Event.catalog.entries.first(where: { $0.name == name }) else {
      throw type.error(.invalidValue, "no event has this type", remedy: "pj schema lists the types")
    }
    var writer = WireWriter()
    if let data = try node.present("data") { try Self.write(data, as: descriptor.body, to: &writer) }
    let decoded: Event?
    do throws(WireError) {
      decoded = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in
        try Event.decode(type: descriptor.number, version: descriptor.version, body: &reader)
      }
    } catch {
      throw Self.incomplete(node, descriptor, error)
    }
    guard let decoded else { throw type.error(.invalidValue, "no event has this type", remedy: "pj schema lists them") }
    event = decoded
    moment = try Self.moment(node)
  }

  private static func moment(_ node: JSONNode) throws(JSONError) -> Moment? {
    guard let time = try node.present("time") else { return nil }
    var moment = Moment(wallNanoseconds: try nanoseconds(time))
    if let uptime = try node.present("uptime") { moment.uptimeNanoseconds = try uptime.integer() }
    return moment
  }

  /// A field that an event cannot do without is missing, or its value is none that the event takes.
  private static func incomplete(_ node: JSONNode, _ descriptor: EventDescriptor, _ error: WireError) -> JSONError {
    if case .missing(let number) = error.code, let field = descriptor.body.field(numbered: number) {
      return node.error(
        .missingMember, "\(descriptor.name) needs \(JSONExcerpt.quoted(field.name)) in its data",
        remedy: "add it: \(field.meaning)")
    }
    return node.error(
      .invalidValue, "this is no \(descriptor.name): \(error)",
      remedy: "compare it with pj schema \(descriptor.name)")
  }

  private static func write(
    _ node: JSONNode, as message: MessageDescriptor, to writer: inout WireWriter
  ) throws(JSONError) {
    try node.expectMembers(message.fields.map(\.name))
    for field in message.fields {
      guard let value = try node.present(field.name) else { continue }
      guard field.cardinality == .repeated else {
        try write(value, field, to: &writer)
        continue
      }
      for element in try value.elements() { try write(element, field, to: &writer) }
    }
  }

  private static func write(
    _ node: JSONNode, _ field: FieldDescriptor, to writer: inout WireWriter
  ) throws(JSONError) {
    if field.privacy != .public, try isWithheld(node) {
      throw node.error(
        .invalidValue, "this value is withheld", remedy: "take the event from pj show --reveal -j, or write the value")
    }
    switch field.type {
    case .bool: writer.writePresent(field.number, unsigned: try node.bool() ? 1 : 0)
    case .unsigned, .sequence: writer.writePresent(field.number, unsigned: try node.integer() as UInt64)
    case .signed: writer.writePresent(field.number, signed: try node.integer() as Int64)
    case .string: writer.writePresent(field.number, string: try node.string())
    case .json: writer.writePresent(field.number, string: node.value.text(style: .compact))
    case .bytes, .guid: writer.write(field.number, bytes: try bytes(node, isGUID: field.isGUID))
    case .time: writer.writePresent(field.number, fixed: try nanoseconds(node))
    case .duration:
      guard let length = SpanText.nanoseconds(try node.string()) else {
        throw node.error(.invalidValue, "this is no length of time", remedy: "write one such as \"PT30M\"")
      }
      writer.writePresent(field.number, signed: length)
    case .reference(let kind): writer.writePresent(field.number, unsigned: try reference(node, kind))
    case .enumeration(let names): writer.writePresent(field.number, unsigned: try member(node, of: names))
    case .message(let message):
      try writer.write(field.number) { (inner) throws(JSONError) in try write(node, as: message, to: &inner) }
    }
  }

  private static func isWithheld(_ node: JSONNode) throws(JSONError) -> Bool {
    node.value.object != nil ? try node.optional("redacted") != nil : false
  }

  private static func nanoseconds(_ node: JSONNode) throws(JSONError) -> Int64 {
    var scanner = TimeScanner(try node.string())
    guard let span = scanner.dateAndTime(), scanner.isAtEnd else {
      throw node.error(
        .invalidValue, "this is no point in time", remedy: "write one such as \"2026-10-12T09:00:00Z\"")
    }
    return span.first
  }

  private static func reference(_ node: JSONNode, _ kind: ReferenceDescriptor) throws(JSONError) -> UInt64 {
    let text = try node.string()
    if text == kind.text(0) { return 0 }
    guard text.hasPrefix(kind.prefix), let number = UInt64(text.dropFirst(kind.prefix.count)),
      kind.text(number) == text
    else {
      throw node.error(.invalidValue, "this names no \(kind.name)", remedy: "write one such as \"\(kind.prefix)1\"")
    }
    return number
  }

  /// A member by its name; a number for one that has none.
  private static func member(_ node: JSONNode, of names: EnumerationDescriptor) throws(JSONError) -> UInt64 {
    if node.value.number != nil { return try node.integer() }
    let name = try node.name(from: names.members.map(\.name))
    return names.members.first { $0.name == name }?.number ?? 0
  }

  private static func bytes(_ node: JSONNode, isGUID: Bool) throws(JSONError) -> [UInt8] {
    let text = try node.string()
    let digits = isGUID ? text.filter { $0 != "-" } : text
    var bytes: [UInt8] = []
    var rest = Array(digits.utf8)[...]
    while let high = rest.popFirst(), let low = rest.popFirst(), let byte = UInt8(hexadecimal: high, low) {
      bytes.append(byte)
    }
    guard bytes.count * 2 == digits.utf8.count, !isGUID || bytes.count == 16 else {
      throw node.error(
        .invalidValue, isGUID ? "this is not a GUID" : "these are no bytes",
        remedy: isGUID ? "write 32 hexadecimal digits as 8-4-4-4-12" : "write two hexadecimal digits for each byte")
    }
    return bytes
  }
}

extension FieldDescriptor {
  fileprivate var isGUID: Bool { if case .guid = type { true } else { false } }
}
