/// A likely mistake in the app, or something its developer should know: the SDK would log it as a warning. Findings
/// follow from the events and change nothing.
public enum TraceFinding: Equatable, Sendable, CustomStringConvertible {
  /// The delegate answered a switch request with a constant meant for added accounts (S-45).
  case wrongEnumeration(IdentityScope, readAs: SwitchIdentityResult)
  /// A thread went from one account's identity to another's without being restored in between (S-47).
  case threadIdentityNotRestored(thread: String, AccountNumber, next: AccountNumber)
  /// An account leaves after its tokens were removed: the service cannot be notified, and its record stays (S-24).
  case deregisteredAfterTokenRemoval(AccountNumber)
  /// The service answered with an unknown code (S-30).
  case unknownCode(AccountNumber, EnrollmentStatusCode)
  /// A signed-in account for work or school was not registered (T39).
  case registrationMissing(AccountNumber)
  /// A signed-in account is not allowed by device management (S-15, T35).
  case signInNotAllowed(AccountNumber)
  /// The app asked for a token before the account's remediation ended (S-83).
  case prematureToken(AccountNumber)
  /// The account's remediations repeat without success (S-85).
  case remediationLoop(AccountNumber)
  /// An account is not compliant, and its organization's data is on the device (S-89).
  case notCompliantWithData(AccountNumber)
  /// The app did not add an account that was enrolled without its request.
  case accountNotAdded(AccountNumber)
  /// An account shares a managed account's name but has a different object id (T13).
  case sameName(AccountNumber, existing: AccountNumber)
  /// Device management names a device and no user: the app counts as unmanaged (T38).
  case deviceWithoutUser
  /// The name of an enrolled account changed in the directory: it stays the same account, and its enrollment breaks.
  case nameChanged(AccountNumber)
  /// The app is asked to restart for an account's first policy before its enrollment is answered (T5). This happens to
  /// a reinstalled app, because the keychain remembers the enrollment (I#186).
  case restartBeforeCallback(AccountNumber)
  /// The app says that the user has answered a launch condition, and no event shows it.
  case answerNotShown(AccountNumber, LaunchRule)

  /// The finding and its remedy, in one or two sentences.
  public var description: String {
    var words = subjects.makeIterator()
    return kind.filled { _ in words.next() }
  }

  /// What the sentence is about, in the order of its placeholders.
  private var subjects: [String] {
    switch self {
    case .wrongEnumeration(let scope, let result): ["\(scope)", result.name]
    case .threadIdentityNotRestored(let thread, let account, let next): [thread, "\(account)", "\(next)"]
    case .unknownCode(let account, let code): ["\(account)", "\(code.rawValue)"]
    case .sameName(let account, let existing): ["\(account)", "\(existing)"]
    case .answerNotShown(let account, let rule): ["\(account)", rule.id]
    case .deviceWithoutUser: []
    case .deregisteredAfterTokenRemoval(let account), .registrationMissing(let account), .signInNotAllowed(let account),
      .prematureToken(let account), .remediationLoop(let account), .notCompliantWithData(let account),
      .accountNotAdded(let account), .nameChanged(let account), .restartBeforeCallback(let account):
      ["\(account)"]
    }
  }

  /// The rule and the account, thread or other subject; stable, so that scenarios can rely on it.
  public var label: String {
    switch self {
    case .wrongEnumeration(let scope, _): "\(rule) \(scope)"
    case .threadIdentityNotRestored(let thread, let account, let next): "\(rule) \(thread) \(account) \(next)"
    case .unknownCode(let account, let code): "\(rule) \(account) \(code.rawValue)"
    case .deregisteredAfterTokenRemoval(let account), .registrationMissing(let account), .signInNotAllowed(let account),
      .prematureToken(let account), .remediationLoop(let account), .notCompliantWithData(let account),
      .accountNotAdded(let account), .nameChanged(let account), .restartBeforeCallback(let account):
      "\(rule) \(account)"
    case .sameName(let account, let existing): "\(rule) \(account) \(existing)"
    case .answerNotShown(let account, let condition): "\(rule) \(account) \(condition.id)"
    case .deviceWithoutUser: rule
    }
  }
}

extension TraceFinding {
  /// The kinds of finding, by the first word of the label.
  public enum Kind: String, CaseIterable, Sendable {
    case wrongEnumeration = "S-45"
    case threadIdentityNotRestored = "S-47"
    case deregisteredAfterTokenRemoval = "S-24"
    case unknownCode = "S-30"
    case registrationMissing = "T39"
    case signInNotAllowed = "T35"
    case prematureToken = "S-83"
    case remediationLoop = "S-85"
    case notCompliantWithData = "S-89"
    case accountNotAdded = "T17"
    case sameName = "T13"
    case deviceWithoutUser = "T38"
    case nameChanged = "renamed"
    case restartBeforeCallback = "T5"
    case answerNotShown = "claimed"

    /// The words after it in a label.
    public var parameters: [LabelParameter] {
      switch self {
      case .wrongEnumeration: [.scope]
      case .threadIdentityNotRestored: [.thread, .account, .account]
      case .unknownCode: [.account, .code]
      case .sameName: [.account, .account]
      case .answerNotShown: [.account, .launchRule]
      case .deviceWithoutUser: []
      case .deregisteredAfterTokenRemoval, .registrationMissing, .signInNotAllowed, .prematureToken, .remediationLoop,
        .notCompliantWithData, .accountNotAdded, .nameChanged, .restartBeforeCallback:
        [.account]
      }
    }
  }

  /// What was found.
  public var kind: Kind {
    switch self {
    case .wrongEnumeration: .wrongEnumeration
    case .threadIdentityNotRestored: .threadIdentityNotRestored
    case .deregisteredAfterTokenRemoval: .deregisteredAfterTokenRemoval
    case .unknownCode: .unknownCode
    case .registrationMissing: .registrationMissing
    case .signInNotAllowed: .signInNotAllowed
    case .prematureToken: .prematureToken
    case .remediationLoop: .remediationLoop
    case .notCompliantWithData: .notCompliantWithData
    case .accountNotAdded: .accountNotAdded
    case .sameName: .sameName
    case .deviceWithoutUser: .deviceWithoutUser
    case .nameChanged: .nameChanged
    case .restartBeforeCallback: .restartBeforeCallback
    case .answerNotShown: .answerNotShown
    }
  }

  /// The scenario or transition that describes the finding, or a separate word if none does.
  public var rule: String { kind.rawValue }
}

extension TraceFinding.Kind {
  /// The finding and its remedy, whatever it is about, without a full stop.
  public var meaning: String { filled { String($0) } }

  /// The sentence with a word in each placeholder, which says in general what stands there.
  fileprivate func filled(_ word: (Substring) -> String?) -> String { sentence.filled(word) }

  private var sentence: String {
    switch self {
    case .wrongEnumeration:
      "wrong enumeration for {a switch of identity}: the answer reads as {another one}; answer with the constants for switches"
    case .threadIdentityNotRestored:
      "thread {of the app} was still {an account}'s when {another one}'s identity was set: restore the one before, or use a scope"
    case .deregisteredAfterTokenRemoval:
      "{an account} is deregistered after its tokens were removed: its record stays at the service; deregister first"
    case .unknownCode:
      "{an account} got the unknown status code {of the service}: ask Microsoft's support what it means"
    case .registrationMissing:
      "{an account} is signed in for work or school and was not registered: call registerAndEnroll"
    case .signInNotAllowed: "{an account} is signed in and not allowed on this device: sign it out"
    case .prematureToken: "a token of {an account} was asked for before its remediation ended: wait for the callback"
    case .remediationLoop:
      "remediations of {an account} lead nowhere: compare the client id, the object id, and the keychain of the token cache"
    case .notCompliantWithData: "{an account} is not compliant and has organization data: wipe it"
    case .accountNotAdded: "the app did not add {an account}, which is enrolled: add it or deregister it"
    case .sameName:
      "{an account} has the name of {another one} and another object id: the device's account must be reset"
    case .deviceWithoutUser: "device management names a device and no user: add IntuneMAMUPN and IntuneMAMOID"
    case .nameChanged:
      "{an account} has another name in the directory, with which its enrollment breaks: wipe its data and sign in again"
    case .restartBeforeCallback:
      "a restart is asked for while {an account}'s enrollment is not answered: restart, the callback comes afterwards"
    case .answerNotShown:
      "{an account}'s user has answered {a launch condition}, says the app, and no event shows it: report what the user did, too"
    }
  }
}
