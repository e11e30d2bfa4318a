import AppProtection

/// How work comes to run on another thread, of which an expectation can ask under whose identity it does.
public enum WorkStep: Equatable, Sendable {
  /// A thread creates the work of this label.
  case create(String, WorkKind, thread: String)
  /// A thread enqueues the work.
  case submit(String, thread: String)
}
