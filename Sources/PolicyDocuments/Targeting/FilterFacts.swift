import AppProtection
import JSON
import PlainText

/// What is known of a device and an app on it: the properties on which filters of assignments decide.
///
/// ```json
/// {"deviceManagementType": "Managed", "IntuneMAMUPN": true, "deviceModel": "iPhone15,2", "operatingSystemVersion": "17.4"}
/// ```
public struct FilterFacts: Equatable, Sendable {
  /// The properties of filters for managed apps (D filters, app properties).
  static let names = [
    "appVersion", "deviceManagementType", "deviceManufacturer", "deviceModel", "operatingSystemVersion", "osVersion",
  ]

  /// Values of the property for devices with Android Enterprise.
  private static let androidEnterprise: Set<String> = [
    "android enterprise", "corporate-owned dedicated devices without entra id shared mode",
    "corporate-owned with work profile", "corporate-owned fully managed", "personally-owned work profile",
  ]

  /// Every documented value of `deviceManagementType` (D filters, app properties), and what its page calls managed devices.
  private static let managementTypes =
    [
      "Unmanaged", "Managed", "MDM", "Device administrator", "Android Enterprise",
      "Corporate-owned dedicated devices with Entra ID shared mode", "AOSP user-associated devices",
      "AOSP userless devices", "Corporate-owned dedicated devices without Entra ID shared mode",
      "Corporate-owned with work profile", "Corporate-owned fully managed", "Personally-owned work profile",
    ]

  private static let versions: Set<String> = ["appversion", "operatingsystemversion", "osversion"]

  /// A fact whose value no filter knows, so that it counts as not known.
  public struct UnknownValue: Equatable, Sendable {
    /// The property.
    public let name: String
    /// The value.
    public let value: String
    /// The documented value that it is nearest to; `nil` if it is near to none.
    public let nearest: String?
  }

  /// The key by which device management tells apps of iOS whose device it is.
  static let userNameKey = "IntuneMAMUPN"
  private static let managementType = "deviceManagementType"

  private var values: [String: String] = [:]
  /// Whether device management delivers ``userNameKey`` to the app; `nil` if that is not known.
  private var hasUserName: Bool?
  /// Whether the device's management is not known because that is not.
  private var lacksUserName = false
  /// The facts that count as not known.
  public private(set) var unknownValues: [UnknownValue] = []

  /// Facts of which none is known.
  public init() {}

  /// Reads a JSON object with some of the properties, each a text, and `IntuneMAMUPN`: `true`, `false`, or what is delivered.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` for another form, and for a name that no filter knows.
  public static func read(_ bytes: [UInt8], name: String? = nil) throws(PolicyDocumentError) -> FilterFacts {
    do throws(PolicyDocumentError) {
      return try PolicyDocumentError.translate { () throws(JSONError) in
        let root = try JSONDocument.parse(bytes).root
        try root.expectMembers(names + [userNameKey])
        var facts = FilterFacts()
        for (name, node) in try root.members() where !node.isNull {
          if name == userNameKey, let text = node.value.string {
            facts.hasUserName = !text.isEmpty
          } else if name == userNameKey {
            facts.hasUserName = try node.bool()
          } else {
            facts.add(name, try node.string())
          }
        }
        return facts
      }
    } catch {
      var error = error
      error.file = name
      throw error
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    let key = name.lowercased()
    let types = key == "devicemanagementtype" ? Self.managementTypes : []
    let isKnown =
      types.isEmpty
      ? !Self.versions.contains(key) || PolicyVersionNumber(value) != nil
      // The kinds of enrollment on iOS are worded in several ways.
      : types.contains { $0.lowercased() == value.lowercased() } || value.lowercased().contains("enrollment")
    guard !isKnown else {
      values[key] = value
      return
    }
    let near = EditDistance.nearest(to: value, in: types, limit: 1).first
    unknownValues.append(UnknownValue(name: name, value: value, nearest: near))
  }

  /// The value of a property, whatever the case of its name; `nil` if it is not known.
  public subscript(name: String) -> String? { values[name.lowercased()] }

  /// The facts as the service sees them on a platform. On iOS, a device counts as managed only where its management delivers
  /// ``userNameKey`` to the app (D create app protection policies, device management types).
  func seen(on platform: PolicyPlatform) -> FilterFacts {
    guard platform == .ios, self[Self.managementType]?.lowercased() != "unmanaged" else { return self }
    var facts = self
    switch hasUserName {
    case true?: break
    case false?: facts.values[Self.managementType.lowercased()] = "Unmanaged"
    case nil:
      facts.lacksUserName = self[Self.managementType] != nil
      facts.values[Self.managementType.lowercased()] = nil
    }
    return facts
  }

  /// The fact that would say what a property is.
  func missing(for property: String) -> String {
    lacksUserName && property.lowercased() == Self.managementType.lowercased() ? Self.userNameKey : property
  }

  /// Whether the device is managed at all; `nil` if that is not known.
  var isManaged: Bool? { managementLevels(on: .windows).map { $0 != [.unmanaged] } }

  /// How the device may be managed, as a policy's device types see it (DERIVED: the values of the filter property, grouped);
  /// `nil` if nothing is known. Only what distinguishes the kinds of Android tells which of them it is.
  func managementLevels(on platform: PolicyPlatform) -> [AppManagementLevels]? {
    switch self[Self.managementType]?.lowercased() {
    case nil where lacksUserName: return [.unmanaged, .mdm]
    case nil: return hasUserName == true && platform == .ios ? [.mdm] : nil
    case "unmanaged": return [.unmanaged]
    case "corporate-owned dedicated devices with entra id shared mode": return [AppManagementLevels(rawValue: 8)]
    case "aosp user-associated devices": return [AppManagementLevels(rawValue: 16)]
    case "aosp userless devices": return [AppManagementLevels(rawValue: 32)]
    case "managed", "mdm":
      return [.mdm] + (platform == .android ? [4, 8, 16, 32].map { AppManagementLevels(rawValue: $0) } : [])
    case let type?: return [Self.androidEnterprise.contains(type) ? AppManagementLevels(rawValue: 4) : .mdm]
    }
  }
}
