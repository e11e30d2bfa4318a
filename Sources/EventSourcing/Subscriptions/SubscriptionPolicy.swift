/// Where a subscription begins that has no stored position.
public enum SubscriptionStart: Hashable, Sendable {
  /// At the first event that the journal keeps.
  case firstKept
  /// After the last event: only what happens from now on.
  case end
  /// After the event with this number.
  case after(UInt64)
}

/// How often a subscription tries an event, and how many it parks.
public struct SubscriptionPolicy: Hashable, Sendable {
  /// The most events that can be parked.
  public static var highestParkingLimit: Int { 256 }

  /// Number of attempts after which an event is parked; at least 1.
  public let maximumAttempts: Int
  /// Number of events that may be parked. When one more would be, the subscription stops before it. At 0 it
  /// goes on without an event only by ``EventSubscription/skip(_:)``.
  public let parkingLimit: Int

  /// - Parameters:
  ///   - maximumAttempts: Number of attempts after which an event is parked. Less than 1 is 1.
  ///   - parkingLimit: Number of events that may be parked, up to ``highestParkingLimit``.
  public init(maximumAttempts: Int = 5, parkingLimit: Int = 64) {
    self.maximumAttempts = max(1, maximumAttempts)
    self.parkingLimit = min(max(0, parkingLimit), Self.highestParkingLimit)
  }
}
