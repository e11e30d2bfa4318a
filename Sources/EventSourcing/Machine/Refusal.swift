/// Why an ``Aggregate`` refuses an event.
public struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reason as a clause, such as `the book holds 12.50 only`.
  public let description: String

  /// Refuses for a reason.
  public init(_ reason: String) {
    description = reason
  }
}
