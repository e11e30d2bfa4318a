import Synchronization

extension Projections {
  /// Keeps all up to date as events are appended, until the store is closed or the task is cancelled. Those that fail try again
  /// after each pause, also if no event follows; the others go on meanwhile.
  ///
  /// - Parameter pause: Lets some time pass. Throws when the task is cancelled, which ends the following.
  public func follow(pausing pause: @escaping @Sendable () async throws -> Void) async {
    let isRetryDue = RetryFlag()
    await withTaskGroup { tasks in
      tasks.addTask { [self] in
        while !Task.isCancelled, (try? await pause()) != nil {
          guard health.contains(where: { $0.lastError != nil }) else { continue }
          isRetryDue.value.store(true, ordering: .releasing)
          store.wake()
        }
      }
      var isRetrying = true
      while !Task.isCancelled {
        let end = pass(retrying: isRetrying)
        guard await store.waits(beyond: end) else { break }
        isRetrying = isRetryDue.value.exchange(false, ordering: .acquiring)
      }
      tasks.cancelAll()
    }
  }
}

/// Whether a pause is over.
private final class RetryFlag: Sendable {
  let value = Atomic(false)
}
