import AppProtection

/// Rules of data transfer in both directions.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let transfer: [PolicyRule] = [
    saveBlockWithoutEffect, saveAllowedWithoutEffect, saveLocationsWithoutBlock, openBlockWithoutEffect,
    filterWithOSSharing, filterWithoutManagedApps, osSharingWithoutManagedApps,
    incomingProtectionWithoutAllApps, openClipboard, clipboardExceptionTooLong,
  ]

  /// Saving copies is blocked although data may go anywhere.
  public static let saveBlockWithoutEffect = PolicyRule(
    "saveBlockWithoutEffect", .warning, "Saving copies can be blocked only where data may not go to all apps.",
    settings, in: .transfer, contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.saveAsBlocked == true, transfer.allowedOutboundDataTransferDestinations == .allApps else { return }
    notes.add(
      "saveAsBlocked",
      "saving copies is blocked, and data may go to all apps, so that the block has no effect",
      trying: [
        .policy("set allowedOutboundDataTransferDestinations to managedApps") {
          $0.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
        }, .policy("allow saving") { $0.dataTransfer.saveAsBlocked = false },
      ])
  }

  /// Saving copies is allowed although data may go nowhere.
  public static let saveAllowedWithoutEffect = PolicyRule(
    "saveAllowedWithoutEffect", .note,
    "Where data may go to no app, saving copies is blocked everywhere, whatever is said.", settings, in: .transfer,
    contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.allowedOutboundDataTransferDestinations == .noApps,
      transfer.saveAsBlocked == false || transfer.listsLocations
    else { return }
    notes.add(
      transfer.saveAsBlocked == false ? "saveAsBlocked" : "allowedDataStorageLocations",
      "data may go to no app, so that copies cannot be saved anywhere",
      trying: [
        .policy("block saving without locations") {
          $0.dataTransfer.saveAsBlocked = true
          $0.dataTransfer.allowedDataStorageLocations = []
        },
        .policy("set allowedOutboundDataTransferDestinations to managedApps") {
          $0.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
        },
      ])
  }

  /// Locations are listed although saving copies is not blocked.
  public static let saveLocationsWithoutBlock = PolicyRule(
    "saveLocationsWithoutBlock", .note, "Locations for copies count only where saving copies is blocked.", settings,
    in: .transfer, contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.listsLocations, transfer.saveAsBlocked != true,
      transfer.allowedOutboundDataTransferDestinations != .noApps
    else { return }
    notes.add(
      "allowedDataStorageLocations",
      "locations are listed, and saving copies is not blocked, so that the list has no effect",
      trying: [
        .policy("set saveAsBlocked to true") { $0.dataTransfer.saveAsBlocked = true },
        .policy("empty the list") { $0.dataTransfer.allowedDataStorageLocations = [] },
      ])
  }

  /// Opening data is blocked although data may come from anywhere.
  public static let openBlockWithoutEffect = PolicyRule(
    "openBlockWithoutEffect", .warning,
    "Opening data into documents can be blocked only where data may come from policy managed apps.", settings,
    in: .transfer, contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.blockDataIngestionIntoOrganizationDocuments == true else { return }
    let reason: String
    switch transfer.allowedInboundDataTransferSources {
    case .allApps: reason = "opening data is blocked, and data may come from all apps, so that the block has no effect"
    case .noApps:
      reason =
        "opening data is blocked, and data may come from no app, so that the block and its locations have no effect"
    case .managedApps, .unrecognized, nil: return
    }
    notes.add(
      "blockDataIngestionIntoOrganizationDocuments", reason,
      trying: [
        .policy("set allowedInboundDataTransferSources to managedApps") {
          $0.dataTransfer.allowedInboundDataTransferSources = .managedApps
        },
        .policy("allow opening") { $0.dataTransfer.blockDataIngestionIntoOrganizationDocuments = false },
      ])
  }

  /// Sharing is filtered but not protected.
  public static let filterWithOSSharing = PolicyRule(
    "filterWithOSSharing", .error, "A share sheet is filtered only while the data that leaves it is protected.", graph,
    in: .transfer, contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.filterOpenInToOnlyManagedApps == true,
      transfer.disableProtectionOfManagedOutboundOpenInData == true
    else { return }
    notes.add(
      "filterOpenInToOnlyManagedApps",
      "the share sheet is filtered, and the protection of what leaves through it is off",
      trying: [
        .policy("turn one of filterOpenInToOnlyManagedApps and disableProtectionOfManagedOutboundOpenInData off") {
          $0.dataTransfer.filterOpenInToOnlyManagedApps = false
        }
      ])
  }

  /// Sharing is filtered at a level that has no filter.
  public static let filterWithoutManagedApps = PolicyRule(
    "filterWithoutManagedApps", .error, "A share sheet is filtered only where data goes to policy managed apps.", graph,
    in: .transfer, contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.filterOpenInToOnlyManagedApps == true,
      let send = transfer.allowedOutboundDataTransferDestinations, send != .managedApps
    else { return }
    notes.add(
      "filterOpenInToOnlyManagedApps", "the share sheet is filtered, and data may go to \(send.phrase)",
      trying: [
        .policy("set allowedOutboundDataTransferDestinations to managedApps") {
          $0.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
        },
        .policy("turn the filter off") { $0.dataTransfer.filterOpenInToOnlyManagedApps = false },
      ])
  }

  /// Protection is off at a level that has no protection.
  public static let osSharingWithoutManagedApps = PolicyRule(
    "osSharingWithoutManagedApps", .error, "OS sharing goes only with data that goes to policy managed apps.", graph,
    in: .transfer, contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.disableProtectionOfManagedOutboundOpenInData == true,
      let send = transfer.allowedOutboundDataTransferDestinations, send != .managedApps
    else { return }
    notes.add(
      "disableProtectionOfManagedOutboundOpenInData", "OS sharing is on, and data may go to \(send.phrase)",
      trying: [
        .policy("set allowedOutboundDataTransferDestinations to managedApps") {
          $0.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
        },
        .policy("turn OS sharing off") { $0.dataTransfer.disableProtectionOfManagedOutboundOpenInData = false },
      ])
  }

  /// Incoming data is protected at a level that does not support it.
  public static let incomingProtectionWithoutAllApps = PolicyRule(
    "incomingProtectionWithoutAllApps", .error,
    "Incoming data is made organization data only where it comes from all apps.", graph, in: .transfer,
    contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.protectInboundDataFromUnknownSources == true,
      let receive = transfer.allowedInboundDataTransferSources, receive != .allApps
    else { return }
    notes.add(
      "protectInboundDataFromUnknownSources",
      "data without an identity is to become organization data, and data may come from \(receive.phrase)",
      trying: [
        .policy("set allowedInboundDataTransferSources to allApps") {
          $0.dataTransfer.allowedInboundDataTransferSources = .allApps
        },
        .policy("turn this off") { $0.dataTransfer.protectInboundDataFromUnknownSources = false },
      ])
  }

  /// The clipboard allows transfers that the policy otherwise blocks.
  public static let openClipboard = PolicyRule(
    "openClipboard", .warning, "Where data may not go to all apps, the clipboard does not lead to them either.",
    "DERIVED", in: .transfer, contradicts: true
  ) { policy, notes in
    let transfer = policy.dataTransfer
    guard transfer.allowedOutboundClipboardSharingLevel == .allApps,
      let send = transfer.allowedOutboundDataTransferDestinations, send != .allApps
    else { return }
    notes.add(
      "allowedOutboundClipboardSharingLevel",
      "data may go to \(send.phrase), and the clipboard leads to every app",
      trying: [
        .policy("set it to managedAppsWithPasteIn, managedApps or blocked") {
          $0.dataTransfer.allowedOutboundClipboardSharingLevel = .managedAppsWithPasteIn
        }
      ])
  }

  /// The clipboard exception exceeds the largest number of characters.
  public static let clipboardExceptionTooLong = PolicyRule(
    "clipboardExceptionTooLong", .error, "The exception from the clipboard's level has 0 to 65,535 characters.", graph,
    in: .transfer
  ) { policy, notes in
    notes.addNumber("allowedOutboundClipboardSharingExceptionLength", of: policy)
  }
}

extension PolicyDocument.DataTransfer {
  fileprivate var listsLocations: Bool { allowedDataStorageLocations?.isEmpty == false }
}

extension DataTransferLevel {
  fileprivate var phrase: String {
    switch self {
    case .allApps: "all apps"
    case .managedApps: "policy managed apps"
    case .noApps: "no app"
    case .unrecognized: "apps of a kind that is not known"
    }
  }
}
