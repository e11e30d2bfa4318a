import Synchronization

/// Wakes tasks that wait for something to happen.
///
/// A task notes the count, looks at what it waits for, and then waits for a ring after that count: a ring in between is
/// never missed.
final class Wakeup: Sendable {
  private struct State {
    var count: UInt64 = 0
    var lastWaiter = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Number of rings so far.
  var count: UInt64 { state.withLock { $0.count } }

  /// Wakes every waiting task.
  func ring() {
    let waiting = state.withLock { state in
      state.count += 1
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }

  /// Returns when the bell has rung more often than `count` times, or the task is canceled.
  func wait(after count: UInt64) async {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.count > count || Task.isCancelled { return true }
          assert(state.waiting[waiter] == nil, "two tasks wait under one number")
          state.waiting[waiter] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume()
    }
  }
}
