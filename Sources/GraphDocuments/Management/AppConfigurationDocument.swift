import AppProtection
import EventSourcing
import JSON
import SensitiveText

/// Settings that an organization delivers to apps: names and texts that the service passes on unchanged (Graph:
/// `targetedManagedAppConfiguration`, `iosMobileAppConfiguration`, `androidManagedStoreAppConfiguration`, and
/// `deviceManagementConfigurationPolicy` for apps).
public struct AppConfigurationDocument: Equatable, Sendable {
  /// A setting, with its type if device management gives one.
  public struct Setting: Equatable, Sendable {
    /// The key; for the settings catalog, the identifier of the setting's definition.
    public var key: String
    /// The type as written: `stringType`, `integerType`, `realType`, `booleanType` or `tokenType`; of an Android payload the
    /// member that holds the value, such as `valueBool`, and of a property list the element, such as `string`.
    public var type: String?
    /// The value, which may contain ``placeholders``.
    public var value: String?
    /// Whether the settings catalog marks the value as secret.
    public var isSecret = false
    /// Whether the value is an option of the settings catalog, which Microsoft names.
    public var isChoice = false
    /// Whether it is one of the settings catalog, whose keys may occur more than once.
    package var isFromCatalog = false
    /// Whether it is a part of another setting, whose key begins its own.
    package var isNested = false
    /// The document's list that it stands in.
    package var list = List.typed
    /// The element of that list, from 0, in which it stands: of the settings catalog one may have several settings.
    package var element = 0

    /// Whether it was unpacked from a property list or a payload, which device management delivers as it is.
    package var isPacked: Bool {
      switch list {
      case .custom, .typed: false
      case .propertyList, .payload: true
      }
    }

    /// Whether the value is a secret by what is known of the key, or else by the name that an administrator gave it.
    fileprivate var isSecretByName: Bool {
      let known = KnownConfigurationKey.named(key)
      guard known.isEmpty else { return known.contains(where: \.isSecret) }
      return !isChoice && (value.map { Privacy.isSecret($0, named: key) } ?? false)
    }

    /// Whether the value may name persons or places of an organization; a secret is shown under no circumstances.
    package var isPrivate: Bool { !isSecret && !isChoice && Privacy.canBePersonal(value ?? "") }

    /// The setting as Graph has it; of a packed one its key, type and value.
    package var graph: JSONValue {
      let names: (key: String, type: String, value: String) =
        switch list {
        case .custom: ("name", "type", "value")
        case .typed where !isFromCatalog: ("appConfigKey", "appConfigKeyType", "appConfigKeyValue")
        case .typed, .propertyList, .payload: ("key", "type", "value")
        }
      var members: [JSONObject.Member] = [.init(names.key, .string(key))]
      if let type { members.append(.init(names.type, .string(type))) }
      if isSecret {
        members.append(.init(names.value, .object([.init("redacted", .string("secret"))])))
      } else if let value {
        members.append(.init(names.value, .string(value)))
      }
      return .object(members)
    }

    /// The lists of settings that documents have.
    package enum List: String, Sendable {
      /// Names with texts.
      case custom = "customSettings"
      /// Those of managed devices, and of the settings catalog.
      case typed = "settings"
      /// A property list for managed devices with iOS.
      case propertyList = "encodedSettingXml"
      /// A payload for managed devices with Android.
      case payload = "payloadJson"
    }
  }

  /// Whether a member has settings.
  package static func isSettingList(_ member: String) -> Bool { Setting.List(rawValue: member) != nil }

  /// Why settings that are packed into one text could not be read.
  package struct PackingProblem: Equatable, Sendable {
    package let list: Setting.List
    /// One sentence without a full stop.
    package let reason: String
  }

  /// The delivery channel.
  public let channel: Channel
  /// The platform of managed devices; `nil` for managed apps, and where the document does not tell.
  public let platform: PolicyPlatform?
  /// The identifier in the service.
  public let id: String?
  /// The administrator's name for it.
  public let displayName: String?
  /// The administrator's description.
  public let description: String?
  /// When it was created.
  public let createdDateTime: PolicyDate?
  /// When it was last changed.
  public let lastModifiedDateTime: PolicyDate?
  /// The revision: an entity tag, or a number as text for managed devices.
  public let version: String?
  /// The settings; those of the settings catalog come after names with texts, and what was packed into one text last.
  public package(set) var settings: [Setting]
  /// Why packed settings could not be read, for each list of them.
  package let problems: [PackingProblem]
  /// The package of the app on Android, such as `app:com.microsoft.emmx`.
  public let packageID: String?
  /// The kinds of Android device on which it applies.
  public let profileApplicability: String?
  /// What is granted to the app on Android without asking: permissions with actions.
  public let permissions: [PolicyPair]
  /// The settings for managed devices as a Base64 property list, if they were given in that form.
  public let encodedSettingXML: String?
  /// The apps: bundle identifiers, or identifiers of apps in the service for managed devices.
  public var apps: [String] { appNames + targetedMobileApps }
  /// The apps under `apps`.
  package let appNames: [String]
  /// The apps under `targetedMobileApps`.
  package let targetedMobileApps: [String]
  /// The apps with all that the document says of them; `nil` where it has none, and for managed devices.
  package let managedApps: [PolicyApp]?
  /// The apps under `apps` as the document has them.
  private let appsAsGraph: JSONValue?
  /// Number of apps it is deployed to.
  public let deployedAppCount: Int?
  /// Whether it is assigned to any group.
  public let isAssigned: Bool?
  /// The group of apps it applies to.
  public let appGroupType: AppGroupType?
  /// The kinds of device management under which it applies.
  public let targetedAppManagementLevels: String?
  /// The groups; `nil` if the document does not list them.
  public package(set) var assignments: [PolicyAssignment]?
  /// The scope tags; `0` is the default one.
  public let roleScopeTagIds: [String]?
  /// The platforms of a settings catalog policy.
  public let platforms: String?
  /// Unknown members, sorted by name.
  public let otherMembers: [KeptMember]

  /// The members that are read. `technologies` determines the channel.
  private static let knownNames: Set<String> = [
    "id", "displayName", "name", "description", "encodedSettingXml", "targetedAppManagementLevels", "platforms",
    "technologies", "createdDateTime", "lastModifiedDateTime", "customSettings", "settings", "apps",
    "targetedMobileApps", "assignments", "roleScopeTagIds", "version", "deployedAppCount", "isAssigned", "appGroupType",
    "payloadJson", "packageId", "profileApplicability", "permissionActions",
  ]

  init(
    _ node: JSONNode, channel: Channel, platform: PolicyPlatform? = nil
  ) throws(PolicyDocumentError) {
    self.channel = channel
    self.platform = platform
    let texts = try node.texts(
      "id", "displayName", "description", "encodedSettingXml", "targetedAppManagementLevels", "name", "platforms",
      "packageId", "profileApplicability")
    id = texts[0]
    displayName = texts[1] ?? texts[5]
    platforms = texts[6]
    packageID = texts[7]
    profileApplicability = texts[8]
    description = texts[2]
    encodedSettingXML = texts[3]
    targetedAppManagementLevels = texts[4]
    createdDateTime = try node.date("createdDateTime")
    lastModifiedDateTime = try node.date("lastModifiedDateTime")
    let pairs = try node.list("customSettings") { (pair) throws(JSONError) -> [Setting] in
      guard !pair.isLeftOut else { return [] }
      return [Setting(key: try pair.required("name").string(), type: nil, value: try pair.text("value"), list: .custom)]
    }
    let typed = try node.list("settings") { (setting) throws(JSONError) -> [Setting] in
      guard !setting.isLeftOut else { return [] }
      if let instance = try setting.present("settingInstance") { return try Setting.catalog(instance) }
      return [
        Setting(
          key: try setting.required("appConfigKey").string(), type: try setting.text("appConfigKeyType"),
          value: try setting.text("appConfigKeyValue"))
      ]
    }
    let payload = try PolicyDocumentError.translate { () throws(JSONError) in try node.present("payloadJson") }
    let packed: [(list: Setting.List, packed: Packed)] = [
      encodedSettingXML.map { (.propertyList, Self.packed(propertyList: $0)) },
      payload.map { (.payload, Self.packed(payload: $0)) },
    ].compactMap(\.self)
    problems = packed.compactMap { list, packed in packed.problem.map { PackingProblem(list: list, reason: $0) } }
    let listed = [pairs, typed].flatMap { list in
      list.enumerated().flatMap { index, settings in
        settings.map { setting in
          var setting = setting
          setting.element = index
          return setting
        }
      }
    }
    settings = (listed + packed.flatMap(\.packed.settings)).map { setting in
      var setting = setting
      setting.isSecret = setting.isSecret || setting.isSecretByName
      return setting
    }
    permissions = try node.list("permissionActions") { (permission) throws(JSONError) -> [PolicyPair] in
      guard !permission.isLeftOut else { return [] }
      return [PolicyPair(try permission.required("permission").string(), try permission.text("action"))]
    }.flatMap(\.self)
    appNames = try node.list("apps") { (app) throws(JSONError) in
      if let identifier = try app.appIdentifier("mobileAppIdentifier") { return identifier }
      return try app.text("id") ?? PortalWords.unknown
    }
    managedApps =
      try PolicyDocumentError.translate { () throws(JSONError) in try node.present("apps") } == nil
      ? nil : try node.list("apps") { (app) throws(JSONError) in try PolicyApp(graph: app, on: .ios) }
    appsAsGraph = managedApps == nil ? nil : node.value.object?["apps"]
    // Some exports name the app in place of the list.
    let named = try PolicyDocumentError.translate { () throws(JSONError) -> JSONNode? in
      try node.present("targetedMobileApps")
    }
    if let named, named.value.object != nil {
      targetedMobileApps = [
        try PolicyDocumentError.translate { () throws(JSONError) in try named.text("appName") }
      ].compactMap(\.self)
    } else {
      targetedMobileApps = try node.list("targetedMobileApps") { (app) throws(JSONError) in try app.string() }
    }
    assignments = try node.optionalList("assignments", PolicyAssignment.init(graph:))
    roleScopeTagIds = try node.optionalList("roleScopeTagIds") { (tag) throws(JSONError) in try tag.string() }
    let members = node.value.object?.members ?? []
    otherMembers = members.filter {
      !$0.name.contains("@") && !$0.name.hasPrefix("#") && !Self.knownNames.contains($0.name)
    }.map { KeptMember($0.name, json: $0.value.description) }.sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
    let rest = try PolicyDocumentError.translate { () throws(JSONError) in
      let version = try node.present("version")
      let number = version?.value.number?.text
      return (
        version: number == nil ? try version?.string() : number,
        count: try node.present("deployedAppCount")?.integer(in: 0...Int(Int32.max)),
        assigned: try node.present("isAssigned")?.bool(), group: try node.text("appGroupType")
      )
    }
    version = rest.version
    deployedAppCount = rest.count
    isAssigned = rest.assigned
    appGroupType = rest.group.map { AppGroupType(rawValue: $0) ?? .unrecognized }
  }

  /// The texts in double braces that the service replaces for each user and device, in order and in lower case, because
  /// their case varies in real files.
  public var placeholders: [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for value in settings.compactMap({ $0.isSecret ? nil : $0.value }) {
      var rest = value[...]
      while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
        let name = "{{\(rest[start.upperBound..<end.lowerBound].lowercased())}}"
        if seen.insert(name).inserted { found.append(name) }
        rest = rest[end.upperBound...]
      }
    }
    return found
  }

  /// A permission as Graph has it.
  private static func graph(of permission: PolicyPair) -> JSONValue {
    var members: [JSONObject.Member] = [.init("permission", .string(permission.name))]
    if let action = permission.value { members.append(.init("action", .string(action))) }
    return .object(members)
  }

  package var rows: [ManagementDocument.Row] {
    typealias Row = ManagementDocument.Row
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    let about = [
      Row("Name", displayName, of: "displayName"), Row("Description", description, of: "description"),
      Row("Identifier", id, of: "id"), Row("Version", version, of: "version"),
      Row("Created", createdDateTime?.text, of: "createdDateTime"),
      Row("Last modified", lastModifiedDateTime?.text, of: "lastModifiedDateTime"),
      Row(
        "Scope tags", PortalWords.scopeTags(roleScopeTagIds), of: "roleScopeTagIds", as: texts(roleScopeTagIds ?? [])),
      Row("Platforms", platforms, of: "platforms"),
    ]
    let values = settings.map { setting in
      let value = setting.isSecret ? SecretNames.placeholder : setting.value ?? ""
      return Row(
        "Setting \(setting.key)",
        [value, setting.type.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " "),
        isPrivate: setting.isPrivate,
        // Two secrets are compared, though neither is shown.
        elements: setting.isSecret ? [setting.value ?? ""] : nil, of: setting.list.rawValue, as: .array([setting.graph])
      )
    }
    let rest = [
      Row("Replaced for each user", placeholders.joined(separator: ", ")),
      Row("Encoded settings", encodedSettingXML.map { "\($0.utf8.count) characters of Base64" }),
      Row("Package", packageID, of: "packageId"), Row("Profiles", profileApplicability, of: "profileApplicability"),
      Row(
        "Permissions",
        PortalWords.list(permissions.isEmpty ? nil : permissions.map { "\($0.name): \($0.value ?? "")" }),
        of: "permissionActions", as: .array(permissions.map(Self.graph(of:)))),
      Row(
        "Apps", apps.joined(separator: ", "), elements: apps,
        of: appsAsGraph == nil ? "targetedMobileApps" : "apps", as: appsAsGraph ?? texts(targetedMobileApps)),
      Row(
        "Deployed apps", deployedAppCount.map { "\($0)" }, of: "deployedAppCount",
        as: deployedAppCount.map { .number(Int64($0)) }),
      Row(
        "Deployed", PortalWords.deployed(isAssigned, assignments), of: "isAssigned",
        as: isAssigned.map { .bool($0) } ?? .null),
      Row("App group", appGroupType?.rawValue, of: "appGroupType"),
      Row("Device types", targetedAppManagementLevels, of: "targetedAppManagementLevels"),
      Row(
        "Groups", PortalWords.groups(assignments), isPrivate: assignments?.contains(where: \.namesGroup) ?? false,
        summary: assignments.map(PolicyAssignment.summary), elements: assignments?.map(\.words), of: "assignments",
        as: .array((assignments ?? []).map(\.graphJSON))),
    ]
    let others = otherMembers.map { member in
      let isSecret = member.isSecret
      return Row(
        member.name, isSecret ? SecretNames.placeholder : member.json, isPrivate: !isSecret && member.isPersonal,
        elements: isSecret ? [member.json] : nil)
    }
    return (about + values + rest + others).compactMap { $0 }
  }
}
