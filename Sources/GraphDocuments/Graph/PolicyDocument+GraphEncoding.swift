import AppProtection
import JSON

extension PolicyDocument {
  /// The policy as Graph JSON.
  ///
  /// A policy read from JSON produces the same JSON except for the order of members. Annotations come first, then the
  /// settings in the order of the property table, then the other members that were kept.
  ///
  /// - Parameter includingType: Whether to add `@odata.type` if the document has none. A policy created by a program
  ///   needs it to be readable.
  public func graphJSON(includingType: Bool = false) -> JSONValue {
    var members: [JSONObject.Member] = []
    var keptNames: Set<String> = []
    var rest: [JSONObject.Member] = []
    let platform = kind.platform
    for member in keptMembers {
      keptNames.insert(member.name)
      if platform.property(named: member.name) != nil { continue }
      let entry = JSONObject.Member(member.name, Self.value(ofKept: member))
      if member.name.hasPrefix("@odata.") { members.append(entry) } else { rest.append(entry) }
    }
    if includingType, !keptNames.contains("@odata.type") {
      members.insert(JSONObject.Member("@odata.type", .string("#microsoft.graph.\(kind.rawValue)")), at: 0)
    }
    for property in platform.properties {
      if let kept = keptMembers.first(where: { $0.name.utf8.elementsEqual(property.name.utf8) }) {
        members.append(JSONObject.Member(property.name, Self.value(ofKept: kept)))
        continue
      }
      switch self[property] {
      case .absent: break
      case .null: members.append(JSONObject.Member(property.name, .null))
      case .value(let value):
        members.append(JSONObject.Member(property.name, property.graphJSON(of: value, on: platform)))
      }
    }
    return .object(members + rest)
  }

  /// The value of a kept member. Text that is not JSON can only come from a damaged journal; it is shown as a string.
  private static func value(ofKept member: KeptMember) -> JSONValue {
    (try? JSONDocument.parse(member.json).value) ?? .string(member.json)
  }
}
