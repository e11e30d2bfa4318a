import AppProtection

/// The table of Windows (D Windows app protection policy settings; G windowsManagedAppProtection). Its levels of transfer have
/// other names and numbers than those of the mobile platforms.
extension PlatformTable {
  static let windows = Self(
    .windowsPolicy, .windows, appIdentifier: "windowsAppId", own: PolicyProperty.windowsTransfer,
    entries: [
      PolicyProperty.periodOfflineBeforeAccessCheck.entry(
        .appConditions, 20, "Offline grace period, Block access (minutes)", standard: "720 minutes")
    ],
    headings: [
      .appConditions: "Health Checks: App conditions", .deviceConditions: "Health Checks: Device conditions",
      .other: "Not in the portal for Windows",
    ],
    // Access is blocked as soon as the device is offline.
    shortest: [.periodOfflineBeforeAccessCheck])
}

/// Settings with values of Windows alone; their numbers begin at 2000.
extension PolicyProperty {
  fileprivate static let windowsTransfer: [PolicyProperty] = [receiveOnWindows, sendOnWindows, clipboardOnWindows]

  package static let receiveOnWindows = own(
    2000, "allowedInboundDataTransferSources", PolicyValueForm<WindowsTransferLevel>.choice,
    "From where data may come into the browser", combines: .strictestChoice,
    portal: .entry(
      .dataTransfer, 10, "Receive data from", .choice([.allApps: "All sources", .noApps: "No sources"]),
      standard: "All sources"))

  package static let sendOnWindows = own(
    2001, "allowedOutboundDataTransferDestinations", PolicyValueForm<WindowsTransferLevel>.choice,
    "Where organization data may go", combines: .strictestChoice,
    portal: .entry(
      .dataTransfer, 20, "Send org data to", .choice([.allApps: "All destinations", .noApps: "No destinations"]),
      standard: "All destinations"))

  package static let clipboardOnWindows = own(
    2002, "allowedOutboundClipboardSharingLevel", PolicyValueForm<WindowsClipboardLevel>.choice,
    "How far the clipboard reaches", combines: .strictestChoice,
    portal: .entry(
      .dataTransfer, 30, "Allow cut, copy, and paste for",
      .choice([
        .anyDestinationAnySource: "Any destination and any source", .noSharing: "No destination or source",
        .orgDestinationAnySource: "Org data destinations and any source",
        .orgDestinationOrgSource: "Org data destinations and org data sources",
      ]), standard: "Any destination and any source"))
}
