import AppProtection
import JSON

extension ManagementDocument {
  /// The most values of one document that are restated or left out.
  private static let mostDoubts = 100

  /// Reads an object of one of these kinds, and says which of its members are not as Graph writes them; `nil` for any other
  /// object.
  ///
  /// - Parameter isTolerant: Whether a value in another form is taken for what it stands for, or else left out with the member
  ///   that has it, rather than an error.
  static func read(
    _ node: JSONNode, contextType: GraphTypeName?, isTolerant: Bool
  ) throws(PolicyDocumentError) -> (document: ManagementDocument, doubts: [MemberDoubt])? {
    guard isTolerant, let object = node.value.object else {
      return try read(node, contextType: contextType).map { ($0, []) }
    }
    var doubts: [MemberDoubt] = []
    var kept: [JSONObject.Member] = []
    for var member in object.members {
      if MemberDoubt.settingLists.contains(member.name), let elements = member.value.array {
        for (index, element) in elements.enumerated() where MemberDoubt.isLost(member.name, element) {
          guard doubts.count < mostDoubts else { break }
          var doubt = MemberDoubt.lost(member.name, element)
          doubt.element = index
          doubts.append(doubt)
          member.value = member.value.leavingOut(index)
        }
        kept.append(member)
      } else if MemberDoubt.isLost(member.name, member.value) {
        doubts.append(.lost(member.name, member.value))
      } else {
        kept.append(member)
      }
    }
    var node = JSONNode(JSONValue(.object(JSONObject(kept)), at: node.position), path: node.path)
    while true {
      let failure: PolicyDocumentError
      do throws(PolicyDocumentError) {
        return try read(node, contextType: contextType).map { ($0, doubts) }
      } catch {
        failure = error
      }
      guard doubts.count < mostDoubts, let step = node.mended(where: failure, contextType) else { throw failure }
      doubts.append(step.doubt)
      node = step.node
    }
  }
}

extension JSONNode {
  /// The object without the value that keeps it from being read: the value is replaced by one that it stands for, or else the
  /// member that has it is left out, or of a list of settings the element; `nil` where nothing below the object is in the way.
  fileprivate func mended(
    where failure: PolicyDocumentError, _ contextType: GraphTypeName?
  ) -> (node: JSONNode, doubt: MemberDoubt)? {
    let way = failure.path.components.dropFirst(path.components.count)
    guard failure.path.components.starts(with: path.components), case .member(let name)? = way.first,
      let object = value.object, let member = object[name], let odd = member.value(at: way.dropFirst())
    else { return nil }
    func replaced(_ value: JSONValue?) -> JSONNode {
      var object = object
      object[name] = value
      return JSONNode(JSONValue(.object(object), at: position), path: path)
    }
    let candidates: [(taken: JSONValue, whole: JSONValue)]
    if way.count > 1 {
      // What is odd in one element of a list usually is in all of them.
      let whole = RestatedValue.deepened(member)
      candidates = whole.value(at: way.dropFirst()).map { [($0, whole)] } ?? []
    } else {
      candidates = RestatedValue.candidates(for: odd).map { ($0, $0) }
    }
    for candidate in candidates {
      let node = replaced(candidate.whole)
      do throws(PolicyDocumentError) {
        _ = try ManagementDocument.read(node, contextType: contextType)
      } catch {
        guard !error.path.components.starts(with: failure.path.components) else { continue }
      }
      return (node, .restated(name, odd, as: candidate.taken))
    }
    var doubt = MemberDoubt.unreadable(name, failure)
    guard MemberDoubt.settingLists.contains(name), case .element(let index)? = way.dropFirst().first else {
      return (replaced(nil), doubt)
    }
    doubt.element = index
    return (replaced(member.leavingOut(index)), doubt)
  }

  /// Whether an odd element of a list stood here, which is left out.
  var isLeftOut: Bool { value.string.flatMap(RestatedValue.reasonForNoValue) != nil }
}

extension JSONValue {
  /// The list with nothing in place of an element, so that the others keep their places.
  fileprivate func leavingOut(_ index: Int) -> JSONValue {
    guard var elements = array, elements.indices.contains(index) else { return self }
    elements[index] = RestatedValue.noValue(because: "")
    return JSONValue(.array(elements), at: position)
  }

  /// The value at the end of a path that begins here.
  fileprivate func value(at path: ArraySlice<JSONPath.Component>) -> JSONValue? {
    guard let first = path.first else { return self }
    switch first {
    case .member(let name): return object?[name]?.value(at: path.dropFirst())
    case .element(let index):
      guard let elements = array, elements.indices.contains(index) else { return nil }
      return elements[index].value(at: path.dropFirst())
    }
  }
}
