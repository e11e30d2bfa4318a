import Synchronization

/// Runs tasks on the thread that asks for it, one job at a time, in the order in which they were enqueued: what a test starts
/// runs up to the point where it waits for something that the test does next.
public final class SerialTaskExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  public init() {}

  /// Adds a job; ``runJobs()`` runs it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs jobs until none is left.
  public func runJobs() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Starts a task, and runs it up to where it waits.
  @discardableResult
  public func start<Value: Sendable>(
    _ body: sending @escaping @isolated(any) () async throws -> Value
  ) -> Task<Value, any Error> {
    let task = Task(executorPreference: self, operation: body)
    runJobs()
    return task
  }

  /// Runs a task that waits for nothing but what runs here; `nil` if it does.
  public func value<Value: Sendable, Failure: Error>(
    of body: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    let outcome = Outcome<Value, Failure>()
    start {
      do throws(Failure) {
        let value = try await body()
        outcome.result.withLock { $0 = .success(value) }
      } catch {
        outcome.result.withLock { $0 = .failure(error) }
      }
    }
    return try outcome.result.withLock { $0 }?.get()
  }

  private final class Outcome<Value: Sendable, Failure: Error>: Sendable {
    let result = Mutex<Result<Value, Failure>?>(nil)
  }
}
