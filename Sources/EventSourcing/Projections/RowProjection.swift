import Journal

/// A read model whose state is kept elsewhere: rows in a database, documents, an index.
///
/// As a ``Projection``, but each event is written into a ``ProjectionSink``.
public protocol RowProjection: Sendable {
  /// The domain whose events it writes.
  associatedtype Domain: Decider
  /// Where to.
  associatedtype Sink: ProjectionSink

  /// Its name: 1 to 63 lower-case letters, digits, dots and hyphens.
  static var name: String { get }
  /// Raised whenever the same events would produce other rows; the projection is then rebuilt. The default is 1.
  static var revision: UInt32 { get }

  /// Writes what one event changes.
  ///
  /// - Throws: Whatever keeps the projection from taking the event. It then stays before this event, is tried again, and
  ///   stops no other.
  static func write(_ event: Domain.Event, to rows: inout Sink.Rows, _ context: EventContext) throws

  /// Writes the rows to begin with where the first events are retired: what can be said from the domain's own state.
  ///
  /// - Returns: `false` if the events themselves are needed, as by default; the projection is then refused.
  static func write(_ state: Domain.State, at sequence: UInt64, to rows: inout Sink.Rows) throws -> Bool
}

extension RowProjection {
  /// 1: the rules have not changed since the first event.
  public static var revision: UInt32 { 1 }

  /// `false`: the events themselves are needed.
  public static func write(_ state: Domain.State, at sequence: UInt64, to rows: inout Sink.Rows) throws -> Bool {
    false
  }
}

/// Where row projections write, each with its position.
///
/// **Guarantee.** If a transaction compares the position, and stores rows and position together or neither, each event is in the
/// rows exactly once, whatever happens to the process, the power and the connection, and also where two programs write. If a sink
/// stores the position apart from the rows, after them, events may be written again after a failure: at least once.
public protocol ProjectionSink: Sendable {
  /// What a projection writes with inside a transaction, such as a connection.
  associatedtype Rows

  /// The position stored with the last transaction of a projection; `nil` if there was none.
  func position(of projection: String) throws -> ProjectionPosition?

  /// Runs a transaction of a projection: calls `body` once, stores the position that it returns, and commits. Rolls back and
  /// passes on the error if `body` throws.
  ///
  /// - Parameters:
  ///   - projection: The projection's name.
  ///   - start: The position after which the rows go on; the transaction begins with
  ///     ``ProjectionPosition/requireStored(_:)`` for what it has stored. `nil` if they are written again: it then begins with
  ///     removing the projection's rows, so that others see the old ones until it commits.
  ///   - body: Writes the rows. It must not be kept. A failure of the connection in it is a ``SinkFailure``.
  func transaction(
    of projection: String, after start: ProjectionPosition?, _ body: (inout Rows) throws -> ProjectionPosition) throws
}

/// Marks an error that a projection meets while it writes as one of the sink: the event is not at fault.
public struct SinkFailure: Error, CustomStringConvertible {
  /// What went wrong.
  public let cause: any Error

  /// Marks an error.
  public init(_ cause: any Error) { self.cause = cause }

  /// What went wrong.
  public var description: String { "\(cause)" }
}

/// How far a projection has come, and in which history.
public struct ProjectionPosition: Equatable, LosslessStringConvertible, Sendable {
  /// The last event taken; 0 before the first.
  public var sequence: UInt64
  /// The journal's chain after it: another history has another value.
  public var chain: UInt32
  /// The revision of the projection.
  public var revision: UInt32
  /// The journal.
  public var journal: JournalID

  /// Creates a position from its stored parts.
  public init(sequence: UInt64, chain: UInt32, revision: UInt32, journal: JournalID) {
    self.sequence = sequence
    self.chain = chain
    self.revision = revision
    self.journal = journal
  }

  /// Reads the text form.
  public init?(_ description: String) {
    let parts = description.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, let sequence = UInt64(parts[0]), let chain = UInt32(parts[1]),
      let revision = UInt32(parts[2]), let journal = JournalID(String(parts[3]))
    else { return nil }
    self.init(sequence: sequence, chain: chain, revision: revision, journal: journal)
  }

  /// The text form, which a sink can store: the four numbers in their order, with spaces between them.
  public var description: String { "\(sequence) \(chain) \(revision) \(journal)" }

  /// Refuses to go on from here where a sink's rows are elsewhere, as when another program wrote them meanwhile.
  ///
  /// - Parameter stored: The position stored with the rows; `nil` if there is none.
  /// - Throws: ``Mismatch``; the sink passes it on, and is asked for its position again.
  public func requireStored(_ stored: ProjectionPosition?) throws(Mismatch) {
    guard stored.map({ $0 == self }) ?? (sequence == 0) else { throw Mismatch(expected: self, stored: stored) }
  }

  /// Rows are not where they were.
  public struct Mismatch: Error, Equatable, CustomStringConvertible {
    /// Where they were.
    public let expected: ProjectionPosition
    /// Where they are.
    public let stored: ProjectionPosition?

    /// Both positions.
    public var description: String {
      "they are those after event \(stored?.sequence ?? 0), not \(expected.sequence), or of another history"
    }
  }
}
