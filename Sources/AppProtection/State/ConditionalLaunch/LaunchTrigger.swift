/// Why an account's launch conditions were evaluated.
public enum LaunchTrigger: Int, WireEnumeration {
  /// The app was launched.
  case launch = 0
  /// The app returned to the foreground, after the recheck period.
  case resume = 1
  /// The user interface is to become the account's.
  case identitySwitch = 2
  /// Too many wrong PINs.
  case pinAttempt = 3
  /// Another policy arrived for an account whose data is on the screen, and changes the outcome of its launch
  /// conditions.
  case policyChange = 4
}
