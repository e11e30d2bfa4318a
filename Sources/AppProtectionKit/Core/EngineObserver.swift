import AppProtection
import EventSourcing

/// Observes the engine: for logs, and for simulations in which the process dies at a chosen point.
///
/// Called on the thread that sent the command, in order, while no other command is accepted. An observer may read the
/// engine's state. It must not send commands, ask for an app configuration, or wait for a thread that does, and of the
/// store it must use nothing but the state. Throwing ends the engine's current operation as if the process had died
/// there: nothing more is written, and no delegate is called.
public protocol EngineObserver: Sendable {
  /// These events are decided and about to be written, as soon as this returns. The store shows the state before them. The
  /// journal may still refuse them, for instance because the disk is full.
  func willAppend(_ events: [AppProtectionEvent]) throws(EngineInterruption)
  /// These events are durable; no delegate has been called yet.
  func didAppend(_ result: AppendResult<AppProtectionMachine>) throws(EngineInterruption)
  /// The app is about to receive this callback.
  func willDeliver(_ callback: String)
}

/// Thrown by an ``EngineObserver`` to stop the engine.
public struct EngineInterruption: Error, Equatable, Sendable {
  /// Carries no reason: the observer knows it.
  public init() {}
}

/// A question to the app without a corresponding callback event, as reported to an ``EngineObserver``.
public enum EngineQuestion: String, CaseIterable, Sendable {
  /// Which managed account to keep: the one that registers or the existing one.
  case chooseAccount
  /// Which account signs in.
  case askLogin
  /// The postponed restart is due.
  case restartOverdue

  /// The words after the name in the text passed to the observer.
  public var parameters: [LabelParameter] {
    switch self {
    case .chooseAccount: [.account, .account]
    case .askLogin: []
    case .restartOverdue: [.restartReason]
    }
  }
}
