/// Why a command was refused. Nothing is written to the journal for a refused command.
public enum AppProtectionRejection: Error, Equatable, Sendable, CustomStringConvertible {
  /// The command named no account, or one that cannot be recognised.
  case missingAccount
  /// The call is not supported in an app extension.
  case calledFromExtension
  /// The account is registered already. A warning, not an error: the app may call again and again.
  case alreadyRegistered(AccountNumber)
  /// The reference matches no account in the journal.
  case unknownAccount
  /// The account is not registered.
  case notRegistered(AccountNumber)
  /// The account is leaving: its data is being wiped, or the service is being notified.
  case leaving(AccountNumber)
  /// The account is not enrolled.
  case notEnrolled(AccountNumber)
  /// The account has had no policy since its last wipe: its data is the user's own and is never wiped.
  case notManaged(AccountNumber)
  /// The account is not among those that device management allows.
  case notAllowed(AccountNumber)
  /// The question was never asked.
  case nothingAsked(Question, AccountNumber?)
  /// The answer is to a withdrawn question; the open one was asked later.
  case staleAnswer(Question, AccountNumber?)
  /// The account is not ready for its remediation: its enrollment, or the restart that this asked for, comes first.
  case notReady(AccountNumber)
  /// A remediation of the account is under way or waits in the queue.
  case remediationInProgress(AccountNumber)
  /// A journal cannot hold the thread's label.
  case invalidScope
  /// The account numbers of the journal are used up.
  case tooManyAccounts
  /// A configuration has too many values for a journal, or one that is too long.
  case configurationTooLarge
  /// An override of the token library is empty, too long, or has a space or a control character.
  case invalidOverride(TokenLibraryOverrides.Name)
  /// The user signed in with an account other than the required one.
  case otherAccount(AccountNumber)
  /// The account's policy does not allow this PIN.
  case pinRefused(PINRefusal)
  /// The user entered a wrong PIN too often: PIN entries and new PINs are refused until a sign-in.
  case pinExceeded
  /// The last PIN entered was wrong, so a new one cannot be chosen.
  case pinNotProved
  /// Biometrics do not replace the PIN for the account.
  case biometricsRefused(AccountNumber)
  /// No process has started, so every other command is refused.
  case notStarted

  /// A question that a command can answer.
  public enum Question: String, Sendable {
    /// Whether the service enrolls the account.
    case enrollment
    /// What the account's policy is.
    case checkIn = "check-in"
    /// Whether the service unenrolls the account.
    case unenrollment
    /// Which managed account to keep.
    case accountSwitch = "account switch"
    /// Who signs in.
    case login
    /// Whether the delegate removed the account's data.
    case wipe
    /// Whether the account's files are removed.
    case fileRemoval = "removal of files"
    /// When the app restarts.
    case restart
    /// Whether the delegate switches identity.
    case identitySwitch = "identity switch"
    /// Whether the account is compliant.
    case remediation
    /// Whether the app was notified of how the account's remediation ended.
    case remediationNotice = "notice of a remediation's end"
    /// Whether the app adds the account.
    case addition
    /// What a launch condition of the account asks.
    case launchCondition = "launch condition"
  }

  /// The rule that refused, such as a transition's number in the table of the enrollment machine.
  public var rule: String {
    switch self {
    case .missingAccount: "T4"
    case .calledFromExtension: "T3"
    case .alreadyRegistered: "T2"
    case .unknownAccount: "account.known"
    case .notRegistered: "account.registered"
    case .leaving: "account.staying"
    case .notEnrolled: "account.enrolled"
    case .notManaged: "account.managed"
    case .notAllowed: "T35"
    case .nothingAsked: "question.asked"
    case .staleAnswer: "question.current"
    case .notReady: "remediation.ready"
    case .remediationInProgress: "remediation.idle"
    case .invalidScope: "identity.scope"
    case .tooManyAccounts: "account.number"
    case .configurationTooLarge: "configuration.size"
    case .invalidOverride: "settings.override"
    case .otherAccount: "launch.account"
    case .pinRefused(let refusal): "pin.\(refusal.rawValue)"
    case .pinExceeded: "launch.pinAttempts"
    case .pinNotProved: "pin.proved"
    case .biometricsRefused: "pin.biometrics"
    case .notStarted: "process.started"
    }
  }

  /// The account concerned; `nil` if the journal knows none.
  public var account: AccountNumber? {
    switch self {
    case .alreadyRegistered(let account), .notRegistered(let account), .leaving(let account),
      .notEnrolled(let account), .notManaged(let account), .notAllowed(let account), .notReady(let account),
      .remediationInProgress(let account), .otherAccount(let account), .biometricsRefused(let account):
      account
    case .nothingAsked(_, let account), .staleAnswer(_, let account): account
    case .missingAccount, .calledFromExtension, .unknownAccount, .invalidScope, .tooManyAccounts,
      .configurationTooLarge, .invalidOverride, .pinRefused, .pinExceeded, .pinNotProved, .notStarted:
      nil
    }
  }

  /// The status code that the app's enrollment delegate receives for this refusal, if any.
  public var statusCode: EnrollmentStatusCode? {
    switch self {
    case .missingAccount: .nilAccount
    case .calledFromExtension: .unsupportedAPI
    // The SDK has no code for these: the caller learns of them from the error alone.
    case .alreadyRegistered, .unknownAccount, .notRegistered, .leaving, .notEnrolled, .notManaged, .notAllowed,
      .nothingAsked, .staleAnswer, .notReady, .remediationInProgress, .invalidScope, .tooManyAccounts,
      .configurationTooLarge, .invalidOverride, .otherAccount, .pinRefused, .pinExceeded, .pinNotProved,
      .biometricsRefused, .notStarted:
      nil
    }
  }

  /// What was refused, why, and what to do, in one or two sentences.
  public var description: String {
    switch self {
    case .missingAccount: "no account was named (207): pass the object id or the user principal name"
    case .calledFromExtension: "an app extension cannot do this (223): call from the app itself"
    case .alreadyRegistered(let account): "\(account) is registered already: nothing to do"
    case .unknownAccount: "the journal knows no such account: register it first"
    case .notRegistered(let account): "\(account) is not registered: call registerAndEnroll first"
    case .leaving(let account): "\(account) is leaving: wait until its wipe or unenrollment has ended"
    case .notEnrolled(let account): "\(account) is not enrolled: wait until its enrollment has succeeded"
    case .notManaged(let account):
      "\(account) has had no policy since its last wipe: an unmanaged account's data is never wiped"
    case .notAllowed(let account): "\(account) may not sign in on this device: sign it out (allowed accounts)"
    case .nothingAsked(let question, let account):
      "there is no \(question.rawValue) to answer\(account.map { " for \($0)" } ?? ""): answer only pending work"
    case .staleAnswer(let question, let account):
      "this answers an earlier \(question.rawValue)\(account.map { " of \($0)" } ?? ""): answer the one that is pending"
    case .notReady(let account):
      "\(account) is not ready to be remediated: wait until its enrollment and the restart have ended"
    case .remediationInProgress(let account): "\(account) is being remediated or waits for it: wait for the callback"
    case .invalidScope: "the thread's label is not usable: take 1 to 64 ASCII letters, digits, '.', '-' or '_'"
    case .tooManyAccounts: "the journal has no account number left: begin a new journal"
    case .configurationTooLarge:
      "the configuration is too large: at most \(ConfigurationValue.maximumCount) values of"
        + " \(ConfigurationValue.maximumLength) bytes each, \(ConfigurationValue.maximumTotalLength) in all, are taken"
    case .invalidOverride(let name):
      "\(name.rawValue) cannot be used: pass 1 to \(TokenLibraryOverrides.maximumLength) bytes"
        + " without spaces and control characters, or nil"
    case .otherAccount(let account): "another user signed in: sign in with \(account)"
    case .pinRefused(let refusal): "this PIN cannot be chosen (\(refusal.setting)): \(refusal.remedy)"
    case .pinExceeded: "the PIN was wrong too often: sign in with the account, then choose another PIN"
    case .pinNotProved: "a wrong PIN was given last: give the right one, then choose another"
    case .biometricsRefused(let account): "biometrics do not take the place of the PIN for \(account): ask for the PIN"
    case .notStarted: "no process was started: start one first"
    }
  }
}
