extension StateTree {
  /// A single value and its path.
  public struct Leaf: Equatable, Sendable {
    /// The value's path, such as `/accounts/a1/status`.
    public let path: String
    /// The value at the path.
    public let value: StateValue

    /// `path` begins with a slash.
    public init(path: String, value: StateValue) {
      self.path = path
      self.value = value
    }
  }

  /// The part of the tree at `path`, such as `/accounts/a1`; `nil` when nothing is there.
  ///
  /// `/` and the empty path are the whole tree. A trailing slash is ignored. O(depth × members).
  public subscript(path path: String) -> StateTree? {
    self[names: StateTree.components(of: path)[...]]
  }

  /// The part of the tree at a path of names; `nil` when nothing is there.
  @usableFromInline
  subscript(names names: ArraySlice<Substring>) -> StateTree? {
    var tree = self
    for component in names {
      guard let next = tree.member(named: component) else { return nil }
      tree = next
    }
    return tree
  }

  /// The member with this name; `nil` if there is none.
  public func member(named name: some StringProtocol) -> StateTree? {
    guard case .members(let members) = self else { return nil }
    return members.first { $0.name == name }?.tree
  }

  /// Whether the tree has no set value.
  public var isEmpty: Bool {
    switch self {
    case .value(let value): value == .unset
    case .members(let members): members.allSatisfy(\.tree.isEmpty)
    }
  }

  /// Every value, unset ones included, with its path, in the order of the tree.
  ///
  /// - Parameter prefix: The path of this tree within a larger one; put before every path.
  public func leaves(under prefix: String = "") -> [Leaf] {
    var result: [Leaf] = []
    forEachNode(under: prefix) { path, tree in
      if case .value(let value) = tree { result.append(Leaf(path: path, value: value)) }
    }
    return result
  }

  /// Every path in the tree, inner nodes before those below them; used to suggest corrections for misspelt paths.
  public func paths(under prefix: String = "") -> [String] {
    var result: [String] = []
    forEachNode(under: prefix) { path, _ in if path != "/" { result.append(path) } }
    return result
  }

  /// The nonempty names in a path.
  public static func components(of path: String) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
  }

  /// The canonical form of a path: a slash before every name and none at the end.
  public static func normalized(_ path: String) -> String {
    "/" + components(of: path).joined(separator: "/")
  }

  /// Calls `body` for this tree and everything below it, parents first.
  func forEachNode(under path: String, _ body: (String, StateTree) -> Void) {
    body(path.isEmpty ? "/" : path, self)
    guard case .members(let members) = self else { return }
    for member in members {
      member.tree.forEachNode(under: (path == "/" ? "" : path) + "/" + member.name, body)
    }
  }
}
