extension PendingWork {
  /// The name of pending work: the first word of its printed form.
  public enum Name: String, CaseIterable, Sendable {
    case enroll
    case checkIn
    case unenroll
    case askDelegateToWipe
    case removeFiles
    case askRestart
    case restart
    case remediate
    case tellRemediation
    case askAccountSwitch
    case askLogin
    case askIdentitySwitch
    case askToAddAccount
    case startDueWork

    /// The words after the name.
    public var parameters: [LabelParameter] {
      switch self {
      case .enroll: [.account, .name("TRIGGER", of: EnrollmentTrigger.self)]
      case .askDelegateToWipe: [.account, .wipeReason]
      case .askRestart, .restart: [.account, .restartReason]
      case .remediate: [.account, .word("silent or interactive", of: ["silent", "interactive"])]
      case .tellRemediation: Callback.Name.complianceStatus.parameters
      case .askAccountSwitch: [.account, .account]
      case .askIdentitySwitch: Callback.Name.identitySwitchRequired.parameters
      case .askLogin: []
      case .checkIn, .unenroll, .removeFiles, .askToAddAccount, .startDueWork: [.account]
      }
    }
  }

  /// The work's name.
  public var name: Name {
    switch kind {
    case .enroll: .enroll
    case .checkIn: .checkIn
    case .unenroll: .unenroll
    case .askDelegateToWipe: .askDelegateToWipe
    case .removeFiles: .removeFiles
    case .askRestart: .askRestart
    case .restart: .restart
    case .remediate: .remediate
    case .tellRemediation: .tellRemediation
    case .askAccountSwitch: .askAccountSwitch
    case .askLogin: .askLogin
    case .askIdentitySwitch: .askIdentitySwitch
    case .askToAddAccount: .askToAddAccount
    case .startDueWork: .startDueWork
    }
  }
}
