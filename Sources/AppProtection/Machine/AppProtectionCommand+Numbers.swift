extension AppProtectionCommand.Name {
  /// The number that a command begins with when it is written. Never changed, and never used again.
  var number: UInt64 {
    switch self {
    case .startProcess: 1
    case .endProcess: 2
    case .changeSettings: 3
    case .overrideSettings: 34
    case .answerRestart: 4
    case .acknowledgeMissingPolicy: 5
    case .setAllowedAccounts: 6
    case .setDeviceAccount: 7
    case .setDeviceConfiguration: 44
    case .startDueWork: 8
    case .noteRefusal: 33
    case .registerAndEnroll: 9
    case .loginAndEnroll: 10
    case .answerLogin: 11
    case .deregisterAndUnenroll: 12
    case .identifyAccount: 13
    case .answerAccountSwitch: 14
    case .answerEnrollment: 15
    case .requestCheckIn: 16
    case .answerCheckIn: 17
    case .answerUnenrollment: 18
    case .reportSignIns: 40
    case .setExclusivity: 41
    case .answerAddition: 42
    case .deliverConfiguration: 43
    case .acquireToken: 19
    case .removeToken: 20
    case .denyToken: 21
    case .setIdentity: 22
    case .requestIdentitySwitch: 23
    case .answerIdentitySwitch: 24
    case .closeScope: 25
    case .requestWipe: 26
    case .answerWipe: 27
    case .reportFilesRemoved: 28
    case .reportFilesLeft: 29
    case .remediateCompliance: 30
    case .answerRemediation: 31
    case .confirmRemediation: 32
    case .reportDevice: 60
    case .noteUTCOffset: 68
    case .reportUserStatus: 61
    case .evaluateLaunch: 62
    case .signInForLaunch: 63
    case .cancelLaunch: 64
    case .setPIN: 65
    case .reportPINAttempt: 66
    case .reportBiometricsChange: 67
    }
  }

  /// The command with a number; `nil` if only a newer program knows it.
  init?(number: UInt64) {
    guard let name = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = name
  }
}
