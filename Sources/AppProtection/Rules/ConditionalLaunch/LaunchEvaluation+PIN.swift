import EventSourcing

extension LaunchEvaluation {
  /// The number of wrong PINs accepted if the policy sets none.
  static let defaultPINAttempts = 5
  /// The period after which access requirements are checked again if the policy sets none.
  static let defaultRecheck = 30 * RetrySchedule.minute

  /// Checks the form of the app PIN, and whether the app must ask for it.
  mutating func checkPIN() {
    // Most policies ask for no PIN, and are not copied.
    guard policy.access.pinRequired == true, !device.replacesPIN(under: policy.access) else { return }
    let access = policy.access
    let conditions = policy.conditionalLaunch
    let accepted = conditions.maximumPinRetries ?? Self.defaultPINAttempts
    let exceeded = conditions.appActionIfMaximumPinRetriesExceeded == .wipe ? LaunchOutcome.wipe : .resetPIN
    check(.pinAttempts, exceeded, Int(pin.failures) >= accepted)
    let isSet = pin.setAt != nil && pin.generation == PINRecord.Generation(sdkVersion: process.sdkVersion)
    check(.pinMissing, .promptNewPIN, !isSet)
    guard isSet else { return }
    check(.pinExpired, .promptNewPIN, isOver(access.periodBeforePinReset, since: pin.setAt))
    if assumptions.policyChangeNeedsNewPIN {
      check(.pinQuality, .promptNewPIN, !access.refusals(of: pin.facts).isEmpty)
    }
    check(.pin, areBiometricsEnough ? .promptBiometrics : .promptPIN, isRecheckDue(provedAt))
  }

  /// Whether biometrics may replace the PIN: the policy allows those that the device offers, their set has not changed
  /// since the last PIN (SDK 9.0.1 and later), and the timeout after which the PIN replaces them is not over.
  var areBiometricsEnough: Bool {
    guard policy.access.accepts(trustedBiometry), let last = provedAt else { return false }
    guard let timeout = policy.access.pinRequiredInsteadOfBiometricTimeout?.nanoseconds else { return true }
    return elapsed(since: max(last, record.passedAt ?? last)) < timeout
  }

  /// When the user last proved their identity, as far as this account's policy is concerned: by the PIN, which is the
  /// app's, or by biometrics that the policy accepts. Biometrics given for another account count unless this account
  /// would have required the PIN instead, because too much time had passed since the PIN.
  var provedAt: Int64? {
    guard let entered = pin.verifiedAt, let given = pin.biometricsAt, policy.access.accepts(pin.biometry) else {
      return pin.verifiedAt
    }
    guard let timeout = policy.access.pinRequiredInsteadOfBiometricTimeout?.nanoseconds, pin.longestPause >= timeout
    else { return given }
    return max(entered, record.biometricsAt ?? entered)
  }

  /// Whether a proof given at a time must be repeated. A period of less than a minute counts as a minute, so that an
  /// answer has some effect.
  func isRecheckDue(_ last: Int64?) -> Bool {
    guard let last else { return true }
    let start = assumptions.recheckRunsFromLastOpening ? max(last, record.passedAt ?? last) : last
    let period = policy.access.periodOnlineBeforeAccessCheck?.nanoseconds ?? Self.defaultRecheck
    return elapsed(since: start) >= max(period, RetrySchedule.minute)
  }
}

extension PolicyDocument.Access {
  /// Whether biometrics may replace the PIN.
  fileprivate func accepts(_ biometry: Biometry) -> Bool {
    switch biometry {
    case .none: false
    case .fingerprint: fingerprintBlocked != true
    case .face: faceIdBlocked != true
    }
  }
}
