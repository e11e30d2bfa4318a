/// The reason that a dialog gives for a failed launch condition, in the vocabulary of the SDK's dialogs (resource
/// bundle of 19.0.1). Most dialogs have two forms, with and without a way to remove the account.
public enum LaunchReason: String, Equatable, Sendable, CaseIterable {
  /// The organization's data is being removed.
  case dataRemoval
  /// The device is jailbroken.
  case jailbroken
  /// The SDK in the app is too old: update the app.
  case sdkTooOld
  /// The app is too old: update it.
  case appTooOld
  /// The operating system is too old: update it.
  case osTooOld
  /// The operating system is too new.
  case osTooNew
  /// The operating system is outside the allowed range of versions.
  case osOutsideRange
  /// The device's model is refused.
  case modelRefused
  /// Threat defense is not installed: install it.
  case threatDefenseNotInstalled
  /// Threat defense is not activated, or has not reported yet: activate it.
  case threatDefenseNotActivated
  /// Threat defense was asked again and gave no answer.
  case threatDefenseRecheckFailed
  /// Threat defense reports too great a threat.
  case threatTooGreat
  /// The account is disabled: access is blocked until the administrator acts.
  case accountDisabled
  /// The keychain cannot be read.
  case keychainUnreadable
  /// The SDK does not understand the version of the policy: update the app.
  case policyVersionMismatch
  /// The device needs a passcode.
  case devicePasscodeRequired
  /// Offline for too long; a sign-in is needed.
  case offlineSignInNeeded
  /// Offline for too long; a connection is enough.
  case offlineRefreshNeeded
  /// Offline for so long that the data is removed unless the user signs in.
  case offlineRemovalDue
  /// The PIN was wrong too often.
  case tooManyPINAttempts
  /// The user is not at work.
  case clockedOut
  /// Whether the user is at work is not known, or was known too long ago.
  case clockStatusUncertain
  /// A PIN must be chosen.
  case pinMissing
  /// The PIN is too old.
  case pinExpired
  /// The PIN does not meet the policy.
  case pinTooWeak
  /// The PIN must be entered.
  case pinRequired
  /// Biometrics, or the PIN, must be given.
  case biometricsRequired
  /// The user must sign in.
  case signInRequired
}
