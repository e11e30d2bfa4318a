import EventSourcing
import PlainText

/// Renders the difference between two states as lines of text, grouped by the part of the state they belong to.
///
/// ```
/// /policies/a1
///   version            17 → 18       42
///   minimumPinLength   4 → 6         42
/// /wipes
///   + a2 (admin)       6 values      46
/// ```
public struct DiffText: Sendable {
  private let values: ValueText
  /// Whether the values of parts that appeared or disappeared are listed individually.
  private let listsParts: Bool

  /// One line before layout.
  public struct Row: Equatable, Sendable {
    /// The name of the value or part within its parent, with `+` or `-` before a part.
    public var name: String
    /// The change, such as `17 → 18`.
    public var text: String
    /// The event that last changed it; `nil` if unknown.
    public var writer: UInt64?
  }

  /// Lines under one heading.
  public struct Group: Equatable, Sendable {
    /// The path of the part of the state that contains the lines.
    public var heading: String
    /// The lines, in the order of the state.
    public var rows: [Row]
  }

  /// With `listsParts`, the values of parts that appeared or disappeared are listed individually.
  public init(_ redaction: Redaction, listsParts: Bool = false) {
    values = ValueText(redaction)
    self.listsParts = listsParts
  }

  /// The difference as groups of lines, in the order of the state; `writers` supplies the events that made the changes.
  public func groups(of diff: StateDiff, _ writers: LastWriters = LastWriters()) -> [Group] {
    var groups: [Group] = []
    func add(_ path: String, _ text: String, marker: String = "", writer: UInt64?) {
      let path = values.redaction.shown(statePath: path)
      let slash = path.lastIndex(of: "/") ?? path.startIndex
      let parent = slash == path.startIndex ? "/" : String(path[..<slash])
      let name = path.isEmpty ? path : String(path[path.index(after: slash)...])
      let row = Row(name: marker + name, text: text, writer: writer)
      if groups.last?.heading == parent {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append(Group(heading: parent, rows: [row]))
      }
    }
    func add(_ change: StateChange) {
      add(
        change.path, "\(values.text(change.before)) → \(values.text(change.after))", writer: writers[change.path])
    }
    for item in StateDiffItem.items(of: diff) {
      switch item {
      case .change(let change): add(change)
      case .appeared(let path, let changes), .disappeared(let path, let changes):
        guard !listsParts else {
          for change in changes { add(change) }
          continue
        }
        let marker = if case .appeared = item { "+ " } else { "- " }
        let count = changes.count.counted("value")
        add(path, count + item.gist, marker: marker, writer: changes.compactMap { writers[$0.path] }.max())
      }
    }
    return groups
  }
}
