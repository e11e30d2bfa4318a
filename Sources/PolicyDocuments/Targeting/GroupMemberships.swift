import JSON
import PlainText

/// Who is in which group, with groups in groups, as far as exports and a file of memberships say.
///
/// ```swift
/// var groups = GroupMemberships()
/// try groups.add(bytes, name: "groups.json")  // {"Finance": ["ada@contoso.com", "Team A"], "Team A": []}
/// groups.holds("Finance", user: ["ada@contoso.com"])
/// ```
///
/// A group is known by its id or its name, whatever their case. A group whose members are listed nowhere is unknown. A name that
/// several have belongs to none of them, so that what depends on it is unknown; an id always means one group.
public struct GroupMemberships: Sendable {
  /// Those who have a name.
  private struct Holders {
    let spelling: String
    var ids: Set<String> = []
  }

  /// Who has each name, by their ids. Nothing keeps two groups from having one display name.
  private var holders: [String: Holders] = [:]
  /// The names of each id.
  private var names: [String: Set<String>] = [:]
  /// The members that are listed, by the group's names.
  private var members: [String: Set<String>] = [:]
  /// The names of groups whose members are all listed.
  private var whole: Set<String> = []
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
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` if it is neither.
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
      guard let first = group.id ?? group.displayName else { return }
      if let id = group.id { name(id, group.displayName) }
      groups.insert(Self.key(first))
      if group.isOfDevices { ofDevices.insert(Self.key(first)) }
      if let listed = group.members {
        if !listed.isEmpty, listed.allSatisfy(\.isDevice) { ofDevices.insert(Self.key(first)) }
        for member in listed {
          if let id = member.id { for other in member.names where other != id { name(id, other) } }
        }
        add(
          first, members: listed.flatMap { member in member.id.map { [$0] } ?? member.names }, isWhole: group.isWhole)
      }
      for parent in group.memberOf { parts[Self.key(parent), default: []].insert(Self.key(first)) }
    case .names(let table):
      for entry in table.entries {
        let type = entry.type?.lowercased()
        // The table names objects of every kind; only these are in groups.
        guard type == nil || type == "group" || type == "user" else { continue }
        name(entry.id, entry.name)
        if type == "group" { groups.insert(Self.key(entry.id)) }
      }
    case .appConfiguration, .registration, .deploymentSummary, .operation, .logCollectionRequest, .status,
      .wipeAction, .diagnosticStatus, .filter:
      break
    }
  }

  private mutating func add(_ group: String, members names: [String], isWhole: Bool = true) {
    members[Self.key(group), default: []].formUnion(names.map(Self.key))
    if isWhole { whole.insert(Self.key(group)) }
  }

  /// These memberships with someone who is in one group alone, and the name of that user.
  package func addingMember(of group: String) -> (groups: GroupMemberships, name: String) {
    var result = self
    let name = "someone who is in one group"
    result.add(group, members: [name], isWhole: whole.contains(Self.key(group)))
    return (result, name)
  }

  /// These memberships with someone who is in none of them and in none of the named groups, and the name of that user.
  package func addingStranger(to named: [String]) -> (groups: GroupMemberships, name: String) {
    var result = self
    let name = "someone who is in no group"
    let ids = named.reduce(into: groups.union(members.keys)) { $0.formUnion(meant(by: Self.key($1))) }
    // Whatever the members are that an export does not list: this one is not among them.
    for id in ids { result.add(id, members: []) }
    result.add(name + " of others", members: [name])
    return (result, name)
  }

  private static func key(_ name: String) -> String { name.lowercased() }

  private mutating func name(_ id: String, _ name: String?) {
    let id = Self.key(id)
    names[id, default: []].formUnion([])
    guard let name, !name.isEmpty, Self.key(name) != id else { return }
    names[id, default: []].insert(Self.key(name))
    holders[Self.key(name), default: Holders(spelling: name)].ids.insert(id)
  }

  /// Who is meant: an id means itself, even if it is the name of another.
  private func meant(by key: String) -> Set<String> {
    guard names[key] == nil, let ids = holders[key]?.ids else { return [key] }
    return ids
  }

  /// The keys under which a group's members are listed, and those that others have too.
  private func keys(of id: String) -> (own: Set<String>, shared: Set<String>) {
    let all = (names[id] ?? []).filter { names[$0] == nil }
    let own = all.filter { holders[$0]?.ids.count == 1 }
    return (own.union([id]), all.subtracting(own))
  }

  /// Whether a group holds a user, itself or in a group below it.
  ///
  /// - Parameter user: The user's names, such as the user principal name and the object id.
  public func holds(_ group: String, user: [String]) -> Truth { membership(in: group, user: user).holds }

  /// Whether a group holds a user, and the name on which it hangs that several have; `nil` where it hangs on none.
  func membership(in group: String, user: [String]) -> (holds: Truth, ambiguous: String?) {
    let people = user.map { (name: $0, ids: meant(by: Self.key($0))) }
    let wanted = people.filter { $0.ids.count == 1 }.reduce(into: Set<String>()) { $0.formUnion($1.ids) }
    // A name that several have is no question where another name says who is meant.
    let unclear = people.filter { $0.ids.count > 1 && $0.ids.isDisjoint(with: wanted) }
    let maybe = unclear.reduce(into: Set<String>()) { $0.formUnion($1.ids) }
    let start = meant(by: Self.key(group))
    var ambiguous = start.count > 1 ? group : nil
    let certain = start.count == 1 ? start : []
    var doubtful = start.subtracting(certain)
    var seen: Set<String> = []
    var (isWhole, mayHold) = (true, false)
    for isCertain in [true, false] {
      var left = isCertain ? certain : doubtful
      while let next = left.min() {
        left.remove(next)
        guard seen.insert(next).inserted else { continue }
        let (own, shared) = keys(of: next)
        let listed = own.compactMap { members[$0] }
        // What is in no list is a user, unless it is known to be a group.
        if own.isDisjoint(with: whole), !listed.isEmpty || start.contains(next) || !groups.isDisjoint(with: own) {
          isWhole = false
        }
        func each(_ lists: [Set<String>], isCertain: Bool, name: String?) -> Bool {
          for member in lists.reduce(into: Set<String>(), { $0.formUnion($1) }).sorted() {
            let found = meant(by: member)
            let isClear = isCertain && found.count == 1
            if isClear, !found.isDisjoint(with: wanted) { return true }
            if !found.isDisjoint(with: wanted.union(maybe)) {
              mayHold = true
              ambiguous =
                ambiguous ?? name ?? (found.count > 1 ? holders[member]?.spelling : unclear.first?.name)
            }
            if isClear { left.formUnion(found) } else { doubtful.formUnion(found) }
            if found.count > 1 { ambiguous = ambiguous ?? holders[member]?.spelling }
          }
          return false
        }
        guard !each(listed + own.compactMap { parts[$0] }, isCertain: isCertain, name: nil) else { return (.yes, nil) }
        for name in shared.sorted() {
          let lists = [members[name], parts[name]].compactMap { $0 }
          if !lists.isEmpty, listed.isEmpty { ambiguous = ambiguous ?? holders[name]?.spelling }
          _ = each(lists, isCertain: false, name: holders[name]?.spelling)
        }
        if !isCertain { left.formUnion(doubtful.subtracting(seen)) }
      }
    }
    return isWhole && !mayHold ? (.no, nil) : (.unknown, ambiguous)
  }

  /// Whether a list of members, or a name of someone, has the user.
  public func knows(_ user: [String]) -> Bool {
    user.contains { name in
      let key = Self.key(name)
      return names[key] != nil || holders[key] != nil
        || !groups.contains(key) && members.values.contains { $0.contains(key) }
    }
  }

  /// The listed name that is nearest to one that is in no list; `nil` if it is near to none.
  public func nearest(to name: String) -> String? {
    let listed = members.values.reduce(into: Set<String>()) { $0.formUnion($1) }.subtracting(groups)
    return EditDistance.nearest(to: name, in: listed.sorted() + holders.values.map(\.spelling).sorted(), limit: 1).first
  }

  /// Whether a group holds devices, to which policies for apps are not assigned.
  public func isOfDevices(_ group: String) -> Bool {
    meant(by: Self.key(group)).allSatisfy { !ofDevices.isDisjoint(with: keys(of: $0).own) }
  }
}
