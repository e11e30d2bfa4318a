import AppProtection

/// What a user complains about, in the words of a support desk: the families of problems that lead to it, and the questions
/// whose answers are what the user meets.
public enum Complaint: String, CaseIterable, Sendable {
  /// The app does not let the user in.
  case blocked
  /// The work data is gone.
  case wiped
  /// The work data can leave the app.
  case unprotected
  /// The app does not have the settings that its administrator gave it.
  case configuration
  /// The app closes, or has to be started again.
  case closes
  /// Saving, opening, sharing or pasting does not work.
  case sharing

  /// What the user says, in one phrase.
  public var meaning: String {
    switch self {
    case .blocked: "the app does not let the user in"
    case .wiped: "the work data is gone"
    case .unprotected: "the work data can leave the app"
    case .configuration: "the app does not have the settings that its administrator gave it"
    case .closes: "the app closes, or has to be started again"
    case .sharing: "saving, opening, sharing or pasting does not work"
    }
  }

  /// The families of problems that lead to it.
  public var families: [ProblemFamily] {
    switch self {
    case .blocked:
      [
        .offlineBlock, .pinAttempts, .osVersion, .deviceModel, .threatLevel, .jailbreak, .launchBlocked, .authRequired,
        .accountMismatch, .accountNotAllowed, .secondManagedAccount, .remediationLoop, .missingCapability,
        .lostCallback, .clockSetBack, .pinQuality, .refusedAgain,
      ]
    // Whatever wiped stands with its wipe, as the cause. What only blocks does not lead here.
    case .wiped: [.unexpectedWipe, .wipeUnfinished, .deregisterAfterTokenRemoval, .damagedJournal]
    case .unprotected:
      [
        .policyNotApplied, .restartPending, .identityLeak, .wrongEnumeration, .policyDrift, .policyContradiction,
        .policyVersions, .nilAccount, .staleAccount, .secondManagedAccount, .wipeUnfinished,
      ]
    case .configuration:
      [.appConfiguration, .policyNotApplied, .policyDrift, .checkInOverdue, .nilAccount, .retryStorm]
    case .closes: [.crashLoop, .restartPending, .lostCallback, .unexpectedWipe, .wipeUnfinished]
    case .sharing:
      [
        .policyContradiction, .policyDrift, .policyVersions, .identityLeak, .wrongEnumeration, .secondManagedAccount,
        .policyNotApplied, .refusedAgain,
      ]
    }
  }

  /// A question of a complaint, and the answers with which the user has no reason for it.
  public struct Inquiry: Equatable, Sendable {
    /// The question's name.
    public let name: String
    /// The values within its parentheses.
    public let values: [String]
    /// The answers that are no reason to complain.
    public let usual: Set<String>

    init(_ name: String, _ values: [String], _ usual: [String]) {
      (self.name, self.values, self.usual) = (name, values, Set(usual))
    }
  }

  /// The questions about an account.
  ///
  /// - Parameter keys: The keys of app configurations that were delivered, for questions about those.
  public func inquiries(about account: AccountNumber, keys: [String] = []) -> [Inquiry] {
    let name = account.description
    func saving(_ location: SaveLocation, _ usual: Permission) -> Inquiry {
      Inquiry("saveTo", [location.name, name], [usual.name])
    }
    let managed = Inquiry("managed", [name], [true.name])
    switch self {
    case .blocked:
      return [
        Inquiry("launch", [name], LaunchOutcome.allCases.filter { !Self.closing.contains($0) }.map(\.name)),
        Inquiry("offline", [name], [OfflineOutcome.open.name]),
      ]
    case .wiped:
      let wipes: [LaunchOutcome] = [.wipe, .signInOrWipe]
      return [
        managed, Inquiry("launch", [name], LaunchOutcome.allCases.filter { !wipes.contains($0) }.map(\.name)),
        Inquiry("offline", [name], [OfflineOutcome.open.name, OfflineOutcome.blocked.name]),
      ]
    case .unprotected:
      return [
        managed, Inquiry("pin", [name], [PINDemand.required.name]), Inquiry("fileEncryption", [name], ["required"]),
        saving(.localDrive, .denied), Inquiry("transfer", [name, "unmanagedApp"], ["denied"]),
      ]
    case .configuration:
      let delivered = [ConfigurationOutcome.targeted, .tenantDefault, .device].map(\.name)
      return [managed] + keys.map { Inquiry("config", [$0, name], delivered) }
    case .closes:
      return [Inquiry("launch", [name], LaunchOutcome.allCases.filter { !Self.closing.contains($0) }.map(\.name))]
    case .sharing:
      return [
        saving(.oneDriveForBusiness, .allowed), saving(.localDrive, .allowed),
        Inquiry("openFrom", [OpenLocation.localStorage.name, name], ["allowed"]),
        Inquiry("transfer", [name, "unmanagedApp"], ["allowed"]),
        Inquiry("paste", [name, "unmanagedApp"], ["allowed"]), Inquiry("use", ["printing", name], ["allowed"]),
      ]
    }
  }

  /// The outcomes that no answer of the user changes on the spot.
  private static let closing: [LaunchOutcome] = [.block, .resetPIN, .signInOrWipe, .wipe]
}
