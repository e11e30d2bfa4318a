import EventSourcing
import PlainText

/// One line of a difference between two states: a changed value, or a whole part that appeared or disappeared.
public enum StateDiffItem: Equatable, Sendable {
  /// A value changed, appeared or disappeared.
  case change(StateChange)
  /// A part that did not exist before: its path and its values.
  case appeared(path: String, [StateChange])
  /// A part that no longer exists: its former path and values.
  case disappeared(path: String, [StateChange])

  /// The difference in as few lines as possible, in order: changes within a part that appeared or disappeared are
  /// folded into that part.
  public static func items(of diff: StateDiff) -> [StateDiffItem] {
    if diff.appeared.isEmpty, diff.disappeared.isEmpty { return diff.changes.map(StateDiffItem.change) }
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
    String(utf8: { append(values, to: &$0) })
  }

  /// Appends the line.
  package func append(_ values: ValueText, to bytes: inout [UInt8]) {
    switch self {
    case .change(let change): values.append(change, to: &bytes)
    case .appeared(let path, let changes): bytes.append(Self.text(path, "+", changes, values) { $0.after })
    case .disappeared(let path, let changes): bytes.append(Self.text(path, "-", changes, values) { $0.before })
    }
  }

  private static func text(
    _ path: String, _ marker: String, _ changes: [StateChange], _ values: ValueText,
    _ value: (StateChange) -> StateValue?
  ) -> String {
    let part = onlyRecord(of: path, changes) ?? path
    let shown = values.redaction.shown(statePath: part)
    return "\(parent(shown)): \(marker) \(name(shown))\(gist(changes, of: part, value))"
  }

  /// The record that a slice consists of: its first one appears with the slice, and its last one takes that along.
  private static func onlyRecord(of slice: String, _ changes: [StateChange]) -> String? {
    guard slice.lastIndex(of: "/") == slice.startIndex, slice != "/", let first = changes.first?.path,
      let end = first.dropFirst(slice.count + 1).firstIndex(of: "/")
    else { return nil }
    let record = first[...end]
    return changes.allSatisfy { $0.path.hasPrefix(record) } ? String(first[..<end]) : nil
  }

  /// The path that the line concerns.
  public var path: String {
    switch self {
    case .change(let change): change.path
    case .appeared(let path, _), .disappeared(let path, _): path
    }
  }

  /// The changes that the line represents.
  public var changes: [StateChange] {
    switch self {
    case .change(let change): [change]
    case .appeared(_, let changes), .disappeared(_, let changes): changes
    }
  }

  /// The kind of part that appeared or disappeared, such as ` (admin)`: the first name directly in it; empty if it has
  /// none.
  public var gist: String {
    switch self {
    case .change: ""
    case .appeared(let path, let changes): Self.gist(changes, of: path) { $0.after }
    case .disappeared(let path, let changes): Self.gist(changes, of: path) { $0.before }
    }
  }

  /// Whether it concerns a whole record: a part directly within a slice of the state, such as `/wipes/a2`.
  var isRecord: Bool {
    if case .change = self { false } else { path.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 2 }
  }

  /// A status is less informative than a reason and is used only if nothing else is available.
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

  /// The member of `parts` that is `path` or contains it.
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
