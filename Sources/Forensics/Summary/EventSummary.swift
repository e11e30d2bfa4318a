import EventSourcing

/// A brief account of what one event did to the state: its most informative change, and the number of others.
///
/// ```
/// /accounts/a1/enrollment/status: requested → enrolled  +3
/// /wipes: + a2 (admin)  +1
/// (trigger: timer)  +4
/// ```
public struct EventSummary: Equatable, Sendable {
  /// The chosen change; `nil` if the event changed nothing but bookkeeping.
  public let item: StateDiffItem?
  /// The chosen change, or else the event's own contents, as text; empty if there is neither.
  public let text: String
  /// Number of changes not in the text; a part of the state that appeared or disappeared counts as one.
  public let others: Int

  /// The whole summary in one line; empty if nothing changed.
  public var line: String { others > 0 ? "\(text)  +\(others)" : text }

  /// The most event fields shown in the summary.
  private static let maximumFields = 3

  /// Chooses the most informative change: one at a requested path if there is any; otherwise the highest by
  /// ``/EventSourcing/HistoryDomain/headlineRank(ofPath:)``, with a whole record that appeared or disappeared before
  /// ordinary changes, and then one in the part of the state that the event's type is named after. If only bookkeeping
  /// changed, the event's own fields are shown instead.
  ///
  /// - Parameters:
  ///   - diff: What the event changed.
  ///   - domain: The domain of the history.
  ///   - type: The event's type, such as `policy.received`, which is named after `/policies`.
  ///   - fields: The event's fields as names and texts.
  ///   - paths: The parts of the state that the user asked for.
  ///   - values: The text form of values.
  public init<Domain: HistoryDomain>(
    _ diff: StateDiff, of domain: Domain.Type, type: String, fields: [(name: String, text: String)] = [],
    showing paths: [PathPattern] = [], _ values: ValueText
  ) {
    let items = StateDiffItem.items(of: diff)
    let chosen = Self.asked(paths, items, domain) ?? Self.telling(items, type, domain)
    item = chosen
    if let chosen {
      text = chosen.text(values)
      others = items.count - 1
    } else if fields.isEmpty, let kept = items.first(where: { $0.rank(in: domain) != .clock }) {
      text = kept.text(values)
      others = items.count - 1
    } else {
      let said = fields.prefix(Self.maximumFields).map { "\($0.name): \($0.text)" }
      text = said.isEmpty ? "" : "(\(said.joined(separator: ", ")))"
      others = items.count
    }
  }

  /// The most informative change at a requested path.
  private static func asked<Domain: HistoryDomain>(
    _ paths: [PathPattern], _ items: [StateDiffItem], _ domain: Domain.Type
  ) -> StateDiffItem? {
    guard !paths.isEmpty else { return nil }
    let wanted = items.flatMap { item -> [StateDiffItem] in
      if paths.contains(where: { $0.matches(item.path) }) { return [item] }
      // A requested path may lie within a part that appeared or disappeared.
      return item.changes.filter { change in paths.contains { $0.matches(change.path) } }.map(StateDiffItem.change)
    }
    return wanted.min { $0.rank(in: domain) < $1.rank(in: domain) }
  }

  private static func telling<Domain: HistoryDomain>(
    _ items: [StateDiffItem], _ type: String, _ domain: Domain.Type
  ) -> StateDiffItem? {
    let subject = type.prefix { $0 != "." }
    let answers = items.flatMap { item -> [StateDiffItem] in
      // A whole record is more informative than its status.
      item.isRecord
        ? [] : item.changes.filter { Domain.headlineRank(ofPath: $0.path).isAnswer }.map(StateDiffItem.change)
    }
    if let answer = answers.min(by: { $0.rank(in: domain) < $1.rank(in: domain) }) { return answer }
    let told = items.filter { $0.rank(in: domain) < .bookkeeping }
    return told.first { $0.isRecord } ?? told.first { path($0.path, isNamedAfter: subject) } ?? told.first
  }

  /// Whether the first component of a path is the given word or its plural: `policies` for `policy`.
  private static func path(_ path: String, isNamedAfter subject: Substring) -> Bool {
    guard subject.utf8.count > 2 else { return false }
    // The last letter may change: policy, policies.
    return path.utf8.dropFirst().starts(with: subject.utf8.dropLast())
  }
}

extension StateDiffItem {
  /// The rank of the item's most informative change.
  fileprivate func rank<Domain: HistoryDomain>(in domain: Domain.Type) -> HeadlineRank {
    changes.map { Domain.headlineRank(ofPath: $0.path) }.min() ?? .ordinary
  }
}
