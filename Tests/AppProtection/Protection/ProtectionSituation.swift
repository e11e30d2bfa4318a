@testable import AppProtection

/// A state with a managed account, one without policy, and another managed one: what the questions of data protection are
/// asked about.
struct ProtectionSituation {
  static let owner = AccountNumber.first
  static let personal = AccountNumber(2) ?? .first
  static let colleague = AccountNumber(3) ?? .first

  var policy = PolicyDocument()
  var colleaguePolicy = PolicyDocument()
  var isManaged = true
  var sdk = "20.5.0"
  var multiIdentity = true
  var deviceAccount: AccountNumber?
  var assumptions = Assumptions()

  init(_ change: (inout PolicyDocument) -> Void = { _ in }) {
    change(&policy)
  }

  /// The policy of the scenarios of transfers.
  static var level2: ProtectionSituation {
    ProtectionSituation {
      $0.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
      $0.dataTransfer.saveAsBlocked = true
      $0.dataTransfer.allowedDataStorageLocations = [.oneDriveForBusiness, .sharePoint]
      $0.dataTransfer.allowedInboundDataTransferSources = .allApps
    }
  }

  /// The state that the situation describes.
  func state() -> AppProtectionState {
    var state = AppProtectionState()
    state.process.sdkVersion = sdk
    state.settings.app.multiIdentity = multiIdentity
    state.settings.app.assumptions = assumptions
    state.settings.deviceAccount = deviceAccount
    for number in [Self.owner, Self.personal, Self.colleague] {
      var account = Account(number, objectID: nil, userPrincipalName: "\(number)@contoso.example")
      account.enrollment.status = number == Self.personal ? .registered : .enrolledWithPolicy
      state.accounts.set(account)
    }
    if isManaged { Self.give(policy, to: Self.owner, in: &state) }
    Self.give(colleaguePolicy, to: Self.colleague, in: &state)
    return state
  }

  /// The situation with one assumption turned over.
  func without(_ assumption: WritableKeyPath<Assumptions, Bool>) -> ProtectionSituation {
    var situation = self
    situation.assumptions[keyPath: assumption] = false
    return situation
  }

  private static func give(_ document: PolicyDocument, to account: AccountNumber, in state: inout AppProtectionState) {
    state.policies.set(
      PolicyRecord(account: account, document: document, version: 1, receivedBy: 1, isEnforced: true))
  }
}
