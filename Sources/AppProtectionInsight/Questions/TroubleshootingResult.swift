import AppProtection
import EventSourcing

/// What a history says about one step of the troubleshooting order.
public struct TroubleshootingResult: Equatable, Sendable {
  /// Whether a step is done.
  public enum Finding: Equatable, Sendable, CaseIterable {
    /// It is.
    case holds
    /// It is not.
    case fails
    /// The history does not show it.
    case open
  }

  /// What was looked at.
  public let step: TroubleshootingStep
  /// Whether it is done.
  public let finding: Finding
  /// The evidence, and what to do if the step fails, in one sentence.
  public let reason: String
}

extension AppProtectionState {
  /// Why no policy is applied to an account although it is targeted: the first step that fails or is unknown. `nil` if
  /// every step holds.
  public func missingPolicyCause(for account: AccountNumber) -> TroubleshootingResult? {
    let results = troubleshooting(of: account)
    return results.first { $0.finding == .fails } ?? results.first { $0.finding == .open }
  }

  /// Every step of the troubleshooting order for an account, in order, as far as the history shows.
  public func troubleshooting(of account: AccountNumber) -> [TroubleshootingResult] {
    TroubleshootingStep.allCases.map { step in
      let (finding, reason) = result(of: step, for: account)
      return TroubleshootingResult(step: step, finding: finding, reason: reason)
    }
  }

  private func result(
    of step: TroubleshootingStep, for account: AccountNumber
  ) -> (TroubleshootingResult.Finding, String) {
    let enrollment = accounts[account]?.enrollment ?? .blank
    let code = enrollment.lastCode
    let hasPolicy = policies[account] != nil
    switch step {
    case .registered:
      return enrollment.status.isRegistered
        ? (.holds, "the app registered the account")
        : (.fails, "the account is not registered: call registerAndEnroll, and look at its last code, if it has one")
    case .licensed: return licensed(enrollment, hasPolicy)
    case .targeted: return targeted(enrollment, hasPolicy)
    case .appInPolicy:
      if hasPolicy { return (.holds, "the service delivered a policy to this app") }
      return code == .noPolicyReceived || code == .licensedNotTargeted
        ? (
          .open, "\(code?.rawValue ?? 0) does not tell apart who is not targeted and which app is not: look at its apps"
        )
        : (.open, "the service has not said")
    case .rightAccount: return rightAccount(account, enrollment)
    case .checkedIn: return checkedIn(account, enrollment)
    case .enforced:
      guard let policy = policies[account] else { return (.open, "there is no policy that could be enforced") }
      return policy.isEnforced
        ? (.holds, "the policy is enforced") : (.fails, "the first policy waits for a restart: restart the app")
    case .identitySet:
      let identity = Identity.account(account)
      let isSet =
        identities.process == identity || identities.ui == identity
        || identities.windows.contains { $0.identity == identity }
      if isSet { return (.holds, "the app acts for the account") }
      return hasPolicy
        ? (.fails, "the app never set the account's identity, so it acts unmanaged: set the identity of its windows")
        : (.open, "without a policy no identity is managed")
    }
  }

  private func licensed(_ enrollment: Enrollment, _ hasPolicy: Bool) -> (TroubleshootingResult.Finding, String) {
    if let code = enrollment.lastCode, code == .accountNotLicensed || code == .tenantMigration {
      return (.fails, Self.advice(code))
    }
    let isKnown = hasPolicy || enrollment.status.isEnrolled || enrollment.lastCode == .licensedNotTargeted
    return isKnown ? (.holds, "the service enrolled the account, or says so") : (.open, "the service has not said")
  }

  private func targeted(_ enrollment: Enrollment, _ hasPolicy: Bool) -> (TroubleshootingResult.Finding, String) {
    if hasPolicy { return (.holds, "the service delivered a policy") }
    guard let code = enrollment.lastCode, code == .noPolicyReceived || code == .licensedNotTargeted else {
      return (.open, "the service has not said")
    }
    return (.fails, Self.advice(code))
  }

  /// What to do about the code that the service answered with.
  private static func advice(_ code: EnrollmentStatusCode) -> String {
    "\(code.rawValue): \(StatusAdvice.next(after: code))"
  }

  private func rightAccount(
    _ account: AccountNumber, _ enrollment: Enrollment
  ) -> (TroubleshootingResult.Finding, String) {
    if !settings.allows(account) { return (.fails, "device management does not allow the account: sign it out") }
    if let code = accounts[account]?.removalCode { return (.fails, Self.advice(code)) }
    if let code = enrollment.lastCode, Self.refusals.contains(code) { return (.fails, Self.advice(code)) }
    return enrollment.status.isEnrolled
      ? (.holds, "the service enrolled the account") : (.open, "the service has not enrolled the account")
  }

  /// The codes that refuse an account because it is not the right one.
  private static let refusals: [EnrollmentStatusCode] = [
    .nilAccount, .notEnrolledAccount, .mdmEnrolledDifferentUser, .notEmmAccount, .notDeviceAccount,
    .singleManagedAccountMode,
  ]

  private func checkedIn(
    _ account: AccountNumber, _ enrollment: Enrollment
  ) -> (TroubleshootingResult.Finding, String) {
    let forecast = checkInForecast(for: account)
    if enrollment.awaitsSignIn { return (.fails, "203: \(forecast)") }
    if let code = enrollment.lastCode, code.classification == .transient {
      return (.fails, "\(code.rawValue): the service was not reached; \(forecast)")
    }
    return enrollment.lastCompletedCheckIn == nil
      ? (.fails, "no check-in has completed; \(forecast)") : (.holds, "a check-in completed; \(forecast)")
  }
}

/// The steps of the official troubleshooting order (D), the first failed one of which explains why an account has no
/// policy, and the app's own steps.
public enum TroubleshootingStep: Equatable, Sendable, CaseIterable {
  /// The app registered the account.
  case registered
  /// The user has a license.
  case licensed
  /// A policy targets the user.
  case targeted
  /// The policy applies to the app.
  case appInPolicy
  /// The signed-in account is the targeted one and may be enrolled here.
  case rightAccount
  /// The app checked in with the service.
  case checkedIn
  /// The policy is enforced in this process.
  case enforced
  /// The user interface or the process acts for the account.
  case identitySet
}
