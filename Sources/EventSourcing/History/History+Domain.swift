import Journal
import WireFormat

/// How a journal of another domain describes its own events.
@usableFromInline
package final class ForeignSchema: Sendable {
  /// The name of that domain.
  let domain: String
  /// The catalogue in the event's segment; `nil` where it cannot be read.
  package let catalog: EventCatalog?

  init(_ domain: String, _ catalog: EventCatalog?) {
    self.domain = domain
    self.catalog = catalog
  }
}

/// The events of a journal of another domain than this program's: it can describe them, from the catalogues inside the
/// journal, but knows no state.
@usableFromInline
final class ForeignDomain: Sendable {
  private let unknown: ForeignSchema
  private let catalogs: EventCatalogs<ForeignSchema>

  init(_ domain: String, _ reader: JournalReader) {
    unknown = ForeignSchema(domain, nil)
    catalogs = EventCatalogs(reader) { ForeignSchema(domain, try? EventCatalog(decoding: $0)) }
  }

  var name: String { unknown.domain }

  @usableFromInline
  func schema(of event: JournalEvent) -> ForeignSchema { catalogs.catalog(of: event) ?? unknown }
}

extension History {
  /// Whether the journal is of another domain than the events of this history. Its events can be read and are described
  /// by the catalogue inside the journal, but no state can be computed.
  public var isOfOtherDomain: Bool { foreign != nil }

  /// Refuses a journal that names no domain, as those of format 1.0, unless every event in it fits the catalogue of this
  /// history's events. Reads the journal once; every other method that needs it asks here.
  ///
  /// - Throws: ``HistoryError/journal(_:)`` with `otherDomain`, which names the first event that does not fit.
  public func requireFittingEvents() throws(HistoryError) {
    do throws(JournalError) {
      try reader.requireOneDomain()
      guard reader.domain == nil else { return }
      if let error = try admission.value({ () throws(JournalError) in try Self.misfit(in: reader) }) { throw error }
    } catch {
      throw .journal(error)
    }
  }

  /// Refuses to compute states of events of another domain.
  @usableFromInline
  func requireOwnDomain() throws(HistoryError) {
    if let foreign {
      throw .journal(.otherDomain(foreign.name, than: Machine.Event.domain))
    }
    try requireFittingEvents()
  }

  /// The first event of a journal that does not fit the catalogue, also behind damage. Events that cannot be read are left
  /// to the readers.
  static func misfit(in reader: JournalReader) throws(JournalError) -> JournalError? {
    var cursor = try reader.cursor(after: reader.firstSequence - min(reader.firstSequence, 1), beyondDamage: true)
    while let item = try cursor.next() {
      guard case .event(let event) = item, !event.payload.isEmpty, let why = misfit(event.payload) else { continue }
      return JournalError(
        .otherDomain,
        "the journal names no domain, and event \(event.sequence) is not one of \"\(Machine.Event.domain)\": \(why)",
        remedy: "open it with the program that it belongs to", file: event.file, offset: event.offset,
        sequence: event.sequence)
    }
    return nil
  }

  private static func misfit(_ payload: UnsafeRawBufferPointer) -> String? {
    do throws(WireError) {
      var reader = WireReader(payload)
      let fields = try EnvelopeFields(from: &reader)
      if fields.type == StateMigration.type { return nil }
      guard let descriptor = Machine.Event.catalog[fields.type] else { return "its type \(fields.type) is unknown" }
      var body = WireReader(fields.body)
      guard try Machine.Event.decode(type: fields.type, version: fields.version, body: &body) != nil else {
        return "version \(fields.version) of \(descriptor.name) is unknown"
      }
      guard !Machine.Event.isUpcast(type: fields.type, version: fields.version) else { return nil }
      return descriptor.body.misfit(fields.body).map { "as \(descriptor.name), \($0)" }
    } catch {
      return "it cannot be read: \(error)"
    }
  }
}

extension JournalError {
  static func otherDomain(_ domain: String, than own: String) -> JournalError {
    JournalError(
      .otherDomain, "the journal is of the domain \"\(domain)\", and only \"\(own)\" can be replayed here",
      remedy: "ask the program that it belongs to")
  }
}
