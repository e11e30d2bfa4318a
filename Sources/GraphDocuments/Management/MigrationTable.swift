import JSON

/// The names of a tenant's objects by their identifiers, as IntuneManagement writes them to `MigrationTable.json`.
public struct MigrationTable: Equatable, Sendable {
  /// A name.
  public struct Entry: Equatable, Sendable {
    /// The identifier.
    public let id: String
    /// The name.
    public let name: String
    /// The kind of object, such as `Group`.
    public let type: String?
  }

  /// The names, in the order of the file.
  public let entries: [Entry]

  init(_ node: JSONNode) throws(PolicyDocumentError) {
    entries = try node.list("Objects") { (object) throws(JSONError) in
      Entry(
        id: try object.required("Id").string(), name: try object.text("DisplayName") ?? "",
        type: try object.text("Type"))
    }
  }

  static func recognizes(_ object: JSONObject) -> Bool {
    object["Objects"]?.array != nil && object["TenantId"] != nil
  }

  var rows: [ManagementDocument.Row] {
    [ManagementDocument.Row("Names", "\(entries.count)")].compactMap { $0 }
  }
}
