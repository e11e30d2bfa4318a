/// Why the engine asks the app to switch identity (`IntuneMAMIdentitySwitchReason`).
public enum IdentitySwitchReason: Int, WireEnumeration {
  /// A document or link of another account was opened.
  case openURL = 0
  /// The user canceled the PIN, the sign-in or another launch condition.
  case cancelConditionalLaunch = 1
  /// A document of another account is being imported.
  case documentImport = 2
}
