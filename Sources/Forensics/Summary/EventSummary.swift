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

  /// Chooses the change that tells most: one of a field called `status`, else a part that appeared or vanished, else the
  /// first one in the order of the state.
  public init(_ diff: StateDiff, _ values: ValueText) {
    let items = StateDiffItem.items(of: diff)
    let chosen =
      items.first { $0.isChange(of: "status") } ?? items.first { $0.isPart } ?? items.first
    item = chosen
    text = chosen.map { $0.text(values) } ?? ""
    others = max(0, items.count - 1)
  }
}
