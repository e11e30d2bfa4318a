import EventSourcing

/// The payload of one event type: its catalogue entry and its field list, which determine encoding, schema and
/// redaction.
public protocol EventPayload: FieldList {
  /// The type's number, name and meaning.
  static var entry: EventEntry { get }
}

extension EventPayload {
  /// The catalogue entry with the body's fields.
  public static var eventDescriptor: EventDescriptor { EventDescriptor(entry, body: descriptor) }
}

extension EventEntry {
  /// An entry for an event type of this domain.
  @inline(__always)
  init(
    _ kind: AppProtectionEvent.Kind, _ name: String, unknownReaders: UnknownReaderRule = .mustUnderstand,
    meaning: String, remedy: String? = nil
  ) {
    self.init(kind.rawValue, name, unknownReaders: unknownReaders, meaning: meaning, remedy: remedy)
  }
}
