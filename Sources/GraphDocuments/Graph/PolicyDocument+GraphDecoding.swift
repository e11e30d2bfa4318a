import AppProtection
import JSON

extension PolicyDocument {
  /// Reads a policy from the Graph JSON of one entity: an object with `@odata.type`, or one whose members clearly
  /// identify it as a policy for iOS.
  ///
  /// Unknown members, annotations and explicit nulls are kept. An unknown enumeration member becomes `unrecognized`,
  /// with its name kept. Versions, URL schemes and other free texts are not validated.
  ///
  /// - Throws: ``PolicyDocumentError`` with line, column and member path.
  public init(graph node: JSONNode) throws(PolicyDocumentError) {
    self = try PolicyDocument.read(node, on: [.ios], contextType: nil, ignoringCase: false).policy
  }

  /// What a document says, how it says what it is, and which of its members are not as Graph writes them.
  struct Reading {
    var policy: PolicyDocument
    let evidence: PolicyPlace.TypeEvidence
    var doubts: [MemberDoubt] = []
  }

  /// - Parameters:
  ///   - platforms: The platforms whose policies are read; any other is a foreign type.
  ///   - isTolerant: Whether a value in another form than Graph's is taken for what it stands for, or else left out, rather
  ///     than an error.
  static func read(
    _ node: JSONNode, on platforms: [PolicyPlatform], contextType: GraphTypeName?, ignoringCase: Bool,
    isTolerant: Bool = false
  ) throws(PolicyDocumentError) -> Reading {
    let members = try PolicyDocumentError.translate { () throws(JSONError) in try node.members() }
    let (kind, evidence) = try kind(of: node, on: platforms, contextType: contextType)
    let platform = kind.platform
    var reading = Reading(policy: PolicyDocument(kind: kind), evidence: evidence)
    var kept: [KeptMember] = []
    var seen: Set<Int> = []
    for (name, member) in members {
      let property = property(named: name, on: platform, ignoringCase: ignoringCase)
      if isTolerant, MemberDoubt.isLost(name, member.value) {
        reading.doubts.append(.lost(property?.name ?? name, member.value))
        continue
      }
      guard let property else {
        kept.append(KeptMember(name, json: member.value.description))
        continue
      }
      guard seen.insert(property.number).inserted else {
        throw PolicyDocumentError(
          member.error(
            .duplicateMember, "the member \(property.name) occurs twice, in different spellings",
            remedy: "remove one of them"))
      }
      if member.isNull, !property.isKept {
        reading.policy[property] = .null
        continue
      }
      var value: PolicyValue?
      if !member.isNull {
        switch isTolerant
          ? property.reading(member, on: platform) : .value(try property.value(graph: member, on: platform))
        {
        case .value(let plain): value = plain
        case .restated(let restated, let json):
          reading.doubts.append(.restated(property.name, member.value, as: json))
          if property.isKept {
            kept.append(KeptMember(property.name, json: json.description))
          } else {
            reading.policy[property] = .value(restated)
          }
          continue
        case .unknown(let error):
          reading.doubts.append(.unreadable(property.name, error))
          continue
        }
      }
      if let value, !property.isKept { reading.policy[property] = .value(value) }
      // Keeps what the typed value cannot hold: an unknown name, or an annotation inside.
      if property.isKept
        || value.map({ !property.graphJSON(of: $0, on: platform).isEquivalent(to: member.value) }) == true
      {
        kept.append(KeptMember(property.name, json: member.value.description))
      }
    }
    reading.policy.keptMembers = kept.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return reading
  }

  private static func property(
    named name: String, on platform: PolicyPlatform, ignoringCase: Bool
  ) -> PolicyProperty? {
    if let property = platform.property(named: name) { return property }
    guard ignoringCase else { return nil }
    let wanted = name.lowercased()
    return platform.properties.first { $0.name.lowercased().utf8.elementsEqual(wanted.utf8) }
  }

  private static func kind(
    of node: JSONNode, on platforms: [PolicyPlatform], contextType: GraphTypeName?
  ) throws(PolicyDocumentError) -> (PolicyKind, PolicyPlace.TypeEvidence) {
    let declared = try PolicyDocumentError.translate { () throws(JSONError) in
      let annotation = try node.present("@odata.type")
      return (node: annotation, text: try annotation?.string())
    }
    if let annotation = declared.node, let text = declared.text {
      let type = GraphTypeName(annotation: text)
      if let kind = type.policyKind, platforms.contains(kind.platform) { return (kind, .declared) }
      throw foreign(type, at: annotation, in: node, on: platforms)
    }
    if let contextType {
      if let kind = contextType.policyKind, platforms.contains(kind.platform) { return (kind, .context) }
      throw foreign(contextType, at: node, in: node, on: platforms)
    }
    let object = try PolicyDocumentError.translate { () throws(JSONError) in try node.object() }
    if let kind = GraphTypeName.policyKind(members: object), platforms.contains(kind.platform) {
      return (kind, .members)
    }
    throw PolicyDocumentError(
      .unknownType, at: node.position, path: node.path,
      message: "the object has no \"@odata.type\", and its members do not tell that it is a policy for iOS",
      remedy: "add \"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\" if it is one")
  }

  private static func foreign(
    _ type: GraphTypeName, at place: JSONNode, in node: JSONNode, on platforms: [PolicyPlatform]
  ) -> PolicyDocumentError {
    var error = PolicyDocumentError(
      .foreignType, at: place.position, path: place.path,
      message: platforms.count > 1
        ? "\(type.shown) is no app protection policy and no app configuration" : "\(type.shown) is not an iOS policy",
      remedy: platforms.count > 1
        ? "give a policy or a configuration for iOS, Android or Windows"
        : "give a document of type iosManagedAppProtection or defaultManagedAppProtection")
    error.foreignKind = (type.platform ?? catalogPlatform(of: node)).map { .platform($0) } ?? .type(type.shown)
    error.foreignType = type.shown
    return error
  }

  /// The platform of a settings catalog policy, which its type does not name.
  private static func catalogPlatform(of node: JSONNode) -> String? {
    guard let platforms = node.value.object?["platforms"]?.string else { return nil }
    return platforms.split(separator: ",").first.flatMap { GraphTypeName(annotation: String($0)).platform }
  }
}
