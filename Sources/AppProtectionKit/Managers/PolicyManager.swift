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
  ///   - account: The account; `nil` for the user's own, unmanaged data.
  ///   - window: The window's number; `nil` for the default window.
  ///   - outcome: What the user did about the questions of the launch conditions; `nil` the first time.
  /// - Returns: How it ended, as the SDK says it. `nil` if a launch condition asks the user something first: the
  ///   ``PresentationDelegate`` is told, and the app sets the identity again with the outcome.
  /// - Throws: ``EngineError``, other than for a refused switch, of which the result tells.
  public func setUIIdentity(
    _ account: AccountReference?, window: UInt32? = nil, outcome: SwitchIdentityResult? = nil
  ) async throws(EngineError) -> SwitchIdentityResult? {
    try await set(window.map(IdentityScope.window) ?? .ui, account.map { .account($0) } ?? .unmanaged, outcome)
  }

  /// Lets the process decide for a window again.
  public func unsetUIIdentity(window: UInt32? = nil) async throws(EngineError) -> SwitchIdentityResult? {
    try await set(window.map(IdentityScope.window) ?? .ui, .unset, nil)
  }

  /// Forgets a window that was closed.
  public func closeWindow(_ window: UInt32) async throws(EngineError) {
    try await engine.send(.closeScope(.window(window)))
  }

  /// Sets the identity of the process (`setProcessAccountId:`); `nil` for the user's own, unmanaged data.
  public func setProcessIdentity(_ account: AccountReference?) async throws(EngineError) -> SwitchIdentityResult? {
    try await set(.process, account.map { .account($0) } ?? .unmanaged, nil)
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

  /// Whether two references mean one account (`isIdentity:equalTo:`).
  public func isSame(_ one: AccountReference, _ other: AccountReference) -> Bool { one.isSame(as: other) }

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
      let state = try await engine.send(.setIdentity(scope, target, outcome: outcome)).after.state
      let identity: Identity? =
        switch target {
        case .unset: .unset
        case .unmanaged: .unmanaged
        case .account(let reference): state.account(for: reference).map { .account($0.account) }
        }
      return state.identities[scope] == identity ? .success : nil
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
