import EventSourcing

/// A fact that launch conditions read, as the journal records it. Its numbers never change.
public enum LaunchFact: Int, WireEnumeration {
  /// No fact was compared, or one that this program does not know.
  case none = 0
  /// When the PIN was set.
  case pinSetAt = 1
  /// When the PIN was last right.
  case pinVerifiedAt = 2
  /// How often the PIN was wrong.
  case pinFailures = 3
  /// The versions of the SDK that share the PIN.
  case pinGeneration = 4
  /// The length of the PIN.
  case pinLength = 5
  /// Whether the PIN has a digit.
  case pinHasDigit = 6
  /// Whether the PIN has a letter.
  case pinHasLetter = 7
  /// Whether the PIN has a symbol.
  case pinHasSymbol = 8
  /// Whether the PIN is simple.
  case pinHasSimpleRun = 9
  /// When biometrics last replaced the PIN.
  case pinBiometricsAt = 10
  /// The kind of those biometrics.
  case pinBiometry = 11
  /// The longest pause between two proofs.
  case pinLongestPause = 12
  /// Whether the set of biometrics changed.
  case biometricsChanged = 13
  /// The biometrics that the device offers.
  case deviceBiometry = 14
  /// Whether the device has a passcode.
  case hasPasscode = 15
  /// Whether the device is managed.
  case isManaged = 16
  /// Whether the device is jailbroken.
  case isJailbroken = 17
  /// How far threat defense is set up.
  case threatDefense = 18
  /// The threat level that it reports.
  case threatLevel = 19
  /// How far Microsoft Defender is set up.
  case defender = 20
  /// The threat level that it reports.
  case defenderThreatLevel = 21
  /// Whether the keychain cannot be read.
  case isKeychainUnreadable = 22
  /// Whether the SDK does not understand the policy's version.
  case isPolicyVersionUnknown = 23
  /// The version of the SDK.
  case sdkVersion = 24
  /// The version of the app.
  case appVersion = 25
  /// The version of the operating system.
  case osVersion = 26
  /// The device's model.
  case deviceModel = 27
  /// When a check-in last completed, by the wall clock.
  case lastCompletedCheckIn = 28
  /// When a check-in last completed, by the launch clock.
  case checkedInAt = 29
  /// The status of the account's enrollment.
  case enrollmentStatus = 30
  /// Why the account is wiped.
  case wipeReason = 31
  /// Whether a policy is enforced for the account.
  case isEnforced = 32
  /// Whether the account is disabled.
  case isDisabled = 33
  /// Whether the account's user is at work.
  case clockStatus = 34
  /// Since when the account's user is not.
  case offWorkSince = 35
  /// When the account's user last signed in.
  case signedInAt = 36
  /// When the app was last opened for the account.
  case passedAt = 37
  /// When biometrics last replaced the PIN for the account.
  case accountBiometricsAt = 38
  /// The time of the launch clock.
  case clockElapsed = 39

  /// ``none``: the fact only explains a finding, which a later program's fact must not make unreadable.
  public static var unlisted: LaunchFact? { LaunchFact.none }

  /// The fact as a path of the state; empty for ``none``.
  public func path(of account: AccountNumber) -> String {
    switch self {
    case .none: ""
    case .pinSetAt: "/launch/pin/setAt"
    case .pinVerifiedAt: "/launch/pin/verifiedAt"
    case .pinFailures: "/launch/pin/failures"
    case .pinGeneration: "/launch/pin/generation"
    case .pinLength: "/launch/pin/length"
    case .pinHasDigit: "/launch/pin/hasDigit"
    case .pinHasLetter: "/launch/pin/hasLetter"
    case .pinHasSymbol: "/launch/pin/hasSymbol"
    case .pinHasSimpleRun: "/launch/pin/hasSimpleRun"
    case .pinBiometricsAt: "/launch/pin/biometricsAt"
    case .pinBiometry: "/launch/pin/biometry"
    case .pinLongestPause: "/launch/pin/longestPause"
    case .biometricsChanged: "/launch/pin/biometricsChanged"
    case .deviceBiometry: "/launch/device/biometry"
    case .hasPasscode: "/launch/device/hasPasscode"
    case .isManaged: "/launch/device/isManaged"
    case .isJailbroken: "/launch/device/isJailbroken"
    case .threatDefense: "/launch/device/threatDefense"
    case .threatLevel: "/launch/device/threatLevel"
    case .defender: "/launch/device/defender"
    case .defenderThreatLevel: "/launch/device/defenderThreatLevel"
    case .isKeychainUnreadable: "/launch/device/isKeychainUnreadable"
    case .isPolicyVersionUnknown: "/launch/device/isPolicyVersionUnknown"
    case .sdkVersion: "/process/sdkVersion"
    case .appVersion: "/process/appVersion"
    case .osVersion: "/process/osVersion"
    case .deviceModel: "/process/deviceModel"
    case .lastCompletedCheckIn: "/accounts/\(account)/enrollment/lastCompletedCheckIn"
    case .checkedInAt: "/launch/accounts/\(account)/checkedInAt"
    case .enrollmentStatus: "/accounts/\(account)/enrollment/status"
    case .wipeReason: "/wipes/\(account)/reason"
    case .isEnforced: "/policies/\(account)/enforced"
    case .isDisabled: "/launch/accounts/\(account)/isDisabled"
    case .clockStatus: "/launch/accounts/\(account)/clockStatus"
    case .offWorkSince: "/launch/accounts/\(account)/offWorkSince"
    case .signedInAt: "/launch/accounts/\(account)/signedInAt"
    case .passedAt: "/launch/accounts/\(account)/passedAt"
    case .accountBiometricsAt: "/launch/accounts/\(account)/biometricsAt"
    case .clockElapsed: "/launch/clock/elapsed"
    }
  }
}
