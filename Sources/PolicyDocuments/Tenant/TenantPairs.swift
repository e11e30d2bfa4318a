import AppProtection

/// The pairs of policies that certainly reach the same users in one app with other values.
struct TenantPairs: Sendable {
  /// Two policies, by their places among the documents.
  struct Pair: Sendable {
    let one: Int
    let other: Int
    /// The first app that both are for.
    let app: String
    /// How many apps both are for.
    let appCount: Int
    /// The settings that differ, each with both values.
    let settings: [String]
  }

  /// What a policy says of one setting; `nil` for a value that is not compared.
  private typealias Value = (setting: PortalSetting, value: PortalValue?)

  private struct App: Hashable {
    let platform: PolicyPlatform
    let name: String
  }

  private(set) var pairs: [Pair] = []
  /// How many pairs of policies have an app in common.
  private(set) var candidates = 0
  /// The most pairs that are named.
  static let most = 500

  init(_ documents: [TenantDocument], _ audiences: inout TenantAudiences) {
    let reaches = documents.map { TenantReach($0, &audiences) }
    var users: [App: [Int]] = [:]
    for (index, reach) in reaches.enumerated() {
      guard let reach else { continue }
      for app in reach.apps { users[App(platform: reach.platform, name: app), default: []].append(index) }
    }
    var values: [Int: [Value]] = [:]
    // Where two policies were met, so that several apps in common make one pair.
    var met = [Int](repeating: -1, count: documents.count)
    for (index, reach) in reaches.enumerated() {
      guard let reach, let one = documents[index].item else { continue }
      var others: [Int] = []
      for app in reach.apps {
        for other in users[App(platform: reach.platform, name: app)] ?? [] where other > index && met[other] != index {
          met[other] = index
          others.append(other)
        }
      }
      candidates += others.count
      for other in others.sorted() {
        guard pairs.count < Self.most else { return }
        guard let away = reaches[other], let two = documents[other].item, reach.sharesLevels(with: away),
          audiences.share(reach.audience, away.audience), !Self.isSame(one.policy, two.policy)
        else { continue }
        let settings = Self.differences(
          one.policy, Self.values(of: one, at: index, &values), two.policy, Self.values(of: two, at: other, &values))
        guard !settings.isEmpty else { continue }
        let apps = reach.apps.intersection(away.apps)
        pairs.append(
          Pair(one: index, other: other, app: apps.min() ?? "", appCount: apps.count, settings: settings))
      }
    }
  }

  /// Whether an export has one policy twice, as backups of several days do.
  private static func isSame(_ one: PolicyDocument, _ other: PolicyDocument) -> Bool {
    one.about.id.map { $0 == other.about.id } ?? (one == other)
  }

  /// The values of a policy, setting by setting of its platform.
  private static func values(of item: PolicyFile.Item, at place: Int, _ known: inout [Int: [Value]]) -> [Value] {
    if let values = known[place] { return values }
    let compared = PortalSetting.all(on: item.policy.kind.platform).filter { setting in
      setting.properties.contains { $0.combination != .notCombined }
    }
    let values = compared.map { ($0, item.isUnknown($0) ? nil : $0.value(in: item.policy)) }
    known[place] = values
    return values
  }

  /// The settings that both policies have, with values that differ.
  private static func differences(
    _ one: PolicyDocument, _ values: [Value], _ other: PolicyDocument, _ others: [Value]
  ) -> [String] {
    zip(values, others).compactMap { here, there in
      guard let value = here.value, let second = there.value, value.words != second.words,
        !here.setting.properties.allSatisfy({ $0.isSame(in: one, as: other) })
      else { return nil }
      return TenantLint.words(here.setting.title, value, second)
    }
  }
}
