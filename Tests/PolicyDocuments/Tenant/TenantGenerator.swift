import JSON
import JournalSimulation
import PolicyDocuments
import Testing

/// A tenant that a seed determines, in the shapes of exports, with the faults that were planted in it.
///
/// Departments have a group, disjoint users, and policies for iOS and Android. What looks like a fault and is none is planted
/// as well: filters, other kinds of management, groups that are not exported, several twins.
struct GeneratedTenant {
  /// A fault: the rule that has to find it, and the file in which it does.
  struct Label: Hashable, CustomStringConvertible {
    let rule: String
    let file: String
    var description: String { "\(rule) in \(file)" }
  }

  /// The files: names with their texts.
  private(set) var files: [(name: String, text: String)] = []
  /// What has to be found, and nothing else.
  private(set) var labels: Set<Label> = []

  private var random: SeededGenerator
  private var groups: [(id: String, users: [String]?)] = []
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed, 41)
    let exportsGroups = !random.oneIn(4)
    let count = 3 + random.below(3)
    for number in 0..<count { addDepartment(number, exportsGroups: exportsGroups) }
    // Where more is missing, or little is there, the export may have some groups alone.
    if gone.count == 1, groups.count >= 5 { labels.insert(Label(rule: "missingGroup", file: gone[0])) }
    addConfigurations(count)
    if exportsGroups { addGroups() }
    if random.oneIn(2) { addNoise() }
  }

  // MARK: Parts

  private static let names = ["Finance", "Sales", "Board", "Field service", "Students", "Nurses", "Kiosk", "Research"]
  private static let apps = [
    "com.microsoft.office.outlook", "com.microsoft.sharepoint", "com.microsoft.onenote", "com.microsoft.skydrive",
  ]

  private func id(_ kind: Int, _ number: Int) -> String {
    let digits = String(seed &* 7919 &+ UInt64(kind * 1000 + number), radix: 16)
    return "0b9e2c14-77aa-4c1d-9f00-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits.suffix(12)
  }

  private func users(_ number: Int) -> [String] { (0..<3).map { id(9, number * 10 + $0) } }

  private func target(_ group: String?, excluded: Bool = false, filter: Bool = false) -> JSONValue {
    let type = group == nil ? "allLicensedUsers" : excluded ? "exclusionGroup" : "group"
    var members: [JSONObject.Member] = [.init("@odata.type", .string("#microsoft.graph.\(type)AssignmentTarget"))]
    if let group { members.append(.init("groupId", .string(group))) }
    members.append(
      .init("deviceAndAppManagementAssignmentFilterId", filter ? .string(id(8, 1)) : .null))
    members.append(.init("deviceAndAppManagementAssignmentFilterType", filter ? "include" : "none"))
    return ["id": .string("\(id(7, 1))_\(group ?? "all")"), "target": .object(members)]
  }

  /// The settings of a policy, which both platforms have.
  private struct Settings {
    var pinLength = 6
    var clipboard = "managedAppsWithPasteIn"
    var isPrintBlocked = true
    var levels = "unspecified"
  }

  private func policy(
    _ name: String, _ settings: Settings, on platform: String, number: Int, to targets: [JSONValue], apps: [String]
  ) -> JSONValue {
    let isApple = platform == "ios"
    let listed = apps.map { app -> JSONValue in
      [
        "id": .string("\(app).\(platform)"),
        "mobileAppIdentifier": [
          "@odata.type": .string("#microsoft.graph.\(platform)MobileAppIdentifier"),
          (isApple ? "bundleId" : "packageId"): .string(app),
        ],
      ]
    }
    return [
      "@odata.type": .string("#microsoft.graph.\(platform)ManagedAppProtection"),
      "id": .string("T_\(id(isApple ? 1 : 2, number))"), "displayName": .string(name),
      "periodOfflineBeforeAccessCheck": "PT12H", "pinRequired": true, "simplePinBlocked": true,
      "minimumPinLength": .number(settings.pinLength), "printBlocked": .bool(settings.isPrintBlocked),
      "allowedOutboundClipboardSharingLevel": .string(settings.clipboard),
      "targetedAppManagementLevels": .string(settings.levels), "appGroupType": "selectedPublicApps",
      "isAssigned": .bool(!targets.isEmpty), "apps": .array(listed), "assignments": .array(targets),
    ]
  }

  /// Writes a document in one of the shapes of exports.
  private mutating func write(_ value: JSONValue, _ name: String) {
    let whole: JSONValue
    switch random.below(3) {
    case 0: whole = ["value": [value]]
    case 1:
      whole = [
        "@odata.context":
          "https://graph.microsoft.com/beta/$metadata#deviceAppManagement/managedAppPolicies", "value": [value],
      ]
    default: whole = value
    }
    files.append((name, whole.description))
  }

  // MARK: Departments

  private mutating func addDepartment(_ number: Int, exportsGroups: Bool) {
    let name = Self.names[(number + Int(seed % 8)) % Self.names.count]
    let group = id(3, number)
    groups.append((group, users(number)))
    let apps = Array(Self.apps.prefix(1 + random.below(Self.apps.count)))
    var settings = Settings()
    settings.pinLength = 4 + random.below(5)
    let stem = "\(number)-\(name.replacing(" ", with: "-"))"
    let ios = "AppProtection/\(stem)-iOS.json"
    var targets = [target(group)]
    if exportsGroups, number > 0 {
      switch random.below(6) {
      case 0:  // The group was deleted.
        targets.append(target(id(4, number)))
        gone.append(ios)
      case 1:  // A group without members.
        groups.append((id(5, number), []))
        targets.append(target(id(5, number)))
        labels.insert(Label(rule: "emptyGroup", file: ios))
      case 2:  // The exclusion has the same people under another name.
        groups.append((id(5, number), users(number) + [id(9, 900 + number)]))
        targets.append(target(id(5, number), excluded: true))
        labels.insert(Label(rule: "cancelledInclusion", file: ios))
      case 3:  // The exclusion has people whom nothing includes.
        groups.append((id(5, number), [id(9, 900 + number)]))
        targets.append(target(id(5, number), excluded: true))
        labels.insert(Label(rule: "idleExclusion", file: ios))
      case 4:  // No fault: one of the people is left out.
        groups.append((id(5, number), [users(number)[0]]))
        targets.append(target(id(5, number), excluded: true))
      default: break
      }
    } else if !exportsGroups, random.oneIn(2) {
      // No fault: nothing is known of groups that are not exported.
      targets.append(target(id(4, number)))
    }
    let isManaged = random.oneIn(4)
    if isManaged {
      settings.levels = "mdm"
      // No fault: Outlook alone may get the user from the service.
      if apps.count > 1 { manages.append(ios) }
    }
    write(policy("\(name) - iOS", settings, on: "ios", number: number, to: targets, apps: apps), ios)
    var twin = settings
    twin.levels = "unspecified"
    if random.oneIn(3) {
      if random.oneIn(2) { twin.pinLength += 1 } else { twin.isPrintBlocked = false }
      labels.insert(Label(rule: "differingTwins", file: ios))
    }
    write(
      policy("\(name) - Android", twin, on: "android", number: number, to: [target(group)], apps: apps),
      "AppProtection/\(stem)-Android.json")
    if number > 0, random.oneIn(2) { addSecond(number, name, group, settings, ios, apps, cancelled: exportsGroups) }
  }

  private var manages: [String] = []
  /// The files with a group that was deleted.
  private var gone: [String] = []

  /// Another policy of the same department.
  private mutating func addSecond(
    _ number: Int, _ name: String, _ group: String, _ settings: Settings, _ ios: String, _ apps: [String],
    cancelled: Bool
  ) {
    var other = settings
    other.clipboard = "blocked"
    var targets = [target(group)]
    var chosen = [apps[0]]
    let isCancelled = labels.contains(Label(rule: "cancelledInclusion", file: ios))
    switch random.below(5) {
    case 0:  // No fault: a filter separates them.
      targets = [target(group, filter: true)]
    case 1:  // No fault: other devices.
      other.levels = settings.levels == "mdm" ? "unmanaged" : "mdm"
      guard settings.levels == "mdm" else { return }
    case 2:  // No fault: another app.
      chosen = ["com.contoso.\(number)"]
    case 3:  // No fault: the same values.
      other.clipboard = settings.clipboard
    default:
      if !isCancelled { labels.insert(Label(rule: "differingPolicies", file: ios)) }
    }
    if other.levels == "mdm", chosen[0] != Self.apps[0] { manages.append("AppProtection/\(number)-second.json") }
    write(
      policy("\(name) exception \(number)", other, on: "ios", number: 100 + number, to: targets, apps: chosen),
      "AppProtection/\(number)-second.json")
  }

  // MARK: The rest

  private mutating func addConfigurations(_ count: Int) {
    if random.oneIn(2) {
      let isOrphan = random.oneIn(2)
      let app = isOrphan ? "com.fabrikam.notes" : Self.apps[0]
      write(
        [
          "@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "id": .string("A_\(id(6, 1))"),
          "displayName": "Settings of apps", "customSettings": [["name": "Theme", "value": "dark"]],
          "appGroupType": "selectedPublicApps", "assignments": [target(id(3, 0))],
          "apps": [
            [
              "id": .string("\(app).ios"),
              "mobileAppIdentifier": [
                "@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": .string(app),
              ],
            ]
          ],
        ], "AppConfiguration/apps.json")
      if isOrphan { labels.insert(Label(rule: "appWithoutPolicy", file: "AppConfiguration/apps.json")) }
    }
    guard !random.oneIn(3) else { return }
    let delivers = random.oneIn(2)
    write(
      [
        "@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "id": .string(id(6, 2)),
        "displayName": "Devices", "targetedMobileApps": [.string(id(6, 3))],
        "settings": [
          [
            "appConfigKey": delivers ? "IntuneMAMUPN" : "Theme", "appConfigKeyType": "stringType",
            "appConfigKeyValue": delivers ? "{{userprincipalname}}" : "dark",
          ]
        ],
      ], "AppConfiguration/devices.json")
    if !delivers { for file in manages { labels.insert(Label(rule: "managedWithoutUPN", file: file)) } }
  }

  private mutating func addGroups() {
    let values = groups.enumerated().map { index, group -> JSONValue in
      let users = (group.users ?? []).map { user -> JSONValue in
        ["@odata.type": "#microsoft.graph.user", "id": .string(user)]
      }
      return [
        "@odata.type": "#microsoft.graph.group", "id": .string(group.id), "displayName": .string("Group \(index)"),
        "groupTypes": [], "members": .array(users),
      ]
    }
    files.append(("Groups/groups.json", (["value": .array(values)] as JSONValue).description))
  }

  /// What a real export has besides, and what is no fault.
  private mutating func addNoise() {
    write(
      [
        "@odata.type": "#microsoft.graph.windowsManagedAppProtection", "displayName": "Finance - Windows",
        "assignments": [target(id(3, 0))], "apps": [["mobileAppIdentifier": ["windowsAppId": "com.microsoft.edge"]]],
      ], "AppProtection/windows.json")
    write(
      [
        "@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": .string(id(8, 1)),
        "displayName": "Phones", "platform": "iOSMobileApplicationManagement",
        "rule": "(app.deviceManagementType -eq \"Unmanaged\")",
      ], "Filters/phones.json")
  }
}
