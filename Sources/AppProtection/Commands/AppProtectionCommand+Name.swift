extension AppProtectionCommand {
  /// A command's name without its values; journals record refused commands by this name.
  public enum Name: String, CaseIterable, Sendable {
    case startProcess
    case endProcess
    case changeSettings
    case answerRestart
    case acknowledgeMissingPolicy
    case setAllowedAccounts
    case setDeviceAccount
    case setDeviceConfiguration
    case startDueWork
    case noteRefusal
    case registerAndEnroll
    case loginAndEnroll
    case answerLogin
    case deregisterAndUnenroll
    case identifyAccount
    case answerAccountSwitch
    case answerEnrollment
    case requestCheckIn
    case answerCheckIn
    case answerUnenrollment
    case reportSignIns
    case setExclusivity
    case answerAddition
    case deliverConfiguration
    case acquireToken
    case removeToken
    case denyToken
    case setIdentity
    case requestIdentitySwitch
    case answerIdentitySwitch
    case closeScope
    case requestWipe
    case answerWipe
    case reportFilesRemoved
    case reportFilesLeft
    case remediateCompliance
    case answerRemediation
    case confirmRemediation
    case reportDevice
    case reportUserStatus
    case evaluateLaunch
    case signInForLaunch
    case cancelLaunch
    case setPIN
    case reportPINAttempt
    case reportBiometricsChange
  }

  /// The command's name.
  public var name: Name {
    switch self {
    case .startProcess: .startProcess
    case .endProcess: .endProcess
    case .changeSettings: .changeSettings
    case .answerRestart: .answerRestart
    case .acknowledgeMissingPolicy: .acknowledgeMissingPolicy
    case .setAllowedAccounts: .setAllowedAccounts
    case .setDeviceAccount: .setDeviceAccount
    case .setDeviceConfiguration: .setDeviceConfiguration
    case .startDueWork: .startDueWork
    case .noteRefusal: .noteRefusal
    case .registerAndEnroll: .registerAndEnroll
    case .loginAndEnroll: .loginAndEnroll
    case .answerLogin: .answerLogin
    case .deregisterAndUnenroll: .deregisterAndUnenroll
    case .identifyAccount: .identifyAccount
    case .answerAccountSwitch: .answerAccountSwitch
    case .answerEnrollment: .answerEnrollment
    case .requestCheckIn: .requestCheckIn
    case .answerCheckIn: .answerCheckIn
    case .answerUnenrollment: .answerUnenrollment
    case .reportSignIns: .reportSignIns
    case .setExclusivity: .setExclusivity
    case .answerAddition: .answerAddition
    case .deliverConfiguration: .deliverConfiguration
    case .acquireToken: .acquireToken
    case .removeToken: .removeToken
    case .denyToken: .denyToken
    case .setIdentity: .setIdentity
    case .requestIdentitySwitch: .requestIdentitySwitch
    case .answerIdentitySwitch: .answerIdentitySwitch
    case .closeScope: .closeScope
    case .requestWipe: .requestWipe
    case .answerWipe: .answerWipe
    case .reportFilesRemoved: .reportFilesRemoved
    case .reportFilesLeft: .reportFilesLeft
    case .remediateCompliance: .remediateCompliance
    case .answerRemediation: .answerRemediation
    case .confirmRemediation: .confirmRemediation
    case .reportDevice: .reportDevice
    case .reportUserStatus: .reportUserStatus
    case .evaluateLaunch: .evaluateLaunch
    case .signInForLaunch: .signInForLaunch
    case .cancelLaunch: .cancelLaunch
    case .setPIN: .setPIN
    case .reportPINAttempt: .reportPINAttempt
    case .reportBiometricsChange: .reportBiometricsChange
    }
  }
}
