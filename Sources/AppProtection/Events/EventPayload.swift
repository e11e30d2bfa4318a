import EventSourcing

/// The payload of one event type: its catalogue entry and its field list, which determine encoding, schema and
/// redaction.
public protocol EventPayload: FieldList {
  /// The type's number, name and meaning.
  static var entry: EventEntry { get }

  /// The account whose key seals the personal fields; 0, the default, for a payload without any.
  var sealingAccount: UInt64 { get }
}

extension EventPayload {
  /// 0: nothing is sealed.
  public var sealingAccount: UInt64 { 0 }

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
