import AppProtection
import JSON

/// The outermost value of an exported file as Graph would write it: what a tool changed is changed back, and what it lost is
/// named.
struct ExportedValue {
  /// A value in whose place the exporting program wrote something else.
  struct Loss: Equatable {
    /// The way to the document that had it.
    let document: JSONPath
    /// The member of the document.
    let member: String
    /// Where that stands.
    let place: DocumentPlace?
  }

  /// The value.
  private(set) var root: JSONValue
  /// What was lost, in the order of the text. The members concerned are not in ``root``.
  private(set) var losses: [Loss] = []
  /// Resources that were not read, and why.
  private(set) var refusals: [PolicyDocumentError] = []
  /// Whether what a document lacks is unknown, because the exporting program leaves much out.
  private(set) var isPartial = false
  /// Where a list says that it goes on in another response; `nil` if none does.
  private(set) var continuation: DocumentPlace?

  /// JSON of any tool, or YAML.
  init(_ value: JSONValue) {
    root = .null
    if let resources = DesiredStateResource.blueprint(value) {
      read(resources)
    } else {
      root = restored(value, JSONPath())
    }
  }

  /// A configuration of Microsoft365DSC.
  init(_ contents: DesiredStateReader.Contents) {
    root = .null
    refusals = contents.refusals
    read(contents.resources)
  }

  private mutating func read(_ resources: [DesiredStateResource]) {
    isPartial = true
    var documents: [JSONValue] = []
    for resource in resources {
      do throws(PolicyDocumentError) {
        documents.append(try resource.graph())
      } catch {
        refusals.append(error)
      }
    }
    root = restored(JSONValue(.array(documents), at: resources.first?.position ?? .none), JSONPath())
  }

  private mutating func restored(_ value: JSONValue, _ path: JSONPath) -> JSONValue {
    switch value.content {
    case .array(let elements):
      let restored = elements.enumerated().map { self.restored($1, path.appending(.element($0))) }
      return JSONValue(.array(restored), at: value.position)
    case .object(let object): return JSONValue(.object(restored(object, path)), at: value.position)
    case .string, .number, .bool, .null: return value
    }
  }

  private mutating func restored(_ object: JSONObject, _ path: JSONPath) -> JSONObject {
    var members = object.members
    let isList = object["@odata.type"] == nil
    for index in members.indices {
      let member = members[index]
      if isList, ["value", "responses", "body"].contains(member.name),
        member.value.array != nil || member.value.object != nil
      {
        members[index].value = restored(member.value, path.appending(.member(member.name)))
      } else if member.name == "@odata.nextLink", isList, object["value"]?.array != nil {
        continuation = continuation ?? DocumentPlace(member.position)
      } else if member.name == "targetedMobileApps", let app = member.value.object?["appName"] {
        // IntuneCD writes the one app with its name in place of the list of identifiers.
        members[index].value = JSONValue(.array([app]), at: member.value.position)
      }
    }
    members.removeAll { member in
      guard Self.isLost(member) else { return false }
      losses.append(Loss(document: path, member: member.name, place: DocumentPlace(member.position)))
      return true
    }
    return JSONObject(members)
  }

  /// The members whose texts an administrator writes.
  private static let freeTexts: Set<String> = ["displayName", "description", "name"]

  private static func isLost(_ member: JSONObject.Member) -> Bool {
    guard !freeTexts.contains(member.name) else { return false }
    return hasLoss(member.value) || (GraphMember.named(member.name) != nil && isHollow(member.value))
  }

  /// Whether PowerShell wrote the name of a type, or a table as one text, because a value was nested too deep.
  private static func hasLoss(_ value: JSONValue) -> Bool {
    switch value.content {
    case .string(let text):
      text == "System.Object[]" || text == "System.Collections.Hashtable"
        || text.hasPrefix("Microsoft.Graph.PowerShell.")
        || (text.hasPrefix("@{") && text.hasSuffix("}"))
    case .array(let elements): elements.contains(where: hasLoss)
    case .object(let object): object.members.contains { hasLoss($0.value) }
    case .number, .bool, .null: false
    }
  }

  /// Whether the Graph SDK for PowerShell wrote objects without members in place of names.
  private static func isHollow(_ value: JSONValue) -> Bool {
    if let elements = value.array { return !elements.isEmpty && elements.allSatisfy { $0.object?.count == 0 } }
    return value.object?.count == 0
  }
}
