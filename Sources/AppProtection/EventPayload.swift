import EventSourcing

/// What one type of event carries: its entry in the catalogue and the list of its fields, from which its encoding, its
/// schema and its redaction follow.
public protocol EventPayload: FieldList {
  /// The type's number, name and meaning.
  static var entry: EventEntry { get }
}

extension EventPayload {
  /// The entry of the catalogue with the fields of the body.
  public static var eventDescriptor: EventDescriptor { EventDescriptor(entry, body: descriptor) }
}

extension EventEntry {
  /// The entry of a type of this domain.
  @inline(__always)
  init(
    _ kind: AppProtectionEvent.Kind, _ name: String, unknownReaders: UnknownReaderRule = .mustUnderstand,
    meaning: String, remedy: String? = nil
  ) {
    self.init(kind.rawValue, name, unknownReaders: unknownReaders, meaning: meaning, remedy: remedy)
  }
}
