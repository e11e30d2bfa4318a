import AppProtection
import EventSourcing

/// Watches the engine from outside: for logs, and for simulations that let the process die at a chosen point.
///
/// Called on the thread that gave the command, in order, while no other command is taken: an observer may look at the
/// engine's state, and must not give it a command. `throw` ends what the engine is doing, as if the process had
/// died there: nothing further is written, and nobody is told.
public protocol EngineObserver: Sendable {
  /// These events were decided and are about to be written.
  func willAppend(_ events: [AppProtectionEvent]) throws(EngineInterruption)
  /// These events are durable; nobody has been told of them.
  func didAppend(_ result: AppendResult<AppProtectionMachine>) throws(EngineInterruption)
  /// The app is told of this.
  func willDeliver(_ callback: String)
}

/// The wish of an ``EngineObserver`` that the engine goes no further.
public struct EngineInterruption: Error, Equatable, Sendable {
  /// Creates the wish.
  public init() {}
}
