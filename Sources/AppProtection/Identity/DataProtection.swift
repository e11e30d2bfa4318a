import EventSourcing

/// Data as it is shared between apps: plain, or with a header that says whose it is.
public enum SharedData: Equatable, Sendable {
  /// Nothing says whose it is.
  case plain
  /// It says whose it is; only a managed account's is encrypted as well.
  case protected(owner: Identity, isEncrypted: Bool)

  /// Whose it is, where it says so (`protectionInfo`).
  public var owner: Identity? {
    if case .protected(let owner, _) = self { owner } else { nil }
  }

  /// The data without protection (`unprotect`); data that has none passes through unchanged.
  public var unprotected: SharedData { .plain }
}

extension AppProtectionState {
  /// Data with the protection of an identity (`protect`): with a header that names it, and encrypted where it is managed.
  public func protect(for identity: Identity) -> SharedData {
    .protected(owner: identity, isEncrypted: enforcedPolicy(for: identity) != nil)
  }
}
