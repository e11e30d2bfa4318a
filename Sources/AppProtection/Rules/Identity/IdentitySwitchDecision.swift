import EventSourcing

/// Whether an identity may be set in a scope, and the deciding rule.
public struct IdentitySwitchDecision: Equatable, Sendable {
  /// Why the identity may not be set; `nil` if it may.
  public let refusal: SwitchRefusalReason?
  /// The rule's stable name.
  public let rule: String
  /// The rule as a statement that is true or false.
  public let reason: String

  /// Whether the identity may be set.
  public var isAllowed: Bool { refusal == nil }
}

extension AppProtectionState {
  /// Whether an identity may be set in a scope.
  ///
  /// The rules refuse an account whose data is being wiped; in a single-identity app, if so assumed
  /// (``Assumptions/singleIdentityMayChange``), any identity but the managed account's; and in the user interface, an
  /// unmanaged account of a managed account's organization (`IntuneMAMSwitchIdentityResult`, not allowed) or an
  /// identity that differs from the main thread's. Everything else is allowed; launch conditions are checked
  /// separately.
  public func identitySwitchDecision(_ identity: Identity, in scope: IdentityScope) -> IdentitySwitchDecision {
    if let account = identity.account, accounts.read(account, { $0.enrollment.status }) == .wiping {
      return .accountLeaving
    }
    if !settings.app.assumptions.singleIdentityMayChange, leavesSingleIdentity(identity, in: scope) {
      return .singleIdentity
    }
    guard scope.level == .ui || scope.level == .window else { return .allowed }
    let main = identities[.thread(IdentityScope.mainThread)]
    if main != .unset && main != identity {
      return .threadIdentity
    }
    if let account = identity.account, managedColleague(of: account) != nil {
      return .sameOrganization
    }
    return .allowed
  }

  /// Whether a single-identity app would act for an identity other than its managed account. An unset level below the
  /// process defers to the process.
  private func leavesSingleIdentity(_ identity: Identity, in scope: IdentityScope) -> Bool {
    guard !settings.app.multiIdentity, let managed = policies.records.first?.account else { return false }
    return identity != .account(managed) && !(identity == .unset && scope.level != .process)
  }

  /// The managed account of the same organization that rules out this unmanaged account.
  package func managedColleague(of account: AccountNumber) -> AccountNumber? {
    guard settings.app.assumptions.organizationRule == .domain, !isManaged(account),
      let domain = accounts[account]?.organizationDomain
    else { return nil }
    return policies.records.lazy.map(\.account).first { accounts[$0]?.organizationDomain == domain }
  }

  /// The explanation's entry for a switch of identity.
  func identityReads(_ identity: Identity, in scope: IdentityScope) -> [Explanation.Read] {
    var reads: [Explanation.Read] = [.init(scope.path, identities[scope].value)]
    if let account = identity.account {
      reads.append(statusRead(account))
      if let colleague = managedColleague(of: account) { reads.append(policyRead(colleague)) }
    }
    if leavesSingleIdentity(identity, in: scope) {
      reads += assumptionRead("singleIdentityMayChange", settings.app.assumptions.singleIdentityMayChange)
    }
    let main = IdentityScope.thread(IdentityScope.mainThread)
    if identities[main] != .unset { reads.append(.init(main.path, identities[main].value)) }
    return reads
  }
}

extension IdentitySwitchDecision {
  fileprivate static let accountLeaving = IdentitySwitchDecision(
    refusal: .accountLeaving, rule: "identity.accountStays", reason: "the account's data is not being wiped")
  fileprivate static let singleIdentity = IdentitySwitchDecision(
    refusal: .singleIdentity, rule: "identity.single",
    reason: "an app of one identity may set another one than its managed account's")
  fileprivate static let threadIdentity = IdentitySwitchDecision(
    refusal: .threadIdentity, rule: "identity.mainThread", reason: "the main thread carries no other identity")
  fileprivate static let sameOrganization = IdentitySwitchDecision(
    refusal: .sameOrganization, rule: "identity.organization",
    reason: "no other account of the same organization is managed")
  static let allowed = IdentitySwitchDecision(
    refusal: nil, rule: "identity.free", reason: "nothing stands against the identity")

  /// Each of them.
  static let all = [accountLeaving, singleIdentity, threadIdentity, sameOrganization, allowed]
}
