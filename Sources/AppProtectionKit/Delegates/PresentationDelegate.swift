import AppProtection

/// Asks the user what only the user can decide.
///
/// Called on the thread that runs the engine, which waits for the answer. `nil` means that there is no answer for now;
/// the question stays open and is asked again in the next process.
public protocol PresentationDelegate: Sendable {
  /// A restart is needed, and the app does not restart itself: show that, and say what the user wants.
  func restartNeeded(reason: RestartReason) -> RestartWish
  /// The time by which the user postponed the restart is over: the app must end.
  func restartOverdue(reason: RestartReason)
  /// `account` wants to be managed, and `existing` is: which one stays?
  func chooseAccount(_ account: AccountNumber, existing: AccountNumber) -> AccountChoice?
  /// `account` has the name of `existing`, which is managed, and another object id: lead the user to reset the account of
  /// the device.
  func accountConflict(_ account: AccountNumber, existing: AccountNumber)
  /// Who signs in?
  func askLogin() -> LoginReply?
  /// The account's launch conditions ask something of the user, warn, or keep the app closed. What to show, and what it
  /// rests on, is in ``PolicyEngine/launchDecision(for:)``; the answer is a command, such as `reportPINAttempt`.
  func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule)
}

/// What the user wants to be done about a needed restart.
public enum RestartWish: Equatable, Sendable {
  /// The user saw it and ends the app in a while.
  case acknowledged
  /// In so many minutes.
  case postponed(minutes: UInt32)
}

/// What the user answered to the question who signs in.
public enum LoginReply: Equatable, Sendable {
  /// This account.
  case account(AccountReference)
  /// Nobody: the user canceled.
  case canceled
}

extension PresentationDelegate {
  /// Takes it that the user saw it.
  public func restartNeeded(reason: RestartReason) -> RestartWish { .acknowledged }
  /// Does nothing.
  public func restartOverdue(reason: RestartReason) {}
  /// Does nothing.
  public func accountConflict(_ account: AccountNumber, existing: AccountNumber) {}
  /// Leaves the question open.
  public func chooseAccount(_ account: AccountNumber, existing: AccountNumber) -> AccountChoice? { nil }
  /// Leaves the question open.
  public func askLogin() -> LoginReply? { nil }
  /// Does nothing: the conditions stand in the journal, and nothing opens the app meanwhile.
  public func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule) {}
}
