/// The scope in which a policy is the first one, and so is enforced only after a restart.
public enum FirstPolicyScope: Int, WireEnumeration {
  /// For the process: once it enforces any policy, every further one is enforced at once.
  case process = 0
  /// For the account: each account's first policy in a process waits for the next launch.
  case account = 1
}
