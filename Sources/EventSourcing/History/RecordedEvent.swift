import Journal
import WireFormat

/// One event as recorded in a journal: its position, origin and time, and as much of it as this program understands.
public struct RecordedEvent<Event: JournaledEvent>: Sendable {
  /// The event's position in its journal, from 1.
  public let sequence: UInt64
  /// The journal's chain after this event: histories with equal values are equal up to here.
  public let chain: UInt32
  /// The metadata around the body, and the body's bytes.
  public let envelope: Envelope
  /// The decoded body, or why it could not be decoded.
  public let content: Content
  /// Whether it is the last event of its batch: of those that one command led to.
  public var isLastOfBatch = true
  /// How the journal describes an event of another domain; `nil` for events of this program's domain.
  @usableFromInline package let foreign: ForeignSchema?

  /// How much of an event this program understands. The failures are distinct because each needs a different response:
  /// a newer program, a look at the bytes, or a look at the writer.
  public enum Content: Sendable, Equatable {
    /// The decoded event.
    case known(Event)
    /// The event is of another domain; the catalogue inside the journal describes its fields.
    case otherDomain
    /// A state was brought forward to another revision of the rules; every domain has this type.
    case migration(StateMigration)
    /// The catalogue has no such type.
    case unknownType
    /// The catalogue has the type, but not the version that was written.
    case unknownVersion
    /// The event needs features that this program does not know, so that its body may mean something else.
    case unknownFeatures(EnvelopeFeatures)
    /// The type is known, but the body does not match it.
    case undecodable(WireError)
    /// The payload is not an envelope. ``RecordedEvent/envelope`` has type 0 and the whole payload as its body.
    case foreign(WireError)
    /// The event was lost before the journal was salvaged; only its place was kept, with an empty payload.
    /// ``RecordedEvent/envelope`` has type 0.
    case lost
  }

  /// `sequence` counts from 1; `chain` is the value after the event.
  public init(sequence: UInt64, chain: UInt32, envelope: Envelope, content: Content) {
    self.sequence = sequence
    self.chain = chain
    self.envelope = envelope
    self.content = content
    foreign = nil
  }

  /// Reads an event of another domain: its body is read only as the catalogue in its journal describes it.
  @usableFromInline
  init(_ event: JournalEvent, in schema: ForeignSchema) {
    self.init(sequence: event.sequence, chain: event.chain, payload: event.payload, in: schema) {
      Content(body: $0, describedBy: schema.catalog)
    }
    isLastOfBatch = event.isLastOfBatch
  }

  /// Reads an event's payload. Accepts any bytes: what cannot be decoded is recorded in ``content-swift.property``.
  @inlinable
  public init(sequence: UInt64, chain: UInt32, payload: UnsafeRawBufferPointer) {
    self.init(sequence: sequence, chain: chain, payload: payload, in: nil) { Content($0) }
  }

  /// Reads the envelope, and leaves the body to `content`.
  @inlinable @inline(__always)
  init(
    sequence: UInt64, chain: UInt32, payload: UnsafeRawBufferPointer, in schema: ForeignSchema?,
    content: (EnvelopeFields) -> Content
  ) {
    self.sequence = sequence
    self.chain = chain
    foreign = schema
    guard !payload.isEmpty else {
      envelope = Envelope(type: 0, at: Moment(wallNanoseconds: 0))
      self.content = .lost
      return
    }
    do throws(WireError) {
      let fields = try WireReader.decode(payload) { (reader) throws(WireError) in try EnvelopeFields(from: &reader) }
      envelope = Envelope(fields)
      self.content = content(fields)
    } catch {
      var envelope = Envelope(type: 0, at: Moment(wallNanoseconds: 0))
      envelope.body = [UInt8](payload)
      self.envelope = envelope
      self.content = .foreign(error)
    }
  }

  /// Reads an event returned by a journal's cursor.
  @inlinable
  init(_ event: JournalEvent) {
    self.init(sequence: event.sequence, chain: event.chain, payload: event.payload)
    isLastOfBatch = event.isLastOfBatch
  }

  /// The event; `nil` if this program does not understand it.
  @inlinable public var event: Event? {
    if case .known(let event) = content { event } else { nil }
  }

  /// Whether a catalogue's fields describe the body, even if it could not be read.
  @inlinable public var isDescribed: Bool {
    switch content {
    case .known, .otherDomain, .migration, .undecodable: true
    case .unknownType, .unknownVersion, .unknownFeatures, .foreign, .lost: false
    }
  }

  /// The catalogue's entry for the event's type; `nil` if it has none.
  public var descriptor: EventDescriptor? {
    if let foreign { return foreign.catalog?[envelope.type] }
    return Event.catalog.entry(of: envelope.type)
  }

  /// The domain of an event that is not of this program's; `nil` for the others.
  public var otherDomain: String? { foreign?.domain }

  /// Why the catalogue inside the journal, which would describe an event of another domain, cannot be used; `nil` where it can,
  /// and where the event needs none.
  public var catalogError: CatalogError? { foreign?.catalogError }

  /// Whether the body could be read: by this program, or as its journal describes it.
  @inlinable public var isUnderstood: Bool {
    switch content {
    case .known, .otherDomain, .migration: true
    case .unknownType, .unknownVersion, .unknownFeatures, .undecodable, .foreign, .lost: false
    }
  }

  /// The type's name, or `type 99` when the catalogue has none.
  public var typeName: String { descriptor?.name ?? Self.nameless(envelope.type) }

  /// What stands for the name of a type that no catalogue has.
  static func nameless(_ type: UInt32) -> String { "type \(type)" }

  /// The body's fields for printing: described by the catalogue, or by number alone if the type is unknown. An event of an
  /// earlier version has the fields of the event that it was brought forward to, where the catalogue cannot describe its own.
  public var fields: MessageFields {
    if case .known(let event) = content, Event.isUpcast(type: envelope.type, version: envelope.version) {
      var writer = WireWriter()
      event.encodeBody(into: &writer)
      return MessageFields(writer.bytes, as: Event.catalog[event.type]?.body)
    }
    return MessageFields(envelope.body, as: isDescribed ? descriptor?.body : nil)
  }

  /// ``fields``, plus those omitted because they hold their default: what an event answered, even if the answer is no.
  /// Only for an event that could be decoded.
  public var answers: MessageFields {
    guard isUnderstood else { return fields }
    return fields.withDefaults(of: descriptor?.body)
  }

  /// Why the state is unknown from this event on; `nil` if it can be folded or left out.
  public var obstacle: HistoryError? {
    if let foreign { return .journal(foreign.refusal) }
    return content.obstacle(at: sequence, type: envelope.type, version: envelope.version, rule: unknownReaders)
  }

  /// What a program must do that does not understand the event. What its writer states is for those that do not know its type
  /// or version; one that knows both, but cannot read the body, also goes by its own catalogue.
  public var unknownReaders: UnknownReaderRule {
    if case .undecodable = content, descriptor?.unknownReaders == .mustUnderstand { return .mustUnderstand }
    return envelope.unknownReaders
  }
}

extension RecordedEvent.Content {
  /// Reads the body.
  @inlinable
  init(_ fields: EnvelopeFields) {
    guard fields.features.unknown.isEmpty else {
      self = .unknownFeatures(fields.features.unknown)
      return
    }
    do throws(WireError) {
      var reader = WireReader(fields.body)
      if let event = try Event.decode(type: fields.type, version: fields.version, body: &reader) {
        self = .known(event)
      } else {
        self = try Self.unknown(fields)
      }
    } catch {
      self = .undecodable(error)
    }
  }

  /// Reads the body of an event that the domain does not know.
  @usableFromInline
  static func unknown(_ fields: EnvelopeFields) throws(WireError) -> Self {
    if fields.type == StateMigration.type {
      guard fields.version == 1 else { return .unknownVersion }
      var reader = WireReader(fields.body)
      return .migration(try StateMigration(from: &reader))
    }
    return Event.catalog[fields.type] == nil ? .unknownType : .unknownVersion
  }

  /// Reads the body as a journal's own catalogue describes it.
  init(body fields: EnvelopeFields, describedBy catalog: EventCatalog?) {
    guard fields.features.unknown.isEmpty else {
      self = .unknownFeatures(fields.features.unknown)
      return
    }
    guard let descriptor = catalog?[fields.type] else {
      self = .unknownType
      return
    }
    guard (1...descriptor.version).contains(fields.version) else {
      self = .unknownVersion
      return
    }
    self = MessageFields(fields.body, as: descriptor.body).mismatch.map { .undecodable($0) } ?? .otherDomain
  }

  /// Why the state is unknown after an event with this content; `nil` if it was folded or may be left out.
  @usableFromInline
  func obstacle(at sequence: UInt64, type: UInt32, version: UInt32, rule: UnknownReaderRule) -> HistoryError? {
    switch self {
    case .known, .otherDomain, .migration: nil
    case .foreign(let error): .foreignPayload(sequence: sequence, error)
    case .lost: .damaged(lastDerivable: sequence - min(sequence, 1), nil)
    // Whether the event may be left out does not matter: a feature may concern more than its body.
    case .unknownFeatures(let features):
      .unknownFeatures(sequence: sequence, name: Event.catalog.entry(of: type)?.name ?? "type \(type)", features)
    case .unknownType where rule == .mustUnderstand: .unknownType(sequence: sequence, type: type, version: version)
    case .unknownVersion where rule == .mustUnderstand:
      .unknownVersion(sequence: sequence, name: Event.catalog.entry(of: type)?.name ?? "type \(type)", version: version)
    case .undecodable(let error) where rule == .mustUnderstand:
      .undecodable(sequence: sequence, name: Event.catalog.entry(of: type)?.name ?? "type \(type)", error)
    case .unknownType, .unknownVersion, .undecodable: nil
    }
  }
}
