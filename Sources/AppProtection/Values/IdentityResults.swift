import EventSourcing

/// An app's answer to a request to add an account (`IntuneMAMAddIdentityResult`).
///
/// Its numbers match those of ``SwitchIdentityResult`` but mean something else: ``failed``, passed as the answer to a
/// switch, reads as ``SwitchIdentityResult/canceled``. A guide names these constants for such an answer; the header
/// requires the others.
public enum AddIdentityResult: Int, WireEnumeration {
  /// The account was added.
  case success = 0
  /// The account could not be added.
  case failed = 1

  /// The number's meaning as the answer to an identity switch.
  public var readAsSwitchResult: SwitchIdentityResult { self == .success ? .success : .canceled }
}

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
