/// The combination of several policies on one user, each setting with the policies that it comes from.
///
/// ```swift
/// let combination = PolicyCombination(of: [companyWide, finance])
/// for origin in combination.origins where origin.isDisputed { print(origin.property.name, origin.policies) }
/// ```
///
/// Policies for groups replace the default policy, which is for users whom none of them covers; they are not merged with it.
/// Among the rest the most restrictive value of each setting wins, and lists of what is allowed intersect (D app protection
/// FAQ; which rule is used for which setting is ``PolicyProperty/combination`` and, in its details, derived).
///
/// A policy that does not have a setting does not restrict, and does not take part. Equal inputs in equal order give
/// equal results, and for everything but the settings of ``CombinationRule/firstGiven`` and ties the order does not
/// count.
public struct PolicyCombination: Equatable, Sendable {
  /// Where one setting comes from.
  public struct Origin: Equatable, Sendable {
    /// The setting.
    public let property: PolicyProperty
    /// The policies that have the value which counts, by their places among those that were combined. For a list, those
    /// whose lists were intersected.
    public let policies: [Int]
    /// Why the value counts.
    public let ground: CombinationGround

    /// Whether another policy in the combination has another value.
    public var isDisputed: Bool { ground != .only && ground != .same }
  }

  /// The combined policy. It has no name, no apps and no groups.
  public private(set) var policy: PolicyDocument
  /// Where each setting comes from, in the order of the property table.
  public private(set) var origins: [Origin] = []
  /// The places of default policies that a policy for groups replaced.
  public let replaced: [Int]

  /// Combines policies for iOS. Without any, nothing is set.
  public init(of policies: [PolicyDocument]) { self.init(of: policies, in: PolicyProperty.all, as: .targetedPolicy) }

  /// Combines policies for one platform.
  ///
  /// - Parameters:
  ///   - properties: The platform's settings.
  ///   - kind: What kind of policy its policies for groups are.
  ///   - durations: The durations of which the shortest counts there, even zero, which elsewhere is no limit.
  package init(
    of policies: [PolicyDocument], in properties: [PolicyProperty], as kind: PolicyKind,
    shortest durations: Set<PolicyProperty> = []
  ) {
    let hasTargeted = policies.contains { $0.kind != .defaultPolicy }
    replaced = policies.indices.filter { hasTargeted && policies[$0].kind == .defaultPolicy }
    let counting = policies.indices.filter { !hasTargeted || policies[$0].kind != .defaultPolicy }
    policy = PolicyDocument(kind: hasTargeted || policies.isEmpty ? kind : .defaultPolicy)
    let leaders = PolicyGroup.allCases.reduce(into: [PolicyGroup: Int]()) { leaders, group in
      leaders[group] = Self.leader(of: group, policies, counting)
    }
    for property in properties {
      if let group = property.combinationGroup {
        guard let leader = leaders[group] else { continue }
        adopt(property, of: group, from: leader, policies, counting)
      } else {
        combine(property, policies, counting, isShortest: durations.contains(property))
      }
    }
    assert(Set(origins.map(\.property)).count == origins.count, "a setting was combined twice")
    assert(origins.allSatisfy { $0.policies.isAscending(by: <) }, "the policies of a setting are not in order")
  }

  /// The shorter of two durations, the first where they are equal.
  private static func shorter(_ one: PolicyValue, _ other: PolicyValue) -> PolicyValue {
    guard case .duration(let first) = one, case .duration(let second) = other else { return one }
    return SettingCombination.shortestDuration.combined(first, second) == first ? one : other
  }

  private static func leader(of group: PolicyGroup, _ policies: [PolicyDocument], _ counting: [Int]) -> Int? {
    var best: (place: Int, strictness: Int)?
    for place in counting {
      guard let strictness = group.strictness(of: policies[place]), strictness > best?.strictness ?? -1 else {
        continue
      }
      best = (place, strictness)
    }
    return best?.place
  }

  private mutating func adopt(
    _ property: PolicyProperty, of group: PolicyGroup, from leader: Int, _ policies: [PolicyDocument],
    _ counting: [Int]
  ) {
    guard let value = property.read(policies[leader]) else { return }
    policy[property] = .value(value)
    let places = counting.filter { property.read(policies[$0]) != nil }
    let winners = places.filter { property.read(policies[$0]) == value }
    let strictness = group.strictness(of: policies[leader])
    let isTie = places.contains { !winners.contains($0) && group.strictness(of: policies[$0]) == strictness }
    addOrigin(property, winners, among: places, isTie: isTie)
  }

  private mutating func combine(
    _ property: PolicyProperty, _ policies: [PolicyDocument], _ counting: [Int], isShortest: Bool
  ) {
    let combined = isShortest ? Self.shorter : property.combined
    let values = counting.compactMap { place -> (place: Int, value: PolicyValue)? in
      guard property.restricts(policies[place]), let value = property.read(policies[place]) else { return nil }
      return (place, value)
    }
    guard let first = values.first else { return }
    let places = values.map(\.place)
    let value = values.dropFirst().reduce(first.value) { combined($0, $1.value) }
    switch property.combination {
    case .notCombined, .strictestGroup: return
    case .intersection:
      policy[property] = .value(value)
      let isDisputed = values.contains { $0.value != first.value }
      let ground: CombinationGround = isDisputed ? .common : places.count == 1 ? .only : .same
      origins.append(Origin(property: property, policies: places, ground: ground))
    case .onWins, .offWins, .strictestChoice, .smallestNumber, .largestNumber, .shortestDuration, .shortestLimit,
      .higherVersion, .lowerVersion, .firstGiven:
      policy[property] = .value(value)
      // Where neither is stricter, the first one wins.
      let isTie = values.contains { $0.value != value && combined($0.value, value) == $0.value }
      addOrigin(property, values.filter { $0.value == value }.map(\.place), among: places, isTie: isTie)
    }
  }

  private mutating func addOrigin(_ property: PolicyProperty, _ winners: [Int], among places: [Int], isTie: Bool) {
    let ground: CombinationGround =
      winners.count < places.count ? (isTie ? .first : .strictest) : winners.count == 1 ? .only : .same
    origins.append(Origin(property: property, policies: winners, ground: ground))
  }
}
