@testable import AppProtection

/// A state with up to three accounts, and a question to it: what the tables of transfers are asked about.
///
/// `owner` is the account whose policy is asked: that of the data's owner, or that of the receiver of opened data.
struct TransferSituation {
  /// How an account stands.
  enum Standing: CaseIterable {
    /// It has a policy that is enforced.
    case managed
    /// Its policy waits for a restart.
    case waiting
    /// It has no policy.
    case unmanaged
    /// There is none.
    case nobody
  }

  /// Whose the location is.
  enum LocationAccount: Equatable, CaseIterable {
    /// No account is passed.
    case none
    /// The account whose policy is asked.
    case owner
    /// An account without policy.
    case personal
    /// Another managed account.
    case colleague
    /// An account that the journal never saw.
    case stranger
  }

  static let owner = AccountNumber.first
  static let personal = AccountNumber(2) ?? .first
  static let colleague = AccountNumber(3) ?? .first

  var standing = Standing.managed
  var policy = PolicyDocument.DataTransfer()
  var colleaguePolicy = PolicyDocument.DataTransfer()
  var sdk = "19.2.0"
  var multiIdentity = true
  var assumptions = Assumptions()

  var ownerNumber: AccountNumber? { standing == .nobody ? nil : Self.owner }

  func number(_ account: LocationAccount) -> AccountNumber? {
    switch account {
    case .none, .stranger: nil
    case .owner: ownerNumber
    case .personal: Self.personal
    case .colleague: Self.colleague
    }
  }

  func location(_ account: LocationAccount) -> AppProtection.LocationAccount {
    account == .stranger ? .unknown : AppProtection.LocationAccount(number(account))
  }

  /// The state that the situation describes.
  func state() -> AppProtectionState {
    var state = AppProtectionState()
    state.process.sdkVersion = sdk
    state.settings.app.multiIdentity = multiIdentity
    state.settings.app.assumptions = assumptions
    for number in [Self.owner, Self.personal, Self.colleague] {
      var account = Account(number, objectID: nil, userPrincipalName: "\(number)@contoso.example")
      account.enrollment.status = number == Self.personal ? .registered : .enrolledWithPolicy
      state.accounts.set(account)
    }
    if standing == .managed || standing == .waiting {
      Self.give(policy, to: Self.owner, isEnforced: standing == .managed, in: &state)
    }
    Self.give(colleaguePolicy, to: Self.colleague, isEnforced: true, in: &state)
    return state
  }

  private static func give(
    _ dataTransfer: PolicyDocument.DataTransfer, to account: AccountNumber, isEnforced: Bool,
    in state: inout AppProtectionState
  ) {
    var document = PolicyDocument()
    document.dataTransfer = dataTransfer
    state.policies.set(
      PolicyRecord(account: account, document: document, version: 1, receivedBy: 1, isEnforced: isEnforced))
  }

  /// The defaults, and every assumption turned over by itself.
  static let assumptionChoices: [Assumptions] =
    [Assumptions()] + Assumptions.choices.filter { $0.number < 10 }.map { Assumptions.denying([$0]) }

  static let levels: [DataTransferLevel?] = [nil] + DataTransferLevel.allCases
}

/// One row of a table of transfers, restated.
struct TransferRow<Location: Sendable>: Sendable {
  var number: Int
  /// Whether the row is the one that speaks.
  var applies: @Sendable (TransferCase<Location>) -> Bool
  /// Whether it allows the transfer.
  var allows: @Sendable (TransferCase<Location>) -> Bool
}

/// What a row looks at: the words of the tables.
struct TransferCase<Location: Sendable>: Sendable {
  /// Whether the asked account is managed.
  var isManaged: Bool
  /// The asked account's level: sending for save-to, receiving for open-from; never unknown.
  var level: String
  /// Whether saving, or opening, is blocked.
  var isBlocked: Bool
  /// Whether the location is in the list of exceptions.
  var isListed: Bool
  var location: Location
  /// Whether no account was passed.
  var isUnnamed: Bool
  /// Whether the location is the asked account's, with what no account means taken into account.
  var isOwn: Bool
  /// Whether the location belongs to another account that is managed.
  var isColleagues: Bool
  /// That account's level: receiving for save-to, sending for open-from.
  var colleagueLevel: String
  var assumptions: Assumptions
}
