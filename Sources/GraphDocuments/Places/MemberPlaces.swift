import JSON

/// Where the members of a document, and the elements of its lists, stand in a file's text.
package struct MemberPlaces: Equatable, Sendable {
  /// Where the document begins.
  private let start: JSONPosition
  /// Where the names of members stand. Empty for a document that is packed into a string.
  private var members: [String: JSONPosition] = [:]
  /// Where the elements of members that are lists begin.
  private var elements: [String: [JSONPosition]] = [:]

  /// The places in a document.
  init(of object: JSONObject, at start: JSONPosition) {
    self.start = start
    for member in object.members {
      members[member.name] = member.position
      if let list = member.value.array { elements[member.name] = list.map(\.position) }
    }
  }

  /// The only place of a document that is packed into the string at `start`: what is inside, no editor can go to.
  init(packedAt start: JSONPosition) {
    self.start = start
  }

  /// The place of the element at an index of a member, of the member, or else of the document; `nil` in no text.
  package func place(of member: String, element index: Int?) -> DocumentPlace? {
    let list = elements[member] ?? []
    let element = index.flatMap { list.indices.contains($0) ? list[$0] : nil }
    return DocumentPlace(element ?? members[member] ?? start)
  }
}
