/// A journal's own thread: it does what a task must not wait for, and what falls due between calls.
///
/// It starts with the first job and ends when it is stopped and every job is done. It retains only its jobs.
final class BackgroundThread: @unchecked Sendable {
  // Unchecked because of the variables, which are only touched under the monitor's lock.
  private let monitor = Platform.Monitor()
  private let fileSystem: any FileSystem
  private var work: [@Sendable () -> Void] = []
  private var alarm: (nanoseconds: UInt64, work: @Sendable () -> Void)?
  private var isStarted = false
  private var isStopped = false

  init(_ fileSystem: any FileSystem) {
    self.fileSystem = fileSystem
  }

  /// Has something done soon, behind what is waiting; `false` when it will not be, because there is no thread or not
  /// any more.
  func schedule(_ body: @escaping @Sendable () -> Void) -> Bool {
    monitor.withLock {
      guard start() else { return false }
      work.append(body)
      monitor.wakeAll()
      return true
    }
  }

  /// Has something done once this much time has passed, unless it is stopped before. There is one alarm. `false` when it
  /// will not be done, because there is no thread or not any more.
  func setAlarm(after nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool {
    monitor.withLock {
      guard start() else { return false }
      let moment = fileSystem.monotonicNanoseconds.addingReportingOverflow(nanoseconds)
      alarm = (moment.overflow ? .max : moment.partialValue, body)
      monitor.wakeAll()
      return true
    }
  }

  /// Does what is waiting and ends, without being waited for. The alarm is off.
  func stop() {
    monitor.withLock {
      isStopped = true
      alarm = nil
      monitor.wakeAll()
    }
  }

  private func start() -> Bool {
    if isStopped { return false }
    if !isStarted { isStarted = fileSystem.startThread { self.run() } }
    return isStarted
  }

  private func run() {
    while let body = next() { body() }
  }

  /// What is to be done next; waits for it. `nil` when there will be nothing more.
  private func next() -> (@Sendable () -> Void)? {
    monitor.withLock {
      while true {
        if !work.isEmpty { return work.removeFirst() }
        if isStopped { return nil }
        guard let alarm else {
          monitor.wait()
          continue
        }
        let now = fileSystem.monotonicNanoseconds
        if now >= alarm.nanoseconds {
          self.alarm = nil
          return alarm.work
        }
        monitor.wait(nanoseconds: alarm.nanoseconds - now)
      }
    }
  }
}
