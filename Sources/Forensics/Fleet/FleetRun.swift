import Journal

/// Examines many journals on several threads. What comes out does not depend on their number or on which is done first.
public enum FleetRun {
  /// The most files or folders in work for each thread: one that takes long holds up no more than these.
  private static let maximumWaiting = 32

  /// Examines everything that `next` returns, and hands on what was found in the same order.
  ///
  /// What waits is bounded, so memory does not grow with the number of journals.
  ///
  /// - Parameters:
  ///   - fileSystem: Starts the threads.
  ///   - threads: The number of threads, the calling one included.
  ///   - next: The next piece of work; `nil` at the end. Called on the calling thread.
  ///   - examine: Examines it, on any thread.
  ///   - take: Receives what was found, on the calling thread; `false` ends the run early.
  public static func run<Unit: Sendable, Found: Sendable, Failure: Error>(
    on fileSystem: any FileSystem, threads: Int, next: () throws(Failure) -> Unit?,
    examine: @escaping @Sendable (Unit) -> Found, take: (Unit, Found) throws(Failure) -> Bool
  ) throws(Failure) {
    let work = OrderedWork<Unit, (Unit, Found)>(on: fileSystem, threads: threads) { { ($0, examine($0)) } }
    defer { work.end() }
    while let unit = try next() {
      work.give(unit)
      guard work.count >= threads * maximumWaiting, let (unit, found) = work.next() else { continue }
      guard try take(unit, found) else { return }
    }
    while let (unit, found) = work.next() {
      guard try take(unit, found) else { return }
    }
  }
}
