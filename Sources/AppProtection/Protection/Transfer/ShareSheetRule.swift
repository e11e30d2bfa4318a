/// The rules that decide what a share sheet lists.
package enum ShareSheetRule: UInt8, DecisionRule {
  /// S004 Identity overview.
  case unmanaged
  /// D: only "Policy managed apps with Open-In/Share filtering" filters.
  case notFiltered
  /// D: filtering is supported from SDK 8.1.1 on.
  case tooOld
  /// D: a managed app that can decrypt the data.
  case managed
  /// D: everything else is left out.
  case hidden

  @inline(__always)
  package var row: RuleRow<Permission> {
    switch self {
    case .unmanaged:
      RuleRow("shareSheet.1", .allowed, "no policy is in force for the owner", when: "{account} is unmanaged")
    case .notFiltered:
      RuleRow(
        "shareSheet.2", .allowed, "the owner's policy does not filter what is listed for sharing",
        unless: "{account}'s policy filters the share sheet", reads: .setting { .filterOpenInToOnlyManagedApps })
    case .tooOld:
      RuleRow(
        "shareSheet.3", .allowed, "the SDK is older than the filter, which it does not know",
        unless: "the SDK knows the filter", reads: .sdkVersion)
    case .managed:
      RuleRow(
        "shareSheet.4", .allowed, "the other app acts for the same account, and can take what is encrypted",
        when: "{other} acts for {account} and takes what is encrypted",
        reads: .setting { .filterOpenInToOnlyManagedApps }
      )
    case .hidden:
      RuleRow(
        "shareSheet.5", .denied, "the owner's policy lists only managed apps that can take what is encrypted",
        unless: "{other} acts for {account} and takes what is encrypted",
        reads: .setting { .filterOpenInToOnlyManagedApps })
    }
  }
}
