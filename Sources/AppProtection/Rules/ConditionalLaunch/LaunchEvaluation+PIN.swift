import EventSourcing

extension LaunchEvaluation {
  /// The number of wrong PINs accepted if the policy sets none.
  static let defaultPINAttempts = 5
  /// Checks the form of the app PIN, and whether the app must ask for it.
  mutating func checkPIN() {
    guard demandsPIN else { return }
    let conditions = policy.conditionalLaunch
    let accepted = conditions.maximumPinRetries ?? Self.defaultPINAttempts
    let exceeded = conditions.appActionIfMaximumPinRetriesExceeded == .wipe ? LaunchOutcome.wipe : .resetPIN
    check(.pinAttempts, exceeded, Int(pin.failures) >= accepted)
    for condition in [pinMissing, pinExpired, pinQuality, pinRecheck] {
      if let condition { check(condition) }
    }
  }

  /// Whether the policy requires a PIN, and nothing takes its place.
  var demandsPIN: Bool {
    // Most policies ask for no PIN, and are not copied.
    policy.access.pinRequired == true && !device.replacesPIN(under: policy.access)
  }

  /// Whether a PIN is set that the running SDK shares.
  var isPINSet: Bool { pin.setAt != nil && pin.generation == PINRecord.Generation(sdkVersion: process.sdkVersion) }

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
