/// The policy in force for an identity: the settings that decisions compare, all with a value.
///
/// No policy is in force without an account, for an account without a policy, or for an account whose first policy
/// waits for a restart (``PolicyRecord/isEnforced``). Such an identity is unmanaged, and nothing restricts it.
///
/// An absent setting does not restrict: documents of an older version of the schema lack the settings that were added
/// later. An unknown choice counts as the strictest one; an unknown entry of a list allows nothing.
///
/// Small and without references: creating one allocates nothing. Texts and lists of them (browsers, dialers, exempt
/// schemes, universal links) stay in the document; this type records only whether any exist.
public struct EffectivePolicy: Equatable, Sendable {
  /// The account whose policy is in force; `nil` when none is.
  public let account: AccountNumber?
  /// The apps to which organization data may be sent. Never `unrecognized`.
  public let send: DataTransferLevel
  /// The apps from which data may be received. Never `unrecognized`.
  public let receive: DataTransferLevel
  /// How far the clipboard reaches. Never `unrecognized`.
  public let clipboard: ClipboardSharingLevel
  /// How many characters may cross despite ``clipboard``.
  public let clipboardExceptionLength: UInt16
  /// The apps with which a phone number may be dialed. Never `unrecognized`.
  public let dialer: DialerRestrictionLevel
  /// The apps with which a message may be started. Never `unrecognized`.
  public let messaging: MessagingRedirectAppType
  /// What notifications may show. Never `unrecognized`.
  public let notifications: NotificationRestriction
  /// When files are protected. Never `unrecognized`.
  public let encryption: DataEncryptionType
  /// The settings that are on or off.
  public let switches: PolicySwitches
  private let saveLocations: UInt8
  private let openLocations: UInt8

  /// The value without a policy: nothing is restricted.
  public static let unmanaged = EffectivePolicy(account: nil, document: PolicyDocument())

  init(account: AccountNumber?, document: PolicyDocument) {
    let storage = document.storage
    self.account = account
    send = Self.strictly(storage.dataTransfer.allowedOutboundDataTransferDestinations, .allApps, .noApps)
    receive = Self.strictly(storage.dataTransfer.allowedInboundDataTransferSources, .allApps, .noApps)
    clipboard = Self.strictly(storage.dataTransfer.allowedOutboundClipboardSharingLevel, .allApps, .blocked)
    clipboardExceptionLength = UInt16(
      clamping: storage.dataTransfer.allowedOutboundClipboardSharingExceptionLength ?? 0)
    dialer = Self.strictly(storage.redirection.dialerRestrictionLevel, .allApps, .blocked)
    messaging = Self.strictly(storage.redirection.protectedMessagingRedirectAppType, .anyApp, .blocked)
    notifications = Self.strictly(storage.surfaces.notificationRestriction, .allow, .block)
    encryption = Self.strictly(storage.encryption.appDataEncryptionType, .useDeviceSettings, .whenDeviceLocked)
    switches = PolicySwitches(of: storage)
    var saveLocations: UInt8 = 0
    if let listed = storage.dataTransfer.allowedDataStorageLocations {
      for location in SaveLocation.allCases {
        if let entry = location.storage, listed.contains(entry) { saveLocations |= location.rawValue }
      }
    }
    self.saveLocations = saveLocations
    var openLocations: UInt8 = 0
    if let listed = storage.dataTransfer.allowedDataIngestionLocations {
      for location in OpenLocation.allCases {
        if let entry = location.ingestion, listed.contains(entry) { openLocations |= location.rawValue }
      }
    }
    self.openLocations = openLocations
  }

  /// Whether a policy is in force.
  public var isManaged: Bool { account != nil }

  /// Whether saving copies is blocked, apart from the exceptions in ``lists(_:)-(SaveLocation)``. Counts only while
  /// ``send`` is `managedApps`: the administration portal offers the setting for no other level.
  public var isSavingBlocked: Bool { switches.contains(.savingBlocked) }

  /// Whether opening data is blocked, apart from the exceptions in ``lists(_:)-(OpenLocation)``. Counts only while
  /// ``receive`` is `managedApps`.
  public var isOpeningBlocked: Bool { switches.contains(.openingBlocked) }

  /// Whether copies may be saved to a location although saving is blocked.
  public func lists(_ location: SaveLocation) -> Bool {
    saveLocations & location.rawValue != 0
  }

  /// Whether data may be opened from a location although opening is blocked.
  public func lists(_ location: OpenLocation) -> Bool {
    openLocations & location.rawValue != 0
  }

  /// One rule for every choice: an absent one restricts nothing, and an unknown one counts as the strictest.
  private static func strictly<Choice: PolicyChoice>(_ choice: Choice?, _ free: Choice, _ strictest: Choice) -> Choice {
    guard let choice else { return free }
    return choice == .unrecognized ? strictest : choice
  }
}
