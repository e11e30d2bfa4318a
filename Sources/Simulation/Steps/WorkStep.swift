import AppProtection

/// How work moves to another thread; an expectation can query the identity under which it runs.
public enum WorkStep: Equatable, Sendable {
  /// A thread creates the work with this label.
  case create(String, WorkKind, thread: String)
  /// A thread enqueues the work.
  case submit(String, thread: String)
}
