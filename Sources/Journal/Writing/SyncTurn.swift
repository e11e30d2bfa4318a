/// Who of those that wait for a sync does it for all of them.
///
/// While one thread has the turn, others write. When it gives the turn back, all who wait look whether what they wrote
/// was synced, and one of those for whom it was not takes the next turn.
final class SyncTurn: @unchecked Sendable {
  // Unchecked because of the variable, which is only touched under the monitor's lock.
  private let monitor = Platform.Monitor()
  private var isTaken = false

  /// Waits for the turn and takes it; `false`, without it, as soon as there is nothing left to do.
  func take(unless isDone: () -> Bool) -> Bool {
    if isDone() { return false }
    return monitor.withLock {
      while !isDone() {
        if !isTaken {
          isTaken = true
          return true
        }
        monitor.wait()
      }
      return false
    }
  }

  /// Gives the turn back.
  func give() {
    monitor.withLock {
      isTaken = false
      monitor.wakeAll()
    }
  }
}
