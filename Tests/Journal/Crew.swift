@testable import Journal

/// Threads that a test starts, and what they are waited for with.
final class Crew: @unchecked Sendable {
  // Unchecked because of the variables, which are only touched under the monitor's lock.
  private let monitor = OperatingSystem.Monitor()
  private var working = 0
  private var count = 0
  private var noted: [UInt64] = []

  /// Runs a function on a thread of its own.
  func start(_ body: @escaping @Sendable () -> Void) {
    monitor.withLock { working += 1 }
    let isStarted = OperatingSystem.startThread { [self] in
      body()
      monitor.withLock {
        working -= 1
        monitor.wakeAll()
      }
    }
    precondition(isStarted, "the system gives no thread")
  }

  /// Returns when all threads are done.
  func join() {
    monitor.withLock { while working > 0 { monitor.wait() } }
  }

  /// Counts one more.
  func tick() {
    monitor.withLock {
      count += 1
      monitor.wakeAll()
    }
  }

  /// Returns when so many were counted.
  func waitForTicks(_ wanted: Int) {
    monitor.withLock { while count < wanted { monitor.wait() } }
  }

  /// Keeps numbers that threads and tasks came to know.
  func note(_ numbers: some Sequence<UInt64>) {
    monitor.withLock { noted += numbers }
  }

  /// The numbers that were noted, in their order.
  var numbers: [UInt64] { monitor.withLock { noted.sorted() } }
}
