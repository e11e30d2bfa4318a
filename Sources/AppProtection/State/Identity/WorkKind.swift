/// How a piece of work was scheduled. Each kind takes its identity from a different place.
public enum WorkKind: String, CaseIterable, Sendable {
  /// A block on a dispatch queue, synchronous or not: the identity of the thread that enqueued it.
  case block
  /// An operation: the identity of the thread that added it to its queue, not of the one that created it.
  case operation
  /// A dispatch work item: the identity of the thread that created it, wherever it is dispatched.
  case workItem
  /// A child task of Swift concurrency: that of the scope that created it, subject to an assumption.
  case childTask
  /// A detached task: none, subject to an assumption.
  case detachedTask
}

/// A piece of work and the identity it carries.
public struct Work: Equatable, Sendable {
  /// How the work was scheduled.
  public let kind: WorkKind
  /// The identity it will run under; `unset` if the work carries none.
  public internal(set) var identity: Identity
}
