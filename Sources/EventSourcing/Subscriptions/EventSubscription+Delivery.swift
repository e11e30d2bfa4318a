import Journal

extension EventSubscription {
  /// An event in the hands of a subscriber.
  ///
  /// Asking the loop for the next event acknowledges it, as the work is then done. A loop that stops before, by `break`,
  /// an error or a crash, leaves it unacknowledged, and the event comes again.
  public struct Delivery: Sendable {
    /// The event's number and time.
    public let context: EventContext
    /// What happened.
    public let event: Domain.Event
    /// Which attempt this is: 1 for the first.
    public let attempt: Int
    /// Whether the event was parked, so that later ones have been delivered already.
    public let isParked: Bool

    let subscription: EventSubscription
    let chain: UInt32
    let number: UInt64

    /// Sixteen bytes that are the same whenever this subscription delivers this event, and no other: what the other side needs to
    /// do it once, as the key of a request, or of a command of another store.
    public var idempotencyKey: [UInt8] {
      let numbers = [context.sequence, UInt64(chain)].flatMap { number in
        withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
      }
      return [UInt8](
        Digest.sha256(subscription.journal.bytes + numbers + Array(subscription.name.utf8)).bytes.prefix(16))
    }

    /// Acknowledges the event before the loop asks for the next one, as before a `break`. Does nothing once it is settled.
    ///
    /// - Throws: ``SubscriptionError`` if the position cannot be stored. It is then stored before the next event is delivered.
    public func acknowledge() throws(SubscriptionError) { try subscription.acknowledge(number) }

    /// Says that the work failed: when the loop asks for the next event, this one is tried again after the pause, or
    /// parked. The text of the error is stored, up to 512 bytes of it. Does nothing once the event is settled or
    /// acknowledged, even if the acknowledgement could not be stored, or if the task is cancelled.
    public func fail(_ error: any Error) { subscription.fail(number, String(describing: error)) }
  }
}
