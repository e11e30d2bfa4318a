import JSON
import SensitiveText

/// A condition on devices and apps that an assignment may have (Graph: `deviceAndAppManagementAssignmentFilter`).
public struct AssignmentFilter: Equatable, Sendable {
  /// The identifier in the service.
  public let id: String?
  /// The administrator's name for it.
  public let displayName: String?
  /// The administrator's description.
  public let description: String?
  /// The platform, such as `iOSMobileApplicationManagement` for apps and `iOS` for devices.
  public let platform: String?
  /// The rule, such as `(app.deviceManagementType -eq "Unmanaged")`.
  public let rule: String
  /// Whether it is for `apps` or for `devices`.
  public let managementType: String?

  init(_ node: JSONNode) throws(PolicyDocumentError) {
    let texts = try node.texts("id", "displayName", "description", "platform", "assignmentFilterManagementType")
    (id, displayName, description, platform, managementType) = (texts[0], texts[1], texts[2], texts[3], texts[4])
    rule = try PolicyDocumentError.translate { () throws(JSONError) in try node.required("rule").string() }
  }

  /// Whether an object without a type is a filter.
  static func recognizes(_ object: JSONObject) -> Bool {
    object["rule"]?.string != nil && object["platform"]?.string != nil
  }

  var rows: [ManagementDocument.Row] {
    typealias Row = ManagementDocument.Row
    return [
      Row("Name", displayName), Row("Description", description), Row("Identifier", id), Row("Platform", platform),
      Row("Filters", managementType), Row("Rule", rule, isPrivate: TextPrivacy.identifies(rule)),
    ].compactMap { $0 }
  }
}
