/// Announced work that is not finished: what an engine does next, even after a crash.
public struct PendingWork: Equatable, Sendable, CustomStringConvertible {
  /// What is to be done.
  public enum Kind: Equatable, Sendable {
    /// Ask the service to enroll the account; answer with `answerEnrollment`.
    case enroll(EnrollmentTrigger)
    /// Ask the service for the account's policy; answer with `answerCheckIn`.
    case checkIn
    /// Tell the service that the account leaves; answer with `answerUnenrollment`.
    case unenroll
    /// Ask the delegate to wipe the account's data; answer with `answerWipe`.
    case askDelegateToWipe(WipeReason)
    /// Remove the files that belong to the account; answer with `reportFilesRemoved` or `reportFilesLeft`.
    case removeFiles
    /// Ask the delegate to restart; answer with `answerRestart`.
    case askRestart(RestartReason)
    /// Restart the app: the postponement is over.
    case restart(RestartReason)
    /// Make the account compliant; answer with `answerRemediation`.
    case remediate(isSilent: Bool)
    /// Tell the app how the account's remediation ended; confirm it with `confirmRemediation`.
    case tellRemediation(ComplianceStatus)
    /// Ask the user which managed account to keep; answer with `answerAccountSwitch`.
    case askAccountSwitch(existing: AccountNumber)
    /// Ask the user who signs in; answer with `answerLogin`.
    case askLogin
    /// Ask the delegate to switch identity; answer with `answerIdentitySwitch`.
    case askIdentitySwitch(IdentityScope, Identity, IdentitySwitchReason)
    /// Ask the app to add the account; answer with `answerAddition`.
    case askToAddAccount
    /// A check-in or a repetition is due; issue `startDueWork`.
    case startDueWork
  }

  /// What is to be done.
  public var kind: Kind
  /// The account concerned, if any.
  public var account: AccountNumber?
  /// The event that announced it; zero for due work, which no event announces.
  public var cause: UInt64

  /// Creates an item.
  init(_ kind: Kind, _ account: AccountNumber?, cause: UInt64) {
    self.kind = kind
    self.account = account
    self.cause = cause
  }

  /// The kind and the account, such as `removeFiles a2`; stable, so that scenarios can rely on it.
  public var description: String {
    ([name.rawValue] + arguments).joined(separator: " ")
  }

  private var arguments: [String] {
    let subject = account.map { ["\($0)"] } ?? []
    return switch kind {
    case .enroll(let trigger): subject + [trigger.name]
    case .askDelegateToWipe(let reason): subject + ["\(reason)"]
    case .askRestart(let reason), .restart(let reason): subject + [reason.name]
    case .remediate(let isSilent): subject + [isSilent ? "silent" : "interactive"]
    case .tellRemediation(let status): subject + [status.name]
    case .askAccountSwitch(let existing): subject + ["\(existing)"]
    case .askIdentitySwitch(let scope, let identity, let reason): ["\(scope)", "\(identity)", reason.name]
    case .askLogin: []
    case .checkIn, .unenroll, .removeFiles, .askToAddAccount, .startDueWork: subject
    }
  }
}
