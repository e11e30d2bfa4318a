import EventSourcing

/// What one event did to the state, in brief: the change that tells most, and how many others there are.
///
/// ```
/// /accounts/a1/enrollment/status: requested → enrolled  +3
/// /wipes: + a2 (admin)  +1
/// ```
public struct EventSummary: Equatable, Sendable {
  /// The change that was chosen; `nil` when the event changed nothing.
  public let item: StateDiffItem?
  /// One change as text, or nothing when the event changed nothing.
  public let text: String
  /// How many changes are not in the text; a part of the state that appeared or vanished counts as one.
  public let others: Int

  /// The whole summary in one line; empty when nothing changed.
  public var line: String { others > 0 ? "\(text)  +\(others)" : text }

  /// Chooses the change that tells most: one of a field called `status`, else a whole record that appeared or vanished,
  /// else the first one in the part of the state that the event's type is named after, else the first one of all.
  ///
  /// - Parameters:
  ///   - diff: What the event changed.
  ///   - type: The event's type, such as `policy.received`, which tells of `/policies`.
  ///   - values: How values look.
  public init(_ diff: StateDiff, type: String, _ values: ValueText) {
    let items = StateDiffItem.items(of: diff)
    let subject = type.prefix { $0 != "." }
    let chosen =
      items.first { $0.isChange(of: "status") } ?? items.first { $0.isRecord }
      ?? items.first { Self.path($0.path, isNamedAfter: subject) } ?? items.first
    item = chosen
    text = chosen.map { $0.text(values) } ?? ""
    others = max(0, items.count - 1)
  }

  /// Whether the outermost name of a path is the plural of a word, or the word itself: `policies` for `policy`.
  private static func path(_ path: String, isNamedAfter subject: Substring) -> Bool {
    guard subject.utf8.count > 2 else { return false }
    // The last letter may change: policy, policies.
    return path.utf8.dropFirst().starts(with: subject.utf8.dropLast())
  }
}
