import Journal
import Synchronization

extension EventStore {
  /// Carries out a command, waits until what it led to may be acknowledged, and publishes the state that the answer is based
  /// on.
  ///
  /// Waits for the disk after `body`, which may hold the lock, so that threads waiting at the same time share one sync.
  @inlinable @inline(__always)
  func acknowledge(_ body: () throws(Failure) -> Outcome) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine>
  {
    do throws(Failure) {
      let (result, written, journal) = try body()
      do throws(JournalError) {
        if let written {
          try journal.waitUntilAcknowledged(written)
        } else {
          try journal.waitUntilAcknowledged(upTo: result.after.sequence)
        }
      } catch {
        throw Failure(.journal(error), in: result.after, by: journal)
      }
      publish(result.after)
      return result
    } catch {
      throw acknowledged(error)
    }
  }

  /// Waits until a refusal may be reported, and publishes the state that it is based on.
  ///
  /// - Returns: The error to report: the refusal, or that of the journal.
  @inlinable
  func acknowledged(_ failure: Failure) -> StoreError<Machine.Rejection> {
    guard let version = failure.version else { return failure.error }
    do throws(JournalError) {
      try failure.journal.waitUntilAcknowledged(upTo: version.sequence)
    } catch {
      return .journal(error)
    }
    publish(version)
    return failure.error
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
