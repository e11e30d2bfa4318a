extension StateTree {
  /// One value and where it is.
  public struct Leaf: Equatable, Sendable {
    /// The value's path, such as `/accounts/a1/status`.
    public let path: String
    /// What is there.
    public let value: StateValue

    /// Creates a leaf.
    public init(path: String, value: StateValue) {
      self.path = path
      self.value = value
    }
  }

  /// The part of the tree at `path`, such as `/accounts/a1`; `nil` when nothing is there.
  ///
  /// `/` and the empty path are the whole tree. A slash at the end changes nothing. O(depth × members).
  public subscript(path path: String) -> StateTree? {
    var tree = self
    for component in StateTree.components(of: path) {
      guard let next = tree.member(named: component) else { return nil }
      tree = next
    }
    return tree
  }

  /// The member with this name, if there is one.
  public func member(named name: some StringProtocol) -> StateTree? {
    guard case .members(let members) = self else { return nil }
    return members.first { $0.name == name }?.tree
  }

  /// Whether there is no value in the tree: no members, or none that are set.
  public var isEmpty: Bool {
    switch self {
    case .value(let value): value == .unset
    case .members(let members): members.allSatisfy(\.tree.isEmpty)
    }
  }

  /// Every value with its path, in the order of the tree. Unset values are among them.
  ///
  /// - Parameter prefix: What to put before every path: where this tree is in a larger one.
  public func leaves(under prefix: String = "") -> [Leaf] {
    var result: [Leaf] = []
    forEachNode(under: prefix) { path, tree in
      if case .value(let value) = tree { result.append(Leaf(path: path, value: value)) }
    }
    return result
  }

  /// Every path there is, inner ones before those below them: what a misspelt path is compared with.
  public func paths(under prefix: String = "") -> [String] {
    var result: [String] = []
    forEachNode(under: prefix) { path, _ in if path != "/" { result.append(path) } }
    return result
  }

  /// The names in a path, without empty ones.
  public static func components(of path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: true)
  }

  /// The path in the one form in which paths are compared: a slash before every name and none at the end.
  public static func normalized(_ path: String) -> String {
    "/" + components(of: path).joined(separator: "/")
  }

  /// Calls `body` for this tree and everything below it, outer before inner.
  func forEachNode(under path: String, _ body: (String, StateTree) -> Void) {
    body(path.isEmpty ? "/" : path, self)
    guard case .members(let members) = self else { return }
    for member in members {
      member.tree.forEachNode(under: (path == "/" ? "" : path) + "/" + member.name, body)
    }
  }
}
