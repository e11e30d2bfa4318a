/// A value that each event of a history can change, and that counts once the batch of the event is complete: what holds between
/// two events of a batch was never in force.
@usableFromInline
struct SettledValue<Value: Equatable & Sendable, Event: Sendable>: Sendable {
  /// The value that counts.
  @usableFromInline var value: Value
  @usableFromInline var latest: Value
  /// The event since which the latest value holds, if it is of the batch at hand.
  @usableFromInline var since: Event?

  @inlinable
  init(_ value: Value) {
    (self.value, latest) = (value, value)
  }

  /// Adds the value after the next event.
  ///
  /// - Parameters:
  ///   - event: What is to be returned for the event.
  ///   - isLast: Whether it is the last of its batch.
  /// - Returns: The event of the batch that brought the value that counts from now on; `nil` if it counted already, or the
  ///   batch is not complete.
  @inlinable
  mutating func update(_ new: Value, _ event: @autoclosure () -> Event, isLast: Bool) -> Event? {
    if new != latest { (latest, since) = (new, event()) }
    guard isLast else { return nil }
    defer { since = nil }
    guard latest != value else { return nil }
    value = latest
    return since
  }
}
