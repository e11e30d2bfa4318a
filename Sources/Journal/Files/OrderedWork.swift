import Synchronization

/// Work that several threads share, with results in the order in which the work was given.
///
/// One thread gives the work and takes the results; it does the next piece itself while the result it wants is not
/// ready, so work is also done where the system starts no other thread. What is given and not taken yet is in memory:
/// the caller limits it by ``count``.
///
/// ```swift
/// let squares = OrderedWork<Int, Int>(on: fileSystem, threads: 2) { { $0 * $0 } }
/// defer { squares.end() }
/// squares.give(2)
/// squares.give(3)
/// squares.take()  // 4
/// ```
package final class OrderedWork<Input: Sendable, Output: Sendable> {
  private let shared = Shared()
  /// Makes what one thread works with.
  private let makeWorker: @Sendable () -> (Input) -> Output
  /// What the calling thread works with, once it has to.
  private lazy var ownWorker = makeWorker()
  private let fileSystem: any FileSystem
  /// Number of threads not started yet.
  private var startable: Int
  private var given = 0
  private var taken = 0

  /// What the threads share.
  private final class Shared: Sendable {
    struct Queue: Sendable {
      var inputs: [(number: Int, input: Input)] = []
      var outputs: [Int: Output] = [:]
      var running = 0
      var isEnded = false
    }

    /// Held while the queue changes, so that no wake-up is missed.
    let monitor = OperatingSystem.Monitor()
    let queue = Mutex(Queue())

    func change<Value: Sendable>(_ body: (inout Queue) -> Value) -> Value {
      monitor.withLock {
        defer { monitor.wakeAll() }
        return queue.withLock { body(&$0) }
      }
    }

    /// Waits until `body` returns something.
    func wait<Value: Sendable>(for body: (inout Queue) -> Value?) -> Value {
      monitor.withLock {
        while true {
          if let value = queue.withLock({ body(&$0) }) { return value }
          monitor.wait()
        }
      }
    }
  }

  /// - Parameters:
  ///   - fileSystem: Starts the threads.
  ///   - threads: The number of threads, the calling one included.
  ///   - makeWorker: Called once on each thread: what it returns stays there and does the work.
  package init(
    on fileSystem: any FileSystem, threads: Int, _ makeWorker: @escaping @Sendable () -> (Input) -> Output
  ) {
    self.fileSystem = fileSystem
    self.makeWorker = makeWorker
    startable = max(threads - 1, 0)
  }

  /// Number of pieces given and not taken.
  package var count: Int { given - taken }

  /// Adds a piece of work. O(pieces waiting).
  package func give(_ input: Input) {
    let number = given
    given += 1
    shared.change { $0.inputs.append((number, input)) }
    if startable > 0 {
      startable -= 1
      startThread()
    }
  }

  /// The result of the earliest piece that was not taken; `nil` without any.
  package func next() -> Output? {
    guard count > 0 else { return nil }
    let number = taken
    taken += 1
    while true {
      let next: (output: Output?, input: (number: Int, input: Input)?) = shared.wait { queue in
        if let output = queue.outputs.removeValue(forKey: number) { return (output, nil) }
        return queue.inputs.isEmpty ? nil : (nil, queue.inputs.removeFirst())
      }
      if let output = next.output { return output }
      guard let (number, input) = next.input else { continue }
      let output = ownWorker(input)
      shared.change { $0.outputs[number] = output }
    }
  }

  /// Drops what no thread has begun, and waits for the threads to end. Call it when no more is taken.
  package func end() {
    shared.change { queue in
      queue.isEnded = true
      queue.inputs = []
    }
    shared.wait { $0.running == 0 ? () : nil }
  }

  private func startThread() {
    shared.change { $0.running += 1 }
    let isStarted = fileSystem.startThread { [shared, makeWorker] in
      let worker = makeWorker()
      while let (number, input) = Self.claim(in: shared) {
        let output = worker(input)
        shared.change { $0.outputs[number] = output }
      }
      shared.change { $0.running -= 1 }
    }
    if !isStarted { shared.change { $0.running -= 1 } }
  }

  /// The next piece that no thread has begun; `nil` once all is over.
  private static func claim(in shared: Shared) -> (number: Int, input: Input)? {
    shared.wait { queue in
      if queue.isEnded { return .some(nil) }
      return queue.inputs.isEmpty ? nil : .some(queue.inputs.removeFirst())
    }
  }
}
