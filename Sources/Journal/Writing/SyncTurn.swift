/// Who of those that wait for a sync does it for all of them.
///
/// While one thread has the turn, others write. When it gives the turn back, those are woken whose events were synced, and
/// one of the others, which takes the turn over; the rest sleeps on. A thread is so woken once for what it waits for, however
/// many wait beside it.
final class SyncTurn: @unchecked Sendable {
  /// A thread that sleeps until its events are durable, or until it is its turn.
  private final class Waiter: @unchecked Sendable {
    // Unchecked because of the variable, which is only touched under the monitor's lock.
    private let monitor = Platform.Monitor()
    private var hasTurn: Bool?
    let sequence: UInt64

    init(_ sequence: UInt64) { self.sequence = sequence }

    /// Sleeps until it is told something: whether the turn is its own.
    func wait() -> Bool {
      monitor.withLock {
        while true {
          if let hasTurn { return hasTurn }
          monitor.wait()
        }
      }
    }

    func wake(withTurn: Bool) {
      monitor.withLock { hasTurn = withTurn }
      // Without the lock, which the thread that wakes up needs.
      monitor.wakeAll()
    }
  }

  private struct Queue {
    var isTaken = false
    var waiters: [Waiter] = []
  }

  private let queue = Lock(Queue())

  /// Waits for the turn and takes it; `false`, without it, as soon as everything up to `sequence` is durable.
  func take(for sequence: UInt64, durable: () -> UInt64) -> Bool {
    enum Place {
      case done, first
      case behind(Waiter)
    }
    if durable() >= sequence { return false }
    let place = queue.withLock { queue -> Place in
      // Again under the lock: whoever had the turn may have given it back in between.
      if durable() >= sequence { return .done }
      guard queue.isTaken else {
        queue.isTaken = true
        return .first
      }
      let waiter = Waiter(sequence)
      queue.waiters.append(waiter)
      return .behind(waiter)
    }
    return switch place {
    case .done: false
    case .first: true
    case .behind(let waiter): waiter.wait()
    }
  }

  /// Gives the turn back, to one of those whose events are not durable yet.
  func give(durable: () -> UInt64) {
    let (next, done) = queue.withLock { queue -> (Waiter?, ArraySlice<Waiter>) in
      let durable = durable()
      let end = queue.waiters.partition { $0.sequence <= durable }
      let done = queue.waiters[end...]
      queue.waiters.removeSubrange(end...)
      let next = queue.waiters.popLast()
      queue.isTaken = next != nil
      return (next, done)
    }
    for waiter in done { waiter.wake(withTurn: false) }
    // Last of all: it takes longer to wake up than the others take to write what they have next, which then shares its sync.
    next?.wake(withTurn: true)
  }
}
