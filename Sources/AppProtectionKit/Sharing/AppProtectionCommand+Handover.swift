import AppProtection

extension AppProtectionCommand {
  /// Whether an extension may hand the command to the app.
  ///
  /// What describes or steers the process that sends it must not appear as the app's, answers belong to the engine that asked,
  /// and an extension registers no accounts (223).
  public var mayBeHandedOver: Bool {
    switch self {
    case .acknowledgeMissingPolicy, .setAllowedAccounts, .setDeviceAccount, .setDeviceConfiguration,
      .deregisterAndUnenroll, .identifyAccount, .requestCheckIn, .reportSignIns, .setExclusivity, .deliverConfiguration,
      .acquireToken, .removeToken, .denyToken, .requestWipe, .remediateCompliance, .reportDevice, .reportUserStatus,
      .evaluateLaunch, .signInForLaunch, .cancelLaunch, .setPIN, .reportPINAttempt, .reportBiometricsChange:
      true
    case .startProcess, .endProcess, .changeSettings, .overrideSettings, .startDueWork, .noteRefusal, .noteUTCOffset,
      .registerAndEnroll, .loginAndEnroll, .setIdentity, .requestIdentitySwitch, .closeScope,
      .answerRestart, .answerLogin, .answerAccountSwitch, .answerEnrollment, .answerCheckIn, .answerUnenrollment,
      .answerAddition, .answerIdentitySwitch, .answerWipe, .reportFilesRemoved, .reportFilesLeft, .answerRemediation,
      .confirmRemediation:
      false
    }
  }
}
