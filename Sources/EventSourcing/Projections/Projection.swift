import WireFormat

/// A read model: another state over the events of a domain, with a name and a position of its own.
///
/// ```swift
/// struct Spending: FieldTree, MachineState {
///   var cents: Int64 = 0
///   static var blank: Spending { Spending() }
///   static func visit<V: FieldVisitor>(_ spending: inout Spending, _ field: inout V) throws(V.Failure) {
///     try field(1, "cents", &spending.cents)
///   }
/// }
///
/// enum SpendingProjection: Projection {
///   typealias Domain = Book
///   static let name = "spending"
///   static func fold(_ entry: Entry, into spending: inout Spending, _ context: EventContext) {
///     if case .withdrawn(let cents) = entry { spending.cents += cents }
///   }
/// }
/// ```
///
/// ``Projections`` keeps it up to date. It has nothing to do with the domain's own state: a journal does not name it, and a
/// ``History`` is that of a ``Reducer``.
public protocol Projection: Sendable {
  /// The domain whose events it folds.
  associatedtype Domain: Decider
  /// What they add up to.
  associatedtype State: MachineState

  /// Its name, which its files have too: 1 to 63 lower-case letters, digits, dots and hyphens.
  static var name: String { get }
  /// Raised whenever the same events would produce another state; the projection is then rebuilt. The default is 1.
  static var revision: UInt32 { get }
  /// The state before the first event. The default of a state that is a ``FieldList`` is its ``FieldList/blank``.
  static var initialState: State { get }

  /// Folds one event into the state. It depends on its arguments only.
  ///
  /// - Throws: Whatever keeps the projection from taking the event. It then stays before this event, is tried again, and
  ///   stops no other.
  static func fold(_ event: Domain.Event, into state: inout State, _ context: EventContext) throws

  /// The state to begin with where the first events are retired: what can be said from the domain's own state after them.
  ///
  /// - Parameters:
  ///   - state: The domain's state.
  ///   - sequence: The last event in it.
  /// - Returns: `nil` if the events themselves are needed, as by default; the projection is then refused.
  static func initialState(from state: Domain.State, at sequence: UInt64) -> State?
}

extension Projection {
  /// 1: the rules have not changed since the first event.
  public static var revision: UInt32 { 1 }

  /// `nil`: the events themselves are needed.
  public static func initialState(from state: Domain.State, at sequence: UInt64) -> State? { nil }
}

extension Projection where State: FieldList {
  /// The state that reading one begins with.
  public static var initialState: State { State.blank }
}

/// A projection as a reducer, for what stores and reads states. It folds nothing: a fold may throw, and a reducer does not.
enum StoredProjection<Model: Projection>: Reducer {
  typealias State = Model.State
  typealias Event = Model.Domain.Event

  static var revision: UInt32 { Model.revision }
  static var initialState: Model.State { Model.initialState }

  static func reduce(into state: inout Model.State, _ event: Model.Domain.Event, _ context: EventContext) {}
}
