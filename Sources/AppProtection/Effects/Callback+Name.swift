extension Callback {
  /// A callback's name: the first word of its printed form.
  public enum Name: String, CaseIterable, Sendable {
    case enrollmentRequest
    case policyRequest
    case unenrollRequest
    case wipeData
    case restartApplication
    case identitySwitchRequired
    case addAccount
    case complianceStatus
    case accountConflict
    case conditionalLaunch
    case policyDidChange = "PolicyDidChange"
    case dataProtectionDidChange = "DataProtectionDidChange"
    case wipeDidComplete = "WipeDidComplete"
    case allowedAccountsDidChange = "AllowedAccountsDidChange"
    case configurationDidChange = "ConfigurationDidChange"
    case userStatusDidChange = "UserStatusDidChange"

    /// The words after the name.
    public var parameters: [LabelParameter] {
      switch self {
      case .enrollmentRequest, .unenrollRequest: [.account(or: "none"), .code]
      case .policyRequest: [.account, .code]
      case .restartApplication, .allowedAccountsDidChange: []
      case .identitySwitchRequired: [.scope, .identity, .name("REASON", of: IdentitySwitchReason.self)]
      case .complianceStatus: [.account, .name("STATUS", of: ComplianceStatus.self)]
      case .accountConflict: [.account, .account]
      case .conditionalLaunch:
        [.account, .name("OUTCOME", of: LaunchOutcome.self), .launchRule]
      case .configurationDidChange: [.account(or: "device")]
      case .wipeData, .addAccount, .policyDidChange, .dataProtectionDidChange, .wipeDidComplete,
        .userStatusDidChange:
        [.account]
      }
    }
  }

  /// The callback's name.
  public var name: Name {
    switch self {
    case .enrollmentRequest: .enrollmentRequest
    case .policyRequest: .policyRequest
    case .unenrollRequest: .unenrollRequest
    case .wipeData: .wipeData
    case .restartApplication: .restartApplication
    case .identitySwitchRequired: .identitySwitchRequired
    case .addAccount: .addAccount
    case .complianceStatus: .complianceStatus
    case .policyDidChange: .policyDidChange
    case .dataProtectionDidChange: .dataProtectionDidChange
    case .wipeDidComplete: .wipeDidComplete
    case .allowedAccountsDidChange: .allowedAccountsDidChange
    case .configurationDidChange: .configurationDidChange
    case .accountConflict: .accountConflict
    case .conditionalLaunch: .conditionalLaunch
    case .userStatusDidChange: .userStatusDidChange
    }
  }
}
