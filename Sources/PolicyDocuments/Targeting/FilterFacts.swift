import AppProtection
import JSON

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

  private var values: [String: String] = [:]

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
          facts.values[name.lowercased()] = try node.string()
        }
        return facts
      }
    } catch {
      var error = error
      error.file = name
      throw error
    }
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
