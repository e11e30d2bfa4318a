/// When the system lets an app read a protected file: Apple's `NSFileProtectionType`, by the names that the settings use.
public enum FileProtectionLevel: String, Sendable, CaseIterable {
  /// While the device is unlocked; ten seconds after it is locked no more (S001, "Configure settings").
  case complete = "NSFileProtectionComplete"
  /// While the device is unlocked, and as long as the file stays open.
  case completeUnlessOpen = "NSFileProtectionCompleteUnlessOpen"
  /// From the first unlocking after a start of the device.
  case completeUntilFirstUserAuthentication = "NSFileProtectionCompleteUntilFirstUserAuthentication"
  /// Always.
  case none = "NSFileProtectionNone"
}
