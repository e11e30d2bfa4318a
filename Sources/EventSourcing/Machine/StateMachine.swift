import WireFormat

/// Something that happened, as a domain value.
public protocol JournaledEvent: Equatable, Sendable {
  /// The name of the domain, such as `account-book`: 1 to 63 lower-case letters, digits, dots and hyphens.
  ///
  /// A journal keeps the name for ever, and stores of other domains refuse it. Never change it.
  static var domain: String { get }

  /// Describes every event type of the domain.
  static var catalog: EventCatalog { get }

  /// Which fields are the keys of entities. The default is none; lists say it in ``EventTypes/keyed(_:by:)``.
  static var entityKeys: EntityKeys { get }

  /// The number of this event's type in the catalogue.
  var type: UInt32 { get }

  /// Writes the body, fields in the order of their numbers. Equal events produce equal bytes.
  func encodeBody(into writer: inout WireWriter)

  /// Decodes the body of an event of `type` written in `version` of its schema; `nil` if this program does not know
  /// the type or the version.
  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> Self?

  /// Whether ``decode(type:version:body:)`` makes another event of this version than its fields say, because the meaning of
  /// a field has changed: then the catalogue does not describe its body. The default is no.
  static func isUpcast(type: UInt32, version: UInt32) -> Bool

  /// The account whose key seals the event's personal data, from 1; 0 for none, so that the event stays plain.
  ///
  /// The default is 0. The number must follow from the body without its personal fields.
  var sealingAccount: UInt64 { get }

  /// Passes the personal data in the event to be sealed or opened. The default of an ``EventList`` passes its ``Personal``
  /// fields; other events have none.
  mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError)
}

extension JournaledEvent {
  /// No event is about an entity.
  public static var entityKeys: EntityKeys { EntityKeys() }

  /// No event is brought forward.
  public static func isUpcast(type: UInt32, version: UInt32) -> Bool { false }

  /// 0: no key seals the event's data.
  @inlinable public var sealingAccount: UInt64 { 0 }

  /// Passes nothing.
  @inlinable
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {}
}

/// What a reducer knows about an event besides its contents.
public struct EventContext: Equatable, Sendable {
  /// The event's position in its journal, from 1.
  public var sequence: UInt64
  /// When it was decided.
  public var moment: Moment

  /// `sequence` counts from 1.
  public init(sequence: UInt64, moment: Moment) {
    self.sequence = sequence
    self.moment = moment
  }
}

/// Folds events into a state.
public protocol Reducer: Sendable {
  /// The result of folding events.
  associatedtype State: MachineState
  /// The events of the domain.
  associatedtype Event: JournaledEvent

  /// Raised whenever the same events would produce a different state. The default is 1.
  static var revision: UInt32 { get }

  /// The earliest revision whose states these rules reproduce from the events that it wrote, as where a changed rule asks
  /// which revision wrote an event: digests recorded since are compared. The default is ``revision``.
  static var earliestKeptRevision: UInt32 { get }

  /// The state before the first event. The default of a state that is a ``FieldList`` is its ``FieldList/blank``.
  static var initialState: State { get }

  /// Folds one event into the state. Pure and total: the event has happened and cannot be refused here. An event that
  /// does not fit the state changes nothing.
  static func reduce(into state: inout State, _ event: Event, _ context: EventContext)

  /// Brings a state that an earlier revision computed forward to this one, so that the events after it can be folded by
  /// these rules. Pure. Only asked where the events before the state are retired; otherwise they are all folded again.
  ///
  /// ``StoredState/decoded()`` is the state as today's slices read it. A state that needs nothing else is that:
  ///
  /// ```swift
  /// static func migrate(_ stored: StoredState<Book>) throws(WireError) -> Book? { try stored.decoded() }
  /// ```
  ///
  /// - Returns: `nil` for a revision from which nothing can be brought forward; then the journal is refused, and nothing is
  ///   written. So it is if this throws. The default is `nil`.
  static func migrate(_ stored: StoredState<State>) throws(WireError) -> State?

  /// The number of the event type that records the start of a process, if the domain has one. Events carry the
  /// position of their process's start in ``Envelope/process``.
  static var processStart: UInt32? { get }

  /// The ``revision`` that computed the states from an event of type ``processStart`` on; `nil` if the event does not
  /// say. Digests recorded by a revision before ``earliestKeptRevision``, or by a later one than this, are not compared.
  static func recordedRevision(in event: Event) -> UInt32?
}

extension Reducer {
  /// 1: the rules have not changed since the first event.
  @inlinable public static var revision: UInt32 { 1 }

  /// This one: another revision gives other states.
  @inlinable public static var earliestKeptRevision: UInt32 { revision }

  /// `nil`: no earlier state can be brought forward.
  public static func migrate(_ stored: StoredState<State>) throws(WireError) -> State? { nil }

  /// What a journal's catalogue says about the states.
  static var stateDescriptor: StateDescriptor {
    StateDescriptor(
      revision: revision,
      slices: State.sliceNames.map {
        StateDescriptor.Slice($0, unknownReaders: State.ignorableSlices.contains($0) ? .ignorable : .mustUnderstand)
      })
  }

  /// `nil`: no event records a revision.
  public static func recordedRevision(in event: Event) -> UInt32? { nil }

  /// `nil`: no event type records the start of a process.
  public static var processStart: UInt32? { nil }
}

extension Reducer where State: FieldList {
  /// The state that reading one begins with.
  @inlinable public static var initialState: State { State.blank }
}

/// Decides which events a command leads to.
public protocol Decider: Reducer {
  /// A request to change the state.
  associatedtype Command: Sendable
  /// Why a command is refused.
  associatedtype Rejection: Error & Equatable & Sendable & CustomStringConvertible

  /// Checks a command against the rules and returns the resulting events, possibly none, with the states after them.
  ///
  /// Pure: it depends only on its arguments. Records the rules and fields it evaluated in `explanation`.
  ///
  /// - Parameter next: The position of the command's first event, and the moment of the decision. The returned events
  ///   must begin there; a store refuses them otherwise, because its states would not be those of its journal.
  static func decide(
    _ command: Command, in state: State, at next: EventContext, explanation: inout Explanation
  ) throws(Rejection) -> DecidedEvents<Self>

  /// The index of an earlier event in the same decision that led to the event at `index`; `nil` if none did, so that
  /// the command's own cause applies.
  ///
  /// When a decision both finds something and orders something because of it, following the causes leads to the order.
  static func cause(of index: Int, among events: [Event]) -> Int?

  /// Writes what distinguishes a command from others: equal commands produce equal bytes, in every process.
  ///
  /// A fingerprint of these bytes tells a repeated command from a different one under the same idempotency key. The
  /// default writes nothing: then the key alone decides.
  static func encode(_ command: Command, into writer: inout WireWriter)
}

extension Decider {
  /// `nil`: no event leads to another in the same decision.
  @inlinable
  public static func cause(of index: Int, among events: [Event]) -> Int? { nil }

  /// Writes nothing: commands are not distinguished by their contents.
  public static func encode(_ command: Command, into writer: inout WireWriter) {}
}
