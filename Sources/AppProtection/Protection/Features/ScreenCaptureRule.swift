/// The rules of screen captures.
enum ScreenCaptureRule: UInt8, DecisionRule {
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

  @inline(__always)
  var row: RuleRow<Permission> {
    switch self {
    case .unmanaged:
      RuleRow("screenCapture.1", .allowed, "no policy is in force for the account", when: "{account} is unmanaged")
    case .tooOld:
      RuleRow(
        "screenCapture.2", .allowed, "the SDK is too old to block screen captures",
        unless: "the SDK can block captures", reads: .sdkVersion)
    case .allowedBySetting:
      RuleRow(
        "screenCapture.3", .allowed, "the account's policy allows screen captures",
        unless: "{account}'s policy blocks screen captures", reads: .sdkVersion,
        .setting { .screenCaptureConfigurationState })
    case .blockedBySetting:
      RuleRow(
        "screenCapture.3", .denied, "the account's policy blocks screen captures",
        when: "{account}'s policy blocks screen captures", reads: .sdkVersion,
        .setting { .screenCaptureConfigurationState })
    case .blockedBySettingFirst:
      RuleRow(
        "screenCapture.3", .denied,
        "the account's policy blocks screen captures, which is taken to count before the app configuration",
        when: "{account}'s policy blocks screen captures", reads: .assumption, .sdkVersion,
        .setting { .screenCaptureConfigurationState }, assumes: "screenCaptureSettingCountsFirst")
    case .allowedByConfigurationFirst:
      RuleRow(
        "screenCapture.4", .allowed,
        "the app configuration turns the block off, which is taken to count before the policy's setting",
        unless: "{account}'s policy blocks screen captures", reads: .assumption, .sdkVersion,
        .setting { .screenCaptureConfigurationState }, assumes: "screenCaptureSettingCountsFirst")
    case .allowedByConfiguration:
      RuleRow(
        "screenCapture.4", .allowed, "the app configuration turns the block off",
        when: "the app configuration turns the block off", reads: .found)
    case .sendsToAllApps:
      RuleRow(
        "screenCapture.5", .allowed, "the account may send data to all apps",
        when: "{account} may send data to all apps", reads: .sending)
    case .sendsElsewhere:
      RuleRow(
        "screenCapture.6", .denied,
        "the account may not send data to all apps, and screen captures are blocked with that",
        unless: "{account} may send data to all apps", reads: .sending)
    }
  }
}
