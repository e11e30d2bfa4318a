import AppProtection
import EventSourcing
import JSON

/// Settings that an organization delivers to apps: names and texts that the service passes on as they are (Graph:
/// `targetedManagedAppConfiguration`, `iosMobileAppConfiguration`).
public struct AppConfiguration: Equatable, Sendable {
  /// Over which channel it comes.
  public enum Channel: String, Equatable, Sendable {
    /// With the policies for an account.
    case managedApps
    /// With the device's management.
    case managedDevices

    /// The portal's name.
    public var name: String {
      self == .managedApps ? "App configuration for managed apps" : "App configuration for managed devices"
    }
  }

  /// A setting with its type, as the device's management has it.
  public struct Setting: Equatable, Sendable {
    /// The key.
    public var key: String
    /// The type as it came: `stringType`, `integerType`, `realType`, `booleanType` or `tokenType`.
    public var type: String?
    /// The value; may hold ``placeholders``.
    public var value: String?
  }

  /// Over which channel it comes.
  public let channel: Channel
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
  /// The settings. Those for managed apps have no type.
  public let settings: [Setting]
  /// The settings of managed devices as a property list in Base64, where they were written that way.
  public let encodedSettingXML: String?
  /// The apps: bundle identifiers, or identifiers of apps in the service for managed devices.
  public let apps: [String]
  /// How many apps it is deployed to.
  public let deployedAppCount: Int?
  /// Whether it is assigned to any group.
  public let isAssigned: Bool?
  /// To which group of apps it applies.
  public let appGroupType: AppGroupType?
  /// On devices under which kinds of management it applies.
  public let targetedAppManagementLevels: String?
  /// The groups.
  public let assignments: [PolicyAssignment]

  init(_ node: JSONNode, channel: Channel) throws(PolicyDocumentError) {
    self.channel = channel
    let texts = try node.texts("id", "displayName", "description", "encodedSettingXml", "targetedAppManagementLevels")
    id = texts[0]
    displayName = texts[1]
    description = texts[2]
    encodedSettingXML = texts[3]
    targetedAppManagementLevels = texts[4]
    createdDateTime = try node.date("createdDateTime")
    lastModifiedDateTime = try node.date("lastModifiedDateTime")
    let pairs = try node.list("customSettings") { (pair) throws(JSONError) in
      Setting(key: try pair.required("name").string(), type: nil, value: try pair.text("value"))
    }
    let typed = try node.list("settings") { (setting) throws(JSONError) in
      Setting(
        key: try setting.required("appConfigKey").string(), type: try setting.text("appConfigKeyType"),
        value: try setting.text("appConfigKeyValue"))
    }
    settings = pairs + typed
    let managed = try node.list("apps", PolicyApp.init(graph:)).map { $0.bundleID ?? $0.id ?? "" }
    apps = managed + (try node.list("targetedMobileApps") { (app) throws(JSONError) in try app.string() })
    assignments = try node.list("assignments", PolicyAssignment.init(graph:))
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

  /// The texts in double braces that the service replaces for each user and device, lower case, in their order: the case of
  /// these varies in real files.
  public var placeholders: [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for value in settings.compactMap(\.value) {
      var rest = value[...]
      while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
        let name = "{{\(rest[start.upperBound..<end.lowerBound].lowercased())}}"
        if seen.insert(name).inserted { found.append(name) }
        rest = rest[end.upperBound...]
      }
    }
    return found
  }

  var rows: [ManagementDocument.Row] {
    typealias Row = ManagementDocument.Row
    let about = [
      Row("Name", displayName), Row("Description", description), Row("Identifier", id), Row("Version", version),
      Row("Created", createdDateTime?.text), Row("Last modified", lastModifiedDateTime?.text),
    ]
    let values = settings.map { setting in
      Row(
        "Setting \(setting.key)", (setting.value ?? "") + (setting.type.map { " (\($0))" } ?? ""),
        isPrivate: Privacy.canBePersonal(setting.value ?? ""))
    }
    let rest = [
      Row("Replaced for each user", placeholders.joined(separator: ", ")),
      Row("Encoded settings", encodedSettingXML.map { "\($0.utf8.count) characters of Base64" }),
      Row("Apps", apps.joined(separator: ", ")), Row("Deployed apps", deployedAppCount.map { "\($0)" }),
      Row("Deployed", PortalWords.yesOrNo(isAssigned)), Row("App group", appGroupType?.rawValue),
      Row("Device types", targetedAppManagementLevels),
      Row("Groups", assignments.compactMap(\.groupID).joined(separator: ", "), isPrivate: true),
    ]
    return (about + values + rest).compactMap { $0 }
  }
}
