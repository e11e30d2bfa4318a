import Journal
import WireFormat

/// One event as it stands in a journal: where, who wrote it when and why, and what of it this program understands.
public struct RecordedEvent<Event: JournaledEvent>: Sendable {
  /// The event's position in its journal, from 1.
  public let sequence: UInt64
  /// The journal's chain after this event: two histories with the same value here are the same up to here.
  public let chain: UInt32
  /// What surrounds the body, and the body's bytes.
  public let envelope: Envelope
  /// What the body says.
  public let content: Content

  /// What this program understands of an event. The troubles stay apart, because each needs something else: a newer
  /// program, a look at the bytes, or a look at the writer.
  public enum Content: Sendable, Equatable {
    /// The event.
    case known(Event)
    /// The catalogue has no such type.
    case unknownType
    /// The catalogue has the type, but not in the version that was written.
    case unknownVersion
    /// The type is known, and the body is not one of its bodies.
    case undecodable(WireError)
    /// The payload is no envelope at all. ``RecordedEvent/envelope`` has type 0 and the whole payload as its body.
    case foreign(WireError)
    /// The event was lost before the journal was salvaged, and only its place was kept: a payload without any bytes.
    /// ``RecordedEvent/envelope`` has type 0.
    case lost
  }

  /// Creates a record of an event.
  public init(sequence: UInt64, chain: UInt32, envelope: Envelope, content: Content) {
    self.sequence = sequence
    self.chain = chain
    self.envelope = envelope
    self.content = content
  }

  /// Reads an event's payload. Whatever the bytes are, the result is a record of them.
  @inlinable
  public init(sequence: UInt64, chain: UInt32, payload: UnsafeRawBufferPointer) {
    self.sequence = sequence
    self.chain = chain
    guard !payload.isEmpty else {
      envelope = Envelope(type: 0, at: Moment(wallNanoseconds: 0))
      content = .lost
      return
    }
    do throws(WireError) {
      let fields = try WireReader.decode(payload) { (reader) throws(WireError) in try EnvelopeFields(from: &reader) }
      envelope = Envelope(fields)
      content = Content(fields)
    } catch {
      var envelope = Envelope(type: 0, at: Moment(wallNanoseconds: 0))
      envelope.body = [UInt8](payload)
      self.envelope = envelope
      content = .foreign(error)
    }
  }

  /// Reads an event that a journal's cursor served.
  @inlinable
  init(_ event: JournalEvent) {
    self.init(sequence: event.sequence, chain: event.chain, payload: event.payload)
  }

  /// The event, when this program understands it.
  @inlinable public var event: Event? {
    if case .known(let event) = content { event } else { nil }
  }

  /// The catalogue's entry for the event's type, when there is one.
  public var descriptor: EventDescriptor? { Event.catalog[envelope.type] }

  /// The type's name, or `type 99` when the catalogue has none.
  public var typeName: String { descriptor?.name ?? "type \(envelope.type)" }

  /// The body's fields for printing, whatever the type: by its entry in the catalogue, or by number without one.
  public var fields: MessageFields {
    MessageFields(envelope.body, as: content.hasKnownSchema ? descriptor?.body : nil)
  }

  /// ``fields``, with those that the body leaves out because they hold their default: what an event answered, also when
  /// the answer is no. Only of an event that could be read.
  public var answers: MessageFields {
    guard case .known = content else { return fields }
    return fields.withDefaults(of: descriptor?.body)
  }

  /// Whether the event can be folded, can be left out, or makes the state unknown from here on, and then why.
  public var obstacle: HistoryError? {
    content.obstacle(at: sequence, type: envelope.type, version: envelope.version, rule: envelope.unknownReaders)
  }
}

extension RecordedEvent.Content {
  /// Reads the body.
  @inlinable
  init(_ fields: EnvelopeFields) {
    do throws(WireError) {
      var reader = WireReader(fields.body)
      if let event = try Event.decode(type: fields.type, version: fields.version, body: &reader) {
        self = .known(event)
      } else {
        self = Event.catalog[fields.type] == nil ? .unknownType : .unknownVersion
      }
    } catch {
      self = .undecodable(error)
    }
  }

  /// Whether the catalogue's fields describe the body.
  var hasKnownSchema: Bool {
    switch self {
    case .known, .undecodable: true
    case .unknownType, .unknownVersion, .foreign, .lost: false
    }
  }

  /// Why the state is unknown after an event with this content; `nil` when it was folded or may be left out.
  @usableFromInline
  func obstacle(at sequence: UInt64, type: UInt32, version: UInt32, rule: UnknownReaderRule) -> HistoryError? {
    switch self {
    case .known: nil
    case .foreign(let error): .foreignPayload(sequence: sequence, error)
    case .lost: .damaged(lastDerivable: sequence - min(sequence, 1), nil)
    case .unknownType where rule == .mustUnderstand: .unknownType(sequence: sequence, type: type, version: version)
    case .unknownVersion where rule == .mustUnderstand:
      .unknownVersion(sequence: sequence, name: Event.catalog[type]?.name ?? "type \(type)", version: version)
    case .undecodable(let error) where rule == .mustUnderstand:
      .undecodable(sequence: sequence, name: Event.catalog[type]?.name ?? "type \(type)", error)
    case .unknownType, .unknownVersion, .undecodable: nil
    }
  }
}
