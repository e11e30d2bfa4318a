import AppProtection

/// A setting for which the data protection framework names values, as one row of the table: the value of each level, since
/// when, and how a policy's value is compared with it.
///
/// ```swift
/// for row in FrameworkRow.all(on: .ios) { print(row.id, row.title, row.demand(of: .high, in: .newest).map(row.words) ?? "") }
/// ```
public struct FrameworkRow: Sendable {
  /// The name, which never changes.
  public let id: String
  /// The platform whose policies have the setting.
  public let platform: PolicyPlatform
  /// The properties in Graph that hold the setting, that one first whose portal entry gives the title.
  public let properties: [PolicyProperty]
  /// How a policy's value is compared.
  public let comparison: LevelComparison
  /// What must be true besides for a value that is not strict enough to be admitted; `nil` if nothing admits one.
  public let condition: String?
  /// Every value that was ever named, in the order of levels and dates.
  public let demands: [FrameworkDemand]

  init(
    _ id: String, _ properties: [PolicyProperty], on platform: PolicyPlatform, by comparison: LevelComparison,
    admitting condition: String? = nil, naming demands: [FrameworkDemand.Draft]
  ) {
    self.id = id
    self.platform = platform
    self.properties = properties
    self.comparison = comparison
    self.condition = condition
    self.demands = demands.map { FrameworkDemand($0, of: properties, on: platform) }
    assert(
      self.demands.isAscending { ($0.level, $0.since) < ($1.level, $1.since) },
      "the values of \(id) are not in the order of levels and dates")
  }

  /// A row of an organization's own: what a policy has that has nothing else.
  init(_ properties: [PolicyProperty], as policy: PolicyDocument, by comparison: LevelComparison) {
    (id, self.properties, self.comparison, condition) = (properties.first?.name ?? "", properties, comparison, nil)
    platform = policy.kind.platform
    demands = [FrameworkDemand(properties, as: policy)]
  }

  /// The portal's entries that show the setting.
  public var settings: [PortalSetting] {
    PortalSetting.all(on: platform).filter { setting in setting.properties.contains { properties.contains($0) } }
  }

  /// The portal's title.
  public var title: String { setting?.title ?? id }

  /// The portal's entry with the title.
  public var setting: PortalSetting? { properties.first.flatMap { PortalSetting.showing($0, on: platform) } }

  /// The rows of a platform, in the order of its portal.
  public static func all(on platform: PolicyPlatform) -> [FrameworkRow] {
    switch platform {
    case .ios: ios
    case .android: android
    case .windows: windows
    }
  }

  /// The value that one level itself names; `nil` if it names none.
  public func demand(namedBy level: FrameworkLevel, in revision: FrameworkRevision) -> FrameworkDemand? {
    let demand = demands.last { $0.level == level && $0.since <= revision }
    return demand?.values.isEmpty == true ? nil : demand
  }

  /// The value that counts at a level: its own, or that of the highest level below it; `nil` if none names any.
  public func demand(of level: FrameworkLevel, in revision: FrameworkRevision) -> FrameworkDemand? {
    FrameworkLevel.allCases.reversed().lazy.filter { $0 <= level }.compactMap { demand(namedBy: $0, in: revision) }
      .first
  }
}

/// A value that a level of the framework names for a setting.
public struct FrameworkDemand: Sendable {
  /// The level.
  public let level: FrameworkLevel
  /// The revision from which on it names this value.
  public let since: FrameworkRevision
  /// A policy with this value and nothing else. Without any value, the level no longer names one.
  public let policy: PolicyDocument
  /// A policy with the least strict value that is accepted.
  let least: PolicyDocument
  /// The properties for which it names a value; empty if the level no longer names one.
  public let values: [PolicyProperty]
  /// Whether every value is accepted: the framework says "Allow" or "Any app".
  public let acceptsAll: Bool

  /// A row's text of a value: the values of the row's properties, in their order.
  struct Draft {
    let level: FrameworkLevel
    var since = FrameworkRevision.first
    var values: [PolicyValue]
    var least: [PolicyValue]?
    var acceptsAll = false

    private init(_ level: FrameworkLevel, _ values: [PolicyValue], _ least: [PolicyValue]?, _ date: String?) {
      self.level = level
      self.values = values
      self.least = least
      // A test checks that every date is one of a revision.
      since = date.flatMap(FrameworkRevision.dated) ?? .first
    }

    /// Level 1 names a value, and accepts all.
    static func allowed(_ values: PolicyValue...) -> Self {
      var draft = Self(.basic, values, nil, nil)
      draft.acceptsAll = true
      return draft
    }

    /// Level 2 names a value, and accepts all.
    static func allowedWhenEnhanced(_ values: PolicyValue..., from date: String) -> Self {
      var draft = Self(.enhanced, values, nil, date)
      draft.acceptsAll = true
      return draft
    }

    static func basic(_ values: PolicyValue..., accepting least: [PolicyValue]? = nil, from date: String? = nil) -> Self
    {
      Self(.basic, values, least, date)
    }

    static func enhanced(
      _ values: PolicyValue..., accepting least: [PolicyValue]? = nil, from date: String? = nil
    ) -> Self {
      Self(.enhanced, values, least, date)
    }

    static func high(_ values: PolicyValue..., accepting least: [PolicyValue]? = nil, from date: String? = nil) -> Self
    {
      Self(.high, values, least, date)
    }
  }

  fileprivate init(_ draft: Draft, of properties: [PolicyProperty], on platform: PolicyPlatform) {
    level = draft.level
    // What the table names from the beginning counts from the platform's first revision on.
    since = max(draft.since, .first(on: platform))
    assert(draft.values.count <= properties.count, "the table names more values than the setting has properties")
    values = Array(properties.prefix(draft.values.count))
    acceptsAll = draft.acceptsAll
    policy = Self.policy(draft.values, properties, platform)
    least = Self.policy(draft.least ?? draft.values, properties, platform)
  }

  fileprivate init(_ properties: [PolicyProperty], as policy: PolicyDocument) {
    (level, since, acceptsAll) = (.basic, .first, false)
    (self.policy, least) = (policy, policy)
    values = properties.filter { !$0.isUnset(in: policy) }
  }

  private static func policy(
    _ values: [PolicyValue], _ properties: [PolicyProperty], _ platform: PolicyPlatform
  ) -> PolicyDocument {
    var policy = PolicyDocument(kind: platform.kind)
    for (property, value) in zip(properties, values) { policy[property] = .value(value) }
    return policy
  }
}

extension FrameworkRow {
  /// A policy's value in the portal's words; `nil` if it has none.
  public func value(in policy: PolicyDocument) -> PortalValue? {
    PortalValue.joined(settings.compactMap { $0.value(in: policy) })
  }

  /// A value that a level names, in the portal's words.
  public func words(of demand: FrameworkDemand) -> String { value(in: demand.policy)?.words ?? "Not configured" }
}

extension PolicyValue {
  static func choice(_ choice: some PolicyChoice) -> PolicyValue { .choice(choice.number) }
  static func choices(_ choices: [some PolicyChoice]) -> PolicyValue { .choices(choices.map(\.number)) }
  static func schemes(_ schemes: String) -> PolicyValue { .pairs([PolicyPair("Default", schemes)]) }

  /// A duration that the table writes. A malformed one is no value, which a test would find.
  static func duration(_ text: String) -> PolicyValue {
    (try? PolicyDuration(text)).map { .duration($0) } ?? .text(text)
  }
}
