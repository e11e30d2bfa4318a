import AppProtection
import EventSourcing

/// Why the engine could not do what the caller requested.
public enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The rules forbid the command. Nothing was written.
  case rejected(AppProtectionRejection)
  /// The store or its journal refused the command.
  case store(StoreError<AppProtectionRejection>)
  /// The engine's observer interrupted the operation. What is durable stays durable.
  case interrupted
  /// Work kept producing more work, more often than in any real history: the app's answers form a cycle.
  case notSettling(PendingWork)

  /// The reason and the next step, in one line.
  public var description: String {
    switch self {
    case .rejected(let rejection): rejection.description
    case .store(let error): error.description
    case .interrupted: "the engine was interrupted; reopen the journal to continue"
    case .notSettling(let work):
      "the engine does not settle: \(work) keeps recurring; "
        + "check the answers of the service and the delegates"
    }
  }
}
