/// Why the app must be restarted.
public enum RestartReason: Int, WireEnumeration {
  /// An account received its first policy, which applies from the next launch.
  case firstPolicy = 0
  /// A managed account was removed to make room for another.
  case accountRemoved = 1
  /// A launch condition wiped an account.
  case conditionalLaunchWipe = 2
}
