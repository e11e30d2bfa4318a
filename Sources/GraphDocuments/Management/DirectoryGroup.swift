import AppProtection
import JSON

/// A group of the directory (Graph: `group`), with its members where the export has them.
public struct DirectoryGroup: Equatable, Sendable {
  /// A member of a group.
  public struct Member: Equatable, Sendable {
    /// The names by which it is known: its identifier, its user principal name or its display name.
    public let names: [String]
    /// The identifier, which is one of the names; `nil` if it is not known.
    package let id: String?
    /// Whether it is a device, to which no policy of an app is assigned.
    public let isDevice: Bool
    /// Whether it is certainly a group.
    package var isGroup = false
    /// Whether it may be a group, because the export does not say what it is.
    package var mayBeGroup = false
  }

  /// The identifier in the directory.
  public let id: String?
  /// The administrator's name for it.
  public let displayName: String?
  /// The rule that decides who is in it; `nil` for a group whose members are listed.
  public let membershipRule: String?
  /// The members, which may be groups; `nil` if the export does not list them.
  public let members: [Member]?
  /// The groups that it is a member of, by their identifiers or names.
  public let memberOf: [String]
  /// Whether the members are certainly all of them: a response shows at most 20 beside their group, and may continue elsewhere.
  package let isWhole: Bool
  /// The most members that a response shows beside their group (G user: list members, `$expand`).
  private static let mostExpanded = 20

  init(_ node: JSONNode) throws(PolicyDocumentError) {
    let texts = try node.texts("id", "displayName", "membershipRule")
    (id, displayName, membershipRule) = (texts[0], texts[1], texts[2])
    let users = try node.optionalList("members", Self.member)
    let groups = try node.optionalList("groupAsMembers", Self.member)
    members = users == nil && groups == nil ? nil : (users ?? []) + (groups ?? [])
    memberOf = try node.list("memberOf", Self.member).compactMap(\.names.first)
    let continues = ["members", "groupAsMembers"].contains { node.value.object?["\($0)@odata.nextLink"] != nil }
    isWhole = members != nil && users?.count != Self.mostExpanded && !continues
  }

  private static func member(_ node: JSONNode) throws(JSONError) -> Member {
    if let name = node.value.string { return Member(names: [name], id: nil, isDevice: false) }
    var names: [String] = []
    for name in ["id", "userPrincipalName", "mail", "displayName"] {
      if let text = try node.text(name), !text.isEmpty { names.append(text) }
    }
    guard !names.isEmpty else { throw node.error(.missingMember, "the member has no id", remedy: "add \"id\"") }
    let type = try node.text("@odata.type").map { GraphTypeName(annotation: $0).name }
    // Only users have a principal name.
    let principal = try node.text("userPrincipalName")
    return Member(
      names: names, id: try node.text("id").flatMap { $0.isEmpty ? nil : $0 }, isDevice: type == "device",
      isGroup: type == "group", mayBeGroup: type == nil && principal == nil)
  }

  /// Whether an object without a type is a group.
  static func recognizes(_ object: JSONObject) -> Bool { object["groupTypes"]?.array != nil }

  /// Whether the rule concerns devices.
  public var isOfDevices: Bool {
    guard let rule = membershipRule?.lowercased() else { return false }
    return rule.contains("device.") && !rule.contains("user.")
  }

  var rows: [ManagementDocument.Row] {
    typealias Row = ManagementDocument.Row
    return [
      Row("Name", displayName), Row("Identifier", id, isPrivate: true), Row("Rule", membershipRule, isPrivate: true),
      Row("Members", members.map { "\($0.count)" }),
    ].compactMap { $0 }
  }
}
