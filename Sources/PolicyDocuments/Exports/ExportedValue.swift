import AppProtection
import JSON

/// The outermost value of an exported file as Graph would write it: what a tool changed is changed back.
struct ExportedValue {
  /// The value.
  private(set) var root: JSONValue
  /// Resources that were not read, and why.
  private(set) var refusals: [PolicyDocumentError] = []
  /// Whether what a document lacks is unknown, because the exporting program leaves much out.
  private(set) var isPartial = false
  /// The documents whose assignments are groups alone, because the exporting program leaves other targets and filters out.
  private(set) var groupsAlone: Set<JSONPath> = []
  /// Where a list says that it goes on in another response; `nil` if none does.
  private(set) var continuation: DocumentPlace?

  /// JSON of any tool, or YAML.
  init(_ value: JSONValue) {
    root = value
    if let resources = DesiredStateResource.blueprint(value) {
      read(resources)
    } else {
      continuation = Self.continuation(in: value)
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
        let document = try resource.graph()
        if resource.listsGroupsAlone { groupsAlone.insert(JSONPath([.element(documents.count)])) }
        documents.append(document)
      } catch {
        refusals.append(error)
      }
    }
    root = JSONValue(.array(documents), at: resources.first?.position ?? .none)
  }

  /// Where a list says that it goes on, in the value or in a part of a response.
  private static func continuation(in value: JSONValue) -> DocumentPlace? {
    if let elements = value.array { return elements.lazy.compactMap(continuation).first }
    guard let object = value.object, object["@odata.type"] == nil else { return nil }
    for member in object.members {
      if member.name == "@odata.nextLink", object["value"]?.array != nil { return DocumentPlace(member.position) }
      guard ["value", "responses", "body"].contains(member.name) else { continue }
      if let place = continuation(in: member.value) { return place }
    }
    return nil
  }
}
