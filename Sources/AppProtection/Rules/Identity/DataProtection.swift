import EventSourcing

/// Data shared between apps: plain, or with a header that names its owner.
public enum SharedData: Equatable, Sendable {
  /// Its owner is not named.
  case plain
  /// Its header names the owner; only a managed account's data is also encrypted.
  case protected(owner: Identity, isEncrypted: Bool)

  /// The owner, if the data names one (`protectionInfo`).
  public var owner: Identity? {
    if case .protected(let owner, _) = self { owner } else { nil }
  }

  /// The data without protection (`unprotect`); unprotected data is returned unchanged.
  public var unprotected: SharedData { .plain }
}

extension AppProtectionState {
  /// The data protected for an identity (`protect`): with a header that names it, and encrypted if it is managed.
  public func protect(for identity: Identity) -> SharedData {
    .protected(owner: identity, isEncrypted: enforcedPolicy(for: identity) != nil)
  }
}
