import EventSourcing

/// Compares two accounts within one state: every part of the state that has a member for each.
public enum AccountDifference {
  /// The changes from the first account to the second, with `*` in place of the account in paths:
  /// `/policies/*/version`.
  ///
  /// Personal values are ignored. Where both accounts have an event number or a time, its value is ignored too, because
  /// these differ by nature.
  public static func diff(in tree: StateTree, between first: String, and second: String) -> StateDiff {
    StateDiff(from: reduced(tree, to: first), to: reduced(tree, to: second)).leavingOut { change in
      switch (change.before, change.after) {
      case (.sequence, .sequence), (.time, .time): true
      case _: false
      }
    }
  }

  /// The parts of a state that concern one account, under a common name.
  private static func reduced(_ tree: StateTree, to account: String) -> StateTree {
    guard case .members(let slices) = tree else { return .members([]) }
    return .members(
      slices.map { slice in
        let part = slice.tree.member(named: account).map { [StateTree.Member("*", comparable($0))] }
        return StateTree.Member(slice.name, .members(part ?? []))
      })
  }

  private static func comparable(_ tree: StateTree) -> StateTree {
    switch tree {
    case .members(let members): .members(members.map { StateTree.Member($0.name, comparable($0.tree)) })
    case .value(.personal): .value(.unset)
    case .value: tree
    }
  }
}
