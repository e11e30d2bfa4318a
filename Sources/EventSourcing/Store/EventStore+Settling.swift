import Journal
import Synchronization

extension EventStore {
  /// Waits until an outcome may be acknowledged, publishes the state it is based on, and returns the answer.
  @inlinable
  func settle(_ outcome: Outcome) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    if let version = outcome.version {
      do throws(JournalError) {
        if let written = outcome.written {
          try outcome.journal.waitUntilAcknowledged(written)
        } else {
          try outcome.journal.waitUntilAcknowledged(upTo: version.sequence)
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

  /// Publishes an acknowledged state, unless a later one is already visible.
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
