import AppProtection
import JSON
import PlainText

/// What is known of a device and an app on it: the properties on which filters of assignments decide.
///
/// ```json
/// {"deviceManagementType": "Unmanaged", "deviceModel": "iPhone15,2", "operatingSystemVersion": "17.4"}
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

  private var values: [String: String] = [:]
  /// The facts that count as not known.
  public private(set) var unknownValues: [UnknownValue] = []

  /// Facts of which none is known.
  public init() {}

  /// Reads a JSON object with some of the properties, each a text.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` for another form, and for a name that no filter knows.
  public static func read(_ bytes: [UInt8], name: String? = nil) throws(PolicyDocumentError) -> FilterFacts {
    do throws(PolicyDocumentError) {
      return try PolicyDocumentError.translate { () throws(JSONError) in
        let root = try JSONDocument.parse(bytes).root
        try root.expectMembers(names)
        var facts = FilterFacts()
        for (name, node) in try root.members() where !node.isNull {
          facts.add(name, try node.string())
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

  /// Whether the device is managed, as a policy's device types see it (DERIVED: the values of the filter property, grouped);
  /// `nil` if that is not known.
  var managementLevel: AppManagementLevels? {
    switch self["deviceManagementType"]?.lowercased() {
    case nil: nil
    case "unmanaged": .unmanaged
    case "corporate-owned dedicated devices with entra id shared mode": AppManagementLevels(rawValue: 8)
    case "aosp user-associated devices": AppManagementLevels(rawValue: 16)
    case "aosp userless devices": AppManagementLevels(rawValue: 32)
    case let type?: Self.androidEnterprise.contains(type) ? AppManagementLevels(rawValue: 4) : .mdm
    }
  }
}
