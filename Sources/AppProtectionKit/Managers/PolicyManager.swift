import AppProtection

/// Identities, and the policies that follow from them (`IntuneMAMPolicyManager`).
///
/// ```swift
/// let result = try await engine.policies.setUIIdentity(alice)
/// if result == .success { show(engine.policies.currentPolicy().isSaveToAllowed(to: .box, account: nil)) }
/// engine.policies.policy(for: alice).isPINRequired.reason  // every answer is a decision with its rule
/// ```
///
/// The identity of a thread or a task is set by ``IdentityContext``.
public struct PolicyManager: Sendable {
  let engine: PolicyEngine

  // MARK: Identities

  /// Sets the identity of a window (`setUIPolicyAccountId:forWindow:`), which evaluates the account's launch conditions.
  ///
  /// - Parameters:
  ///   - target: An account; `unmanaged` for the user's own data (the empty string in the SDK); `unset` to let the process
  ///     decide again (`nil` in the SDK).
  ///   - window: The window's number; `nil` for the default window.
  ///   - outcome: What the user did about the questions of the launch conditions; `nil` the first time. `success` is taken at
  ///     its word for what only the app sees, as whether the PIN was right, but not for a PIN that was never chosen.
  /// - Returns: How it ended, as the SDK says it. `nil` if a launch condition asks the user something first, even where the
  ///   window already has the identity: the ``PresentationDelegate`` is called, and the app sets the identity again with the
  ///   outcome.
  /// - Throws: ``EngineError``, other than for a refused switch, of which the result tells.
  public func setUIIdentity(
    _ target: TargetIdentity, window: UInt32? = nil, outcome: SwitchIdentityResult? = nil
  ) async throws(EngineError) -> SwitchIdentityResult? {
    try await set(window.map(IdentityScope.window) ?? .ui, target, outcome)
  }

  /// Sets the identity of a window to an account.
  public func setUIIdentity(
    _ account: AccountReference, window: UInt32? = nil, outcome: SwitchIdentityResult? = nil
  ) async throws(EngineError) -> SwitchIdentityResult? {
    try await setUIIdentity(.account(account), window: window, outcome: outcome)
  }

  /// Forgets a window that was closed.
  public func closeWindow(_ window: UInt32) async throws(EngineError) {
    try await engine.send(.closeScope(.window(window)))
  }

  /// Sets the identity of the process (`setProcessAccountId:`): an account, `unmanaged` for the user's own data, or `unset`.
  public func setProcessIdentity(_ target: TargetIdentity) async throws(EngineError) -> SwitchIdentityResult? {
    try await set(.process, target, nil)
  }

  /// The identity set for a window; `nil` for the default window.
  public func uiIdentity(window: UInt32? = nil) -> Identity {
    engine.withState { $0.identities[window.map(IdentityScope.window) ?? .ui] }
  }

  /// The identity set for the process.
  public var processIdentity: Identity { engine.withState { $0.identities[.process] } }

  /// The identity under which the caller acts (`getAccountIdForCurrentActivity`). A window's counts on the main actor.
  public func currentIdentity(
    of task: EffectiveIdentity.Task = .ui(window: nil), isolation: isolated (any Actor)? = #isolation
  ) -> Identity {
    IdentityContext.identity(of: task, in: engine.state).identity
  }

  /// Whether two references mean one account (`isIdentity:equalTo:`). Where the journal knows an account by its object id, its
  /// user principal name and its number, any of them means it. A reference to an account that it does not know is compared by
  /// itself (``/AppProtection/AccountReference/isSame(as:)``).
  public func isSame(_ one: AccountReference, _ other: AccountReference) -> Bool {
    engine.withState { state in
      let (known, otherKnown) = (state.account(for: one), state.account(for: other))
      if let known, let otherKnown { return known.account == otherKnown.account }
      return (known?.reference ?? one).isSame(as: otherKnown?.reference ?? other)
    }
  }

  // MARK: Management

  /// Whether any account is managed.
  public var isManagementEnabled: Bool { engine.withState { !$0.policies.isEmpty } }

  /// Whether an account is managed: it has a policy, enforced or not.
  public func isManaged(_ account: AccountReference) -> Bool {
    let state = engine.state
    return state.account(for: account).map { state.isManaged($0.account) } ?? false
  }

  /// The managed accounts.
  public var managedAccounts: [Account] {
    let state = engine.state
    return state.policies.records.compactMap { state.accounts[$0.account] }
  }

  /// The managed account of an app that manages one (`primaryUser`); the first of several.
  public var primaryAccount: Account? { managedAccounts.first }

  /// Where the app's policy comes from (`mamPolicySource`).
  public var policySource: PolicySource { engine.withState { $0.policySource } }

  // MARK: Policies

  /// The policy of an account; one that restricts nothing if the account is unknown or unmanaged.
  public func policy(for account: AccountReference?) -> AccountPolicy {
    let state = engine.state
    return policy(of: account.flatMap { state.account(for: $0)?.account }, in: state)
  }

  /// The policy that applies to what the caller does (`policy`). A window's identity counts on the main actor.
  public func currentPolicy(
    of task: EffectiveIdentity.Task = .ui(window: nil), isolation: isolated (any Actor)? = #isolation
  ) -> AccountPolicy {
    let state = engine.state
    return policy(of: IdentityContext.identity(of: task, in: state).identity.account, in: state)
  }

  /// The policy of what a window shows (`policyForWindow:`); `nil` for the default window.
  public func policy(forWindow window: UInt32?) -> AccountPolicy {
    let state = engine.state
    return policy(of: state.effectiveIdentity(of: .ui(window: window)).identity.account, in: state)
  }

  private func policy(of account: AccountNumber?, in state: AppProtectionState) -> AccountPolicy {
    AccountPolicy(
      state: state, account: account, maximumFileProtection: engine.settings.maximumFileProtection)
  }

  private func set(
    _ scope: IdentityScope, _ target: TargetIdentity, _ outcome: SwitchIdentityResult?
  ) async throws(EngineError) -> SwitchIdentityResult? {
    do throws(EngineError) {
      let result = try await engine.send(.setIdentity(scope, target, outcome: outcome))
      // The scope may have had the identity before, so that alone the evaluation says whether the user is asked something.
      let isAsked = result.events.contains { appended in
        guard case .launchEvaluated(let evaluation) = appended.event else { return false }
        return evaluation.awaitsCheckIn || !evaluation.outcome.isPassing
      }
      return isAsked ? nil : .success
    } catch {
      guard case .refused(let refusal) = error, let result = refusal.switchResult else { throw error }
      return result
    }
  }
}

extension PolicyEngine {
  /// Identities, and the policies that follow from them.
  public var policies: PolicyManager { PolicyManager(engine: self) }
}
