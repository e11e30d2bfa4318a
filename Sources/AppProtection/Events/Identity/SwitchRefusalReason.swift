/// Why a switch of identity did not happen.
public enum SwitchRefusalReason: Int, WireEnumeration {
  /// A launch condition of the account was not met or was canceled.
  case conditionalLaunch = 0
  /// Another user of the managed account's organization cannot be used beside it.
  case sameOrganization = 1
  /// The main thread carries a different thread identity.
  case threadIdentity = 2
  /// The app's delegate did not switch.
  case delegate = 3
  /// The account is leaving: its data is being wiped.
  case accountLeaving = 4
  /// The app has a single identity, its managed account's, and is assumed not to set any other.
  case singleIdentity = 5
}
