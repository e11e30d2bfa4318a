import EventSourcing
import Journal

extension EventSubscription {
  /// A subscriber to a store's events, with the system's clock: as
  /// ``/EventSourcing/EventSubscription/init(to:named:startingAt:discardingStored:policy:now:pausing:)``.
  ///
  /// - Parameter pause: How long to wait after the first attempt. Twice as long after each further one, up to 64 times.
  /// - Throws: ``/EventSourcing/SubscriptionError`` if another program has it, its stored position is of another history, its next
  ///   events are gone, or a file cannot be read or written.
  public convenience init(
    to store: EventStore<Domain>, named name: String, startingAt start: SubscriptionStart,
    discardingStored: Bool = false, policy: SubscriptionPolicy = SubscriptionPolicy(),
    retryingAfter pause: Duration = .seconds(1)
  ) throws(SubscriptionError) {
    try self.init(
      to: store, named: name, startingAt: start, discardingStored: discardingStored, policy: policy,
      now: { .now() }, pausing: { try await Task.sleep(for: pause.doubled(after: $0)) })
  }

  /// A subscriber to the events that another program writes, with the system's clock: as
  /// ``/EventSourcing/EventSubscription/init(to:upTo:named:startingAt:discardingStored:policy:now:pausing:)``.
  ///
  /// - Parameter pause: How long to wait after the first attempt. Twice as long after each further one, up to 64 times.
  /// - Throws: ``/EventSourcing/SubscriptionError`` if another program has it, the journal is of another domain or cannot be read,
  ///   its stored position is of another history, its next events are gone, or a file cannot be read or written.
  public convenience init(
    to history: History<Domain>, upTo limit: ReadLimit = .durable, named name: String,
    startingAt start: SubscriptionStart, discardingStored: Bool = false,
    policy: SubscriptionPolicy = SubscriptionPolicy(), retryingAfter pause: Duration = .seconds(1)
  ) throws(SubscriptionError) {
    try self.init(
      to: history, upTo: limit, named: name, startingAt: start, discardingStored: discardingStored, policy: policy,
      now: { .now() }, pausing: { try await Task.sleep(for: pause.doubled(after: $0)) })
  }
}

extension Duration {
  /// Twice as long after each attempt but the first, up to 64 times.
  fileprivate func doubled(after attempts: Int) -> Duration { self * (1 << min(max(attempts - 1, 0), 6)) }
}
