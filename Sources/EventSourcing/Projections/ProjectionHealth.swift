/// How a projection is doing.
public struct ProjectionHealth: Equatable, Sendable {
  /// The projection.
  public let name: String
  /// The last event in the state or rows that are served; `nil` while the sink cannot say, or has rows of another history.
  public let position: UInt64?
  /// Number of events in the store's state that are not in it yet; `nil` where ``position`` is.
  public let lag: UInt64?
  /// Whether what is served is of before a rebuilding that has not reached it yet.
  public let isRebuilding: Bool
  /// Why it stopped; `nil` while nothing keeps it from moving.
  public let lastError: ProjectionError?
  /// When it stopped.
  public let failingSince: Moment?
  /// Why its state could not be stored when this was tried last. It serves all the same, and the next program folds more events.
  public let savingError: ProjectionError?
}

/// Why a projection does not move, or is refused.
public struct ProjectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A stable name of the kind of error, for code that treats kinds differently.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `gone`.
    public let name: String

    /// Creates a code; use the static members.
    public init(_ name: String) { self.name = name }

    /// The code's name.
    public var description: String { name }

    /// An event could not be taken. It is tried again.
    public static let fold = Code("fold")
    /// The sink failed. It goes on by itself.
    public static let sink = Code("sink")
    /// Another program wrote rows meanwhile. It goes on from these.
    public static let moved = Code("moved")
    /// The events cannot be read.
    public static let events = Code("events")
    /// The keys of personal data cannot be read now.
    public static let keys = Code("keys")
    /// The state cannot be stored.
    public static let file = Code("file")
    /// Events that it needs are retired. Waiting does not help.
    public static let gone = Code("gone")
    /// It has not taken events that would be retired.
    public static let behind = Code("behind")
    /// Its name is no name, or that of another, or was not added.
    public static let name = Code("name")
  }

  /// The kind of error.
  public let code: Code
  /// The projection's name.
  public let projection: String
  /// The event that it could not take, if it is about one.
  public let event: UInt64?
  /// One clause: what is wrong.
  public let message: String
  /// One clause: what to do about it.
  public let remedy: String

  /// The reason and the next step.
  public var description: String { "the projection \(projection) \(message); \(remedy)" }

  static func fold(_ projection: String, _ event: UInt64, _ error: any Error) -> Self {
    Self(
      code: .fold, projection: projection, event: event, message: "could not take event \(event): \(error)",
      remedy: "it is tried again; if its rules are at fault, correct them and raise its revision")
  }

  static func sink(_ projection: String, _ error: any Error) -> Self {
    if let error = error as? ProjectionPosition.Mismatch {
      return Self(
        code: .moved, projection: projection, event: nil,
        message: "does not write over the rows of another program: \(error)",
        remedy: "it goes on from these; let one program at a time write them")
    }
    return Self(
      code: .sink, projection: projection, event: nil, message: "cannot reach its sink: \(error)",
      remedy: "it goes on by itself once the sink is back")
  }

  static func history(_ projection: String, _ error: HistoryError) -> Self {
    if case .sealing(let error) = error {
      return Self(
        code: .keys, projection: projection, event: nil, message: "cannot open its personal data: \(error.message)",
        remedy: "try again once the keys can be read")
    }
    return Self(
      code: .events, projection: projection, event: error.lastDerivable.map { $0 + 1 },
      message: "cannot read the events: \(error.message)",
      remedy: "verify the journal, and restore it from a copy if it is damaged")
  }

  /// Reads the history for a projection.
  static func reading<Value: ~Copyable>(
    for projection: String, _ body: () throws(HistoryError) -> Value
  ) throws(ProjectionError) -> Value {
    do throws(HistoryError) {
      return try body()
    } catch {
      throw .history(projection, error)
    }
  }

  static func unreadable(_ projection: String, to file: String) -> Self {
    Self(
      code: .file, projection: projection, event: nil,
      message: "has a state that could not be read again from \(file)",
      remedy: "check the disk; a state of more than 1 GiB belongs into a sink")
  }

  static func unread(_ projection: String, _ file: String, _ error: any Error) -> Self {
    Self(
      code: .file, projection: projection, event: nil, message: "cannot read its state in \(file): \(error)",
      remedy: "check the disk and the permissions, then try again")
  }

  static func file(_ projection: String, _ error: any Error) -> Self {
    Self(
      code: .file, projection: projection, event: nil, message: "cannot store its state: \(error)",
      remedy: "free some space or check the permissions, then try again")
  }

  static func gone(_ projection: String, upTo last: UInt64) -> Self {
    Self(
      code: .gone, projection: projection, event: nil,
      message: "needs the events 1–\(last), which are retired, and no state of it was kept",
      remedy: "let it begin with the domain's state after them, as its protocol allows")
  }

  static func behind(_ projection: String, at position: UInt64?, upTo last: UInt64, _ cause: ProjectionError?) -> Self {
    let place = position.map { "is at event \($0)" } ?? "is at an unknown place"
    return Self(
      code: .behind, projection: projection, event: nil,
      message: "\(place), and events up to \(last) would go" + (cause.map { ": it \($0.message)" } ?? ""),
      remedy: "let it catch up, then retire again")
  }

  static func name(_ projection: String) -> Self {
    Self(
      code: .name, projection: "\"\(projection)\"", event: nil,
      message: "has a name that is not 1 to 63 lower-case letters, digits, dots and hyphens", remedy: "rename it")
  }

  static func repeated(_ projection: String) -> Self {
    Self(
      code: .name, projection: projection, event: nil, message: "has been added already",
      remedy: "use the model that was returned")
  }

  static func unknown(_ projection: String) -> Self {
    Self(code: .name, projection: projection, event: nil, message: "has not been added", remedy: "add it first")
  }
}
