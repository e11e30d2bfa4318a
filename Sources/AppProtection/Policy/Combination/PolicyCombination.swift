/// What several policies on one user come to, each setting with the policies that it comes from.
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
/// A policy that does not have a setting does not restrict, and does not take part. Equal inputs in equal order give equal
/// results, and for everything but the settings of ``CombinationRule/firstGiven`` and ties the order does not count.
public struct PolicyCombination: Equatable, Sendable {
  /// Where one setting comes from.
  public struct Origin: Equatable, Sendable {
    /// The setting's number in the property table.
    public let number: Int
    /// The policies that have the value which counts, by their places among those that were combined. For a list, those
    /// whose lists were intersected.
    public let policies: [Int]
    /// Why the value counts.
    public let ground: CombinationGround

    /// Whether another policy that counts has another value.
    public var isDisputed: Bool { ground != .only && ground != .same }

    /// The setting.
    public var property: PolicyProperty? { PolicyProperty.numbered(number) }
  }

  /// What the policies come to. It has no name, no apps and no groups.
  public private(set) var policy: PolicyDocument
  /// Where each setting comes from, in the order of the property table.
  public private(set) var origins: [Origin] = []
  /// The places of default policies that a policy for groups replaced.
  public let replaced: [Int]

  /// Combines policies. Without any, nothing is set.
  public init(of policies: [PolicyDocument]) {
    let hasTargeted = policies.contains { $0.kind != .defaultPolicy }
    replaced = policies.indices.filter { hasTargeted && policies[$0].kind == .defaultPolicy }
    let counting = policies.indices.filter { !hasTargeted || policies[$0].kind != .defaultPolicy }
    policy = PolicyDocument(kind: hasTargeted || policies.isEmpty ? .targetedPolicy : .defaultPolicy)
    let leaders = PolicyGroup.all.map { group in Self.leader(of: group, policies, counting) }
    for property in PolicyProperty.all {
      if property.combination == .strictestGroup {
        guard let index = PolicyGroup.all.firstIndex(where: { $0.names.contains(property.name) }),
          let leader = leaders[index]
        else { continue }
        take(property, of: PolicyGroup.all[index], from: leader, policies, counting)
      } else {
        combine(property, policies, counting)
      }
    }
  }

  private static func leader(of group: PolicyGroup, _ policies: [PolicyDocument], _ counting: [Int]) -> Int? {
    var best: (place: Int, strictness: Int)?
    for place in counting {
      guard let strictness = group.strictness(policies[place]), strictness > best?.strictness ?? -1 else { continue }
      best = (place, strictness)
    }
    return best?.place
  }

  private mutating func take(
    _ property: PolicyProperty, of group: PolicyGroup, from leader: Int, _ policies: [PolicyDocument],
    _ counting: [Int]
  ) {
    guard let value = property.read(policies[leader]) else { return }
    policy[property] = .value(value)
    let places = counting.filter { property.read(policies[$0]) != nil }
    let winners = places.filter { property.read(policies[$0]) == value }
    let strictness = group.strictness(policies[leader])
    let isTie = places.contains { !winners.contains($0) && group.strictness(policies[$0]) == strictness }
    note(property, winners, among: places, isTie: isTie)
  }

  private mutating func combine(_ property: PolicyProperty, _ policies: [PolicyDocument], _ counting: [Int]) {
    let values = counting.compactMap { place -> (place: Int, value: PolicyValue)? in
      guard property.restricts(policies[place]), let value = property.read(policies[place]) else { return nil }
      return (place, value)
    }
    guard let first = values.first else { return }
    let places = values.map(\.place)
    switch property.combination {
    case .notCombined, .strictestGroup: return
    case .intersection:
      policy[property] = .value(values.dropFirst().reduce(first.value) { $0.intersection($1.value) })
      let isDisputed = values.contains { $0.value != first.value }
      let ground: CombinationGround = isDisputed ? .common : places.count == 1 ? .only : .same
      origins.append(Origin(number: property.number, policies: places, ground: ground))
    default:
      let winner = values.dropFirst().reduce(first.value) { property.stricter($0, $1.value) }
      policy[property] = .value(winner)
      // Where neither is stricter, whichever comes first wins.
      let isTie = values.contains { $0.value != winner && property.stricter($0.value, winner) == $0.value }
      note(property, values.filter { $0.value == winner }.map(\.place), among: places, isTie: isTie)
    }
  }

  private mutating func note(_ property: PolicyProperty, _ winners: [Int], among places: [Int], isTie: Bool) {
    let ground: CombinationGround =
      winners.count < places.count ? (isTie ? .first : .strictest) : winners.count == 1 ? .only : .same
    origins.append(Origin(number: property.number, policies: winners, ground: ground))
  }
}

extension PolicyProperty {
  /// Whether a policy restricts what this setting loosens. A list of exceptions says nothing where nothing is blocked, and
  /// an empty list of device models allows all.
  fileprivate func restricts(_ policy: PolicyDocument) -> Bool {
    let transfer = policy.dataTransfer
    let sendsEverywhere = transfer.allowedOutboundDataTransferDestinations == .allApps
    switch name {
    case "allowedDataStorageLocations": return transfer.saveAsBlocked == true
    case "allowedDataIngestionLocations": return transfer.blockDataIngestionIntoOrganizationDocuments == true
    case "exemptedAppProtocols", "exemptedUniversalLinks", "managedUniversalLinks": return !sendsEverywhere
    case "allowedIosDeviceModels":
      return policy.conditionalLaunch.allowedIosDeviceModels.map { !PolicyText.list($0).isEmpty } ?? false
    default: return true
    }
  }

  /// The stricter of two values of this setting; the first when they are equally strict.
  fileprivate func stricter(_ one: PolicyValue, _ other: PolicyValue) -> PolicyValue {
    let otherWins: Bool =
      switch (combination, one, other) {
      case (.onWins, .flag(let one), .flag(let other)): other && !one
      case (.offWins, .flag(let one), .flag(let other)): one && !other
      case (.smallestNumber, .number(let one), .number(let other)): other < one
      case (.largestNumber, .number(let one), .number(let other)): other > one
      case (.shortestDuration, .duration(let one), .duration(let other)): other.nanoseconds < one.nanoseconds
      case (.shortestLimit, .duration(let one), .duration(let other)):
        other.nanoseconds > 0 && (one.nanoseconds == 0 || other.nanoseconds < one.nanoseconds)
      case (.strictestChoice, .choice(let one), .choice(let other)): strictness(of: other) > strictness(of: one)
      case (.higherVersion, .text(let one), .text(let other)): Self.isHigher(other, than: one, none: false)
      case (.lowerVersion, .text(let one), .text(let other)): Self.isHigher(one, than: other, none: true)
      default: false
      }
    return otherWins ? other : one
  }

  /// Whether a version is higher; `none` says whether no version is the highest.
  private static func isHigher(_ one: String, than other: String, none: Bool) -> Bool {
    switch (PolicyVersionNumber(one), PolicyVersionNumber(other)) {
    case (let one?, let other?): one > other
    case (nil, _?): none
    case (_?, nil): !none
    case (nil, nil): false
    }
  }
}

extension PolicyValue {
  /// What is in both lists, in the order of the first.
  fileprivate func intersection(_ other: PolicyValue) -> PolicyValue {
    switch (self, other) {
    case _ where self == other: self
    case (.choices(let one), .choices(let other)):
      // A name that is not known allows nothing, and two of them need not be the same.
      .choices(one.filter(Set(other).subtracting([PolicyKind.unrecognizedNumber]).contains))
    case (.texts(let one), .texts(let other)): .texts(Self.intersection(one, other))
    case (.text(let one), .text(let other)): .text(Self.models(one, other))
    case (.pairs(let one), .pairs(let other)):
      .pairs([PolicyPair("Default", Self.intersection(Self.schemes(one), Self.schemes(other)))])
    default: self
    }
  }

  private static func schemes(_ pairs: [PolicyPair]) -> String {
    pairs.map { $0.value ?? "" }.joined(separator: ";")
  }

  /// The device models in both lists. Lists without a common one allow no model, and a list without entries would allow
  /// all: what is left of them is an entry that no device has.
  private static func models(_ one: String, _ other: String) -> String {
    let common = intersection(one, other)
    return common.isEmpty ? "no common model;" : common
  }

  /// What is in both lists that are parted by semicolons, without regard to case and spaces.
  private static func intersection(_ one: String, _ other: String) -> String {
    intersection(PolicyText.list(one), PolicyText.list(other)).map { $0 + ";" }.joined()
  }

  private static func intersection(_ one: [String], _ other: [String]) -> [String] {
    let others = Set(other.map { $0.lowercased() })
    return one.filter { others.contains($0.lowercased()) }
  }
}
