import AppProtection

/// Whom the policies of a tenant certainly reach. Policies with the same groups share one audience.
struct TenantAudiences: Sendable {
  /// Whom assignments reach.
  private struct Audience {
    /// The groups that are included, by identifiers.
    let included: Set<String>
    let excluded: Set<String>
    let reachesAll: Bool
    /// Those who are certainly reached; of a policy for all users, those who are certainly not left out.
    let users: Set<Int>
    /// Those who are certainly left out.
    let leftOut: Set<Int>
    /// Whether everybody who is left out is known.
    let knowsExclusions: Bool
  }

  private struct Key: Hashable {
    let included: Set<String>
    let excluded: Set<String>
    let reachesAll: Bool
  }

  private struct Pair: Hashable {
    let one: Int
    let other: Int
  }

  private let groups: TenantGroups
  private var known: [String: TenantGroups.Members] = [:]
  private var audiences: [Audience] = []
  private var numbers: [Key: Int] = [:]
  private var answers: [Pair: Bool] = [:]

  init(_ groups: TenantGroups) { self.groups = groups }

  /// How many audiences there are.
  var count: Int { audiences.count }

  /// The members of a group.
  mutating func members(of reference: String) -> TenantGroups.Members {
    let id = groups.id(of: reference)
    if let members = known[id] { return members }
    let members = groups.members(of: id)
    known[id] = members
    return members
  }

  /// The number of the audience that assignments have.
  mutating func number(of assignments: [PolicyAssignment]) -> Int {
    func ids(_ isIncluded: Bool) -> Set<String> {
      Set(
        assignments.compactMap { assignment in
          assignment.isInclusion == isIncluded ? assignment.reachedGroup.map(groups.id) : nil
        })
    }
    let key = Key(
      included: ids(true), excluded: ids(false),
      reachesAll: assignments.contains { $0.isInclusion && $0.reach == .allUsers })
    if let number = numbers[key] { return number }
    let kept = key.excluded.map { members(of: $0) }
    let leftOut = Self.union(kept)
    let knowsExclusions = kept.allSatisfy(\.isWhole)
    var users = knowsExclusions ? Self.union(key.included.map { members(of: $0) }) : []
    if !leftOut.isEmpty { users.subtract(leftOut) }
    audiences.append(
      Audience(
        included: key.included, excluded: key.excluded, reachesAll: key.reachesAll, users: users, leftOut: leftOut,
        knowsExclusions: knowsExclusions))
    numbers[key] = audiences.count - 1
    return audiences.count - 1
  }

  /// The users of groups. Those of one group share its storage.
  private static func union(_ members: [TenantGroups.Members]) -> Set<Int> {
    members.dropFirst().reduce(into: members.first?.users ?? []) { $0.formUnion($1.users) }
  }

  /// Whether someone is certainly in both audiences.
  mutating func share(_ one: Int, _ other: Int) -> Bool {
    let pair = Pair(one: min(one, other), other: max(one, other))
    if let answer = answers[pair] { return answer }
    let answer = shares(audiences[one], audiences[other])
    answers[pair] = answer
    return answer
  }

  private mutating func shares(_ one: Audience, _ other: Audience) -> Bool {
    if !one.users.isDisjoint(with: other.users) { return true }
    if one.reachesAll, one.knowsExclusions, !other.users.isSubset(of: one.leftOut) { return true }
    if other.reachesAll, other.knowsExclusions, !one.users.isSubset(of: other.leftOut) { return true }
    // Without members, only what both say of one group is certain.
    guard one.excluded.isEmpty || other.excluded.isEmpty || one.excluded == other.excluded else { return false }
    if one.reachesAll, other.reachesAll { return true }
    var shared = one.included.intersection(other.included)
    if one.reachesAll, one.excluded.isEmpty { shared.formUnion(other.included) }
    if other.reachesAll, other.excluded.isEmpty { shared.formUnion(one.included) }
    for group in shared where !one.excluded.contains(group) && !other.excluded.contains(group) {
      let own = members(of: group)
      if !own.isWhole || !own.users.allSatisfy({ one.leftOut.contains($0) || other.leftOut.contains($0) }) {
        return true
      }
    }
    return false
  }
}
