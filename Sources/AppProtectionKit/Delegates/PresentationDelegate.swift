import AppProtection

/// Asks the user questions that only the user can decide.
///
/// Awaited by the run of the engine, one question at a time; other work goes on meanwhile, and notifications come. Returning
/// `nil` means no answer for now: the question stays open, and the next process asks it again. A dialog should end when its task
/// is canceled: the question then stays open for the next run, unless the user has decided.
public protocol PresentationDelegate: Sendable {
  /// A restart is needed, and the app does not restart itself: tell the user, and return the user's wish.
  func restartNeeded(reason: RestartReason) async -> RestartChoice
  /// The time by which the user postponed the restart has passed: the app must end.
  func restartOverdue(reason: RestartReason) async
  /// `account` wants to be managed, but `existing` already is: which one stays?
  func chooseAccount(_ account: AccountNumber, existing: AccountNumber) async -> AccountChoice?
  /// `account` has the same name as `existing`, which is managed, but another object id: guide the user to reset the
  /// device's account.
  func accountConflict(_ account: AccountNumber, existing: AccountNumber) async
  /// Ask which account signs in.
  func askLogin() async -> LoginReply?
  /// How the dialogs should look, by the app's property list. Passed at launch, before any question.
  func present(_ appearance: Appearance) async
  /// The app has no policy. If that is `isBlocking` (`MAMPolicyRequired`), it may not be used until it has one; otherwise
  /// (`MAMPolicyWarnAbsent`) the user is warned once a launch. Return whether the user dismissed the warning.
  func policyMissing(isBlocking: Bool) async -> Bool
  /// Tell the user that sharing, saving or opening is blocked, and why. The words of the rule are for people too.
  func sharingBlocked(rule: String, reason: String) async
  /// Put the question that a launch condition asks, and return the user's answer.
  func answerLaunch(_ prompt: LaunchPrompt) async -> LaunchReply?
  /// The account's launch conditions ask something of the user, warn, or keep the app closed.
  /// ``PolicyEngine/launchDecision(for:)`` says what to show and why. The user answers by
  /// ``PolicyManager/switchUIIdentity(to:window:)-(TargetIdentity,_)`` or ``PolicyManager/answerLaunchConditions(of:)``, or the app by a command
  /// such as `reportPINAttempt`.
  func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule) async
}

/// The user's wish about a needed restart.
public enum RestartChoice: Equatable, Sendable {
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

/// A question that a launch condition asks.
public struct LaunchPrompt: Equatable, Sendable {
  /// What is asked, of which account, and why.
  public let decision: LaunchDecision
  /// Why the answer before this one was not taken; `nil` for the first one, and after a wrong PIN.
  public let refusal: String?
  /// When the PIN in force was chosen, by the journal's own clock (`PINRecord.setAt`); `nil` for none. Another time is
  /// another PIN: it tells a presentation, in whatever process, whether the rules took a ``LaunchReply/newPIN(_:equalTo:)``.
  public let pinSetAt: Int64?
}

/// The user's answer to a launch condition. A PIN stays with the app: only what rules need of it is passed on.
public enum LaunchReply: Equatable, Sendable {
  /// The user entered the PIN, and it was right or wrong.
  case pin(isRight: Bool)
  /// The user gave biometrics, and they were right or wrong.
  case biometrics(areRight: Bool)
  /// The user chose a PIN. `equalTo` says how many PINs ago it was last used, 1 for the one before; `nil` for a new one. The
  /// presentation must have put it aside, durably: a process may die before it hears that the rules took it
  /// (``PINKeeper``).
  case newPIN(PINFacts, equalTo: UInt32?)
  /// The user signed in, perhaps with another account.
  case signedIn(AccountReference)
  /// The user canceled.
  case canceled
}

extension PresentationDelegate {
  /// Does nothing: the dialogs look as they do.
  public func present(_ appearance: Appearance) {}
  /// Leaves the warning open, so that the next launch warns again.
  public func policyMissing(isBlocking: Bool) -> Bool { false }
  /// Does nothing.
  public func sharingBlocked(rule: String, reason: String) {}
  /// Leaves the question open.
  public func answerLaunch(_ prompt: LaunchPrompt) -> LaunchReply? { nil }
  /// Assumes that the user has seen the request.
  public func restartNeeded(reason: RestartReason) -> RestartChoice { .acknowledged }
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
