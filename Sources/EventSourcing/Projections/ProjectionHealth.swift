/// How a projection is doing.
public struct ProjectionHealth: Equatable, Sendable {
  /// The projection.
  public let name: String
  /// The last event in the state or rows that are served; `nil` while the sink cannot say.
  public let position: UInt64?
  /// Number of events in the store's state that are not in it yet; `nil` while the sink cannot say.
  public let lag: UInt64?
  /// Whether what is served is of before a rebuilding that has not reached it yet.
  public let isRebuilding: Bool
  /// Why it does not move; `nil` while it does.
  public let lastError: ProjectionError?
  /// Since when it does not move.
  public let failingSince: Moment?
}

/// Why a projection does not move, or is refused.
public struct ProjectionError: Error, Equatable, Sendable, CustomStringConvertible {
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
      projection: projection, event: event, message: "could not take event \(event): \(error)",
      remedy: "it is tried again; if its rules are at fault, correct them and raise its revision")
  }

  static func sink(_ projection: String, _ error: any Error) -> Self {
    Self(
      projection: projection, event: nil, message: "cannot reach its sink: \(error)",
      remedy: "it goes on by itself once the sink is back")
  }

  static func history(_ projection: String, _ error: HistoryError) -> Self {
    Self(
      projection: projection, event: error.lastDerivable.map { $0 + 1 },
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

  static func file(_ projection: String, _ error: any Error) -> Self {
    Self(
      projection: projection, event: nil, message: "cannot store its state: \(error)",
      remedy: "free some space or check the permissions, then try again")
  }

  static func gone(_ projection: String, upTo last: UInt64) -> Self {
    Self(
      projection: projection, event: nil,
      message: "needs the events 1–\(last), which are retired, and no state of it was kept",
      remedy: "let it begin with the domain's state after them, as its protocol allows")
  }

  static func behind(_ projection: String, at position: UInt64?, upTo last: UInt64, _ cause: ProjectionError?) -> Self {
    let place = position.map { "is at event \($0)" } ?? "is at an unknown place"
    return Self(
      projection: projection, event: nil,
      message: "\(place), and events up to \(last) would go" + (cause.map { ": it \($0.message)" } ?? ""),
      remedy: "let it catch up, then retire again")
  }

  static func name(_ projection: String) -> Self {
    Self(
      projection: "\"\(projection)\"", event: nil,
      message: "has a name that is not 1 to 63 lower-case letters, digits, dots and hyphens", remedy: "rename it")
  }

  static func repeated(_ projection: String) -> Self {
    Self(
      projection: projection, event: nil, message: "has been added already", remedy: "use the model that was returned")
  }

  static func unknown(_ projection: String) -> Self {
    Self(projection: projection, event: nil, message: "has not been added", remedy: "add it first")
  }
}
