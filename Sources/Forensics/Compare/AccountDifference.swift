import EventSourcing

/// What differs in a state between two accounts: in every part of the state that has a member for each.
public enum AccountDifference {
  /// One value that differs: where, with the account left out, and the values of both.
  public struct Entry: Equatable, Sendable {
    /// The path with `*` for the account: `/policies/*/minimumPinLength`.
    public var path: String
    /// The first account's value.
    public var first: StateValue?
    /// The second account's value.
    public var second: StateValue?
  }

  /// The values that differ, in the order of the state. What identifies a person, the numbers of events and points in
  /// time differ by nature and are left out.
  public static func entries(in tree: StateTree, between first: String, and second: String) -> [Entry] {
    guard case .members(let slices) = tree else { return [] }
    var entries: [Entry] = []
    for slice in slices {
      let one = slice.tree.member(named: first)
      let two = slice.tree.member(named: second)
      guard one != nil || two != nil else { continue }
      let diff = StateDiff(from: one ?? .members([]), to: two ?? .members([]))
      for change in diff.changes where isComparable(change.before) && isComparable(change.after) {
        entries.append(Entry(path: "/\(slice.name)/*\(change.path)", first: change.before, second: change.after))
      }
    }
    return entries
  }

  private static func isComparable(_ value: StateValue?) -> Bool {
    switch value {
    case .personal, .sequence, .time: false
    default: true
    }
  }
}
