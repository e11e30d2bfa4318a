import EventSourcing

/// One line of a difference between two states: a value that changed, or a whole part that appeared or vanished.
public enum StateDiffItem: Equatable, Sendable {
  /// A value changed, appeared or vanished.
  case change(StateChange)
  /// A part is there that was not there before: where it is, and its values.
  case appeared(path: String, [StateChange])
  /// A part is gone: where it was, and its values.
  case disappeared(path: String, [StateChange])

  /// The difference as few lines as possible, in its order: what lies in a part that appeared or vanished is folded
  /// into that part.
  public static func items(of diff: StateDiff) -> [StateDiffItem] {
    var items: [StateDiffItem] = []
    let appeared = Set(diff.appeared)
    let disappeared = Set(diff.disappeared)
    for change in diff.changes {
      if let path = enclosing(change.path, among: appeared), change.before == nil {
        if case .appeared(path, var changes)? = items.last {
          changes.append(change)
          items[items.count - 1] = .appeared(path: path, changes)
        } else {
          items.append(.appeared(path: path, [change]))
        }
      } else if let path = enclosing(change.path, among: disappeared), change.after == nil {
        if case .disappeared(path, var changes)? = items.last {
          changes.append(change)
          items[items.count - 1] = .disappeared(path: path, changes)
        } else {
          items.append(.disappeared(path: path, [change]))
        }
      } else {
        items.append(.change(change))
      }
    }
    return items
  }

  /// The line: `/policies/a1/version: 17 → 18`, `/wipes: + a2 (admin)`, `/wipes: - a2`.
  public func text(_ values: ValueText) -> String {
    switch self {
    case .change(let change):
      "\(change.path): \(values.text(change.before)) → \(values.text(change.after))"
    case .appeared(let path, _):
      "\(Self.parent(path)): + \(Self.name(path))\(gist)"
    case .disappeared(let path, _):
      "\(Self.parent(path)): - \(Self.name(path))\(gist)"
    }
  }

  /// Where the line is about.
  public var path: String {
    switch self {
    case .change(let change): change.path
    case .appeared(let path, _), .disappeared(let path, _): path
    }
  }

  /// The values that the line stands for.
  public var changes: [StateChange] {
    switch self {
    case .change(let change): [change]
    case .appeared(_, let changes), .disappeared(_, let changes): changes
    }
  }

  /// What kind of part appeared or vanished, such as ` (admin)`: the first name directly in it; empty for none.
  public var gist: String {
    switch self {
    case .change: ""
    case .appeared(let path, let changes): Self.gist(changes, of: path) { $0.after }
    case .disappeared(let path, let changes): Self.gist(changes, of: path) { $0.before }
    }
  }

  /// Whether it is about a whole record: a part directly in a slice of the state, such as `/wipes/a2`.
  var isRecord: Bool {
    if case .change = self { false } else { path.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 2 }
  }

  /// A status says less than a reason, and counts only when there is nothing else.
  private static func gist(
    _ changes: [StateChange], of path: String, _ value: (StateChange) -> StateValue?
  ) -> String {
    var status = ""
    for change in changes where parent(change.path) == path {
      guard case .name(let text)? = value(change) else { continue }
      if name(change.path) != "status" { return " (\(text))" }
      if status.isEmpty { status = " (\(text))" }
    }
    return status
  }

  private static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  private static func name(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The member of `parts` that is `path` or lies above it.
  private static func enclosing(_ path: String, among parts: Set<String>) -> String? {
    guard !parts.isEmpty else { return nil }
    var part = path
    while true {
      if parts.contains(part) { return part }
      guard let slash = part.lastIndex(of: "/"), slash != part.startIndex else { return nil }
      part = String(part[..<slash])
    }
  }
}
