import EventSourcing
import JSON
import PlainText

/// An expectation that was not met: what differs, where in the scenario, and which event caused it.
///
/// Values that may identify a person are withheld unless the scenario runs with ``/JSON/JSONExcerpt/showsPersons`` set.
public struct UnmetExpectation: Equatable, Sendable, CustomStringConvertible {
  /// The event that last changed the value in question.
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
  /// The place of the expectation in the file.
  public var position: JSONPosition
  /// What was examined: a path into the state, `callbacks`, `events`, `rejected`, `pending` or a decision.
  public var subject: String
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String
  /// The event that last changed the value; `nil` if none did or the subject has no such event.
  public var origin: Origin?

  /// Place, subject, expected value, actual value and origin, in three or four lines.
  public var description: String {
    let place = position.isInText ? "\(file): \(position)" : file
    var text = "\(place): \(subject)\n  expected  \(expected)\n  found     \(found)"
    if let origin {
      text += "\n  set by    \(origin.sequence) \(origin.type) \(CivilTime(nanoseconds: origin.wallNanoseconds).text)"
    }
    return text
  }
}
