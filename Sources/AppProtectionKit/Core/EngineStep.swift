import AppProtection

/// What the driver of an ``EngineCore`` does next.
///
/// A driver makes each callback, and passes the answer to each inquiry to ``EngineCore/answer(_:with:)``.
public enum EngineStep: Sendable {
  /// Tell the app; no answer follows.
  case tell(Callback)
  /// Tell the user that the postponed restart is due; the answer says only that this was done.
  case tellRestartOverdue(EngineInquiry<RestartReason, Void>)
  /// Tell the app how a remediation ended; the answer confirms the delivery.
  case tellRemediation(EngineInquiry<RemediationNotice, Void>)
  /// Ask the service to enroll an account.
  case enroll(EngineInquiry<ServiceRequest, ServiceAnswer>)
  /// Ask the service for an account's policy.
  case checkIn(EngineInquiry<ServiceRequest, ServiceAnswer>)
  /// Tell the service that an account leaves.
  case unenroll(EngineInquiry<ServiceRequest, ServiceFailure?>)
  /// Ask the service to make an account compliant, without a question to the user if `isSilent`.
  case remediate(EngineInquiry<ServiceRequest, RemediationOutcome>, isSilent: Bool)
  /// Ask the app to wipe an account's data; `true` if everything is removed.
  case wipeData(EngineInquiry<AccountNumber, Bool>)
  /// Remove an account's files.
  case removeFiles(EngineInquiry<AccountNumber, FileRemoval>)
  /// Ask the app to restart; if it does not, ask the user.
  case restart(EngineInquiry<RestartReason, RestartReply>)
  /// Ask the user which managed account to keep; `nil` leaves the question open.
  case chooseAccount(EngineInquiry<AccountRivalry, AccountChoice?>)
  /// Ask the user who signs in; `nil` leaves the question open.
  case askLogin(EngineInquiry<Void, LoginReply?>)
  /// Ask the app to switch an identity.
  case switchIdentity(EngineInquiry<IdentitySwitchInquiry, SwitchReply>)
  /// Ask the app to add an account.
  case addAccount(EngineInquiry<AccountNumber, AddIdentityResult>)
  /// Wait until an outstanding inquiry is answered, a callback was made, or a command was sent: nothing else can be done. A
  /// driver that is done with each step before it takes the next one never gets this.
  case awaitAnswer

  /// The work that an answer completes; `nil` if none is awaited.
  var inquiredWork: PendingWork? {
    switch self {
    case .tell, .awaitAnswer: nil
    case .tellRestartOverdue(let inquiry): inquiry.work
    case .tellRemediation(let inquiry): inquiry.work
    case .enroll(let inquiry), .checkIn(let inquiry): inquiry.work
    case .unenroll(let inquiry): inquiry.work
    case .remediate(let inquiry, isSilent: _): inquiry.work
    case .wipeData(let inquiry): inquiry.work
    case .removeFiles(let inquiry): inquiry.work
    case .restart(let inquiry): inquiry.work
    case .chooseAccount(let inquiry): inquiry.work
    case .askLogin(let inquiry): inquiry.work
    case .switchIdentity(let inquiry): inquiry.work
    case .addAccount(let inquiry): inquiry.work
    }
  }
}

/// What pieces of work share, so that one waits for the other.
enum WorkQueueKind: Equatable {
  /// The requests about an account.
  case requests(AccountNumber?)
  /// The removal of an account's data.
  case data(AccountNumber?)
  /// The user's attention.
  case user
  /// The questions to the app.
  case app
  /// Notices to the app and the user, as callbacks are.
  case notices

  /// `nil` for work that is done at once.
  init?(_ work: PendingWork) {
    switch work.kind {
    case .enroll, .checkIn, .unenroll, .remediate: self = .requests(work.account)
    case .askDelegateToWipe, .removeFiles: self = .data(work.account)
    case .askRestart, .askAccountSwitch, .askLogin: self = .user
    case .askIdentitySwitch, .askToAddAccount: self = .app
    case .restart, .tellRemediation: self = .notices
    case .startDueWork: return nil
    }
  }

  /// Whether it is one of requests to the service.
  var isRequest: Bool {
    if case .requests = self { true } else { false }
  }

  /// Whether it waits while a notice is under way: the app is asked nothing before it knows what was before.
  var followsNotices: Bool {
    switch self {
    case .user, .app, .notices: true
    case .requests, .data: false
    }
  }
}

extension PendingWork {
  /// Whether it asks the app or its user something, which comes after the notices that earlier processes owed the app.
  var callsApp: Bool {
    switch kind {
    case .askDelegateToWipe, .askRestart, .askAccountSwitch, .askLogin, .askIdentitySwitch, .askToAddAccount, .restart,
      .tellRemediation:
      true
    case .enroll, .checkIn, .unenroll, .remediate, .removeFiles, .startDueWork: false
    }
  }
}

/// A question or a request, with what becomes of its answer.
public struct EngineInquiry<Subject: Sendable, Answer>: Sendable {
  /// What the question is about.
  public let subject: Subject
  /// The work that the answer completes.
  let work: PendingWork
  /// The command that records an answer; `nil` if the question stays open for the rest of this process.
  let command: @Sendable (Answer) -> AppProtectionCommand?
}

/// The outcome of a remediation of which the app has not been notified.
public struct RemediationNotice: Equatable, Sendable {
  /// The account.
  public let account: AccountNumber
  /// The status, and the text to show to the user.
  public let outcome: RemediationOutcome
}

/// Two accounts of which only one may be managed.
public struct AccountRivalry: Equatable, Sendable {
  /// The account that wants to be managed.
  public let account: AccountNumber
  /// The account that is managed.
  public let existing: AccountNumber
}

/// A switch of identity that the app is asked for.
public struct IdentitySwitchInquiry: Equatable, Sendable {
  /// The process, the window or the thread.
  public let scope: IdentityScope
  /// The identity to switch to.
  public let identity: Identity
  /// What the switch is needed for.
  public let reason: IdentitySwitchReason
}

/// The answer of the app and its user to a needed restart.
public enum RestartReply: Equatable, Sendable {
  /// The app restarts itself.
  case appRestartsItself
  /// The app left it to the user.
  case user(RestartChoice)
}
