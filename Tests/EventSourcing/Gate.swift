import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Keeps threads from going on until a test opens it.
final class Gate: Sendable {
  private let isOpened = Atomic(false)
  private let count = Atomic(0)

  /// How many came to the gate so far.
  var arrivals: Int { count.load(ordering: .acquiring) }

  /// Returns when the gate is open.
  func pass() {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    while !isOpened.load(ordering: .acquiring) { sched_yield() }
  }

  /// Opens for all threads, now and later.
  func open() {
    isOpened.store(true, ordering: .releasing)
  }
}

/// Lets others run until something holds.
func waitUntil(_ holds: () -> Bool) {
  while !holds() { sched_yield() }
}

/// The same in a task, which leaves its thread to other tasks meanwhile.
func waitUntil(_ holds: () -> Bool) async {
  while !holds() { await Task.yield() }
}

/// Gives other threads many turns.
func letOthersRun() {
  for _ in 0..<2_000 { sched_yield() }
}
