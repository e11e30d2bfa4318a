/// Where an app's policy comes from (`IntuneMAMPolicySource`).
public enum PolicySource: Int, WireEnumeration {
  /// Device management.
  case mdm = 0
  /// The service, without device management.
  case mam = 1
  /// Somewhere else, or nowhere.
  case other = 2
}
