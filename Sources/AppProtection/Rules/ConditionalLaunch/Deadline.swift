import EventSourcing

/// What time alone brings to an account, and when: a check-in, a block, a wipe, or a question for the user.
///
/// Nothing happens while the app is not active. What is due then comes at its next launch, or when it returns to the foreground.
public struct Deadline: Equatable, Sendable {
  /// What happens.
  public enum Kind: String, CaseIterable, Sendable {
    /// The service is asked for the policy, or a failed request is repeated.
    case checkIn
    /// Access is blocked, because no check-in has completed for too long.
    case block
    /// A check-in must complete at once, or the account's data is wiped (608).
    case wipe
    /// The app asks for the PIN, or for biometrics in its place.
    case pin
    /// A new PIN must be chosen.
    case pinReset
    /// The user must sign in.
    case signIn
    /// The policy's action is taken, because the user is not at work.
    case clockOut
    /// The app asks for the restart that was postponed.
    case restart
  }

  /// What happens.
  public let kind: Kind
  /// How long it takes until then, in nanoseconds, if the clocks run undisturbed; zero or less: the time has come.
  public let remaining: Int64
  /// Whether an interval leads to it. One that is simply unmet, as where no PIN was chosen, is due now; no time can be given.
  public let isTimed: Bool
  /// The setting of the account's policy that says after how long; `nil` where the service, the app or a default does.
  public let setting: PolicyProperty?
  /// The launch condition that is not met from then on; `nil` where none is about it.
  public let condition: LaunchRule?
  /// What the launch condition then leads to; ``LaunchOutcome/allowed`` where none is about it.
  public let outcome: LaunchOutcome

  init(
    _ kind: Kind, in remaining: Int64, isTimed: Bool = true, setting: PolicyProperty? = nil,
    _ condition: LaunchRule? = nil, _ outcome: LaunchOutcome = .allowed
  ) {
    (self.kind, self.remaining, self.isTimed, self.setting) = (kind, remaining, isTimed, setting)
    (self.condition, self.outcome) = (condition, outcome)
  }

  /// The time by the wall clock, in nanoseconds since 1970; `nil` without one.
  ///
  /// - Parameter moment: The moment for which the deadline was found.
  public func wall(from moment: Moment) -> Int64? {
    isTimed ? moment.wallNanoseconds.advancedClamping(by: remaining) : nil
  }

  /// What happens, as a statement.
  public var statement: String { kind.statement(of: outcome) }
}

extension Deadline.Kind {
  /// The rule that decides it, such as `due.block`.
  public var id: String { "due.\(rawValue)" }

  /// What happens, as a statement.
  public var statement: String { row.statement }

  /// What happens where the launch condition leads to an outcome, as a statement.
  package func statement(of outcome: LaunchOutcome) -> String {
    guard self == .clockOut else { return statement }
    return switch outcome {
    case .warn: "the user is warned, because the user is not at work"
    case .wipe: "the account's data is wiped, because the user is not at work"
    case .allowed, .promptSignIn, .promptBiometrics, .promptPIN, .promptNewPIN, .resetPIN, .block, .signInOrWipe:
      "access is blocked, because the user is not at work"
    }
  }

  /// What begins the time again, or ends it, as a phrase.
  public var movedBy: String { row.movedBy }

  /// The clock that counts, as a phrase.
  public var clock: String {
    switch self {
    case .checkIn, .restart: "the wall clock or uptime, whichever shows it first"
    case .block, .wipe, .pin, .pinReset, .signIn, .clockOut:
      "the time that has passed by the wall clock or by uptime, whichever shows more"
    }
  }

  /// What a condition that depends on time leads to; `nil` for another one.
  init?(of condition: LaunchRule) {
    switch condition {
    case .offlineAccess: self = .block
    case .offlineWipe: self = .wipe
    case .pin: self = .pin
    case .pinMissing, .pinExpired, .pinQuality: self = .pinReset
    case .signIn: self = .signIn
    case .clockOut: self = .clockOut
    case .met, .pendingWipe, .jailbreak, .sdkVersion, .appVersion, .osMinimum, .osMaximum, .deviceModel, .threatLevel,
      .accountDisabled, .keychain, .devicePasscode, .pinAttempts, .unmanaged:
      return nil
    }
  }

  /// The settings that decide whether it comes and when: first the one, if any, without which it never does.
  public var settings: (demand: PolicyProperty?, interval: PolicyProperty?) {
    switch self {
    case .checkIn, .restart: (nil, nil)
    case .block: (nil, .periodOfflineBeforeAccessCheck)
    case .wipe: (nil, .periodOfflineBeforeWipeIsEnforced)
    case .pin: (.pinRequired, .periodOnlineBeforeAccessCheck)
    case .pinReset: (.pinRequired, .periodBeforePinReset)
    case .signIn: (.organizationalCredentialsRequired, .periodOnlineBeforeAccessCheck)
    case .clockOut: (nil, .gracePeriodToBlockAppsDuringOffClockHours)
    }
  }

  private var row: (statement: String, movedBy: String) {
    switch self {
    case .checkIn: ("the service is asked", "an answer of the service, or a sign-in that it demands")
    case .block:
      ("access is blocked until a check-in completes", "a check-in that completes begins the interval again")
    case .wipe:
      (
        "a check-in must complete at once, or the data is wiped (608)",
        "a check-in that completes begins the interval again"
      )
    case .pin:
      (
        "the app asks for the PIN, or for biometrics",
        "the PIN, biometrics and each opening of the app begin the period again"
      )
    case .pinReset: ("a new PIN must be chosen", "a new PIN begins the period again")
    case .signIn: ("the user must sign in", "a sign-in and each opening of the app begin the period again")
    case .clockOut: ("the policy's action is taken, because the user is not at work", "clocking in ends it")
    case .restart: ("the app asks for the postponed restart", "the restart ends it")
    }
  }
}
