import AppProtection

/// The identity under which a task or a thread acts (`setCurrentThreadAccountId:forScope:`).
///
/// ```swift
/// let data = try IdentityContext.with(account) { try export(document) }
/// let note = try await IdentityContext.with(account) { try await download(link) }
/// ```
///
/// **A scope, and nothing else.** The identity is set for the length of a closure, and restored when that returns, throws or
/// is canceled, so it cannot leak to the next task on the thread. It is not written to the journal, because it is over
/// before a journal could tell anything of it; what is done under it is written, such as the owner of a file that a
/// ``FileProtectionManager`` creates.
///
/// **Who inherits it.** What the closure calls, its child tasks and every `Task { }` it starts; a detached task does not.
/// The system's queues know nothing of it: the module AppProtectionQueues has forms of `async`, `sync`, work items and
/// operations that carry it.
///
/// **What asks for it.** A thread's identity comes before that of the window and of the process
/// (``/AppProtection/EffectiveIdentity``): ``identity(of:in:isolation:)`` and ``currentOwner(in:isolation:)`` ask them all.
public enum IdentityContext {
  @TaskLocal private static var scoped = Identity.unset

  /// The identity of the current scope; `unset` outside of one.
  public static var current: Identity { scoped }

  /// Runs `body` under an identity. `unmanaged` acts for the user's own data; `unset` leaves the decision to the window and
  /// the process, even within another scope.
  public static func with<Result>(_ identity: Identity, _ body: () throws -> Result) rethrows -> Result {
    try $scoped.withValue(identity, operation: body)
  }

  /// Runs `body` under an identity, on the actor of the caller.
  public static func with<Result>(
    _ identity: Identity, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $scoped.withValue(identity, operation: body, isolation: isolation)
  }

  /// Runs `body` under an account's identity.
  public static func with<Result>(_ account: AccountNumber, _ body: () throws -> Result) rethrows -> Result {
    try with(.account(account), body)
  }

  /// Runs `body` under an account's identity, on the actor of the caller.
  public static func with<Result>(
    _ account: AccountNumber, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await with(.account(account), isolation: isolation, body)
  }

  /// Whose identity a task has here and now.
  ///
  /// - Parameters:
  ///   - task: What the task does.
  ///   - state: The state, with the identities that the app set for the process, its windows and labeled threads.
  ///   - isMainThread: Whether the caller runs on the main thread, the only one where a window's identity counts.
  public static func identity(
    of task: EffectiveIdentity.Task, in state: borrowing AppProtectionState, isMainThread: Bool
  ) -> EffectiveIdentity {
    guard current == .unset else { return EffectiveIdentity(identity: current, level: .thread) }
    return state.effectiveIdentity(of: task, isMainThread: isMainThread)
  }

  /// Whose identity a task has here and now. A window's identity counts for callers on the main actor.
  public static func identity(
    of task: EffectiveIdentity.Task, in state: borrowing AppProtectionState,
    isolation: isolated (any Actor)? = #isolation
  ) -> EffectiveIdentity {
    identity(of: task, in: state, isMainThread: isolation === MainActor.shared)
  }

  /// The owner of a file that is created here and now, or opened and emptied. The identity of a window never counts.
  public static func currentOwner(
    in state: borrowing AppProtectionState, isolation: isolated (any Actor)? = #isolation
  ) -> Identity {
    identity(of: .file, in: state).identity
  }
}
