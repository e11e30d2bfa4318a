import WireFormat

/// An event whose cases each hold an ``EventPayload``: the list of a domain with many types, where an ``EventList`` would
/// outgrow its page. The payload has everything else about its type.
///
/// Each type takes a case, a place in ``types``, and a line in ``visit(_:_:)``:
///
/// ```swift
/// enum Entry: PayloadList {
///   case deposited(Deposited), withdrawn(Withdrawn)
///   typealias State = Book
///   static let types = EventTypes<Entry>("account-book", .deposited(.blank), .withdrawn(.blank))
///   func visit<V: PayloadVisitor>(_ list: V, _ subject: inout V.Subject) throws(V.Failure) -> V.Result
///   where V.Event == Entry {
///     switch self {
///     case .deposited(let payload): try list.event(payload, Self.deposited, &subject)
///     case .withdrawn(let payload): try list.event(payload, Self.withdrawn, &subject)
///     }
///   }
/// }
/// ```
///
/// Number and name of an event are found without a look at its fields, and only payloads with personal fields are sealed.
public protocol PayloadList: JournaledEvent {
  /// What the events change.
  associatedtype State

  /// The domain's name, and every type: one event of each. A stored property: reading looks there for every event. A
  /// store refuses to append an event of a type that is missing here, because nothing could read it.
  static var types: EventTypes<Self> { get }

  /// Shows the payload to a visitor, and the case that holds such payloads.
  func visit<Visitor: PayloadVisitor>(
    _ list: Visitor, _ subject: inout Visitor.Subject
  ) throws(Visitor.Failure) -> Visitor.Result where Visitor.Event == Self
}

extension PayloadList {
  /// The name that comes first in ``types``.
  @inlinable public static var domain: String { types.domain }

  /// The types of the list.
  @inlinable public static var catalog: EventCatalog { types.catalog }

  /// The keys that ``types`` names.
  public static var entityKeys: EntityKeys { types.entityKeys }

  /// Whether an earlier list of types reads the event: ``EventTypes/upcasting(_:)``.
  public static func isUpcast(type: UInt32, version: UInt32) -> Bool { types.isUpcast(type: type, version: version) }

  /// The number of the event's type.
  @inlinable public var type: UInt32 {
    var nothing: Void = ()
    return visit(PayloadNumber(), &nothing)
  }

  /// The name of the event's type, such as `money.deposited`.
  @inlinable public var name: String {
    var nothing: Void = ()
    return visit(PayloadName(), &nothing)
  }

  /// Folds the payload into the state.
  @inlinable
  public func fold(into state: inout State, _ context: EventContext) {
    visit(PayloadFolding(context: context), &state)
  }

  /// Says what the event means, for the line that a log has for it.
  @inlinable
  public func describe(in headline: Headline) {
    var headline = headline
    visit(PayloadWords(), &headline)
  }

  /// Writes the fields of the payload.
  @inlinable
  public func encodeBody(into writer: inout WireWriter) {
    visit(PayloadWriter(), &writer)
  }

  /// Reads the payload of a version that it knows itself, or that ``EventTypes/upcasting(_:)`` brings forward.
  @inlinable
  public static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> Self? {
    guard let place = types.place(of: type), version >= types.firstVersions[place] else {
      return try types.decodeEarlier(type: type, version: version, body: &body)
    }
    return try types.blanks[place].visit(PayloadReader(version: version), &body)
  }

  /// The account whose key seals the payload's personal fields; 0 if it has none.
  @inlinable public var sealingAccount: UInt64 {
    var nothing: Void = ()
    return visit(PayloadAccount(), &nothing)
  }

  /// Passes the payload if it has personal fields.
  @inlinable
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    if let passed = try visit(PayloadPassing(), &pass) { self = passed }
  }
}

/// Does something with an event's payload, whatever its type: what a ``PayloadList`` is visited by.
public protocol PayloadVisitor<Event>: Sendable {
  /// The events.
  associatedtype Event: PayloadList
  /// What the visit reads or changes, such as a state.
  associatedtype Subject
  /// Why a visit fails.
  associatedtype Failure: Error
  /// What a visit finds.
  associatedtype Result

  /// Visits a payload.
  ///
  /// - Parameter event: The event with another payload of the same type.
  func event<Payload: EventPayload>(
    _ payload: Payload, _ event: (Payload) -> Event, _ subject: inout Subject
  ) throws(Failure) -> Result where Payload.State == Event.State
}
