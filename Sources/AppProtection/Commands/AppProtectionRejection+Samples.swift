extension AppProtectionRejection {
  /// A refusal by each rule, about the first account.
  static let samples: [AppProtectionRejection] =
    [
      .missingAccount, .calledFromExtension, .alreadyRegistered(.first), .unknownAccount, .notRegistered(.first),
      .leaving(.first), .notEnrolled(.first), .notManaged(.first), .notAllowed(.first),
      .nothingAsked(.enrollment, .first),
      .staleAnswer(.enrollment, .first), .notReady(.first), .remediationInProgress(.first), .invalidScope,
      .tooManyAccounts,
      .configurationTooLarge, .invalidOverride(.authority), .otherAccount(.first), .pinExceeded, .pinNotProved,
      .biometricsRefused(.first), .notStarted,
    ] + PINRefusal.allCases.map { .pinRefused($0) }
}
