import EventSourcing

extension LaunchEvaluation {
  /// How many wrong PINs are accepted where the policy does not say.
  static let defaultPINAttempts = 5
  /// After how long access requirements are asked again where the policy does not say.
  static let defaultRecheck = 30 * RetrySchedule.minute

  /// Looks at what the app PIN must be like, and whether it must be asked.
  mutating func checkPIN() {
    let access = policy.access
    guard access.pinRequired == true, !state.launch.device.replacesPIN(under: access) else { return }
    let conditions = policy.conditionalLaunch
    let pin = state.launch.pin
    let accepted = conditions.maximumPinRetries ?? Self.defaultPINAttempts
    let exceeded = conditions.appActionIfMaximumPinRetriesExceeded == .wipe ? LaunchOutcome.wipe : .resetPIN
    check(.pinAttempts, exceeded, Int(pin.failures) >= accepted)
    let isSet = pin.setAt != nil && pin.generation == PINRecord.Generation(sdkVersion: state.process.sdkVersion)
    check(.pinMissing, .promptNewPIN, !isSet)
    guard isSet else { return }
    check(.pinExpired, .promptNewPIN, isOver(access.periodBeforePinReset, since: pin.setAt))
    if assumptions.policyChangeNeedsNewPIN {
      check(.pinQuality, .promptNewPIN, !access.refusals(of: pin.facts).isEmpty)
    }
    check(.pin, areBiometricsEnough ? .promptBiometrics : .promptPIN, isRecheckDue(pin.verifiedAt))
  }

  /// Whether biometrics may take the PIN's place: the policy allows those that the device offers, their set is the one of
  /// the last PIN (SDK 9.0.1 and later), and the time after which the PIN takes their place is not over.
  var areBiometricsEnough: Bool {
    let pin = state.launch.pin
    let isAllowed =
      switch state.launch.device.biometry {
      case .none: false
      case .fingerprint: policy.access.fingerprintBlocked != true
      case .face: policy.access.faceIdBlocked != true
      }
    guard isAllowed, !pin.biometricsChanged || state.process.isSDK(before: SDKVersion(9, 0, 1)),
      let last = pin.verifiedAt
    else {
      return false
    }
    guard let timeout = policy.access.pinRequiredInsteadOfBiometricTimeout?.nanoseconds else { return true }
    return elapsed(since: max(last, record.passedAt ?? last)) < timeout
  }

  /// Whether what was last proved at a time must be proved again. A period of less than a minute counts as a minute, so
  /// that an answer is worth something.
  func isRecheckDue(_ last: Int64?) -> Bool {
    guard let last else { return true }
    let start = assumptions.recheckRunsFromLastOpening ? max(last, record.passedAt ?? last) : last
    let period = policy.access.periodOnlineBeforeAccessCheck?.nanoseconds ?? Self.defaultRecheck
    return elapsed(since: start) >= max(period, RetrySchedule.minute)
  }
}
