/// Something in a history that points at a mistake of the app, or that its developer should know: what the SDK would put into
/// its log as a warning. It follows from the events and changes nothing.
public enum TraceFinding: Equatable, Sendable, CustomStringConvertible {
  /// The delegate answered a switch with a constant for added accounts (S-45).
  case wrongEnumeration(IdentityScope, readAs: SwitchIdentityResult)
  /// A thread went from one account's identity to another one's, and nothing was restored in between (S-47).
  case threadIdentityNotRestored(thread: String, AccountNumber, next: AccountNumber)
  /// An account leaves after its tokens were removed: the service cannot be told, and its record stays (S-24).
  case deregisteredAfterTokenRemoval(AccountNumber)
  /// The service answered with a code that is in no table (S-30).
  case unknownCode(AccountNumber, EnrollmentStatusCode)
  /// An account that the app uses for work or school is signed in, and its registration has not followed (T39).
  case registrationMissing(AccountNumber)
  /// An account is signed in that device management does not allow (S-15, T35).
  case signInNotAllowed(AccountNumber)
  /// A token was asked for while the account's remediation had not ended (S-83).
  case prematureToken(AccountNumber)
  /// Remediations of the account lead nowhere (S-85).
  case remediationLoop(AccountNumber)
  /// An account is not compliant, and its organization's data is on the device (S-89).
  case notCompliantWithData(AccountNumber)
  /// The app did not add an account that was enrolled without its doing.
  case accountNotAdded(AccountNumber)
  /// An account has the name of a managed one and another object id (T13).
  case sameName(AccountNumber, existing: AccountNumber)
  /// Device management names a device and no user: the app counts as unmanaged (T38).
  case deviceWithoutUser
  /// The name of an enrolled account changed in the directory: it stays the same account, and its enrollment breaks.
  case nameChanged(AccountNumber)
  /// A restart for an account's first policy is asked for before its enrollment is answered (T5). A reinstalled app is asked
  /// so, because the keychain remembers the enrollment (I#186).
  case restartBeforeCallback(AccountNumber)

  /// The scenario or transition that describes it; a word of its own where none does.
  public var rule: String {
    switch self {
    case .wrongEnumeration: "S-45"
    case .threadIdentityNotRestored: "S-47"
    case .deregisteredAfterTokenRemoval: "S-24"
    case .unknownCode: "S-30"
    case .registrationMissing: "T39"
    case .signInNotAllowed: "T35"
    case .prematureToken: "S-83"
    case .remediationLoop: "S-85"
    case .notCompliantWithData: "S-89"
    case .accountNotAdded: "T17"
    case .sameName: "T13"
    case .deviceWithoutUser: "T38"
    case .nameChanged: "renamed"
    case .restartBeforeCallback: "T5"
    }
  }

  /// What was found, and what to do, in one or two sentences.
  public var description: String {
    switch self {
    case .wrongEnumeration(let scope, let result):
      "wrong enumeration for \(scope): the answer reads as \(result.name); answer with the constants for switches"
    case .threadIdentityNotRestored(let thread, let account, let next):
      "thread \(thread) was still \(account)'s when \(next)'s identity was set: restore the one before, or use a scope"
    case .deregisteredAfterTokenRemoval(let account):
      "\(account) is deregistered after its tokens were removed: its record stays at the service; deregister first"
    case .unknownCode(let account, let code): "\(account) got the unknown status code \(code.rawValue): look it up"
    case .registrationMissing(let account):
      "\(account) is signed in for work or school and was not registered: call registerAndEnroll"
    case .signInNotAllowed(let account): "\(account) is signed in and not allowed on this device: sign it out"
    case .prematureToken(let account):
      "a token of \(account) was asked for before its remediation ended: wait for the callback"
    case .remediationLoop(let account):
      "remediations of \(account) lead nowhere: compare the client id, the object id, and the keychain of the token cache"
    case .notCompliantWithData(let account): "\(account) is not compliant and has organization data: wipe it"
    case .accountNotAdded(let account): "the app did not add \(account), which is enrolled: add it or deregister it"
    case .sameName(let account, let existing):
      "\(account) has the name of \(existing) and another object id: the device's account must be reset"
    case .deviceWithoutUser: "device management names a device and no user: add IntuneMAMUPN and IntuneMAMOID"
    case .nameChanged(let account):
      "\(account) has another name in the directory, with which its enrollment breaks: wipe its data and sign in anew"
    case .restartBeforeCallback(let account):
      "a restart is asked for while \(account)'s enrollment is not answered: restart, the callback comes afterwards"
    }
  }

  /// The rule, and whom or what it is about; stable, so that scenarios can expect it.
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
    case .deviceWithoutUser: rule
    }
  }
}
