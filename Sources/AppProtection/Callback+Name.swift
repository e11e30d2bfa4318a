extension Callback {
  /// What a callback is called: the first word of its printed form.
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

    /// The words after the name. `ACCOUNT or none` is an account's name or the word itself.
    public var parameters: [String] {
      switch self {
      case .enrollmentRequest, .unenrollRequest: ["ACCOUNT or none", "CODE"]
      case .policyRequest: ["ACCOUNT", "CODE"]
      case .restartApplication, .allowedAccountsDidChange: []
      case .identitySwitchRequired: ["SCOPE", "IDENTITY", "REASON"]
      case .complianceStatus: ["ACCOUNT", "STATUS"]
      case .accountConflict: ["ACCOUNT", "ACCOUNT"]
      case .conditionalLaunch: ["ACCOUNT", "OUTCOME", "RULE"]
      case .configurationDidChange: ["ACCOUNT or device"]
      case .wipeData, .addAccount, .policyDidChange, .dataProtectionDidChange, .wipeDidComplete,
        .userStatusDidChange:
        ["ACCOUNT"]
      }
    }
  }

  /// What the callback is called.
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
