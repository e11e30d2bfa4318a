import EventSourcing

/// A party that releases or receives data.
///
/// Only the policies of this app's accounts are known. Another app asks its own policy; if it acts for an account of
/// this app, that policy is assumed to be the same (``Assumptions/otherAppsHaveSamePolicy``).
public enum DataParty: Equatable, Sendable {
  /// This app, acting for an account; `nil` means without one. A document that was never saved belongs to no account.
  case account(AccountNumber?)
  /// Another app that has a policy, acting for this account; `nil` is an account that the journal does not know.
  case managedApp(AccountNumber?)
  /// Another app without a policy, or one that acts without an account or for an unmanaged one.
  case unmanagedApp
  /// Such an app that the device's management installed.
  case deviceManagedApp

  /// Whether it acts for this account.
  func actsFor(_ account: AccountNumber?) -> Bool {
    switch self {
    case .account(let one), .managedApp(let one): one != nil && one == account
    case .unmanagedApp, .deviceManagedApp: false
    }
  }

  /// Its name in a statement.
  var shown: String {
    switch self {
    case .account(let account): account?.description ?? "an unmanaged account"
    case .managedApp(let account): "a managed app of \(account?.description ?? "an unknown account")"
    case .unmanagedApp: "an unmanaged app"
    case .deviceManagedApp: "an app of the device's management"
    }
  }
}

extension AppProtectionState {
  /// The policy in force for a party, as far as it is known here.
  func effectivePolicy(of party: DataParty, explanation: inout Explanation) -> EffectivePolicy {
    switch party {
    case .account(let account): return effectivePolicy(for: account, explanation: &explanation)
    case .managedApp(let account):
      let isSame = settings.app.assumptions.otherAppsHaveSamePolicy
      check(.otherAppHasSamePolicy, isSame, .named(party.shown), in: &explanation)
      return isSame ? effectivePolicy(for: account, explanation: &explanation) : .unmanaged
    case .unmanagedApp, .deviceManagedApp: return .unmanaged
    }
  }
}

extension RuleCondition {
  static var otherAppHasSamePolicy: RuleCondition {
    RuleCondition(
      "party.policy", "{other} has the policy that the account has here", reads: .assumption,
      assumes: "otherAppsHaveSamePolicy")
  }
}
