/// What an app answers when it is asked to add an account (`IntuneMAMAddIdentityResult`).
///
/// Its numbers are those of ``SwitchIdentityResult`` with other meanings: ``failed`` passed where a switch is answered reads as
/// ``SwitchIdentityResult/canceled``. A guide names these constants for such an answer; the header asks for the others.
public enum AddIdentityResult: Int, WireEnumeration {
  /// The account was added.
  case success = 0
  /// The account could not be added.
  case failed = 1

  /// What the number means where a switch of identity is answered with it.
  public var readAsSwitchResult: SwitchIdentityResult { self == .success ? .success : .canceled }
}
