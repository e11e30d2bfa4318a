import EventSourcing

/// The identities of threads, and how work that is handed from one to another carries them: a model of what the SDK does
/// beneath dispatch queues, operations and tasks.
///
/// ```swift
/// var threads = ThreadIdentities()
/// threads.set(.account(a), on: "x")
/// let block = threads.create(.block, on: "x")
/// threads.run(block, on: "worker") { $0["worker"] }  // a, and afterwards what the worker had before
/// ```
///
/// A change that work makes to its identity holds for the rest of that work and ends with it. A change outside any work
/// stays until somebody takes it back: what is not taken back is a leak (``leak(serving:on:)``).
public struct ThreadIdentities: Equatable, Sendable {
  /// What is known about one thread.
  private struct Thread: Equatable, Sendable {
    var identity = Identity.unset
    /// Whether the identity was set outside any work, by a call that nothing restores.
    var isManual = false
    /// How many pieces of work run on it, one inside the other.
    var depth = 0
  }

  private var threads: [String: Thread] = [:]
  private let assumptions: Assumptions

  /// Creates threads without identities.
  public init(assumptions: Assumptions = Assumptions()) {
    self.assumptions = assumptions
  }

  /// The threads of a process as its journal has them.
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

  /// Runs something under an identity and restores the one before, whatever comes of it
  /// (`setAccountId(_:forScope:)`).
  public mutating func withIdentity<Result, Failure: Error>(
    _ identity: Identity, on thread: String, _ body: (inout ThreadIdentities) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try run(Work(kind: .childTask, identity: identity), on: thread, body)
  }

  /// Creates a piece of work on a thread. Work that is enqueued somewhere else than it was created is then submitted
  /// there (``submit(_:on:)``).
  public func create(_ kind: WorkKind, on thread: String) -> Work {
    let inherits =
      switch kind {
      case .block, .operation, .workItem: true
      case .childTask: assumptions.childTasksInheritIdentity
      case .detachedTask: assumptions.detachedTasksInheritIdentity
      }
    return Work(kind: kind, identity: inherits ? self[thread] : .unset)
  }

  /// The work as it is once a thread has enqueued it: blocks and operations take that thread's identity, everything else
  /// keeps the one that it was created with.
  public func submit(_ work: Work, on thread: String) -> Work {
    switch work.kind {
    case .block, .operation: Work(kind: work.kind, identity: self[thread])
    case .workItem, .childTask, .detachedTask: work
    }
  }

  /// Runs work on a thread under the identity that it carries. The thread's own is put away meanwhile and restored
  /// afterwards, also when the work throws.
  public mutating func run<Result, Failure: Error>(
    _ work: Work, on thread: String, _ body: (inout ThreadIdentities) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = threads[thread] ?? Thread()
    threads[thread] = Thread(identity: work.identity, isManual: false, depth: before.depth + 1)
    defer { threads[thread] = before }
    return try body(&self)
  }

  /// The leak that shows when a thread serves somebody's task that carries no identity of its own: the thread still has
  /// that of somebody else, set by a call that nothing restored. `nil` where there is none.
  public func leak(serving identity: Identity, on thread: String) -> IdentityLeak? {
    guard let known = threads[thread], known.isManual, known.identity != .unset, known.identity != identity else {
      return nil
    }
    return IdentityLeak(thread: thread, identity: known.identity, served: identity)
  }
}

/// An identity that stayed on a thread and came to serve somebody else's task.
public struct IdentityLeak: Equatable, Sendable, CustomStringConvertible {
  /// The thread.
  public let thread: String
  /// Whose identity stayed on it.
  public let identity: Identity
  /// Whose task it serves.
  public let served: Identity

  /// What went wrong, and what to do.
  public var description: String {
    "thread \(thread) still has the identity of \(identity) and serves \(served): restore the identity that was there"
      + " before, or set it for a scope"
  }
}
