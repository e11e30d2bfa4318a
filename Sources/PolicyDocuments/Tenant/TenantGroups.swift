import AppProtection

/// The groups of a tenant with the users in them, as far as an export has them.
struct TenantGroups: Sendable {
  /// The users of a group and of the groups in it.
  struct Members: Sendable {
    /// Those who certainly are in it, by numbers.
    var users: Set<Int> = []
    /// Whether these are all of them.
    var isWhole = true
    /// Whether some of these may be groups with members of their own.
    var mayHoldGroups = false
  }

  /// A group as the documents of an export together have it.
  private struct Group {
    var displayName: String?
    var members: [DirectoryGroup.Member]?
    /// Whether these are all of them.
    var isWhole: Bool

    init(_ group: DirectoryGroup) {
      (displayName, members, isWhole) = (group.displayName, group.members, group.isWhole)
    }

    /// Adds what another document of the group says.
    mutating func join(_ other: DirectoryGroup) {
      displayName = other.displayName ?? displayName
      guard let more = other.members else { return }
      guard let members else {
        (self.members, isWhole) = (more, other.isWhole)
        return
      }
      let (own, theirs) = (Set(members.map(\.key)), Set(more.map(\.key)))
      // A list is all of them where the other one has no member besides.
      isWhole = isWhole && theirs.isSubset(of: own) || other.isWhole && own.isSubset(of: theirs)
      self.members = members + more.filter { !own.contains($0.key) }
    }
  }

  private var groups: [String: Group] = [:]
  /// The numbers of members, by their identifiers in lower case.
  private var numbers: [String: Int] = [:]
  private var ids: [String: Set<String>] = [:]
  private var parts: [String: [String]] = [:]
  private var named: Set<String> = []

  /// How many groups the export has.
  var count: Int { groups.count }

  /// Whether the export has members of groups at all.
  var listsMembers: Bool { groups.values.contains { $0.members?.isEmpty == false } }

  mutating func add(_ group: DirectoryGroup) {
    guard let id = group.id?.lowercased() else { return }
    if groups[id] == nil { groups[id] = Group(group) } else { groups[id]?.join(group) }
    for member in group.members ?? [] {
      if let member = member.id?.lowercased(), numbers[member] == nil { numbers[member] = numbers.count }
    }
    if let name = group.displayName?.lowercased() { ids[name, default: []].insert(id) }
    for parent in group.memberOf { parts[parent.lowercased(), default: []].append(id) }
  }

  mutating func add(_ table: MigrationTable) {
    for entry in table.entries where entry.type?.lowercased() ?? "group" == "group" {
      named.formUnion([entry.id.lowercased(), entry.name.lowercased()])
    }
  }

  /// The identifier of the group that an assignment names by its identifier or its name.
  func id(of reference: String) -> String {
    let key = reference.lowercased()
    guard groups[key] == nil, let found = ids[key], found.count == 1, let id = found.first else { return key }
    return id
  }

  /// Whether the export has the group or its name.
  func knows(_ reference: String) -> Bool { groups[id(of: reference)] != nil || isNamed(reference) }

  private func isNamed(_ reference: String) -> Bool {
    let key = reference.lowercased()
    return named.contains(key) || ids[key] != nil
  }

  /// Whether the export lists a group's members and there are none.
  func isEmpty(_ reference: String) -> Bool {
    let id = id(of: reference)
    return groups[id]?.members?.isEmpty == true && groups[id]?.isWhole == true && children(of: id).isEmpty
  }

  private func children(of id: String) -> [String] {
    let name = groups[id]?.displayName?.lowercased()
    return (parts[id] ?? []) + (name.flatMap { ids[$0]?.count == 1 ? parts[$0] : nil } ?? [])
  }

  /// The members of a group.
  func members(of reference: String) -> Members {
    var result = Members()
    var left = [id(of: reference)]
    var seen = Set(left)
    while let id = left.popLast() {
      guard let group = groups[id], let listed = group.members else {
        result.isWhole = false
        continue
      }
      if !group.isWhole { result.isWhole = false }
      for member in listed where !member.isDevice {
        guard let id = member.id?.lowercased() else {
          result.isWhole = false
          continue
        }
        if groups[id] != nil || member.isGroup {
          if seen.insert(id).inserted { left.append(id) }
        } else if let number = numbers[id] {
          result.users.insert(number)
          if member.mayBeGroup { result.mayHoldGroups = true }
        }
      }
      for child in children(of: id) where seen.insert(child).inserted { left.append(child) }
    }
    return result
  }
}

extension DirectoryGroup.Member {
  /// What tells it from other members of its group.
  fileprivate var key: String { (id ?? names.first ?? "").lowercased() }
}
