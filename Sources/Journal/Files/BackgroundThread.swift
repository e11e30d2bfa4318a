/// A journal's own thread: it does work that a task must not wait for, and work that falls due between calls.
///
/// It starts with the first job and ends when it is stopped and every job is done. It retains only its jobs.
final class BackgroundThread: @unchecked Sendable {
  // Unchecked because of the variables, which are only accessed under the monitor's lock.
  private let monitor = OperatingSystem.Monitor()
  private let fileSystem: any FileSystem
  private var work: [@Sendable () -> Void] = []
  private var alarm: (nanoseconds: UInt64, work: @Sendable () -> Void)?
  private var isStarted = false
  private var isStopped = false

  init(_ fileSystem: any FileSystem) {
    self.fileSystem = fileSystem
  }

  /// Runs a job soon, after those already waiting; `false` when it will not run, because the thread does not exist or
  /// has ended.
  func schedule(_ body: @escaping @Sendable () -> Void) -> Bool {
    monitor.withLock {
      guard start() else { return false }
      work.append(body)
      monitor.wakeAll()
      return true
    }
  }

  /// Runs a job once this much time has passed, unless it is stopped before. Only one alarm exists. `false` when the
  /// job will not run, because the thread does not exist or has ended.
  func setAlarm(after nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool {
    monitor.withLock {
      guard start() else { return false }
      let moment = fileSystem.monotonicNanoseconds.addingReportingOverflow(nanoseconds)
      alarm = (moment.overflow ? .max : moment.partialValue, body)
      monitor.wakeAll()
      return true
    }
  }

  /// Finishes the waiting jobs and ends, without being waited for. The alarm is off.
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

  /// Waits for the next job and returns it; `nil` once no more will come.
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
