import AppProtection
import EventSourcing

/// The kinds of problem that a history of app protection can show. The page "Diagnosis" describes each.
public enum ProblemFamily: String, DiagnosisFamily {
  // What damages the evidence.
  case damagedJournal = "damaged-journal"
  case clockSetBack = "clock-set-back"
  // How an account gets its policy.
  case policyNotApplied = "policy-not-applied"
  case authRequired = "auth-required"
  case nilAccount = "nil-account"
  case accountMismatch = "account-mismatch"
  case staleAccount = "stale-account"
  case secondManagedAccount = "second-managed-account"
  case accountNotAllowed = "account-not-allowed"
  case deregisterAfterTokenRemoval = "deregister-after-token-removal"
  case restartPending = "restart-pending"
  case lostCallback = "lost-callback"
  case remediationLoop = "remediation-loop"
  case missingCapability = "missing-capability"
  case retryStorm = "retry-storm"
  case checkInOverdue = "check-in-overdue"
  case appConfiguration = "app-config"
  case policyDrift = "policy-drift"
  case policyVersions = "policy-versions"
  case policyContradiction = "policy-contradiction"
  // How it loses access or its data.
  case offlineBlock = "offline-block"
  case unexpectedWipe = "unexpected-wipe"
  case wipeUnfinished = "wipe-unfinished"
  case pinAttempts = "pin-attempts"
  case pinQuality = "pin-quality"
  case osVersion = "os-version"
  case deviceModel = "device-model"
  case threatLevel = "threat-level"
  case jailbreak
  case launchBlocked = "launch-blocked"
  case refusedAgain = "refused-again"
  case crashLoop = "crash-loop"
  // How the app handles identities.
  case identityLeak = "identity-leak"
  case wrongEnumeration = "wrong-enum"

  /// The stable name.
  public var id: String { rawValue }
  /// The page, with the heading of the family.
  public var page: String { "Diagnosis#\(rawValue)" }
  /// What is wrong, in a few words.
  public var title: String { row.title }
  /// How bad it is.
  public var severity: DiagnosisSeverity { row.severity }
  /// What follows from it.
  public var explains: Set<Self> { Set(row.explains) }

  /// What is wrong, how bad it is, and which other problems follow from it.
  private var row: (title: String, severity: DiagnosisSeverity, explains: [Self]) {
    switch self {
    case .damagedJournal: ("the journal is damaged", .critical, [])
    case .clockSetBack: ("the clock was changed", .warning, [])
    case .policyNotApplied: ("no policy is applied", .critical, [.appConfiguration])
    case .authRequired:
      (
        "the service asks for a sign-in (203)", .critical,
        [.policyNotApplied, .checkInOverdue, .offlineBlock, .unexpectedWipe, .appConfiguration, .policyVersions]
      )
    case .nilAccount:
      (
        "the service got no object id (207)", .critical,
        [.policyNotApplied, .appConfiguration, .checkInOverdue, .offlineBlock, .retryStorm]
      )
    case .accountMismatch:
      (
        "the account is not the enrolled one (214)", .critical,
        [
          .authRequired, .nilAccount, .staleAccount, .policyNotApplied, .appConfiguration, .checkInOverdue,
          .offlineBlock,
          .retryStorm,
        ]
      )
    case .staleAccount:
      (
        "an account left traces", .warning, [.secondManagedAccount, .policyNotApplied, .appConfiguration, .retryStorm]
      )
    case .secondManagedAccount:
      ("a second account wants to be managed", .warning, [.policyNotApplied, .appConfiguration])
    case .accountNotAllowed:
      (
        "the account is not allowed here", .critical,
        [.policyNotApplied, .appConfiguration, .checkInOverdue, .offlineBlock, .retryStorm]
      )
    case .deregisterAfterTokenRemoval:
      (
        "tokens were removed before the account left", .warning,
        [.staleAccount, .secondManagedAccount, .policyNotApplied, .retryStorm]
      )
    case .restartPending: ("a restart is awaited", .warning, [])
    case .lostCallback: ("a callback never came", .critical, [])
    case .remediationLoop: ("remediation leads nowhere", .critical, [.retryStorm])
    case .missingCapability:
      (
        "the token library lacks a capability", .critical,
        [.authRequired, .policyNotApplied, .appConfiguration, .checkInOverdue]
      )
    case .retryStorm: ("the same request is repeated too often", .warning, [.policyNotApplied, .checkInOverdue])
    case .checkInOverdue: ("the service is not asked, or does not answer", .warning, [.policyVersions])
    case .appConfiguration: ("the app configuration does not arrive", .warning, [])
    case .policyDrift: ("the policy is not the intended one", .warning, [])
    case .policyVersions: ("one policy has two versions", .warning, [])
    case .policyContradiction: ("settings of the policy contradict one another", .warning, [])
    case .offlineBlock: ("offline for too long", .critical, [])
    case .unexpectedWipe: ("data was wiped", .critical, [.restartPending])
    case .wipeUnfinished: ("a wipe is not finished", .critical, [])
    case .pinAttempts: ("the PIN was wrong too often", .critical, Self.ofWipes)
    case .pinQuality: ("a policy refuses the PIN that it finds", .critical, [])
    case .osVersion: ("the operating system's version is not allowed", .critical, Self.ofWipes)
    case .deviceModel: ("the device's model is not allowed", .critical, Self.ofWipes)
    case .threatLevel: ("threat defense reports too great a threat", .critical, Self.ofWipes)
    case .jailbreak: ("the device is jailbroken", .critical, Self.ofWipes)
    case .launchBlocked: ("a launch condition blocks access", .critical, [])
    case .refusedAgain: ("the same thing is refused again and again", .warning, [])
    case .crashLoop: ("the app ends without an orderly end", .warning, [])
    case .identityLeak: ("an identity stays where another account is served", .warning, [])
    case .wrongEnumeration: ("the delegate answers with the wrong constant", .warning, [.policyNotApplied])
    }
  }

  /// What follows where a launch condition wipes the data.
  private static var ofWipes: [Self] { [.unexpectedWipe, .restartPending] }

  /// What looks for it; `nil` for what holds for any domain.
  ///
  /// - Parameter contradictions: Finds settings of a policy that contradict one another.
  func rule(
    _ contradictions: @escaping @Sendable (PolicyDocument) -> [PolicyContradiction] = { _ in [] }
  ) -> (any ProblemRule)? {
    switch self {
    case .damagedJournal, .clockSetBack: nil
    case .policyNotApplied: PolicyNotAppliedRule()
    case .restartPending: RestartPendingRule()
    case .lostCallback: LostCallbackRule()
    case .remediationLoop: RemediationLoopRule()
    case .retryStorm: RetryStormRule()
    case .checkInOverdue: CheckInOverdueRule()
    case .appConfiguration: AppConfigurationRule()
    case .policyDrift: PolicyDriftRule()
    case .policyVersions: PolicyVersionsRule()
    case .policyContradiction: PolicyContradictionRule(contradictions)
    case .offlineBlock: OfflineBlockRule()
    case .unexpectedWipe: UnexpectedWipeRule()
    case .wipeUnfinished: WipeUnfinishedRule()
    case .authRequired: AuthRequiredRule()
    case .nilAccount: NilAccountRule()
    case .accountMismatch: AccountMismatchRule()
    case .staleAccount: StaleAccountRule()
    case .secondManagedAccount: SecondManagedAccountRule()
    case .accountNotAllowed: AccountNotAllowedRule()
    case .deregisterAfterTokenRemoval: DeregisterAfterTokenRemovalRule()
    case .missingCapability: MissingCapabilityRule()
    case .pinAttempts: PINAttemptsRule()
    case .pinQuality: PINQualityRule()
    case .osVersion: OSVersionRule()
    case .deviceModel: DeviceModelRule()
    case .threatLevel: ThreatLevelRule()
    case .jailbreak: JailbreakRule()
    case .launchBlocked: LaunchBlockedRule()
    case .refusedAgain: RefusedAgainRule()
    case .crashLoop: CrashLoopRule()
    case .identityLeak: IdentityLeakRule()
    case .wrongEnumeration: WrongEnumerationRule()
    }
  }
}

/// A problem of app protection.
public typealias Problem = Diagnosis<ProblemFamily>
