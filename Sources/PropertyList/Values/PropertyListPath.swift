/// The path from a property list's outermost value to a value inside it, such as `CFBundleURLTypes[0].CFBundleURLName`.
public struct PropertyListPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// To the value in a dictionary with this key.
    case key(String)
    /// To the element of an array with this index, from 0.
    case element(Int)
  }

  /// The steps, outermost first; empty for the property list itself.
  public private(set) var components: [Component]

  /// The outermost step comes first.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// The path extended by one step.
  public func appending(_ component: Component) -> PropertyListPath {
    PropertyListPath(components + [component])
  }

  mutating func push(_ component: Component) {
    components.append(component)
  }

  mutating func pop() {
    _ = components.popLast()
  }

  /// The path in readable form: keys separated by dots, indexes in brackets, keys that are not plain in quotes. The
  /// empty path is `(property list)`.
  public var description: String {
    guard !components.isEmpty else { return "(property list)" }
    var text = ""
    for component in components {
      switch component {
      case .element(let index): text += "[\(index)]"
      case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : ".\(key)"
      case .key(let key): text += "[\(PropertyListExcerpt.quoted(key))]"
      }
    }
    return text
  }

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.count <= 80
      && key.unicodeScalars.allSatisfy { scalar in
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
          || "_-~".unicodeScalars.contains(scalar)
      }
  }
}
