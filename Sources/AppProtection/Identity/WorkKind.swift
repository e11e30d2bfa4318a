/// How a piece of work was handed to whatever runs it. Each kind takes its identity from another place.
public enum WorkKind: String, CaseIterable, Sendable {
  /// A block on a dispatch queue, synchronous or not: the identity of the thread that enqueued it.
  case block
  /// An operation: the identity of the thread that added it to its queue, not of the one that created it.
  case operation
  /// A dispatch work item: the identity of the thread that created it, wherever it is dispatched.
  case workItem
  /// A child task of Swift concurrency: that of the scope that created it, by the assumption that holds.
  case childTask
  /// A detached task: none, by the assumption that holds.
  case detachedTask
}

/// A piece of work with the identity that it carries.
public struct Work: Equatable, Sendable {
  /// How it is handed on.
  public let kind: WorkKind
  /// The identity under which it will run; `unset` where the work carries none.
  public internal(set) var identity: Identity
}
