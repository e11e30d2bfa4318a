import EventSourcing

/// Whether an identity may be set somewhere, and the rule that says so.
public struct IdentitySwitchDecision: Equatable, Sendable {
  /// Why not; `nil` when it may.
  public let refusal: SwitchRefusalReason?
  /// The rule's stable name.
  public let rule: String
  /// The rule as a statement that holds or does not.
  public let reason: String

  /// Whether the identity may be set.
  public var isAllowed: Bool { refusal == nil }
}

extension AppProtectionState {
  /// Whether an identity may be set in a place.
  ///
  /// Refused are: an account whose data is being wiped; in an app of one identity, where that is assumed
  /// (``Assumptions/singleIdentityMayChange``), another identity than the managed account's; in the user interface, an unmanaged account of a managed one's
  /// organization (`IntuneMAMSwitchIdentityResult`, not allowed), and an identity beside a different one on the main
  /// thread. Everything else is allowed; launch conditions are another question.
  public func identitySwitchDecision(_ identity: Identity, in scope: IdentityScope) -> IdentitySwitchDecision {
    if let account = identity.account, accounts[account]?.enrollment.status == .wiping {
      return IdentitySwitchDecision(
        refusal: .accountLeaving, rule: "identity.accountStays", reason: "the account's data is not being wiped")
    }
    if !settings.app.assumptions.singleIdentityMayChange, leavesSingleIdentity(identity, in: scope) {
      return IdentitySwitchDecision(
        refusal: .singleIdentity, rule: "identity.single",
        reason: "an app of one identity may set another one than its managed account's")
    }
    guard scope.level == .ui || scope.level == .window else { return .allowed }
    let main = identities[.thread(IdentityScope.mainThread)]
    if main != .unset && main != identity {
      return IdentitySwitchDecision(
        refusal: .threadIdentity, rule: "identity.mainThread", reason: "the main thread carries no other identity")
    }
    if let account = identity.account, managedColleague(of: account) != nil {
      return IdentitySwitchDecision(
        refusal: .sameOrganization, rule: "identity.organization",
        reason: "no other account of the same organization is managed")
    }
    return .allowed
  }

  /// Whether an app of one identity would act for somebody else than its managed account. A level below the process that
  /// is not set leaves it to the process.
  private func leavesSingleIdentity(_ identity: Identity, in scope: IdentityScope) -> Bool {
    guard !settings.app.multiIdentity, let managed = policies.records.first?.account else { return false }
    return identity != .account(managed) && !(identity == .unset && scope.level != .process)
  }

  /// The managed account of the same organization beside which an unmanaged account cannot be used.
  func managedColleague(of account: AccountNumber) -> AccountNumber? {
    guard settings.app.assumptions.organizationRule == .domain, !isManaged(account),
      let domain = accounts[account]?.organizationDomain
    else { return nil }
    return policies.records.lazy.map(\.account).first { accounts[$0]?.organizationDomain == domain }
  }

  /// What an explanation says about a switch of identity.
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
  static let allowed = IdentitySwitchDecision(
    refusal: nil, rule: "identity.free", reason: "nothing stands against the identity")
}
