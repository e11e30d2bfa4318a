import AppProtection
import AppProtectionInsight

/// A cause of a problem that can be planted in a life.
struct FleetFault: Sendable {
  /// Its name, in lower case with hyphens.
  let name: String
  /// The life in which it happens, from the first day to the last.
  let happen: @Sendable (inout FleetLife) -> Void

  init(_ name: String, _ happen: @escaping @Sendable (inout FleetLife) -> Void) {
    (self.name, self.happen) = (name, happen)
  }

  /// The causes of a family's problems.
  static func causes(of family: ProblemFamily) -> [FleetFault] {
    switch family {
    case .damagedJournal: damagedJournal
    case .clockSetBack: clockSetBack
    case .policyNotApplied: policyNotApplied
    case .authRequired: authRequired
    case .nilAccount: nilAccount
    case .accountMismatch: accountMismatch
    case .staleAccount: staleAccount
    case .secondManagedAccount: secondManagedAccount
    case .accountNotAllowed: accountNotAllowed
    case .deregisterAfterTokenRemoval: deregisterAfterTokenRemoval
    case .restartPending: restartPending
    case .lostCallback: lostCallback
    case .remediationLoop: remediationLoop
    case .missingCapability: missingCapability
    case .retryStorm: retryStorm
    case .checkInOverdue: checkInOverdue
    case .appConfiguration: appConfiguration
    case .policyDrift: policyDrift
    case .policyVersions: policyVersions
    case .policyContradiction: policyContradiction
    case .offlineBlock: offlineBlock
    case .unexpectedWipe: unexpectedWipe
    case .wipeUnfinished: wipeUnfinished
    case .pinAttempts: pinAttempts
    case .pinQuality: pinQuality
    case .osVersion: osVersion
    case .deviceModel: deviceModel
    case .threatLevel: threatLevel
    case .jailbreak: jailbreak
    case .launchBlocked: launchBlocked
    case .refusedAgain: refusedAgain
    case .crashLoop: crashLoop
    case .identityLeak: identityLeak
    case .wrongEnumeration: wrongEnumeration
    }
  }

  /// A life in which nothing goes wrong.
  static let none = FleetFault("none") { life in
    life.begin()
    if life.random.happens(20) {
      life.session { life in
        life.step(
          "configuration",
          "{\"account\": \"alice\", \"default\": {\"k\": \"d\"}, \"targeted\": [{\"server\": \"a.example\"}]}")
        life.wait(hours: 1...2)
      }
    }
    life.days(14...30, revises: true)
  }
}
