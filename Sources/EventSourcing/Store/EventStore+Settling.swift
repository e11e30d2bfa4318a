import Journal
import Synchronization

extension EventStore {
  /// Waits until an outcome may be told, publishes the state that it rests on, and tells it.
  @inlinable
  func settle(_ outcome: Outcome) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    if let version = outcome.version {
      do throws(JournalError) {
        if let written = outcome.written {
          try journal.waitUntilAcknowledged(written)
        } else {
          try journal.waitUntilAcknowledged(upTo: version.sequence)
        }
      } catch {
        throw .journal(error)
      }
      publish(version)
    }
    switch outcome.answer {
    case .result(let result): return result
    case .failure(let failure): throw failure.error
    }
  }

  /// Shows a state that is acknowledged to everybody, unless they see a later one already.
  @inlinable
  func publish(_ version: StateVersion<Machine.State>) {
    let continuations = waiting.withLock { waiting -> [CheckedContinuation<Void, Never>] in
      guard version.sequence > published.current.sequence else { return [] }
      published.publish(version)
      guard !waiting.continuations.isEmpty else { return [] }
      defer { waiting.continuations = [] }
      return waiting.continuations
    }
    for continuation in continuations { continuation.resume() }
  }
}
