import EventSourcing

extension Projections {
  /// The read models of a store, none yet, with the system's time.
  @inlinable
  public convenience init(_ store: EventStore<Domain>) {
    self.init(store, now: { .now() })
  }

  /// Keeps all up to date as events are appended, until the store is closed or the task is cancelled. Those that fail try again
  /// after each pause, also if no event follows; the others go on meanwhile.
  public func follow(retryingEvery pause: Duration = .seconds(1)) async {
    await follow { try await Task.sleep(for: pause) }
  }
}
