import WireFormat

/// An event that lists its types and their fields in one place. Catalogue, encoder and decoder come from the list.
///
/// Each type takes a case, a place in ``types``, and a line in ``visit(_:)``:
///
/// ```swift
/// enum Entry: EventList {
///   case deposited(cents: Int64 = 0), withdrawn(cents: Int64 = 0)
///   static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn())
///   func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Entry {
///     switch self {
///     case .deposited(let cents): try list.event(1, "money.deposited", .deposited(cents: list.field(1, "cents", cents)))
///     case .withdrawn(let cents): try list.event(2, "money.withdrawn", .withdrawn(cents: list.field(1, "cents", cents)))
///     }
///   }
/// }
/// ```
///
/// A field that is added later gets a new number, an absent value that means what events without it meant (written
/// `always` unless it is zero or empty), and its type the next `version`. Where that cannot express what earlier events
/// meant, ``EventTypes/upcasting(_:)`` brings them forward.
///
/// Writers put fields in the order of the list, and such events are read in linear time. Each element of a list that
/// stands elsewhere, as only a foreign writer leaves it, costs a copy of the elements before it.
public protocol EventList: JournaledEvent, CaseList {
  /// The domain's name, and every type: one event of each, with the values that absent fields mean. A stored property:
  /// reading looks there for every event. A store refuses to append an event of a type that is missing here, because
  /// nothing could read it.
  static var types: EventTypes<Self> { get }

  /// Shows the event's type and each of its fields to a visitor, in the order of their numbers, and returns the event with
  /// the values that the visitor returned.
  func visit<Fields: FieldVisitor>(_ list: inout EventVisitor<Fields>) throws(Fields.Failure) -> Self
}

extension EventList {
  /// The name that comes first in ``types``.
  @inlinable public static var domain: String { types.domain }

  /// The types of the list.
  @inlinable public static var catalog: EventCatalog { types.catalog }

  /// The keys that ``types`` names.
  public static var entityKeys: EntityKeys { types.entityKeys }

  /// Whether an earlier list of types reads the event: ``EventTypes/upcasting(_:)``.
  public static func isUpcast(type: UInt32, version: UInt32) -> Bool { types.isUpcast(type: type, version: version) }

  /// The number of the event's type; 0 for an event that visits none, which no store appends.
  @inlinable public var type: UInt32 {
    var list = EventVisitor(FieldSkipper())
    _ = visit(&list)
    return list.label?.number ?? 0
  }

  /// Visits the fields.
  @inlinable
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    var list = EventVisitor(pass)
    defer { pass = list.fields }
    self = try visit(&list)
  }

  /// Writes the fields in the order of the list.
  @inlinable
  public func encodeBody(into writer: inout WireWriter) {
    // Swapped, because a copy of the writer would copy its bytes.
    var list = EventVisitor(WireWriter())
    swap(&list.fields, &writer)
    _ = visit(&list)
    swap(&list.fields, &writer)
  }

  /// Reads the fields, in any order; unknown ones are skipped. Fields that an earlier version lacks keep the values of the
  /// type's place in ``types``.
  @inlinable
  public static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> Self? {
    guard let blank = types.blank(of: type, version: version) else {
      return try types.decodeEarlier(type: type, version: version, body: &body)
    }
    return try blank.decodeFields(from: &body)
  }
}
