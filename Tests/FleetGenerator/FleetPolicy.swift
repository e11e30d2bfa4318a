/// A policy of a fleet's organisation: the members of its document in Graph JSON, with the values that published policies have.
struct FleetPolicy {
  /// The members, each value as JSON, in the order of the document.
  private(set) var members: [(name: String, value: String)]
  /// The number of the revision.
  private var revision = 1

  /// A policy like those of the data protection framework: the higher the level, the stricter.
  ///
  /// Whatever it demands, the devices of the fleet meet, so that only what a cause changes is a problem.
  init(level: Int, _ random: inout FleetRandom) {
    let managed = level > 1
    members = [
      ("@odata.type", "\"#microsoft.graph.iosManagedAppProtection\""),
      ("displayName", "\"\(random.one(of: ["Corporate", "BYOD", "Field staff", "Office"])) iOS level \(level)\""),
      ("description", "\"\""), ("createdDateTime", "\"2025-11-03T08:12:44Z\""),
      ("lastModifiedDateTime", "\"2026-0\(random.number(in: 1...4))-15T10:00:00Z\""),
      ("roleScopeTagIds", "[\"0\"]"), ("id", "\"T_\(random.guid())\""), ("version", "\"\\\"1-0\\\"\""),
      ("periodOfflineBeforeAccessCheck", "\"PT720M\""), ("periodOnlineBeforeAccessCheck", "\"PT30M\""),
      ("allowedInboundDataTransferSources", level > 2 ? "\"managedApps\"" : "\"allApps\""),
      ("allowedOutboundDataTransferDestinations", managed ? "\"managedApps\"" : "\"allApps\""),
      ("organizationalCredentialsRequired", "false"),
      ("allowedOutboundClipboardSharingLevel", managed ? "\"managedAppsWithPasteIn\"" : "\"allApps\""),
      ("dataBackupBlocked", managed ? "true" : "false"), ("deviceComplianceRequired", "true"),
      ("managedBrowserToOpenLinksRequired", "false"), ("saveAsBlocked", managed ? "true" : "false"),
      ("periodOfflineBeforeWipeIsEnforced", "\"P90D\""), ("pinRequired", "false"), ("maximumPinRetries", "5"),
      ("contactSyncBlocked", "false"), ("thirdPartyKeyboardsBlocked", level > 2 ? "true" : "false"),
      ("appDataEncryptionType", "\"whenDeviceLocked\""),
      ("minimumRequiredOsVersion", "\"16.0\""),
      ("allowedDataStorageLocations", managed ? "[\"oneDriveForBusiness\",\"sharePoint\"]" : "[]"),
      ("appActionIfDeviceComplianceRequired", "\"block\""),
      ("appActionIfMaximumPinRetriesExceeded", "\"block\""), ("notificationRestriction", "\"allow\""),
      ("isAssigned", "true"),
    ]
  }

  /// The document with other values for some members.
  mutating func set(_ name: String, _ value: String) {
    if let place = members.firstIndex(where: { $0.name == name }) {
      members[place].value = value
    } else {
      members.append((name, value))
    }
  }

  /// The next revision, changed some weeks later.
  func revised(_ changes: [(String, String)]) -> Self {
    var policy = self
    policy.revision += 1
    policy.set("version", "\"\\\"\(policy.revision)-0\\\"\"")
    policy.set("lastModifiedDateTime", "\"2026-0\(4 + min(policy.revision, 5))-02T09:30:00Z\"")
    for (name, value) in changes { policy.set(name, value) }
    return policy
  }

  /// The document.
  var json: String { "{" + members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}" }
}
