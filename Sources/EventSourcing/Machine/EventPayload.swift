import WireFormat

/// The contents of one event type, with all that the type means: its catalogue entry, its fields, what it changes in the
/// state, and its words in a log. The events themselves are a ``PayloadList``.
///
/// ```swift
/// struct Deposited: EventPayload {
///   var cents: Int64
///   static var entry: EventEntry { EventEntry(1, "money.deposited", meaning: "Money was paid in.") }
///   static var blank: Deposited { Deposited(cents: 0) }
///   static func visit<V: FieldVisitor>(_ event: inout Deposited, _ field: inout V) throws(V.Failure) {
///     try field(1, "cents", &event.cents, "the amount")
///   }
///   static func fold(_ event: Deposited, into book: inout Book, _ context: EventContext) { book.cents += event.cents }
/// }
/// ```
public protocol EventPayload: FieldList {
  /// What the event changes.
  associatedtype State

  /// The type's number, name and meaning.
  static var entry: EventEntry { get }

  /// Reads a payload of a version of the type; `nil` for one that this program does not know. The default reads every version
  /// up to the entry's as the same fields, the later ones absent. A payload whose fields meant something else before reads
  /// that version itself and brings it forward.
  static func read(version: UInt32, from reader: inout WireReader) throws(WireError) -> Self?

  /// Folds the event into the state. Pure and total: an event that does not fit the state changes nothing.
  static func fold(_ event: Self, into state: inout State, _ context: EventContext)

  /// Says what the event means, for the line that a log has for it. The default says nothing.
  func describe(in headline: Headline)

  /// Whether the payload has ``Personal`` fields. The default is no: then nothing in it is sealed or opened.
  static var isPersonal: Bool { get }

  /// The account whose key seals the personal fields; 0, the default, for a payload without any.
  var sealingAccount: UInt64 { get }
}

extension EventPayload {
  /// Says nothing.
  public func describe(in headline: Headline) {}

  /// `false`: nothing is sealed.
  @inlinable public static var isPersonal: Bool { false }

  /// 0: nothing is sealed.
  @inlinable public var sealingAccount: UInt64 { 0 }

  /// Reads the same fields in every version.
  @inlinable @inline(__always)
  public static func read(version: UInt32, from reader: inout WireReader) throws(WireError) -> Self? {
    guard version > 0, version <= entry.version else { return nil }
    return try Self(from: &reader)
  }
}
