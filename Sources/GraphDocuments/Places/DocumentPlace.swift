import AppProtection
import JSON
import PropertyList

/// A place in a file, whatever the file's form.
public enum DocumentPlace: Hashable, Sendable, CustomStringConvertible {
  /// A line and a column, each from 1.
  case text(line: Int, column: Int)
  /// An offset in bytes.
  case byte(Int)

  /// A place in JSON; `nil` for a value created by a program.
  public init?(_ position: JSONPosition) {
    guard position.isInText else { return nil }
    self = .text(line: position.line, column: position.column)
  }

  /// A place in a property list; `nil` for a value created by a program.
  public init?(_ position: PropertyListPosition) {
    switch position {
    case .text(let line, let column): self = .text(line: line, column: column)
    case .byte(let offset): self = .byte(offset)
    case .program: return nil
    }
  }

  /// `line 3, column 14` or `byte 40`.
  public var description: String {
    switch self {
    case .text(let line, let column): "line \(line), column \(column)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}

/// Where a policy stood.
public struct PolicyPlace: Equatable, Sendable {
  /// The file as the caller named it; `nil` when there is none.
  public var file: String?
  /// Where the policy begins in the file's text; for one packed into a string, where that string begins.
  public var position: JSONPosition
  /// The way to the policy from the document's outermost value; empty when it is the document itself.
  public var path: JSONPath
  /// How the document says what it is.
  public var typeEvidence: TypeEvidence
  /// Where its members and their elements stand in the file's text.
  package var places: MemberPlaces

  /// How a document says what it is.
  public enum TypeEvidence: String, Equatable, Sendable {
    /// By its `@odata.type`.
    case declared
    /// By the `@odata.context` of the response that it stands in.
    case context
    /// By members that only policies for iOS have.
    case members
  }
}

/// A policy and where it stood.
public struct SourcedPolicy: Equatable, Sendable {
  /// What was read at the place.
  public var policy: PolicyDocument
  /// Where it stood.
  public var source: PolicyPlace
  /// The members that are not as Graph writes them, in the order of the document.
  package var doubts: [MemberDoubt] = []
  /// Whether the response has only the members that were asked for (`$select`): what it lacks is unknown.
  public internal(set) var isSelection = false
}

/// Where the members of a document, and the elements of its lists, stand in a file's text.
package struct MemberPlaces: Equatable, Sendable {
  /// Where the document begins.
  private let start: JSONPosition
  /// The way to the document from the text's outermost value.
  package let path: JSONPath
  /// Where the names of members stand. Empty for a document that is packed into a string.
  private var members: [String: JSONPosition] = [:]
  /// Where the elements of members that are lists begin.
  private var elements: [String: [JSONPosition]] = [:]

  /// The places in a document.
  init(of object: JSONObject, at node: JSONNode) {
    (start, path) = (node.position, node.path)
    for member in object.members {
      members[member.name] = member.position
      if let list = member.value.array { elements[member.name] = list.map(\.position) }
    }
  }

  /// The only place of a document that is packed into a string: what is inside, no editor can go to.
  init(packedIn node: JSONNode) {
    (start, path) = (node.position, node.path)
  }

  /// The place of the element at an index of a member, of the member, or else of the document; `nil` in no text.
  package func place(of member: String, element index: Int?) -> DocumentPlace? {
    let list = elements[member] ?? []
    let element = index.flatMap { list.indices.contains($0) ? list[$0] : nil }
    return DocumentPlace(element ?? members[member] ?? start)
  }
}
