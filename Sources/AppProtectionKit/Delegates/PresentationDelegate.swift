import AppProtection

/// Asks the user questions that only the user can decide.
///
/// Awaited by the run of the engine, one question at a time; other work goes on meanwhile, and notifications come. Returning
/// `nil` means no answer for now: the question stays open, and the next process asks it again. A dialog should end when its task
/// is canceled: the question then stays open for the next run, unless the user has decided.
public protocol PresentationDelegate: Sendable {
  /// A restart is needed, and the app does not restart itself: tell the user, and return the user's wish.
  func restartNeeded(reason: RestartReason) async -> RestartWish
  /// The time by which the user postponed the restart has passed: the app must end.
  func restartOverdue(reason: RestartReason) async
  /// `account` wants to be managed, but `existing` already is: which one stays?
  func chooseAccount(_ account: AccountNumber, existing: AccountNumber) async -> AccountChoice?
  /// `account` has the same name as `existing`, which is managed, but another object id: guide the user to reset the
  /// device's account.
  func accountConflict(_ account: AccountNumber, existing: AccountNumber) async
  /// Ask which account signs in.
  func askLogin() async -> LoginReply?
  /// The account's launch conditions ask something of the user, warn, or keep the app closed.
  /// ``PolicyEngine/launchDecision(for:)`` says what to show and why; answer with a command, such as
  /// `reportPINAttempt`.
  func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule) async
}

/// The user's wish about a needed restart.
public enum RestartWish: Equatable, Sendable {
  /// The user has seen the request and will end the app soon.
  case acknowledged
  /// The user postpones the restart by this many minutes.
  case postponed(minutes: UInt32)
}

/// The user's answer to a sign-in request.
public enum LoginReply: Equatable, Sendable {
  /// The user signs in with this account.
  case account(AccountReference)
  /// The user canceled.
  case canceled
}

extension PresentationDelegate {
  /// Assumes that the user has seen the request.
  public func restartNeeded(reason: RestartReason) -> RestartWish { .acknowledged }
  /// Does nothing.
  public func restartOverdue(reason: RestartReason) {}
  /// Does nothing.
  public func accountConflict(_ account: AccountNumber, existing: AccountNumber) {}
  /// Leaves the question open.
  public func chooseAccount(_ account: AccountNumber, existing: AccountNumber) -> AccountChoice? { nil }
  /// Leaves the question open.
  public func askLogin() -> LoginReply? { nil }
  /// Does nothing: the journal records the conditions, and the app stays closed meanwhile.
  public func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule) {}
}
