import Synchronization

extension FileSystem {
  /// How many threads can run at the same time, if the system provides threads.
  package var processorCount: Int { OperatingSystem.processorCount }

  /// Does the same work on this many threads, the current one included, and returns when all of them have finished.
  ///
  /// If the system provides no more threads, fewer do the work: it must not depend on their number.
  package func concurrently(_ count: Int, _ work: @escaping @Sendable () -> Void) {
    let others = RunningThreads()
    for _ in 0..<max(count - 1, 0) {
      others.count.wrappingAdd(1, ordering: .relaxed)
      let isStarted = startThread {
        work()
        others.end()
      }
      guard isStarted else {
        others.end()
        break
      }
    }
    work()
    others.monitor.withLock {
      while others.count.load(ordering: .relaxed) > 0 { others.monitor.wait() }
    }
  }
}

/// How many threads have not ended yet, and where to wait for them.
private final class RunningThreads: Sendable {
  let monitor = OperatingSystem.Monitor()
  let count = Atomic(0)

  func end() {
    monitor.withLock {
      count.wrappingSubtract(1, ordering: .relaxed)
      monitor.wakeAll()
    }
  }
}
