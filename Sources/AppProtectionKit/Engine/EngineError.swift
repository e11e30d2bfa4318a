import AppProtection
import EventSourcing

/// Why the engine could not do what was asked.
public enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The rules do not allow the command. Nothing was written.
  case rejected(AppProtectionRejection)
  /// The store or its journal refused the command.
  case store(StoreError<AppProtectionRejection>)
  /// The engine's observer ended what it was doing. What is durable stays so.
  case interrupted
  /// Work led to more work, and so on, more often than any history needs: the app's answers go round in circles.
  case notSettling(PendingWork)

  /// The reason and the next step.
  public var description: String {
    switch self {
    case .rejected(let rejection): rejection.description
    case .store(let error): error.description
    case .interrupted: "the engine was interrupted; open the journal again to go on"
    case .notSettling(let work):
      "the engine does not come to rest: \(work) comes again and again; "
        + "look at what the service and the delegates answer"
    }
  }
}
