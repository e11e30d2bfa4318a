/// The user's answer when a second account asks to be managed.
public enum AccountChoice: Int, WireEnumeration {
  /// The managed account stays; the other is refused.
  case keepExisting = 0
  /// The managed account is removed and the other takes its place.
  case switchAccounts = 1
  /// The user closed the question; the second account stays registered and is not enrolled.
  case canceled = 2
}
