/// How a service waits: before it asks again, or before it reads a file again that an editor is writing.
///
/// Tests replace it, so that no test sleeps.
public struct ServicePause: Sendable {
  private let wait: @Sendable (_ nanoseconds: Int64) async -> Void

  /// Waits as `wait` does; it should return early when its task is canceled.
  public init(_ wait: @escaping @Sendable (_ nanoseconds: Int64) async -> Void) {
    self.wait = wait
  }

  /// Waits by the system's clock.
  public static let real = ServicePause { nanoseconds in
    try? await Task.sleep(nanoseconds: UInt64(clamping: nanoseconds))
  }

  /// Waits; throws if the task is canceled before or meanwhile.
  func callAsFunction(nanoseconds: Int64) async throws(ServiceTrouble) {
    if !Task.isCancelled { await wait(nanoseconds) }
    if Task.isCancelled { throw .canceled }
  }
}
