import AppProtection

extension PolicyEngine {
  /// The most changes that wait for a subscriber.
  public static let changeBufferSize = 1_024

  /// The changes from now on, in the order of their events, as soon as they are durable.
  ///
  /// ```swift
  /// for try await change in engine.changes() {
  ///   if case .policyDidChange(let account) = change { await reload(account) }
  /// }
  /// ```
  ///
  /// Each call is a new subscription, and every subscriber gets every change. Up to ``changeBufferSize`` changes wait for a
  /// subscriber that is busy. When one more comes, the subscriber still gets those, and then ``ChangesMissed`` ends its
  /// sequence: it subscribes again, and reads the state. A slow subscriber delays neither the engine nor the others.
  ///
  /// The sequence ends with the engine (``end()``). Delegates are told in the same order, but by ``run()``, and so later.
  public func changes() -> AsyncThrowingStream<PolicyChange, any Error> {
    relay.changes(buffering: Self.changeBufferSize)
  }
}
