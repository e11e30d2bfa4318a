import AppProtection

/// Why an app's delegate has received nothing about an account's enrollment (I#178).
public enum UndeliveredCallback: Equatable, Sendable, CustomStringConvertible {
  /// The app has not registered the account, so nothing was asked.
  case notRegistered
  /// The service was asked by this event and has not answered.
  case noAnswer(since: UInt64)
  /// The user was asked by this event which account to keep, and has not answered.
  case userIsAsked(since: UInt64)
  /// The engine tried by itself at launch, which fails silently (T17).
  case automaticAttempt(EnrollmentStatusCode)
  /// No policy targets the account, and an SDK this old then makes no callback.
  case oldSDK(EnrollmentStatusCode)
  /// The delegate was sent this code: if it did not arrive, the app set the delegate too late, or only a weak reference
  /// held it.
  case told(EnrollmentStatusCode)

  /// The reason, and what to do, in one sentence.
  public var description: String {
    switch self {
    case .notRegistered: "the account is not registered, so the user was not asked: call registerAndEnroll"
    case .noAnswer(let event): "event \(event) asked the service, which has not answered: wait, or look at the network"
    case .userIsAsked(let event): "event \(event) asked the user which account to keep: the answer is awaited"
    case .automaticAttempt(let code):
      "the enrollment at launch ended in \(code.rawValue), of which no callback informs: register the account to get one"
    case .oldSDK(let code):
      "no policy targets the account (\(code.rawValue)), of which SDKs up to 14.1.1 say nothing: update the SDK"
    case .told(let code):
      "the delegate was called with \(code.rawValue): set it before the call, and keep it, for it is held weakly"
    }
  }
}

extension AppProtectionState {
  /// Why the delegate has received nothing about an account's enrollment so far.
  ///
  /// SDK 14.1.1 is known to make no callback where no policy targets the account; which later version does is not
  /// published.
  public func delegateSilence(about account: AccountNumber) -> UndeliveredCallback {
    guard let enrollment = accounts[account]?.enrollment else { return .notRegistered }
    if enrollment.enrollmentRequest != 0 { return .noAnswer(since: enrollment.enrollmentRequest) }
    if enrollment.switchQuestion != 0 { return .userIsAsked(since: enrollment.switchQuestion) }
    guard let code = enrollment.lastCode else { return .notRegistered }
    if enrollment.status == .registered && enrollment.trigger == .automatic { return .automaticAttempt(code) }
    let isUntargeted = code == .noPolicyReceived || code == .licensedNotTargeted
    if isUntargeted && process.isSDK(before: SDKVersion(14, 1, 2)) { return .oldSDK(code) }
    return .told(code)
  }
}
