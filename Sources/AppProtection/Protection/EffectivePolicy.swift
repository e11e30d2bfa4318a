/// What the policy that is in force for an identity comes to: the settings that decisions compare, with nothing left
/// open.
///
/// No policy is in force for nobody, for an account without policy, and for an account whose first policy waits for a
/// restart (``PolicyRecord/isEnforced``). Such an identity is unmanaged, and nothing restricts it.
///
/// A setting that a document does not have does not restrict: documents of an older version of the schema lack the
/// settings that were added later. A level that is not known counts as none, an entry of a list that is not known allows
/// nothing.
///
/// Small and without references: making one allocates nothing.
public struct EffectivePolicy: Equatable, Sendable {
  /// The account whose policy is in force; `nil` when none is.
  public let account: AccountNumber?
  /// To which apps organization data may be sent. Never `unrecognized`.
  public let send: DataTransferLevel
  /// From which apps data may be received. Never `unrecognized`.
  public let receive: DataTransferLevel
  /// Whether saving copies is blocked, apart from what ``lists(_:)-(SaveLocation)`` says. Counts only while ``send`` is
  /// `managedApps`: the administration portal offers the setting for no other level.
  public let isSavingBlocked: Bool
  /// Whether opening data is blocked, apart from what ``lists(_:)-(OpenLocation)`` says. Counts only while ``receive`` is
  /// `managedApps`.
  public let isOpeningBlocked: Bool
  private let saveLocations: UInt8
  private let openLocations: UInt8

  /// What is in force where no policy is: nothing is restricted.
  public static let unmanaged = EffectivePolicy(account: nil, dataTransfer: PolicyDocument.DataTransfer())

  init(account: AccountNumber?, dataTransfer: borrowing PolicyDocument.DataTransfer) {
    self.account = account
    send = Self.strictly(dataTransfer.allowedOutboundDataTransferDestinations)
    receive = Self.strictly(dataTransfer.allowedInboundDataTransferSources)
    isSavingBlocked = dataTransfer.saveAsBlocked ?? false
    isOpeningBlocked = dataTransfer.blockDataIngestionIntoOrganizationDocuments ?? false
    var saveLocations: UInt8 = 0
    if let listed = dataTransfer.allowedDataStorageLocations {
      for location in SaveLocation.allCases {
        if let storage = location.storage, listed.contains(storage) { saveLocations |= location.rawValue }
      }
    }
    self.saveLocations = saveLocations
    var openLocations: UInt8 = 0
    if let listed = dataTransfer.allowedDataIngestionLocations {
      for location in OpenLocation.allCases {
        if let ingestion = location.ingestion, listed.contains(ingestion) { openLocations |= location.rawValue }
      }
    }
    self.openLocations = openLocations
  }

  /// Whether a policy is in force.
  public var isManaged: Bool { account != nil }

  /// Whether copies may be saved to a location although saving is blocked.
  public func lists(_ location: SaveLocation) -> Bool {
    saveLocations & location.rawValue != 0
  }

  /// Whether data may be opened from a location although opening is blocked.
  public func lists(_ location: OpenLocation) -> Bool {
    openLocations & location.rawValue != 0
  }

  private static func strictly(_ level: DataTransferLevel?) -> DataTransferLevel {
    switch level {
    case .allApps, nil: .allApps
    case .managedApps: .managedApps
    case .noApps, .unrecognized: .noApps
    }
  }
}
