/// The way from the outermost value of a property list to one inside it, such as `CFBundleURLTypes[0].CFBundleURLName`.
public struct PropertyListPath: Hashable, Sendable, CustomStringConvertible {
  /// One step.
  public enum Component: Hashable, Sendable {
    /// Into a dictionary, to the value of this key.
    case key(String)
    /// Into an array, to the element with this index, from 0.
    case element(Int)
  }

  /// The steps, outermost first; empty for the property list itself.
  public private(set) var components: [Component]

  /// Creates a path.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// The path one step further.
  public func appending(_ component: Component) -> PropertyListPath {
    PropertyListPath(components + [component])
  }

  mutating func push(_ component: Component) {
    components.append(component)
  }

  mutating func pop() {
    _ = components.popLast()
  }

  /// The path as people write it: keys parted by dots, indexes in brackets, keys that are not plain in quotes. The empty
  /// path is `(property list)`.
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
