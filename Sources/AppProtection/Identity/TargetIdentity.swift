/// The identity that a command wants to have set.
public enum TargetIdentity: Hashable, Sendable {
  /// Nothing: the next level decides (`nil` in the SDK).
  case unset
  /// Explicitly nobody's (the empty string in the SDK).
  case unmanaged
  /// An account, which may be one that was never mentioned.
  case account(AccountReference)
}
