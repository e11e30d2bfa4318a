/// When an app may read a protected file: Apple's `NSFileProtectionType`, under the names that the settings use.
public enum FileProtectionLevel: String, Sendable, CaseIterable {
  /// While the device is unlocked, and up to ten seconds after it is locked (S001, "Configure settings").
  case complete = "NSFileProtectionComplete"
  /// While the device is unlocked, and as long as the file stays open.
  case completeUnlessOpen = "NSFileProtectionCompleteUnlessOpen"
  /// From the first unlock after a restart.
  case completeUntilFirstUserAuthentication = "NSFileProtectionCompleteUntilFirstUserAuthentication"
  /// Always.
  case none = "NSFileProtectionNone"
}
