import EventSourcing
import JSON
import PlainText

/// Prints the bodies of a catalogue's events. It prepares each type once.
///
/// It belongs to one thread at a time.
public final class EventPrinter {
  /// One event type.
  public final class Kind {
    /// The type's name.
    public let name: String
    /// The name as text of JSON, in quotation marks.
    package let jsonName: [UInt8]
    /// The fields of the bodies; `nil` for a type that the catalogue lacks.
    let descriptor: MessageDescriptor?
    /// Prints the bodies.
    let body: MessagePrinter?

    init(_ descriptor: EventDescriptor?, number: UInt32) {
      name = descriptor?.name ?? "type \(number)"
      var bytes: [UInt8] = []
      JSONEscaping.append(name, to: &bytes)
      jsonName = bytes
      self.descriptor = descriptor?.body
      body = descriptor.map { MessagePrinter($0.body) }
    }
  }

  /// Decides which values are shown.
  public let redaction: Redaction
  private let catalog: EventCatalog
  private let text: ValueText
  private let json: ValueJSON
  // It belongs to one thread, and nothing called while it changes comes back, so that accesses need no check.
  @exclusivity(unchecked) private var kinds: [UInt32: Kind] = [:]
  /// How the journal described the last event of another domain, and the types that it prepared.
  private var foreign: (schema: ForeignSchema, kinds: [UInt32: Kind])?

  /// The most unknown types that are prepared.
  private static let maximumKinds = 4096

  /// A printer for the events of a domain.
  public init(_ catalog: EventCatalog, _ redaction: Redaction) {
    self.catalog = catalog
    self.redaction = redaction
    text = ValueText(redaction)
    json = ValueJSON(redaction)
  }

  /// An event's type, as the catalogue of its domain has it.
  public func kind(of event: PrintedEvent) -> Kind {
    let type = event.type
    guard let schema = event.foreign else { return kind(of: type) }
    // Each segment of a journal has its own catalogue.
    if foreign?.schema !== schema { foreign = (schema, [:]) }
    if let kind = foreign?.kinds[type] { return kind }
    let kind = Kind(schema.catalog?[type], number: type)
    if foreign?.kinds.count ?? 0 < Self.maximumKinds { foreign?.kinds[type] = kind }
    return kind
  }

  /// A type of this program's domain.
  public func kind(of type: UInt32) -> Kind {
    if let kind = kinds[type] { return kind }
    let kind = Kind(catalog.entry(of: type), number: type)
    if kinds.count < Self.maximumKinds { kinds[type] = kind }
    return kind
  }

  /// The accounts that an event names, without duplicates, in the order of its fields.
  public func accounts(of event: PrintedEvent) -> [UInt64] {
    if let printer = printer(of: event) {
      if !printer.namesAccounts { return [] }
      if let accounts = printer.accounts(in: event.body) { return accounts }
    }
    return EventAccounts.numbers(in: fields(of: event))
  }

  /// Appends the fields of an event with those that hold their default where that is an answer, but without its account,
  /// as `(name: text, name: text)`; nothing if it has no others. Only the first six are printed.
  package func appendSummary(of event: PrintedEvent, to bytes: inout [UInt8]) {
    let limit = 6
    let start = bytes.count
    bytes.append(UInt8(ascii: "("))
    if !append(event, MessagePrinter.TextStyle(leavesOutAccount: true, limit: limit), to: &bytes) {
      let fields = text.fields(answers(of: event)).filter { $0.name != "account" }
      bytes.append(fields.prefix(limit).map { "\($0.name): \($0.text)" }.joined(separator: ", "))
      if fields.count > limit { bytes.append(literal: ", …") }
    }
    if bytes.count == start + 1 { bytes.removeLast() } else { bytes.append(UInt8(ascii: ")")) }
  }

  /// Appends all fields of an event, as above, as lines of `name: text`, each with a line end before it.
  package func appendLines(of event: PrintedEvent, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    let start = bytes.count
    if !append(event, MessagePrinter.TextStyle(separator: "\n"), to: &bytes) {
      bytes.append(text.fields(answers(of: event)).map { "\($0.name): \($0.text)" }.joined(separator: "\n"))
    }
    if bytes.count == start { bytes.removeLast() }
  }

  /// Appends the fields of an event as an object of JSON.
  package func appendJSON(of event: PrintedEvent, to bytes: inout [UInt8]) {
    if let printer = printer(of: event), printer.appendJSON(event.body, json, to: &bytes) { return }
    bytes.append(json.json(fields(of: event)).text(style: .compact))
  }

  /// Appends the answers of an event; returns `false`, and appends nothing, where only ``MessageFields`` has them.
  private func append(_ event: PrintedEvent, _ style: MessagePrinter.TextStyle, to bytes: inout [UInt8]) -> Bool {
    guard event.isKnown, let printer = printer(of: event) else { return false }
    return printer.appendText(event.body, style, text, to: &bytes)
  }

  /// The printer of an event's fields; `nil` for one whose fields are not described.
  private func printer(of event: PrintedEvent) -> MessagePrinter? {
    event.isDescribed ? kind(of: event).body : nil
  }

  /// ``/EventSourcing/RecordedEvent/fields``.
  private func fields(of event: PrintedEvent) -> MessageFields {
    MessageFields(event.body, as: event.isDescribed ? kind(of: event).descriptor : nil)
  }

  /// ``/EventSourcing/RecordedEvent/answers``.
  private func answers(of event: PrintedEvent) -> MessageFields {
    let fields = fields(of: event)
    return event.isKnown ? fields.withDefaults(of: kind(of: event).descriptor) : fields
  }
}
