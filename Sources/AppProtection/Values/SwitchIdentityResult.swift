/// How a switch of identity ended (`IntuneMAMSwitchIdentityResult`).
public enum SwitchIdentityResult: Int, WireEnumeration {
  /// The identity was switched.
  case success = 0
  /// The user canceled; the identity is unchanged.
  case canceled = 1
  /// The switch is not allowed; the identity is unchanged.
  case notAllowed = 2
  /// The switch failed; the identity is unchanged.
  case failed = 3
}
