import WireFormat

/// A small domain in one type: the state, what its events change, and which of them are refused.
///
/// Its commands are its events: what is appended happened, unless ``check(_:)`` refuses it.
///
/// ```swift
/// struct Book: Aggregate {
///   var cents: Int64 = 0
///   mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "cents", &cents) }
///   mutating func apply(_ entry: Entry, _ context: EventContext) {
///     switch entry {
///     case .deposited(let amount): cents &+= amount
///     case .withdrawn(let amount): cents &-= amount
///     }
///   }
/// }
/// ```
///
/// A domain whose commands lead to several events, or to events that depend on the rules, is a ``Decider`` instead; its
/// state can be a ``FieldTree`` all the same.
public protocol Aggregate: Decider, MachineState, FieldTree
where State == Self, Command == Event, Rejection == Refusal {
  // Named again, so that a conforming type need not name them: `apply` says what the event is.
  /// What can happen.
  associatedtype Event
  /// The aggregate is the state.
  associatedtype State = Self
  /// An event is recorded by asking for it.
  associatedtype Command = Event
  /// Why an event is refused.
  associatedtype Rejection = Refusal

  /// The state before the first event.
  init()

  /// Shows each field of the state to a visitor, in the order of the numbers.
  mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure)

  /// Changes the state as the event says. Pure and total, as ``Reducer/reduce(into:_:_:)``.
  mutating func apply(_ event: Event, _ context: EventContext)

  /// Refuses an event that must not happen in this state. Pure. The default refuses none.
  func check(_ event: Event) throws(Refusal)
}

extension Aggregate {
  /// The state before the first event.
  @inlinable public static var blank: Self { Self() }

  /// Visits the state's fields.
  @inlinable
  public static func visit<Visitor: FieldVisitor>(
    _ state: inout Self, _ field: inout Visitor
  ) throws(Visitor.Failure) {
    try state.visit(&field)
  }

  /// Applies the event.
  @inlinable
  public static func reduce(into state: inout Self, _ event: Event, _ context: EventContext) {
    state.apply(event, context)
  }

  /// Refuses nothing.
  @inlinable
  public func check(_ event: Event) throws(Refusal) {}

  /// Records the event unless ``check(_:)`` refuses it.
  @inlinable
  public static func decide(
    _ event: Event, in state: Self, at next: EventContext, explanation: inout Explanation
  ) throws(Refusal) -> DecidedEvents<Self> {
    try state.check(event)
    return DecidedEvents([event], in: state, at: next)
  }

  /// Writes the event.
  @inlinable
  public static func encode(_ event: Event, into writer: inout WireWriter) {
    writer.write(1, unsigned: UInt64(event.type))
    writer.write(2) { event.encodeBody(into: &$0) }
  }
}
