import AppProtectionKit
import Synchronization

/// An alarm that a test rings, and the times for which it was set.
final class TestAlarm: Alarm {
  private struct State {
    var times: [Int64] = []
    var sleepers: [Int: (until: Int64, continuation: CheckedContinuation<Void, Never>)] = [:]
  }

  private let state = Mutex(State())

  /// Every time it was set for.
  var times: [Int64] { state.withLock { $0.times } }

  /// The times that tasks wait for.
  var pending: [Int64] { state.withLock { $0.sleepers.values.map(\.until).sorted() } }

  func sleep(until wallNanoseconds: Int64) async {
    let number = state.withLock { state in
      state.times.append(wallNanoseconds)
      return state.times.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCanceled = state.withLock { state in
          guard !Task.isCancelled else { return true }
          state.sleepers[number] = (wallNanoseconds, continuation)
          return false
        }
        if isCanceled { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
    }
  }

  /// Wakes every task.
  func ring() {
    let sleepers = state.withLock { state in
      defer { state.sleepers = [:] }
      return state.sleepers
    }
    for sleeper in sleepers.values { sleeper.continuation.resume() }
  }
}
