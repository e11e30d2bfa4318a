import EventSourcing

/// Renders a state, or part of one, as lines of text.
public struct TreeText: Sendable {
  private let values: ValueText

  /// `redaction` decides which values are shown.
  public init(_ redaction: Redaction) {
    values = ValueText(redaction)
  }

  /// One line of a tree.
  public struct Line: Equatable, Sendable {
    /// The line.
    public let text: String
    /// The column where the value begins, for values that span several lines.
    public let column: Int
  }

  /// The tree, indented by two spaces per level, names before values; parts without set values are omitted.
  ///
  /// ```
  /// accounts
  ///   a1
  ///     enrollment
  ///       status  enrolled
  /// ```
  ///
  /// - Parameter path: Where in the state the tree is.
  public func indented(_ tree: StateTree, under path: String = "/") -> [Line] {
    var lines: [Line] = []
    switch tree {
    case .value(let value): lines.append(Line(text: values.text(value), column: 0))
    case .members(let members): append(members, values.redaction.names(at: path), level: 0, to: &lines)
    }
    return lines
  }

  /// One line per value, with its full path: `/accounts/a1/enrollment/status = enrolled`. Unset values are omitted.
  public func flat(_ tree: StateTree, under path: String) -> [String] {
    tree.leaves(under: path == "/" ? "" : path).filter { $0.value != .unset }.map {
      "\(values.redaction.shown(statePath: $0.path)) = \(values.text($0.value))"
    }
  }

  private func append(_ members: [StateTree.Member], _ names: KeyedNames, level: Int, to lines: inout [Line]) {
    let shown = members.filter { !$0.tree.isEmpty }.map {
      (name: values.redaction.shown(name: $0.name, in: names), tree: $0.tree, names: names[$0.name])
    }
    let indentation = String(repeating: "  ", count: level)
    // Values of one part are aligned; a very long name does not shift all the others.
    let widths = shown.compactMap { member in
      if case .value = member.tree { member.name.count } else { nil }
    }
    let width = min(widths.max() ?? 0, 44)
    for member in shown {
      switch member.tree {
      case .value(let value):
        let gap = String(repeating: " ", count: max(0, width - member.name.count))
        let name = "\(indentation)\(member.name)\(gap)  "
        lines.append(Line(text: name + values.text(value), column: name.count))
      case .members(let inner):
        lines.append(Line(text: indentation + member.name, column: indentation.count))
        append(inner, member.names, level: level + 1, to: &lines)
      }
    }
  }
}
