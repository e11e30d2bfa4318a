import JSON

/// Who is in which group, with groups in groups, as far as exports and a file of memberships say.
///
/// ```swift
/// var groups = GroupMemberships()
/// try groups.add(bytes, name: "groups.json")  // {"Finance": ["ada@contoso.com", "Team A"], "Team A": []}
/// groups.holds("Finance", user: ["ada@contoso.com"])
/// ```
///
/// A group is known by its id or its name, whatever their case. A group whose members are listed nowhere is unknown.
public struct GroupMemberships: Sendable {
  /// The names under which each group is known, by each of them.
  private var aliases: [String: Set<String>] = [:]
  /// The members that are listed, by the group's names.
  private var members: [String: Set<String>] = [:]
  /// Some members of groups, as the members themselves say.
  private var parts: [String: Set<String>] = [:]
  /// The names that are certainly those of groups, whether or not their members are listed.
  private var groups: Set<String> = []
  /// The groups of which devices are members.
  private var ofDevices: Set<String> = []

  /// Creates memberships of which none is known.
  public init() {}

  /// Reads a file of memberships: an object that lists the members of each group, or any export with groups.
  ///
  /// - Throws: ``PolicyDocumentError`` if it is neither.
  public mutating func add(_ bytes: [UInt8], name: String? = nil) throws(PolicyDocumentError) {
    if let json = try? JSONDocument.parse(bytes), let object = json.value.object, object["@odata.type"] == nil,
      !object.members.isEmpty, object.members.allSatisfy({ $0.name != "value" && $0.value.array != nil })
    {
      for member in object.members {
        var error = PolicyDocumentError(
          .json(.wrongType), at: member.position, path: JSONPath([.member(member.name)]),
          message: "a list of names is needed", remedy: "write {\"GROUP\": [\"USER\", \"OTHER GROUP\"]}")
        error.file = name
        let names = (member.value.array ?? []).compactMap(\.string)
        guard names.count == member.value.array?.count else { throw error }
        add(member.name, members: names)
      }
      return
    }
    let file = try PolicyFile.read(bytes, name: name)
    for document in file.others { add(document) }
    guard file.others.contains(where: { if case .group = $0 { true } else { false } }) else {
      var error = PolicyDocumentError(
        .unknownType, at: .none, path: JSONPath(), message: "the file lists no members of groups",
        remedy: "write {\"GROUP\": [\"USER\", \"OTHER GROUP\"]}, or give groups with their members")
      error.file = name
      throw error
    }
  }

  /// Takes what an export says of groups.
  public mutating func add(_ document: ManagementDocument) {
    switch document {
    case .group(let group):
      let names = [group.id, group.displayName].compactMap { $0 }
      guard let first = names.first else { return }
      for name in names { alias(name, first) }
      groups.insert(Self.key(first))
      if group.isOfDevices { ofDevices.insert(Self.key(first)) }
      if let listed = group.members {
        if !listed.isEmpty, listed.allSatisfy(\.isDevice) { ofDevices.insert(Self.key(first)) }
        for member in listed { for name in member.names { alias(name, member.names[0]) } }
        add(first, members: listed.flatMap(\.names))
      }
      for parent in group.memberOf { parts[Self.key(parent), default: []].insert(Self.key(first)) }
    case .names(let table):
      for entry in table.entries where !entry.name.isEmpty {
        alias(entry.name, entry.id)
        if entry.type?.lowercased() == "group" { groups.insert(Self.key(entry.id)) }
      }
    case .appConfiguration, .registration, .deploymentSummary, .operation, .logCollectionRequest, .status,
      .wipeAction, .diagnosticStatus, .filter:
      break
    }
  }

  private mutating func add(_ group: String, members names: [String]) {
    members[Self.key(group), default: []].formUnion(names.map(Self.key))
  }

  private static func key(_ name: String) -> String { name.lowercased() }

  private mutating func alias(_ one: String, _ other: String) {
    let (one, other) = (Self.key(one), Self.key(other))
    aliases[one, default: []].insert(other)
    aliases[other, default: []].insert(one)
  }

  /// All names of what has this name.
  private func names(of name: String) -> Set<String> {
    var found: Set<String> = [name]
    var left = [name]
    while let next = left.popLast() {
      for other in aliases[next] ?? [] where found.insert(other).inserted { left.append(other) }
    }
    return found
  }

  /// Whether a group holds a user, itself or in a group below it.
  ///
  /// - Parameter user: The user's names, such as the user principal name and the object id.
  public func holds(_ group: String, user: [String]) -> Truth {
    let wanted = user.reduce(into: Set<String>()) { $0.formUnion(names(of: Self.key($1))) }
    var seen: Set<String> = []
    var left = [Self.key(group)]
    var isWhole = true
    while let next = left.popLast() {
      let all = names(of: next)
      guard seen.isDisjoint(with: all) else { continue }
      seen.formUnion(all)
      let listed = all.compactMap { members[$0] }
      // What is in no list is a user, unless it is known to be a group.
      if listed.isEmpty, next == Self.key(group) || isGroup(all) { isWhole = false }
      let known = listed + all.compactMap { parts[$0] }
      for member in known.reduce(into: Set<String>(), { $0.formUnion($1) }).sorted() {
        guard !wanted.contains(member) else { return .yes }
        left.append(member)
      }
    }
    return isWhole ? .no : .unknown
  }

  /// Whether one of these names is certainly that of a group.
  private func isGroup(_ names: Set<String>) -> Bool { !groups.isDisjoint(with: names) }

  /// Whether a group holds devices, to which policies for apps are not assigned.
  public func isOfDevices(_ group: String) -> Bool { !ofDevices.isDisjoint(with: names(of: Self.key(group))) }
}
