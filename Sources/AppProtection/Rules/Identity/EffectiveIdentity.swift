import EventSourcing

/// The identity a task runs under, and the level that decided it.
///
/// A task of the user interface asks the thread, then, on the main thread, the window, then the process. A task on
/// files asks the thread, then the process, and never the user interface. The first level that is set ends the search,
/// even if it is set to unmanaged (decision diagram of the multi-identity guide).
public struct EffectiveIdentity: Equatable, Sendable {
  /// What a task does.
  public enum Task: Hashable, Sendable {
    /// Shows content or takes input in a window: `nil` for the default window.
    case ui(window: UInt32?)
    /// Reads or writes a file.
    case file
  }

  /// The identity; `unset` and `unmanaged` both mean that no policy applies.
  public let identity: Identity
  /// The level that decided; `nil` when none is set.
  public let level: IdentityLevel?

  /// What a level decided; `nil` for none.
  public init(identity: Identity, level: IdentityLevel?) {
    self.identity = identity
    self.level = level
  }
}

extension AppProtectionState {
  /// Whose identity a task runs under.
  ///
  /// - Parameters:
  ///   - task: what the task does.
  ///   - thread: the label of the thread or scope it runs on; `nil` for a thread without one, and for the main thread,
  ///     whose label is ``IdentityScope/mainThread``.
  ///   - isMainThread: whether that is the main thread, the only one where a window's identity counts.
  public func effectiveIdentity(
    of task: EffectiveIdentity.Task, onThread thread: String? = nil, isMainThread: Bool = true
  ) -> EffectiveIdentity {
    var explanation = Explanation()
    return effectiveIdentity(of: task, onThread: thread, isMainThread: isMainThread, explanation: &explanation)
  }

  package func effectiveIdentity(
    of task: EffectiveIdentity.Task, onThread thread: String?, isMainThread: Bool, explanation: inout Explanation
  ) -> EffectiveIdentity {
    var levels: [IdentityScope] = []
    if let label = thread ?? (isMainThread ? IdentityScope.mainThread : nil) { levels.append(.thread(label)) }
    if case .ui(let window) = task, isMainThread { levels.append(window.map(IdentityScope.window) ?? .ui) }
    levels.append(.process)
    for scope in levels {
      let identity = identities[scope]
      let decides = identity != .unset
      explanation.evaluate(
        "identity.\(scope.level.name)", "an identity is set for \(scope)", decides,
        reads: [.init(scope.path, identity.value)], decides: decides)
      if decides { return EffectiveIdentity(identity: identity, level: scope.level) }
    }
    return EffectiveIdentity(identity: .unset, level: nil)
  }

  /// Whether the user interface or a window acts for an account, so that its data is on the screen.
  func isOnScreen(_ account: AccountNumber) -> Bool {
    let windows: [UInt32?] = [nil] + identities.windows.map(\.number)
    return windows.contains { effectiveIdentity(of: .ui(window: $0)).identity == .account(account) }
  }
}
