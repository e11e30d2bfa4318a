/// The identity that a command asks to set.
public enum TargetIdentity: Hashable, Sendable {
  /// Nothing: the next level decides (`nil` in the SDK).
  case unset
  /// Explicitly unmanaged (the empty string in the SDK).
  case unmanaged
  /// An account, even one never mentioned before.
  case account(AccountReference)
}
