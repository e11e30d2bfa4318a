import AppProtection

/// The policy of one account at one moment, under the names of the SDK (`IntuneMAMPolicy`).
///
/// Each answer is a decision with its rule and reason. It is made from a copy of the state, so it stays what it was: get
/// another one after ``PolicyChange/policyDidChange(_:)``. For a single question on a main thread,
/// ``PolicyEngine/withState(_:)`` asks without a copy.
public struct AccountPolicy: Sendable {
  let state: AppProtectionState
  /// The account; `nil` for the user's own, unmanaged data.
  public let account: AccountNumber?
  /// The strongest protection of files that the app can work with.
  var maximumFileProtection = FileProtectionClass.complete

  /// The settings in force; `nil` if no policy is.
  public var document: PolicyDocument? { state.enforcedPolicy(for: account.map { .account($0) } ?? .unmanaged) }

  /// Whether a PIN protects the app.
  public var isPINRequired: Decision<PINDemand> { state.pinDemand(for: account) }

  /// Whether the account's data may be saved to a location that belongs to another account, or to none.
  public func isSaveToAllowed(to location: SaveLocation, account other: AccountNumber?) -> Decision<TransferOutcome> {
    state.saveTo(location, account: other, owner: account)
  }

  /// The same for a location whose account the app can name, known to the journal or not.
  public func isSaveToAllowed(
    to location: SaveLocation, account other: AccountReference
  ) -> Decision<TransferOutcome> {
    state.saveTo(location, account: state.locationAccount(for: other), owner: account)
  }

  /// The decision about each location.
  public func saveToLocations(
    account other: AccountNumber?
  ) -> [(location: SaveLocation, decision: Decision<TransferOutcome>)] {
    state.saveToLocations(account: other, owner: account)
  }

  /// Whether the account may open data from a location that belongs to another account, or to none.
  public func isOpenFromAllowed(
    from location: OpenLocation, account other: AccountNumber?
  ) -> Decision<TransferOutcome> {
    state.openFrom(location, account: other, receiver: account)
  }

  /// The same for a location whose account the app can name, known to the journal or not.
  public func isOpenFromAllowed(
    from location: OpenLocation, account other: AccountReference
  ) -> Decision<TransferOutcome> {
    state.openFrom(location, account: state.locationAccount(for: other), receiver: account)
  }

  /// The decision about each location.
  public func openFromLocations(
    account other: AccountNumber?
  ) -> [(location: OpenLocation, decision: Decision<TransferOutcome>)] {
    state.openFromLocations(account: other, receiver: account)
  }

  /// Whether shared data may be received (`canReceiveSharedItemProvider:`, `canReceiveSharedFile:`).
  public func canReceive(
    from source: DataParty, identitySwitch: SwitchIdentityResult? = nil
  ) -> Decision<ReceiveOutcome> {
    state.receive(from: source, as: account, identitySwitch: identitySwitch)
  }

  /// Whether a URL may be opened, and where (`isURLAllowed:isKnownManagedAppScheme:`).
  public func isURLAllowed(_ url: String, isKnownManagedAppScheme: Bool = false) -> Decision<LinkOutcome> {
    state.url(url, for: account, isManagedScheme: isKnownManagedAppScheme)
  }

  /// Whether a universal link may be opened, and where.
  public func isUniversalLinkAllowed(_ url: String) -> Decision<LinkOutcome> { state.universalLink(url, for: account) }

  /// Whether web links must open in a managed browser, and in which.
  public var isManagedBrowserRequired: Decision<LinkOutcome> { state.browser(for: account) }

  /// Whether the account's data may go to another app, or to another account of this one.
  public func isTransferAllowed(
    to destination: DataParty, through surface: TransferSurface = .app
  ) -> Decision<TransferOutcome> {
    state.transfer(from: .account(account), to: destination, through: surface)
  }

  /// Whether the account's data may be printed.
  public var isPrintingAllowed: Decision<Permission> { state.use(.printing, for: account) }

  /// Whether the screen may be captured while it shows the account's data.
  public var isScreenCaptureAllowed: Decision<Permission> { state.screenCapture(for: account) }

  /// Whether contacts may be synced to the device.
  public var isContactSyncAllowed: Decision<Permission> { state.use(.contactSync, for: account) }

  /// Whether widgets may show the account's data.
  public var isWidgetContentSyncAllowed: Decision<Permission> { state.use(.widgets, for: account) }

  /// Whether Spotlight may index the account's data.
  public var isSpotlightIndexingAllowed: Decision<Permission> { state.use(.spotlight, for: account) }

  /// Whether Siri intents may be donated.
  public var areSiriIntentsAllowed: Decision<Permission> { state.use(.siri, for: account) }

  /// Whether the app may be shared.
  public var isAppSharingAllowed: Decision<Permission> { state.use(.appSharing, for: account) }

  /// What notifications may show.
  public func notificationPolicy(isSupported: Bool = true) -> Decision<NotificationOutcome> {
    state.notification(for: account, isSupported: isSupported)
  }

  /// Whether a document picker may be used (`isDocumentPickerAllowed:`).
  ///
  /// No guide says what the answer depends on. It is that about ``/AppProtection/OpenLocation/other`` for a picker that opens
  /// files, and about ``/AppProtection/SaveLocation/other`` for one that exports them: the Files app belongs to no account.
  public func isDocumentPickerAllowed(_ mode: DocumentPickerMode) -> Decision<TransferOutcome> {
    switch mode {
    case .opening, .importing: isOpenFromAllowed(from: .other, account: nil)
    case .exporting, .moving: isSaveToAllowed(to: .other, account: nil)
    }
  }

  /// When the operating system protects the account's files, as far as the app can work with it.
  public var fileProtection: Decision<FileProtectionClass> {
    state.fileProtection(for: account, maximum: maximumFileProtection)
  }

  /// Whether the app encrypts the account's files.
  public var isFileEncryptionRequired: Decision<EncryptionDemand> { state.fileEncryption(for: account) }

  /// Whether a file provider encrypts the files that it hands out.
  public var shouldFileProviderEncryptFiles: Decision<EncryptionDemand> { state.fileProviderEncryption(for: account) }
}

/// What a document picker does (`UIDocumentPickerMode`).
public enum DocumentPickerMode: Sendable, CaseIterable {
  /// Copies a document into the app.
  case importing
  /// Opens a document where it is.
  case opening
  /// Copies a document out of the app.
  case exporting
  /// Moves a document out of the app.
  case moving
}
