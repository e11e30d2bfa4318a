import AppProtection
import EventSourcing
import JSON

extension PolicyProperty {
  /// Reads a value that is not `null`.
  ///
  /// - Parameter platform: The policy's platform, which names the identifier of an app.
  func value(graph node: JSONNode, on platform: PolicyPlatform) throws(PolicyDocumentError) -> PolicyValue {
    try kind.value(graph: node, on: platform)
  }

  /// A value in the form that Graph uses.
  func graphJSON(of value: PolicyValue, on platform: PolicyPlatform) -> JSONValue {
    kind.graphJSON(of: value, on: platform)
  }
}

/// Reads and writes values in Graph JSON.
extension PolicyProperty.Kind {
  func value(graph node: JSONNode, on platform: PolicyPlatform) throws(PolicyDocumentError) -> PolicyValue {
    do throws(JSONError) {
      switch self {
      case .text: return .text(try node.string())
      case .flag: return .flag(try node.bool())
      case .number(let range): return .number(try node.integer(in: range))
      case .choice(let names): return .choice(Self.number(of: try node.string(), in: names))
      case .choices(let names):
        return .choices(
          try Self.list(node) { (element) throws(JSONError) in Self.number(of: try element.string(), in: names) })
      case .flags(let names): return .flags(Self.bits(of: try node.string(), in: names))
      case .texts: return .texts(try Self.list(node) { (element) throws(JSONError) in try element.string() })
      case .pairs: return .pairs(try Self.list(node, PolicyPair.init(graph:)))
      case .apps:
        return .apps(try Self.list(node) { (app) throws(JSONError) in try PolicyApp(graph: app, on: platform) })
      case .assignments: return .assignments(try Self.list(node, PolicyAssignment.init(graph:)))
      case .duration, .date: break
      }
    } catch {
      throw PolicyDocumentError(error)
    }
    return try time(graph: node)
  }

  private func time(graph node: JSONNode) throws(PolicyDocumentError) -> PolicyValue {
    let text = try PolicyDocumentError.translate { () throws(JSONError) in try node.string() }
    do throws(PolicyTextError) {
      if case .date = self { return .date(try PolicyDate(text)) }
      return .duration(try PolicyDuration(text))
    } catch {
      throw PolicyDocumentError(
        .text(error.code), at: node.position, path: node.path,
        message: "\(error.message): \(JSONExcerpt.quoted(text))", remedy: error.remedy)
    }
  }

  private static func list<Element>(
    _ node: JSONNode, _ read: (JSONNode) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    for element in try node.elements() { elements.append(try read(element)) }
    return elements
  }

  private static func number(of name: String, in names: EnumerationDescriptor) -> UInt64 {
    names.members.first { $0.name.utf8.elementsEqual(name.utf8) }?.number ?? PolicyKind.unrecognizedNumber
  }

  private static func bits(of text: String, in names: EnumerationDescriptor) -> UInt64 {
    text.split(separator: ",").reduce(0) { bits, part in
      let name = String(part.drop { $0 == " " })
      return bits | (names.members.first { $0.name.utf8.elementsEqual(name.utf8) }?.number ?? 1 << 31)
    }
  }

  func graphJSON(of value: PolicyValue, on platform: PolicyPlatform) -> JSONValue {
    switch value {
    case .text(let text): .string(text)
    case .flag(let flag): .bool(flag)
    case .number(let number): .number(number)
    case .duration(let duration): .string(duration.text)
    case .date(let date): .string(date.text)
    case .choice(let number): .string(name(of: number))
    case .choices(let numbers): .array(numbers.map { .string(name(of: $0)) })
    case .flags(let bits): .string(names(ofBits: bits))
    case .texts(let texts): .array(texts.map { .string($0) })
    case .pairs(let pairs): .array(pairs.map(\.graphJSON))
    case .apps(let apps): .array(apps.map { $0.graphJSON(on: platform) })
    case .assignments(let assignments): .array(assignments.map(\.graphJSON))
    }
  }

  private func name(of number: UInt64) -> String { names?.name(of: number) ?? "\(number)" }

  private func names(ofBits bits: UInt64) -> String {
    guard case .flags(let names) = self else { return "\(bits)" }
    guard bits != 0 else { return names.name(of: 0) ?? "0" }
    return names.members.filter { $0.number & bits != 0 }.map(\.name).joined(separator: ",")
  }
}

extension PolicyDocument {
  /// The value of a setting in a policy for its platform, or for all as the default policy is.
  package func value(_ property: PolicyProperty, ofDefaultToo platform: PolicyPlatform) -> PolicyValue? {
    guard kind.platform == platform || kind == .defaultPolicy else { return nil }
    if kind.platform.has(property), case .value(let value) = self[property] { return value }
    return keptMembers.first { $0.name.utf8.elementsEqual(property.name.utf8) }.flatMap {
      property.kind.value(kept: $0)
    }
  }
}

extension PolicyProperty {
  /// Whether the value of a member that a document keeps as JSON is one of this kind, or none.
  package func canHold(_ member: KeptMember) -> Bool { member.json == "null" || kind.value(kept: member) != nil }
}

extension PolicyProperty.Kind {
  /// The value of a member that a document keeps as JSON; `nil` if it is `null` or holds none of this kind.
  package func value(kept member: KeptMember) -> PolicyValue? {
    guard let root = try? JSONDocument.parse(member.json).root, !root.isNull else { return nil }
    return try? value(graph: root, on: .ios)
  }
}

extension JSONNode {
  /// The text of a member; `nil` if the member is missing or `null`.
  package func text(_ name: String) throws(JSONError) -> String? {
    try present(name)?.string()
  }
}

/// The members of an object that have a value.
private func members(_ values: [(String, String?)]) -> [JSONObject.Member] {
  values.compactMap { name, value in value.map { JSONObject.Member(name, .string($0)) } }
}

extension PolicyPair {
  init(graph node: JSONNode) throws(JSONError) {
    self.init(
      try node.required("name").string(), try node.text("value"), typeName: try node.text("@odata.type"))
  }

  var graphJSON: JSONValue {
    .object(members([("@odata.type", typeName), ("name", name), ("value", value)]))
  }
}

extension PolicyApp {
  init(graph node: JSONNode, on platform: PolicyPlatform) throws(JSONError) {
    self.init()
    id = try node.text("id")
    version = try node.text("version")
    typeName = try node.text("@odata.type")
    if let identifier = try node.present("mobileAppIdentifier") {
      bundleID = try identifier.text(platform.appIdentifier)
      identifierTypeName = try identifier.text("@odata.type")
    }
  }

  func graphJSON(on platform: PolicyPlatform) -> JSONValue {
    let identifier = members([("@odata.type", identifierTypeName), (platform.appIdentifier, bundleID)])
    return .object(
      members([("@odata.type", typeName), ("id", id), ("version", version)])
        + (identifier.isEmpty ? [] : [JSONObject.Member("mobileAppIdentifier", .object(identifier))]))
  }
}

extension PolicyAssignment {
  package init(graph node: JSONNode) throws(JSONError) {
    self.init()
    id = try node.text("id")
    typeName = try node.text("@odata.type")
    if let target = try node.present("target") {
      targetTypeName = try target.text("@odata.type")
      // Tools that copy policies from one tenant to another write the group's name in place of its id.
      for name in ["groupId", "groupName", "groupDisplayName"] where groupID == nil { groupID = try target.text(name) }
      filterID = try target.text("deviceAndAppManagementAssignmentFilterId")
      filterType = try target.text("deviceAndAppManagementAssignmentFilterType")
    }
  }

  var graphJSON: JSONValue {
    let target = members([
      ("@odata.type", targetTypeName), ("groupId", groupID), ("deviceAndAppManagementAssignmentFilterId", filterID),
      ("deviceAndAppManagementAssignmentFilterType", filterType),
    ])
    return .object(
      members([("@odata.type", typeName), ("id", id)])
        + (target.isEmpty ? [] : [JSONObject.Member("target", .object(target))]))
  }
}
