import EventSourcing
import JSON

/// Something that a scenario expected and that is otherwise: what, where in the scenario, and which event made it so.
///
/// What may name a person is withheld in it unless the scenario is run while ``/JSON/JSONExcerpt/showsPersons`` is set.
public struct UnmetExpectation: Equatable, Sendable, CustomStringConvertible {
  /// The event that last changed what was looked at.
  public struct Origin: Equatable, Sendable {
    /// The event's position in the journal.
    public var sequence: UInt64
    /// The event's type.
    public var type: String
    /// When it was decided, in nanoseconds since 1970-01-01T00:00:00Z.
    public var wallNanoseconds: Int64
  }

  /// The scenario's file.
  public var file: String
  /// Where the expectation stands in the file.
  public var position: JSONPosition
  /// What was looked at: a path into the state, `callbacks`, `events`, `rejected`, `pending` or a decision.
  public var subject: String
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String
  /// The event that last changed what was looked at; `nil` when none did, or where there is no such event.
  public var origin: Origin?

  /// Place, subject, expectation, finding and origin, in three or four lines.
  public var description: String {
    let place = position.isInText ? "\(file): \(position)" : file
    var text = "\(place): \(subject)\n  expected  \(expected)\n  found     \(found)"
    if let origin {
      text += "\n  set by    \(origin.sequence) \(origin.type) \(WallTime.text(origin.wallNanoseconds))"
    }
    return text
  }
}
