import WireFormat

/// Something that happened, as a value of the domain.
public protocol JournaledEvent: Equatable, Sendable {
  /// Every type of event there is.
  static var catalog: EventCatalog { get }

  /// The number of this event's type in the catalogue.
  var type: UInt32 { get }

  /// Writes the body, fields in the order of their numbers. Equal events give equal bytes.
  func encodeBody(into writer: inout WireWriter)

  /// Reads the body of an event of `type`, written in `version` of its schema; `nil` when this program does not know
  /// the type or the version.
  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> Self?
}

/// What is known beside the event when it is folded into the state.
public struct EventContext: Equatable, Sendable {
  /// The event's position in its journal, from 1.
  public var sequence: UInt64
  /// When it was decided.
  public var moment: Moment

  /// Creates a context.
  public init(sequence: UInt64, moment: Moment) {
    self.sequence = sequence
    self.moment = moment
  }
}

/// A value that a history of events adds up to.
///
/// A state is divided into slices, each encoded and digested on its own, so that a difference between two states can be
/// named without comparing everything.
public protocol MachineState: Equatable, Sendable {
  /// The names of the slices; a slice is known by its index here.
  static var sliceNames: [String] { get }

  /// Writes one slice in its canonical form: equal slices give equal bytes, in every process.
  func encodeSlice(_ index: Int, into writer: inout WireWriter)

  /// Reads one slice that ``encodeSlice(_:into:)`` wrote.
  mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError)

  /// The whole state for people. The outermost members are the slices, in their order.
  func tree() -> StateTree

  /// One slice for people: the member of ``tree()`` that stands for it.
  ///
  /// The default takes it from ``tree()``; a state that can build one slice alone makes logs and blame much faster.
  func tree(ofSlice index: Int) -> StateTree

  /// Whether one slice is the same in `other`.
  ///
  /// The default compares canonical encodings; comparing the stored properties is much faster, and arrays that share
  /// their storage compare in constant time.
  func slice(_ index: Int, equals other: Self) -> Bool
}

/// Folds what happened into what is.
public protocol Reducer: Sendable {
  /// What the events add up to.
  associatedtype State: MachineState
  /// What can happen.
  associatedtype Event: JournaledEvent

  /// Raised whenever the same events would give another state than before.
  static var revision: UInt32 { get }

  /// The state before the first event.
  static var initialState: State { get }

  /// Folds one event into the state. Pure and total: the event happened, refusing it is not this function's job, and an
  /// event that fits nothing in the state changes nothing.
  static func reduce(into state: inout State, _ event: Event, _ context: EventContext)

  /// The number of the event type that says that a process has started, if the domain has one. Events carry the
  /// position of their process's start in ``Envelope/process``.
  static var processStart: UInt32? { get }

  /// The ``revision`` of the rules that computed the states from an event of type ``processStart`` on, where it says so. The digests that another revision recorded are not compared with what this one computes.
  static func recordedRevision(in event: Event) -> UInt32?
}

extension Reducer {
  /// No event says which revision computed the states.
  public static func recordedRevision(in event: Event) -> UInt32? { nil }

  /// No event type starts a process.
  public static var processStart: UInt32? { nil }
}

/// Decides what happens next.
public protocol Decider: Reducer {
  /// What somebody wants to happen.
  associatedtype Command: Sendable
  /// Why it cannot.
  associatedtype Rejection: Error & Equatable & Sendable & CustomStringConvertible

  /// Checks a command against the rules and returns what happens because of it, which may be nothing.
  ///
  /// Pure: everything it needs is in its arguments. What it evaluated and read goes into `explanation`.
  static func decide(
    _ command: Command, in state: State, at moment: Moment, explanation: inout Explanation
  ) throws(Rejection) -> [Event]

  /// The index of an earlier event of the same decision that led to the event at `index`; `nil` where none did, and the
  /// command's own cause counts.
  ///
  /// Where a decision finds something and orders something because of it, a reader who follows causes finds the order.
  static func cause(of index: Int, among events: [Event]) -> Int?

  /// Writes what distinguishes a command from others: equal commands give equal bytes, in every process.
  ///
  /// From it comes the fingerprint by which a command repeated under one idempotency key is told from another command
  /// under the same key. The default writes nothing: then the key alone decides, and the contents are not compared.
  static func encode(_ command: Command, into writer: inout WireWriter)
}

extension Decider {
  /// No event leads to another one of the same decision.
  @inlinable
  public static func cause(of index: Int, among events: [Event]) -> Int? { nil }

  /// Writes nothing: commands cannot be told apart by their contents.
  public static func encode(_ command: Command, into writer: inout WireWriter) {}
}
