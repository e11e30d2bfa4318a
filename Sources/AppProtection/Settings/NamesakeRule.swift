/// What happens to an account with a managed account's name but a different object id (T13).
public enum NamesakeRule: Int, WireEnumeration {
  /// It is refused, and the user is led to reset the device's account.
  case leadToReset = 0
  /// The user is asked which of the two to keep, as of any two accounts.
  case askWhichToKeep = 1
}
