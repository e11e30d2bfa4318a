import EventSourcing

/// Finds the lanes of a timeline from paths of the state, event types and accounts, and makes them up as they are needed.
@usableFromInline
struct LaneTable: Sendable {
  /// The lane of a path, and the rule that says so.
  struct Place: Sendable {
    let lane: Int
    let rule: LaneRule
  }

  /// A path with at most one `*`.
  private struct Pattern: Sendable {
    let group: Int
    let rule: LaneRule
    let names: [Substring]

    /// The name that the star stands for, empty without one; `nil` if the path is another one.
    func key(of path: [Substring]) -> Substring? {
      guard path.count == names.count else { return nil }
      var key: Substring = ""
      for (name, pattern) in zip(path, names) {
        if pattern == "*" { key = name } else if name != pattern { return nil }
      }
      return key
    }

    /// The label with the name in place of its star.
    func label(for key: Substring) -> String {
      rule.label.split(separator: "*", omittingEmptySubsequences: false).joined(separator: String(key))
    }
  }

  private(set) var lanes: [Timeline.Lane] = []
  private(set) var groups: [String]
  private let table: TimelineTable
  private let patterns: [Pattern]
  private let questions: [Pattern]
  private var byLabel: [String: Int] = [:]
  private var byType: [Substring: Int] = [:]
  private var places: [String: Place?] = [:]
  private var asked: [String: [String]] = [:]
  private var lastOfGroup: [Int: Int] = [:]

  /// The most paths whose lanes are remembered.
  private static let maximumPaths = 65_536

  init(_ table: TimelineTable) {
    self.table = table
    groups = table.groups.map(\.title) + ["Process and clock", "Other events"]
    patterns = table.groups.enumerated().flatMap { index, group in
      group.lanes.map { Pattern(group: index, rule: $0, names: StateTree.components(of: $0.path)) }
    }
    questions = table.questions.map {
      Pattern(group: 0, rule: LaneRule($0.path, label: $0.question), names: StateTree.components(of: $0.path))
    }
    for (index, group) in table.groups.enumerated() {
      for type in group.types { byType[type[...]] = index }
    }
    byType["process"] = clockGroup
    byType["clock"] = clockGroup
  }

  /// The group of processes and of the clock, which every domain has.
  var clockGroup: Int { table.groups.count }

  /// The lane of a value; `nil` if it has none.
  mutating func place(of path: String) -> Place? {
    if let known = places[path] { return known }
    let names = StateTree.components(of: path)
    var place: Place?
    for pattern in patterns {
      guard let key = pattern.key(of: names) else { continue }
      place = Place(lane: lane(pattern.label(for: key), in: pattern.group), rule: pattern.rule)
      break
    }
    if places.count < Self.maximumPaths { places[path] = .some(place) }
    return place
  }

  /// The questions that a change of a value raises.
  mutating func questions(about path: String) -> [String] {
    if let known = asked[path] { return known }
    let names = StateTree.components(of: path)
    let found = questions.compactMap { pattern in pattern.key(of: names).map { pattern.label(for: $0) } }
    if asked.count < Self.maximumPaths { asked[path] = found }
    return found
  }

  /// The lane of an event.
  ///
  /// - Parameters:
  ///   - type: The event's type.
  ///   - account: The first account that it names; `nil` for none.
  ///   - changed: The lanes whose values it changed.
  mutating func lane(ofType type: String, account: String?, changed: [Int]) -> Int {
    let word = type.prefix { $0 != "." }
    guard let group = byType[type[...]] ?? byType[word] else {
      return lane("events", in: groups.count - 1)
    }
    guard group != clockGroup else { return lane(word == "clock" ? "clock" : "process", in: group) }
    if let lane = changed.first(where: { lanes[$0].group == group }) { return lane }
    if let account, table.groups[group].isByAccount { return lane(account, in: group) }
    return lane(table.groups[group].rest, in: group)
  }

  /// The lane of an event of another domain.
  mutating func lane(ofForeignType type: String, in domain: String) -> Int {
    groups[groups.count - 1] = "Events of \(domain)"
    return lane(type, in: groups.count - 1)
  }

  /// The lane with this label in a group; the group's last one once there are too many.
  mutating func lane(_ label: String, in group: Int) -> Int {
    let key = "\(group) \(label)"
    if let known = byLabel[key] { return known }
    if lanes.count >= Timeline.maximumLanes, let last = lastOfGroup[group] {
      lanes[last].label = "others"
      return last
    }
    lanes.append(Timeline.Lane(group: group, label: VisibleText.of(label, limit: 80)))
    byLabel[key] = lanes.count - 1
    lastOfGroup[group] = lanes.count - 1
    return lanes.count - 1
  }

  /// Adds the names of an account to the labels of its lanes.
  mutating func name(account: String, _ names: [String]) {
    guard let name = names.first else { return }
    for index in lanes.indices where lanes[index].label == account {
      lanes[index].label = VisibleText.of("\(account) \(name)", limit: 80)
    }
  }
}
