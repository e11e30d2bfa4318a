import AppProtection
import EventSourcing
import EventSourcingKit

/// Why the engine could not do what the caller requested.
public enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The rules refused the command. Nothing was written, unless the refusal of an identity switch is itself an event.
  case refused(CommandRefusal)
  /// The store or its journal refused the command.
  case store(StoreError<AppProtectionRejection>)
  /// What other processes handed over cannot be carried out, or a command not be handed over.
  case spool(SpoolError)
  /// The engine's observer interrupted the operation. What is durable stays durable.
  case interrupted
  /// The task that ran the engine was canceled. What is durable stays durable, and pending work stays pending.
  case canceled
  /// A delegate tried to end the engine while a run waited for that delegate.
  case endedByDelegate
  /// The engine has ended, and its process with it.
  case ended
  /// Work kept producing more work, more often than in any real history: the app's answers form a cycle.
  case notSettling(PendingWork)

  /// A failure of the store at a path, with the journal named.
  static func store(_ error: StoreError<AppProtectionRejection>, at path: String) -> EngineError {
    switch error {
    case .journal(let reason): .store(.journal(reason.inJournal(at: path)))
    case .history(let reason): .store(.history(reason.inJournal(at: path)))
    case .rejected, .conflict, .entityConflict, .keyReused, .keyTooLong, .attributes, .sealing, .causeUnknown:
      .store(error)
    }
  }

  /// The reason and the next step, in one line.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .store(let error): error.description
    case .spool(let error): error.description
    case .interrupted: "the engine was interrupted; reopen the journal to continue"
    case .canceled: "the run was canceled; run the engine again to continue"
    case .endedByDelegate:
      "a delegate cannot end the engine that waits for its answer; return first, or end it from a task of your own"
    case .ended: "the engine has ended; create another one on the store"
    case .notSettling(let work):
      "the engine does not settle: \(work) keeps recurring; "
        + "check the answers of the service and the delegates"
    }
  }

  /// Whether the store is suspended: the command may be sent again after ``PolicyEngine/resume(_:)``.
  public var isSuspended: Bool {
    if case .store(.journal(let error)) = self { error.code == .suspended } else { false }
  }

  /// The reason for a refusal that wrote nothing; `nil` for any other error.
  public var rejection: AppProtectionRejection? {
    if case .refused(let refusal) = self { refusal.rejection } else { nil }
  }
}
