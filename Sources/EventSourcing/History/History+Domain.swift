import Journal
import WireFormat

/// How a journal of another domain describes its own events.
@usableFromInline
package final class ForeignSchema: Sendable {
  /// The name of that domain.
  let domain: String
  /// Why its events cannot be folded here.
  let refusal: JournalError
  /// The catalogue in the event's segment; `nil` where it cannot be read.
  package let catalog: EventCatalog?
  /// Why its bytes are not a catalogue that this program reads; `nil` where they are, or no copy of them can be read.
  let catalogError: CatalogError?

  init(_ domain: String, _ refusal: JournalError) {
    self.domain = domain
    self.refusal = refusal
    catalog = nil
    catalogError = nil
  }

  init(_ domain: String, _ refusal: JournalError, decoding bytes: [UInt8]) {
    self.domain = domain
    self.refusal = refusal
    do throws(CatalogError) {
      catalog = try EventCatalog(decoding: bytes)
      catalogError = nil
    } catch {
      catalog = nil
      catalogError = error
    }
  }
}

/// The events of a journal of another domain than this program's, or of one whose catalogue contradicts this program's: it
/// can describe them, from the catalogues inside the journal, but knows no state.
@usableFromInline
final class ForeignDomain: Sendable {
  private let unknown: ForeignSchema
  private let catalogs: EventCatalogs<ForeignSchema>

  init(_ domain: String, _ refusal: JournalError, _ reader: JournalReader) {
    unknown = ForeignSchema(domain, refusal)
    catalogs = EventCatalogs(reader) { ForeignSchema(domain, refusal, decoding: $0) }
  }

  /// Why no state can be computed.
  var refusal: JournalError { unknown.refusal }

  @usableFromInline
  func schema(of event: JournalEvent) -> ForeignSchema { catalogs.catalog(of: event) ?? unknown }
}

extension History {
  /// Whether the journal is of another domain than the events of this history, or contains a catalogue that contradicts
  /// theirs. Its events can be read and are described by the catalogue inside the journal, but no state can be computed.
  public var isOfOtherDomain: Bool { foreign != nil }

  /// Refuses a journal that names no domain, as those of format 1.0, unless every event in it fits the catalogue of this
  /// history's events. Reads the journal once; every other method that needs it asks here.
  ///
  /// - Throws: ``HistoryError/journal(_:)`` with `otherDomain`, which names the first event that does not fit.
  public func requireFittingEvents() throws(HistoryError) {
    do throws(JournalError) {
      try reader.requireKnownDomain()
      guard reader.domain == nil else { return }
      if let error = try admission.value({ () throws(JournalError) in try Self.misfit(in: reader) }) { throw error }
    } catch {
      throw .journal(error)
    }
  }

  /// Refuses to compute states of events of another domain.
  ///
  /// - Throws: ``HistoryError/journal(_:)`` with `otherDomain`.
  @usableFromInline
  package func requireOwnDomain() throws(HistoryError) {
    if let foreign { throw .journal(foreign.refusal) }
    try requireFittingEvents()
  }

  /// What describes the events of a journal that this program cannot fold; `nil` for a journal of its own.
  static func foreign(_ reader: JournalReader) -> ForeignDomain? {
    guard let domain = reader.domain else { return nil }
    let refusal =
      domain == Machine.Event.domain
      ? contradiction(in: reader) : JournalError.otherDomain(domain, than: Machine.Event.domain)
    return refusal.map { ForeignDomain(domain, $0, reader) }
  }

  /// Why a journal is not one of this program's; `nil` if it is.
  static func refusal(of reader: JournalReader) throws(JournalError) -> JournalError? {
    reader.domain == nil ? try misfit(in: reader) : contradiction(in: reader)
  }

  /// The first catalogue in a journal of this program's domain that contradicts this program's, or that it cannot decode.
  /// Nothing is known of one that no copy can be read of: there the domain's name alone counts.
  private static func contradiction(in reader: JournalReader) -> JournalError? {
    guard let own = try? Machine.journalDomain() else { return nil }
    var refusal: JournalError?
    reader.readCatalogs(besides: own) { (bytes, segment) in
      let why: String?
      do throws(CatalogError) {
        why = try EventCatalog(decoding: bytes).contradiction(to: Machine.Event.catalog)
          .map { "the catalogue in this segment contradicts this program's: \($0)" }
      } catch {
        why = "this program cannot read the catalogue in this segment: \(error)"
      }
      guard let why else { return true }
      refusal = JournalError(
        .otherDomain, "the journal is of the domain \"\(own.name)\", but \(why)",
        remedy: "open it with the program that wrote it", file: segment.file)
      return false
    }
    return refusal
  }

  /// The first event of a journal that does not fit the catalogue, also after damage. Events that cannot be read are left
  /// to the readers.
  private static func misfit(in reader: JournalReader) throws(JournalError) -> JournalError? {
    var cursor = try reader.cursor(after: reader.firstSequence - min(reader.firstSequence, 1), beyondDamage: true)
    while let item = try cursor.next() {
      guard case .event(let event) = item, !event.payload.isEmpty, let why = misfit(event.payload) else { continue }
      return JournalError(
        .otherDomain,
        "the journal names no domain, so every event in it must be one of \"\(Machine.Event.domain)\", and event "
          + "\(event.sequence) is not: \(why)",
        remedy: "open it with the program that wrote it, or a newer version of this one", file: event.file,
        offset: event.offset,
        sequence: event.sequence)
    }
    return nil
  }

  private static func misfit(_ payload: UnsafeRawBufferPointer) -> String? {
    do throws(WireError) {
      var reader = WireReader(payload)
      let fields = try EnvelopeFields(from: &reader)
      if fields.type == StateMigration.type { return nil }
      guard let descriptor = Machine.Event.catalog[fields.type] else {
        return "its type \(fields.type) is unknown"
          + (fields.unknownReaders == .ignorable ? ", and that it may be left out says nothing about whose it is" : "")
      }
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
