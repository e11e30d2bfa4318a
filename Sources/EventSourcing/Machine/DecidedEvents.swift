/// The events that a command leads to, each folded into the state once, when it is decided.
///
/// ```swift
/// var decided = DecidedEvents<Ledger>(in: state, at: next)
/// decided.append(.opened(account: 1))
/// decided.state.accounts.count  // 1: later rules see what the event changed
/// ```
///
/// A store writes these events and shows these states: it folds nothing again.
public struct DecidedEvents<Machine: Reducer>: Sendable {
  // Only these methods write here; a setter that inlinable code calls cannot be private.
  @usableFromInline var list: [Machine.Event] = []
  @usableFromInline var folded: Machine.State
  @usableFromInline var place: EventContext
  /// The states after all events but the last, whose state is ``state``.
  @usableFromInline var inner: [Machine.State] = []

  /// The events in order.
  @inlinable public var events: [Machine.Event] { list }
  /// The state after the events. Read in place: a copy would retain every part of the state.
  @inlinable public var state: Machine.State { _read { yield folded } }
  /// The position of the next event, and the moment of the decision.
  @inlinable public var next: EventContext { place }
  /// The position of the last event; `nil` without events.
  @inlinable public var last: UInt64? { list.isEmpty ? nil : place.sequence - 1 }

  /// No events yet.
  ///
  /// - Parameters:
  ///   - state: The state in which the command is decided.
  ///   - next: The position of the first event, and the moment of the decision.
  @inlinable
  public init(in state: Machine.State, at next: EventContext) {
    folded = state
    place = next
  }

  /// Events whose decision does not depend on the state changes of those before them.
  @inlinable
  public init(_ events: [Machine.Event], in state: Machine.State, at next: EventContext) {
    self.init(in: state, at: next)
    for event in events { append(event) }
  }

  /// Adds an event and folds it. Amortised O(1) plus the cost of folding.
  @inlinable
  public mutating func append(_ event: Machine.Event) {
    if !list.isEmpty { inner.append(folded) }
    Machine.reduce(into: &folded, event, place)
    list.append(event)
    place.sequence += 1
  }

  /// Removes and returns the events and the inner states, without counting references to them.
  @inlinable
  mutating func removeAll() -> (events: [Machine.Event], inner: [Machine.State]) {
    let taken = (list, inner)
    (list, inner) = ([], [])
    return taken
  }
}
