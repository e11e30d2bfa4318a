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

    /// The words after it in a label.
    public var parameters: [LabelParameter] {
      switch self {
      case .wrongEnumeration: [.scope]
      case .threadIdentityNotRestored: [.thread, .account, .account]
      case .unknownCode: [.account, .code]
      case .sameName: [.account, .account]
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
    }
  }

  /// The scenario or transition that describes the finding, or a separate word if none does.
  public var rule: String { kind.rawValue }
}
