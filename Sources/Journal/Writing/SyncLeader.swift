/// Decides which of the waiting threads syncs for all of them.
///
/// While one thread has the turn, others write. When it gives the turn back, it wakes the threads whose events were
/// synced, and one of the others, which takes over the turn; the rest sleep on. So each thread wakes once for its own
/// event, however many wait beside it.
final class SyncLeader: @unchecked Sendable {
  /// A thread that sleeps until its events are durable, or until it gets the turn.
  private final class Waiter: @unchecked Sendable {
    // Unchecked because of the variable, which is only accessed under the monitor's lock.
    private let monitor = OperatingSystem.Monitor()
    private var hasTurn: Bool?
    let sequence: UInt64

    init(_ sequence: UInt64) { self.sequence = sequence }

    /// Sleeps until it is woken; returns whether it has the turn.
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
      // Released first: the waking thread needs the lock.
      monitor.wakeAll()
    }
  }

  private struct Queue {
    var isTaken = false
    var waiters: [Waiter] = []
  }

  private let queue = Lock(Queue())

  /// Waits for the turn and takes it; returns `false`, without it, as soon as everything up to `sequence` is durable.
  func acquire(for sequence: UInt64, durable: () -> UInt64) -> Bool {
    enum Place {
      case done, first
      case behind(Waiter)
    }
    if durable() >= sequence { return false }
    let place = queue.withLock { queue -> Place in
      // Checked again under the lock: the turn may have been given back in between.
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

  /// Gives the turn to a thread whose events are not durable yet.
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
    // Last of all: waking up takes longer than the other threads need for their next write, which then shares its
    // sync.
    next?.wake(withTurn: true)
  }
}
