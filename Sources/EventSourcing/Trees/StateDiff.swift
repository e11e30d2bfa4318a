/// One value that differs between two states.
public struct StateChange: Equatable, Sendable {
  /// Where the value is.
  public let place: StatePath
  /// The earlier value; `nil` if there was none.
  public let before: StateValue?
  /// The later value; `nil` if there is none.
  public let after: StateValue?

  /// The value's path, such as `/accounts/a1/status`.
  public var path: String { place.text }

  /// An unset value is stored as `nil`.
  public init(path: String, before: StateValue?, after: StateValue?) {
    self.init(StatePath(path), before: before, after: after)
  }

  init(_ place: StatePath, before: StateValue?, after: StateValue?) {
    self.place = place
    self.before = before == .unset ? nil : before
    self.after = after == .unset ? nil : after
  }
}

/// The differences between two states, value by value, in the order of their trees.
///
/// An absent member, an unset one, and one that contains only such members are equivalent. A list is a single value: if
/// an element differs, the list differs.
///
/// ```swift
/// let diff = StateDiff(from: before.tree(), to: after.tree())
/// diff.changes.first?.path  // "/accounts/a1/balance"
/// diff.appeared             // ["/accounts/a2"]: no need to list its values
/// ```
public struct StateDiff: Equatable, Sendable {
  /// Every value that differs.
  public private(set) var changes: [StateChange] = []
  /// The outermost parts with members that did not exist before. Their values are among ``changes`` too.
  public private(set) var appeared: [String] = []
  /// The outermost parts with members that no longer exist. Their values are among ``changes`` too.
  public private(set) var disappeared: [String] = []

  /// Whether the two states are equal.
  public var isEmpty: Bool { changes.isEmpty }

  /// An empty difference.
  public init() {}

  /// Compares two trees. O(size of both).
  public init(from before: StateTree, to after: StateTree) {
    compare(before, after, at: "")
  }

  /// The changes at `path` and below it.
  public func changes(under path: String) -> [StateChange] {
    let path = StateTree.normalized(path)
    guard path != "/" else { return changes }
    return changes.filter { Self.is($0.path, at: path) }
  }

  /// The differences at `path` and below it.
  public func part(under path: String) -> StateDiff {
    let path = StateTree.normalized(path)
    guard path != "/" else { return self }
    var part = self
    part.changes = changes(under: path)
    part.appeared = appeared.filter { Self.is($0, at: path) }
    part.disappeared = disappeared.filter { Self.is($0, at: path) }
    return part
  }

  /// Whether a path is another one, or below it.
  private static func `is`(_ path: String, at other: String) -> Bool {
    path.utf8.elementsEqual(other.utf8) || path.utf8.starts(with: (other + "/").utf8)
  }

  /// The difference without the values for which `isLeftOut` returns `true`.
  public func leavingOut(_ isLeftOut: (StateChange) -> Bool) -> StateDiff {
    var rest = self
    rest.changes.removeAll(where: isLeftOut)
    // The parts that still contain a change.
    var parts: Set<Substring> = rest.isEmpty ? [] : ["/"]
    for change in rest.changes {
      var part = change.path[...]
      while !part.isEmpty, parts.insert(part).inserted, let slash = part.lastIndex(of: "/") { part = part[..<slash] }
    }
    rest.appeared.removeAll { !parts.contains($0[...]) }
    rest.disappeared.removeAll { !parts.contains($0[...]) }
    return rest
  }

  /// Adds the differences between two subtrees at `path`; the root has the empty path.
  mutating func compare(_ before: StateTree?, _ after: StateTree?, at path: String) {
    switch (before, after) {
    case (nil, nil): return
    case (.members(let old)?, .members(let new)?): compareMembers(old, new, at: path)
    case (.value(let old)?, .value(let new)?): add(old, new, at: path)
    case (.value(let old)?, .members?):
      add(old, nil, at: path)
      appear(after, at: path)
    case (.members?, .value(let new)?):
      disappear(before, at: path)
      add(nil, new, at: path)
    case (nil, .value(let new)?): add(nil, new, at: path)
    case (.value(let old)?, nil): add(old, nil, at: path)
    case (nil, .members?): appear(after, at: path)
    case (.members?, nil): disappear(before, at: path)
    }
  }

  private mutating func add(_ before: StateValue?, _ after: StateValue?, at path: String) {
    add(before, after, at: StatePath(path.isEmpty ? "/" : path))
  }

  /// Adds a value that may differ.
  mutating func add(_ before: StateValue?, _ after: StateValue?, at place: StatePath) {
    let change = StateChange(place, before: before, after: after)
    guard change.before != change.after else { return }
    // Few events change more values than this.
    if changes.isEmpty { changes.reserveCapacity(8) }
    changes.append(change)
  }

  /// Removes everything, and keeps the memory.
  @usableFromInline
  mutating func removeAll() {
    // Removing nothing takes time as well.
    if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
    if !appeared.isEmpty { appeared.removeAll(keepingCapacity: true) }
    if !disappeared.isEmpty { disappeared.removeAll(keepingCapacity: true) }
  }

  /// The length of each list.
  @usableFromInline var counts: (changes: Int, appeared: Int, disappeared: Int) {
    (changes.count, appeared.count, disappeared.count)
  }

  /// Removes what was added since the lists had these lengths.
  @usableFromInline
  mutating func shorten(to counts: (changes: Int, appeared: Int, disappeared: Int)) {
    changes.removeSubrange(counts.changes...)
    appeared.removeSubrange(counts.appeared...)
    disappeared.removeSubrange(counts.disappeared...)
  }

  private mutating func appear(_ tree: StateTree?, at path: String) {
    guard let tree, !tree.isEmpty else { return }
    appeared.append(path.isEmpty ? "/" : path)
    for leaf in tree.leaves(under: path) { add(nil, leaf.value, at: leaf.path) }
  }

  private mutating func disappear(_ tree: StateTree?, at path: String) {
    guard let tree, !tree.isEmpty else { return }
    disappeared.append(path.isEmpty ? "/" : path)
    for leaf in tree.leaves(under: path) { add(leaf.value, nil, at: leaf.path) }
  }

  /// Follows the order of the later members; removed members keep their earlier place.
  private mutating func compareMembers(_ old: [StateTree.Member], _ new: [StateTree.Member], at path: String) {
    // Lists of many members differ in few of them: those before and after need no look-up.
    let shared = min(old.count, new.count)
    var start = 0
    while start < shared, old[start].name == new[start].name { start += 1 }
    var rest = 0
    while rest < shared - start, old[old.count - 1 - rest].name == new[new.count - 1 - rest].name { rest += 1 }
    compareInOrder(old[..<start], new[..<start], at: path)
    compareOthers(old[start..<(old.count - rest)], new[start..<(new.count - rest)], at: path)
    compareInOrder(old[(old.count - rest)...], new[(new.count - rest)...], at: path)
  }

  /// Compares members that have the same names. Most are equal, and their paths are not needed.
  private mutating func compareInOrder(
    _ old: ArraySlice<StateTree.Member>, _ new: ArraySlice<StateTree.Member>, at path: String
  ) {
    for (one, other) in zip(old, new) where one.tree != other.tree {
      compare(one.tree, other.tree, at: path + "/" + one.name)
    }
  }

  private mutating func compareOthers(
    _ old: ArraySlice<StateTree.Member>, _ new: ArraySlice<StateTree.Member>, at path: String
  ) {
    guard !old.isEmpty || !new.isEmpty else { return }
    let places = Dictionary(zip(old.map(\.name), old.indices), uniquingKeysWith: { first, _ in first })
    let kept = Set(new.map(\.name))
    var next = old.startIndex
    func gone(from start: Int, to end: Int) -> [StateTree.Member] {
      start < end ? old[start..<end].filter { !kept.contains($0.name) } : []
    }
    for member in new {
      let place = places[member.name]
      let end = place ?? old[next...].firstIndex { kept.contains($0.name) } ?? old.endIndex
      for lost in gone(from: next, to: end) { compare(lost.tree, nil, at: path + "/" + lost.name) }
      next = max(next, place.map { $0 + 1 } ?? end)
      compare(place.map { old[$0].tree }, member.tree, at: path + "/" + member.name)
    }
    for lost in gone(from: next, to: old.endIndex) { compare(lost.tree, nil, at: path + "/" + lost.name) }
  }
}
