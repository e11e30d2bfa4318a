/// What the user answered when a second managed account asked to be enrolled.
public enum AccountChoice: Int, WireEnumeration {
  /// The account that is managed stays; the other one is refused.
  case keepExisting = 0
  /// The managed account is removed and the other one takes its place.
  case switchAccounts = 1
  /// The user closed the question; the second account stays registered and is not enrolled.
  case canceled = 2
}
