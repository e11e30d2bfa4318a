import JSON

extension JSONValue {
  /// The object as Graph has it, where the Graph SDK for PowerShell wrote it; `nil` for any other value.
  ///
  /// A typed object of the SDK has the members of its type under names with a capital letter. What the type lacks, such as the
  /// whole policy and its `@odata.type` where a command returns policies of any platform, stands under `AdditionalProperties`.
  var asGraphWritesObjectOfSDK: JSONValue? {
    guard object?[Self.additionalProperties]?.object != nil else { return nil }
    return asGraphWritesMembersOfSDK
  }

  private static let additionalProperties = "AdditionalProperties"

  /// What a request returns only if it asks for it, and the SDK writes as `null` otherwise.
  private static let navigationProperties: Set<String> = ["apps", "assignments", "deploymentSummary"]

  private var asGraphWritesMembersOfSDK: JSONValue {
    if let elements = array { return JSONValue(.array(elements.map(\.asGraphWritesMembersOfSDK)), at: position) }
    guard let object else { return self }
    guard let additional = object[Self.additionalProperties]?.object else {
      // A duration, or what was additional and stands as Graph wrote it.
      return self
    }
    let typed = object.members.compactMap { member -> JSONObject.Member? in
      guard member.name != Self.additionalProperties else { return nil }
      let name = member.name.prefix(1).lowercased() + member.name.dropFirst()
      guard !member.value.isNull || !Self.navigationProperties.contains(name) else { return nil }
      return JSONObject.Member(name, member.value.asGraphWritesMembersOfSDK, at: member.position)
    }
    let members = JSONObject(typed + additional.members)
    return JSONValue(.object(members), at: position)
  }
}
