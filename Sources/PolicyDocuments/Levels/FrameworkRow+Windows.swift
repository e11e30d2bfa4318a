import AppProtection

/// The table of the data protection framework for Windows, which the page has had since 2024. Its policies have neither PIN
/// nor encryption, so that the framework names few settings.
extension FrameworkRow {
  /// The rows, in the order of the portal.
  static let windows: [FrameworkRow] = [
    row(
      "receive", .receiveOnWindows,
      naming: [.allowed(.choice(WindowsTransferLevel.allApps)), .enhanced(.choice(WindowsTransferLevel.noApps))]),
    row(
      "send", .sendOnWindows,
      naming: [.allowed(.choice(WindowsTransferLevel.allApps)), .enhanced(.choice(WindowsTransferLevel.noApps))]),
    row(
      "clipboard", .clipboardOnWindows,
      naming: [
        .allowed(.choice(WindowsClipboardLevel.anyDestinationAnySource)),
        .enhanced(.choice(WindowsClipboardLevel.noSharing)),
      ]),
    row("print", .printBlocked, naming: [.allowed(.flag(false)), .high(.flag(true))]),
    row("offlineBlock", .periodOfflineBeforeAccessCheck, by: .offlineBlock, naming: [.basic(.duration("PT10080M"))]),
    row(
      "offlineWipe", .periodOfflineBeforeWipeIsEnforced,
      naming: [
        .basic(.duration("P90D")), .enhanced(.duration("P21D")),
        .enhanced(.duration("P30D"), from: FrameworkRevision.newest.date),
      ]),
    row("disabledAccount", .appActionIfUnableToAuthenticateUser, naming: [.enhanced(.choice(RemediationAction.block))]),
    row(
      "minimumOS", .minimumRequiredOsVersion, .minimumWipeOsVersion, by: .minimumVersion,
      naming: [
        .enhanced(.text("10.0.22631.2506")), .enhanced(.text("10.0.26200.6899"), from: FrameworkRevision.newest.date),
      ]),
    row(
      "maximumOS", .maximumRequiredOsVersion, .maximumWipeOsVersion, by: .maximumVersion,
      naming: [.high(.text("22631"))]),
    row(
      "threatLevel", .maximumAllowedDeviceThreatLevel, .mobileThreatDefenseRemediationAction,
      naming: [
        .basic(.choice(DeviceThreatLevel.low), .choice(RemediationAction.block)),
        .high(.choice(DeviceThreatLevel.secured), .choice(RemediationAction.block)),
      ]),
  ]

  private static func row(
    _ id: String, _ properties: PolicyProperty..., by comparison: LevelComparison = .strictness,
    naming demands: [FrameworkDemand.Draft]
  ) -> FrameworkRow {
    Self(id, properties, on: .windows, by: comparison, naming: demands)
  }
}
