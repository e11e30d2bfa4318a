/// The path from a document's outermost value to a value inside it, such as `value[0].apps[3].id`.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// To the member of an object with this name.
    case member(String)
    /// To the element of an array with this index, from 0.
    case element(Int)
  }

  /// The steps, outermost first; empty for the document itself.
  public private(set) var components: [Component]

  /// The outermost step comes first.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// The path extended by one step.
  public func appending(_ component: Component) -> JSONPath {
    JSONPath(components + [component])
  }

  mutating func push(_ component: Component) {
    components.append(component)
  }

  mutating func pop() {
    _ = components.popLast()
  }

  /// The path in readable form: members separated by dots, indexes in brackets, names that are not plain in quotes. The
  /// empty path is `(document)`.
  public var description: String {
    guard !components.isEmpty else { return "(document)" }
    var text = ""
    for component in components {
      switch component {
      case .element(let index): text += "[\(index)]"
      case .member(let name) where Self.isPlain(name) && !JSONExcerpt.isWithheld(name):
        text += text.isEmpty ? name : ".\(name)"
      case .member(let name): text += "[\(JSONExcerpt.quoted(name))]"
      }
    }
    return text
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 80
      && name.unicodeScalars.allSatisfy { scalar in
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
          || "_-@#".unicodeScalars.contains(scalar)
      }
  }
}
