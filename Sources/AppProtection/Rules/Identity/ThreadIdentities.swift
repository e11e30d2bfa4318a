import EventSourcing

/// The identities of threads and how work carries them between threads: a model of what the SDK does beneath dispatch
/// queues, operations and tasks.
///
/// ```swift
/// var threads = ThreadIdentities()
/// threads.set(.account(a), on: "x")
/// let block = threads.create(.block, on: "x")
/// threads.run(block, on: "worker") { $0["worker"] }  // a, and afterwards what the worker had before
/// ```
///
/// A change that work makes to its identity lasts until the work ends. A change outside any work lasts until the app
/// reverts it; one never reverted is a leak (``leak(serving:on:)``).
public struct ThreadIdentities: Equatable, Sendable {
  /// The state of one thread.
  private struct Thread: Equatable, Sendable {
    var identity = Identity.unset
    /// Whether the identity was set outside any work, so that it is not restored automatically.
    var isManual = false
    /// The number of nested pieces of work running on it.
    var depth = 0
  }

  private var threads: [String: Thread] = [:]
  private let assumptions: Assumptions

  /// Creates threads without identities.
  public init(assumptions: Assumptions = Assumptions()) {
    self.assumptions = assumptions
  }

  /// The threads of a process as recorded in its journal.
  public init(_ state: AppProtectionState) {
    self.init(assumptions: state.settings.app.assumptions)
    for thread in state.identities.threads { set(thread.identity, on: thread.label) }
  }

  /// The identity of a thread.
  public subscript(thread: String) -> Identity {
    threads[thread]?.identity ?? .unset
  }

  /// Sets a thread's identity, as `setCurrentThreadAccountId` does.
  public mutating func set(_ identity: Identity, on thread: String) {
    let isInsideWork = (threads[thread]?.depth ?? 0) > 0
    threads[thread, default: Thread()].identity = identity
    if !isInsideWork { threads[thread, default: Thread()].isManual = identity != .unset }
  }

  /// Runs a closure under an identity and restores the previous one, even if the closure throws
  /// (`setAccountId(_:forScope:)`).
  public mutating func withIdentity<Result, Failure: Error>(
    _ identity: Identity, on thread: String, _ body: (inout ThreadIdentities) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try run(Work(kind: .childTask, identity: identity), on: thread, body)
  }

  /// Creates a piece of work on a thread. If another thread enqueues it, submit it there (``submit(_:on:)``).
  public func create(_ kind: WorkKind, on thread: String) -> Work {
    let inherits =
      switch kind {
      case .block, .operation, .workItem: true
      case .childTask: assumptions.childTasksInheritIdentity
      case .detachedTask: assumptions.detachedTasksInheritIdentity
      }
    return Work(kind: kind, identity: inherits ? self[thread] : .unset)
  }

  /// The work after a thread has enqueued it: blocks and operations take that thread's identity; other work keeps the
  /// identity it was created with.
  public func submit(_ work: Work, on thread: String) -> Work {
    switch work.kind {
    case .block, .operation: Work(kind: work.kind, identity: self[thread])
    case .workItem, .childTask, .detachedTask: work
    }
  }

  /// Runs work on a thread under the identity that the work carries. The thread's own identity is restored afterwards,
  /// even if the work throws.
  public mutating func run<Result, Failure: Error>(
    _ work: Work, on thread: String, _ body: (inout ThreadIdentities) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = threads[thread] ?? Thread()
    threads[thread] = Thread(identity: work.identity, isManual: false, depth: before.depth + 1)
    defer { threads[thread] = before }
    return try body(&self)
  }

  /// The leak that appears when a thread serves a task without an identity of its own while it still has another
  /// account's identity, set by a call that was never reverted. `nil` if the thread does not leak.
  public func leak(serving identity: Identity, on thread: String) -> IdentityLeak? {
    guard let known = threads[thread], known.isManual, known.identity != .unset, known.identity != identity else {
      return nil
    }
    return IdentityLeak(thread: thread, identity: known.identity, served: identity)
  }
}

/// An identity that stayed on a thread and was applied to another identity's task.
public struct IdentityLeak: Equatable, Sendable, CustomStringConvertible {
  /// The thread.
  public let thread: String
  /// The identity that stayed on the thread.
  public let identity: Identity
  /// The identity whose task the thread serves.
  public let served: Identity

  /// The mistake and its remedy.
  public var description: String {
    "thread \(thread) still has the identity of \(identity) and serves \(served): restore the identity that was there"
      + " before, or set it for a scope"
  }
}
