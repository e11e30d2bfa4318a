import EventSourcing

/// What one event did to the state, in brief: the change that tells most, and how many others there are.
///
/// ```
/// /accounts/a1/enrollment/status: requested → enrolled  +3
/// /wipes: + a2 (admin)  +1
/// (trigger: timer)  +4
/// ```
public struct EventSummary: Equatable, Sendable {
  /// The change that was chosen; `nil` when the event changed nothing, or nothing but bookkeeping.
  public let item: StateDiffItem?
  /// One change as text, or what the event itself says; nothing when there is neither.
  public let text: String
  /// How many changes are not in the text; a part of the state that appeared or vanished counts as one.
  public let others: Int

  /// The whole summary in one line; empty when nothing changed.
  public var line: String { others > 0 ? "\(text)  +\(others)" : text }

  /// The most fields of an event that stand in its line.
  private static let maximumFields = 3

  /// Chooses what tells most: of the paths that were asked for the change of one; else the first by
  /// ``/EventSourcing/HistoryDomain/headlineRank(ofPath:)``, a whole record that appeared or vanished before what is
  /// ordinary, and then the part of the state that the event's type is named after. Where nothing but bookkeeping
  /// changed, the event's own fields say more.
  ///
  /// - Parameters:
  ///   - diff: What the event changed.
  ///   - domain: The domain of the history.
  ///   - type: The event's type, such as `policy.received`, which tells of `/policies`.
  ///   - fields: What the event says, as names and texts.
  ///   - paths: The parts of the state that were asked for.
  ///   - values: How values look.
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

  /// The change of a path that was asked for, the one that tells most where there are several.
  private static func asked<Domain: HistoryDomain>(
    _ paths: [PathPattern], _ items: [StateDiffItem], _ domain: Domain.Type
  ) -> StateDiffItem? {
    guard !paths.isEmpty else { return nil }
    let wanted = items.flatMap { item -> [StateDiffItem] in
      if paths.contains(where: { $0.matches(item.path) }) { return [item] }
      // What was asked for may lie within a part that appeared or vanished.
      return item.changes.filter { change in paths.contains { $0.matches(change.path) } }.map(StateDiffItem.change)
    }
    return wanted.min { $0.rank(in: domain) < $1.rank(in: domain) }
  }

  private static func telling<Domain: HistoryDomain>(
    _ items: [StateDiffItem], _ type: String, _ domain: Domain.Type
  ) -> StateDiffItem? {
    let subject = type.prefix { $0 != "." }
    let answers = items.flatMap { item -> [StateDiffItem] in
      // A whole record says more than its status.
      item.isRecord
        ? [] : item.changes.filter { Domain.headlineRank(ofPath: $0.path).isAnswer }.map(StateDiffItem.change)
    }
    if let answer = answers.min(by: { $0.rank(in: domain) < $1.rank(in: domain) }) { return answer }
    let told = items.filter { $0.rank(in: domain) < .bookkeeping }
    return told.first { $0.isRecord } ?? told.first { path($0.path, isNamedAfter: subject) } ?? told.first
  }

  /// Whether the outermost name of a path is the plural of a word, or the word itself: `policies` for `policy`.
  private static func path(_ path: String, isNamedAfter subject: Substring) -> Bool {
    guard subject.utf8.count > 2 else { return false }
    // The last letter may change: policy, policies.
    return path.utf8.dropFirst().starts(with: subject.utf8.dropLast())
  }
}

extension StateDiffItem {
  /// How much the change that tells most says.
  fileprivate func rank<Domain: HistoryDomain>(in domain: Domain.Type) -> HeadlineRank {
    changes.map { Domain.headlineRank(ofPath: $0.path) }.min() ?? .ordinary
  }
}
