/// The rules of screen captures.
enum ScreenCaptureRule: CaseIterable, OutcomeRule {
  /// S004 Identity overview.
  case unmanaged
  /// S002 Screen capture blocking: from SDK 19.7.6, and 20.2.1 of the later line.
  case tooOld
  /// G; D: a setting of its own from SDK 19.7.12, and 20.4.0 of the later line.
  case allowedBySetting
  case blockedBySetting
  /// DERIVED: that the setting counts before the app configuration.
  case blockedBySettingFirst
  case allowedByConfigurationFirst
  /// S002: `com.microsoft.intune.mam.screencapturecontrol` = `Disabled`.
  case allowedByConfiguration
  /// S002: sending to all apps.
  case sendsToAllApps
  /// S002: any other level of sending.
  case sendsElsewhere

  var id: String {
    switch self {
    case .unmanaged: "screenCapture.1"
    case .tooOld: "screenCapture.2"
    case .allowedBySetting, .blockedBySetting, .blockedBySettingFirst: "screenCapture.3"
    case .allowedByConfiguration, .allowedByConfigurationFirst: "screenCapture.4"
    case .sendsToAllApps: "screenCapture.5"
    case .sendsElsewhere: "screenCapture.6"
    }
  }

  var outcome: Permission {
    switch self {
    case .blockedBySetting, .blockedBySettingFirst, .sendsElsewhere: .denied
    default: .allowed
    }
  }

  var assumption: String? {
    self == .blockedBySettingFirst || self == .allowedByConfigurationFirst ? "screenCaptureSettingCountsFirst" : nil
  }

  var reason: String {
    switch self {
    case .unmanaged: "no policy is in force for the account"
    case .tooOld: "the SDK is too old to block screen captures"
    case .allowedBySetting: "the account's policy allows screen captures"
    case .blockedBySetting: "the account's policy blocks screen captures"
    case .blockedBySettingFirst:
      "the account's policy blocks screen captures, which is taken to count before the app configuration"
    case .allowedByConfigurationFirst:
      "the app configuration turns the block off, which is taken to count before the policy's setting"
    case .allowedByConfiguration: "the app configuration turns the block off"
    case .sendsToAllApps: "the account may send data to all apps"
    case .sendsElsewhere: "the account may not send data to all apps, and screen captures are blocked with that"
    }
  }

  var ground: DecisionGround { .screenCapture(self) }
}
