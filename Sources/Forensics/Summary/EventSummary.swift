import EventSourcing
import PlainText

/// A brief account of what one event did to the state: its most informative change, and the number of others. It stands in
/// where ``EventHeadline`` has nothing to say, and where the user asked for a part of the state.
///
/// ```
/// /accounts/a1/enrollment/status: requested → enrolled  +3
/// /wipes: + a2 (admin)  +1
/// (trigger: timer)  +4
/// ```
public struct EventSummary: Equatable, Sendable {
  /// The chosen change; `nil` if the event changed nothing but bookkeeping.
  public let item: StateDiffItem?
  /// What stands in for a change where the event has no contents of its own either.
  private let kept: StateDiffItem?
  /// Number of changes; a part of the state that appeared or disappeared counts as one.
  private let count: Int

  /// Chooses the most informative change: one at a requested path if there is any; otherwise the highest by
  /// ``/EventSourcing/HistoryDomain/headlineRank(ofPath:)``, with a whole record that appeared or disappeared before
  /// ordinary changes, and then one in the part of the state that the event's type is named after. If only bookkeeping
  /// changed, the event's own fields are shown instead.
  ///
  /// - Parameters:
  ///   - diff: What the event changed.
  ///   - domain: The domain of the history.
  ///   - type: The event's type, such as `policy.received`, which is named after `/policies`.
  ///   - paths: The parts of the state that the user asked for.
  public init<Domain: HistoryDomain>(
    _ diff: StateDiff, of domain: Domain.Type, type: String, showing paths: [PathPattern] = []
  ) {
    if paths.isEmpty, diff.appeared.isEmpty, diff.disappeared.isEmpty {
      // As below, where each item is a change.
      item = Self.mostInformative(diff.changes, type, domain).map(StateDiffItem.change)
      kept = item == nil ? diff.changes.first { $0.rank(in: domain) != .clock }.map(StateDiffItem.change) : nil
      count = diff.changes.count
      isAsked = false
      return
    }
    let items = StateDiffItem.items(of: diff)
    let asked = Self.asked(paths, items, domain)
    isAsked = asked != nil
    item = asked ?? Self.mostInformative(items, type, domain)
    kept = item == nil ? items.first { $0.rank(in: domain) != .clock } : nil
    count = items.count
  }

  /// Whether the chosen change is at a path that the user asked for.
  public let isAsked: Bool

  /// Appends the chosen change, or else the event's own contents; nothing if there is neither.
  ///
  /// - Parameters:
  ///   - values: The text form of values.
  ///   - contents: Appends the event's contents; called only where no change was chosen.
  /// - Returns: The number of changes not in the text.
  public func appendText(
    _ values: ValueText, to bytes: inout [UInt8], contents: (inout [UInt8]) -> Void
  ) -> Int {
    if let item {
      item.append(values, to: &bytes)
      return count - 1
    }
    let start = bytes.count
    contents(&bytes)
    guard bytes.count == start, let kept else { return count }
    kept.append(values, to: &bytes)
    return count - 1
  }

  /// Appends the whole summary in one line; nothing if nothing changed.
  public func appendLine(_ values: ValueText, to bytes: inout [UInt8], contents: (inout [UInt8]) -> Void) {
    let others = appendText(values, to: &bytes, contents: contents)
    Self.append(others: others, to: &bytes)
  }

  /// Appends the number of changes that a line leaves out, if there are any.
  public static func append(others: Int, to bytes: inout [UInt8]) {
    guard others > 0 else { return }
    bytes.append(literal: "  +")
    bytes.append(others)
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

  private static func mostInformative<Domain: HistoryDomain>(
    _ items: [StateDiffItem], _ type: String, _ domain: Domain.Type
  ) -> StateDiffItem? {
    var answer: (change: StateChange, rank: HeadlineRank)?
    // A whole record is more informative than its status.
    for item in items where !item.isRecord {
      item.forEachChange { change in
        let rank = change.rank(in: domain)
        if rank.isAnswer, answer.map({ rank < $0.rank }) ?? true { answer = (change, rank) }
      }
    }
    if let answer { return .change(answer.change) }
    let told = items.filter { $0.rank(in: domain) < .bookkeeping }
    return told.first { $0.isRecord } ?? told.first { path($0.path, isNamedAfter: type) } ?? told.first
  }

  /// The most informative of changes that belong to no part that appeared or disappeared.
  private static func mostInformative<Domain: HistoryDomain>(
    _ changes: [StateChange], _ type: String, _ domain: Domain.Type
  ) -> StateChange? {
    var answer: (change: StateChange, rank: HeadlineRank)?
    var named: StateChange?
    var first: StateChange?
    for change in changes {
      let rank = change.rank(in: domain)
      guard rank < .bookkeeping else { continue }
      if rank.isAnswer, answer.map({ rank < $0.rank }) ?? true { answer = (change, rank) }
      if first == nil { first = change }
      if named == nil, path(change.path, isNamedAfter: type) { named = change }
    }
    return answer?.change ?? named ?? first
  }

  /// Whether the first component of a path is the first word of a type or its plural: `policies` for `policy.received`.
  private static func path(_ path: String, isNamedAfter type: String) -> Bool {
    let subject = type.utf8.prefix { $0 != UInt8(ascii: ".") }
    guard subject.count > 2 else { return false }
    // The last letter may change: policy, policies.
    return path.utf8.dropFirst().starts(with: subject.dropLast())
  }
}

extension StateDiffItem {
  /// The rank of the item's most informative change.
  func rank<Domain: HistoryDomain>(in domain: Domain.Type) -> HeadlineRank {
    if case .change(let change) = self { return change.rank(in: domain) }
    return changes.map { $0.rank(in: domain) }.min() ?? .ordinary
  }

  fileprivate func forEachChange(_ body: (StateChange) -> Void) {
    if case .change(let change) = self { body(change) } else { changes.forEach(body) }
  }
}

extension StateChange {
  @inlinable
  func rank<Domain: HistoryDomain>(in domain: Domain.Type) -> HeadlineRank {
    place.rank ?? Domain.headlineRank(ofPath: path)
  }
}
