import AppProtection

/// The platforms that have app protection policies. Each is one table of settings: those that it shares with others, which
/// have the same name and the same values in Graph, and its own.
///
/// ```swift
/// let platform = policy.kind.platform
/// for setting in PortalSetting.all(on: platform) { print(setting.title, setting.words(policy) ?? "Not configured") }
/// ```
public enum PolicyPlatform: String, CaseIterable, Sendable {
  /// iOS and iPadOS, with the default policy, which is for Android too.
  case ios = "iOS"
  /// Android.
  case android = "Android"
  /// Windows: Microsoft Edge on devices without management.
  case windows = "Windows"

  private var table: PlatformTable {
    switch self {
    case .ios: .ios
    case .android: .android
    case .windows: .windows
    }
  }

  /// Its settings, those that it shares with iOS first.
  public var properties: [PolicyProperty] { table.properties }

  /// The setting with this name in Graph, compared code point by code point.
  public func property(named name: String) -> PolicyProperty? {
    guard let property = table.byName[name], property.name.utf8.elementsEqual(name.utf8) else { return nil }
    return property
  }

  /// Whether its policies have a setting.
  package func has(_ property: PolicyProperty) -> Bool { table.byName[property.name] == property }

  /// The durations of which the shortest is the strictest, even zero.
  package var shortest: Set<PolicyProperty> { table.shortest }

  /// How the values of a setting in several policies become one.
  public func combination(of property: PolicyProperty) -> CombinationRule {
    shortest.contains(property) ? .shortestDuration : property.combination
  }

  /// How its portal shows a setting; `nil` for one that another one's entry shows.
  package func entry(of property: PolicyProperty) -> PortalEntry? { table.entries[property] ?? property.portal }

  /// The type of its policies in the table of Graph's members.
  package var graphType: GraphMember.Types { table.graphType }

  /// What kind of policy its policies for groups are.
  package var kind: PolicyKind { table.kind }

  /// The member that identifies an app.
  var appIdentifier: String { table.appIdentifier }

  /// The heading of a group of settings in its portal.
  public func heading(of group: PortalGroup) -> String { table.headings[group] ?? group.rawValue }
}

extension PolicyKind {
  /// The platform of its policies.
  public var platform: PolicyPlatform {
    switch self {
    case .targetedPolicy, .defaultPolicy, .unrecognized: .ios
    case .androidPolicy: .android
    case .windowsPolicy: .windows
    }
  }
}

/// One platform: its settings, and where its portal differs from that for iOS.
struct PlatformTable: Sendable {
  let kind: PolicyKind
  let graphType: GraphMember.Types
  let appIdentifier: String
  let properties: [PolicyProperty]
  let byName: [String: PolicyProperty]
  /// The entries of the portal for settings that its pages word or place in another way.
  let entries: [PolicyProperty: PortalEntry]
  let headings: [PortalGroup: String]
  /// The durations of which zero is the strictest, and not no limit.
  let shortest: Set<PolicyProperty>

  /// - Parameter own: The settings that no policy for iOS has, or has with other values.
  init(
    _ kind: PolicyKind, _ graphType: GraphMember.Types, appIdentifier: String, own: [PolicyProperty],
    entries: [(PolicyProperty, PortalEntry)] = [], headings: [PortalGroup: String] = [:],
    shortest: Set<PolicyProperty> = []
  ) {
    self.kind = kind
    self.graphType = graphType
    self.appIdentifier = appIdentifier
    let names = Set(own.map(\.name))
    // The settings of a default policy, for which the journal's table has rows, are read in every policy for iOS.
    let shared = PolicyProperty.all.filter {
      kind == .targetedPolicy || ($0.graphTypes.contains(graphType) && !names.contains($0.name))
    }
    properties = shared + own
    byName = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0) })
    self.entries = Dictionary(uniqueKeysWithValues: entries)
    self.headings = headings
    self.shortest = shortest
    let known = Set(properties)
    assert(Set(properties.map(\.number)).count == properties.count, "two settings have one number")
    assert(self.entries.keys.allSatisfy(known.contains), "an entry of the portal is of another platform's setting")
    assert(shortest.isSubset(of: known), "a duration is of another platform's setting")
    assert(own.isAscending { $0.number < $1.number }, "the platform's own settings are not in order")
  }

  static let ios = Self(.targetedPolicy, .ios, appIdentifier: "bundleId", own: [])
}

extension PolicyProperty {
  /// A row of another platform's table, whose value a document keeps as JSON.
  static func own<Value>(
    _ number: Int, _ name: String, _ form: PolicyValueForm<Value>, _ meaning: String,
    combines combination: SettingCombination<Value>, portal: PortalRow<Value>
  ) -> PolicyProperty {
    kept(
      number, name, form, meaning, combines: combination, portal: portal, reading: { $0.value(kept: $1) },
      writing: { $0.graphJSON(of: $1, on: .ios).description })
  }

  /// The setting's entry in another platform's portal, with the same words unless others are given.
  func entry(
    _ group: PortalGroup, _ place: Int, _ title: String, standard: String? = nil,
    with others: @autoclosure @escaping @Sendable () -> [PolicyProperty] = [],
    _ words: (@Sendable (PolicyDocument) -> String?)? = nil
  ) -> (PolicyProperty, PortalEntry) {
    let same = portal?.words
    return (
      self,
      PortalEntry(group, place, title, standard: standard, beside: others) { (words ?? same)?($0) }
    )
  }
}

/// The values of settings that the policy's own platform has.
extension PolicyDocument {
  private func value(_ property: PolicyProperty) -> PolicyValue? {
    guard kind.platform.has(property), case .value(let value) = self[property] else { return nil }
    return value
  }

  package func flag(_ property: PolicyProperty) -> Bool? {
    if case .flag(let flag) = value(property) { flag } else { nil }
  }

  /// The text; an empty one counts as none.
  package func text(_ property: PolicyProperty) -> String? {
    if case .text(let text) = value(property), !text.isEmpty { text } else { nil }
  }

  package func pairs(_ property: PolicyProperty) -> [PolicyPair]? {
    if case .pairs(let pairs) = value(property) { pairs } else { nil }
  }

  func texts(_ property: PolicyProperty) -> [String]? {
    if case .texts(let texts) = value(property) { texts } else { nil }
  }

  package func choice<Choice: PolicyChoice>(_ property: PolicyProperty, as type: Choice.Type = Choice.self) -> Choice? {
    if case .choice(let number) = value(property) { Choice(number: number) } else { nil }
  }
}
