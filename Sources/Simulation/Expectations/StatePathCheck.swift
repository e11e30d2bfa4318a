import AppProtection
import EventSourcing
import JSON

/// Rejects paths that no state can have: expecting no value there would always succeed.
struct StatePathCheck {
  /// The names of the scenario's accounts.
  let accounts: [String]

  /// Checks a path and, if an object is expected there, the names below it.
  func check(
    _ path: String, in outline: StateTree = AppProtectionState.outline, at node: JSONNode
  ) throws(JSONError) {
    var tree = outline
    for component in StateTree.components(of: path) { tree = try part(String(component), of: tree, at: node) }
    guard case .object = node.value.content else { return }
    for (name, member) in try node.members() { try check(name, in: tree, at: member) }
  }

  private func part(_ name: String, of tree: StateTree, at node: JSONNode) throws(JSONError) -> StateTree {
    guard case .members(let members) = tree else {
      throw node.error(
        .invalidValue, "\(JSONExcerpt.quoted(name)) is below a single value, which has no parts",
        remedy: "end the path before it")
    }
    let member =
      members.first { $0.name == name }
      ?? members.first { AppProtectionState.OutlineName(rawValue: $0.name).map { stands($0, for: name) } ?? false }
    if let member { return member.tree }
    let names = members.flatMap { member in
      AppProtectionState.OutlineName(rawValue: member.name).map { candidates($0, like: name) } ?? [member.name]
    }
    _ = try node.word(name, from: names.filter { $0 != name })
    return tree
  }

  private func stands(_ kind: AppProtectionState.OutlineName, for name: String) -> Bool {
    switch kind {
    case .account: LabelParameter.account.admits(name, accounts: accounts)
    case .number: UInt32(name).map { "\($0)" == name } ?? false
    case .name: true
    case .scope: LabelParameter.scope.admits(Self.scope(name))
    }
  }

  private func candidates(_ kind: AppProtectionState.OutlineName, like name: String) -> [String] {
    switch kind {
    case .account: accounts
    case .number: [kind.rawValue]
    case .name: []
    case .scope:
      LabelParameter.scope.suggestions(for: Self.scope(name)).map { $0.replacing("/", with: ".", maxReplacements: 1) }
    }
  }

  /// The scope named in a path: its first dot stands for a slash, which separates path components.
  private static func scope(_ name: String) -> String {
    name.replacing(".", with: "/", maxReplacements: 1)
  }
}
