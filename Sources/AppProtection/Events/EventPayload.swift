import EventSourcing
import WireFormat

/// The payload of one event type: its catalogue entry and its field list, which determine encoding, schema and
/// redaction.
public protocol EventPayload: FieldList {
  /// The type's number, name and meaning.
  static var entry: EventEntry { get }

  /// Reads a payload of a version of the type; `nil` for one that this program does not know. The default reads every version
  /// up to the entry's as the same fields, the later ones absent. A payload whose fields meant something else before reads
  /// that version itself and brings it forward.
  static func read(version: UInt32, from reader: inout WireReader) throws(WireError) -> Self?

  /// Says what the event means, for the line that a log has for it. It never says the account, which has a column.
  func tell(in headline: Headline)

  /// The account whose key seals the personal fields; 0, the default, for a payload without any.
  var sealingAccount: UInt64 { get }
}

extension EventPayload {
  /// 0: nothing is sealed.
  public var sealingAccount: UInt64 { 0 }

  /// The catalogue entry with the body's fields.
  public static var eventDescriptor: EventDescriptor { EventDescriptor(entry, body: descriptor) }

  /// Reads the same fields in every version.
  @inline(__always)
  public static func read(version: UInt32, from reader: inout WireReader) throws(WireError) -> Self? {
    guard version > 0, version <= entry.version else { return nil }
    return try Self(from: &reader)
  }
}

extension EventEntry {
  /// An entry for an event type of this domain.
  @inline(__always)
  init(
    _ kind: AppProtectionEvent.Kind, _ name: String, version: UInt32 = 1,
    unknownReaders: UnknownReaderRule = .mustUnderstand,
    meaning: String, remedy: String? = nil
  ) {
    self.init(kind.rawValue, name, version: version, unknownReaders: unknownReaders, meaning: meaning, remedy: remedy)
  }
}
