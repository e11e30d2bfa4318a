import AppProtection

/// Two policies for different platforms, setting by setting where settings correspond.
///
/// ```swift
/// let comparison = PlatformComparison(of: policyForIOS, with: policyForAndroid)
/// for row in comparison.rows where row.isDifferent { print(row.title, row.one?.words ?? "", row.other?.words ?? "") }
/// ```
public struct PlatformComparison: Sendable {
  /// Settings that correspond, with their values.
  public struct Row: Sendable {
    /// The heading in the first policy's portal.
    public let group: PortalGroup
    /// The title in the first policy's portal, and in the other's where it has another one.
    public let title: String
    /// The settings of both.
    public let properties: [PolicyProperty]
    /// The value in the first policy's portal; `nil` if it has none.
    public let one: PortalValue?
    /// The value in the other policy's portal; `nil` if it has none.
    public let other: PortalValue?
    /// How the values relate.
    public let relation: SettingCorrespondence.Relation
    /// Whether the policies disagree; of values that cannot be compared, whether one policy alone has one.
    public let isDifferent: Bool
  }

  /// What corresponds, in the order of the first policy's portal.
  public let rows: [Row]
  /// What the first policy sets, and the other's platform does not have.
  public let onlyOne: [PortalSetting]
  /// What the other policy sets, and the first one's platform does not have.
  public let onlyOther: [PortalSetting]

  /// Compares two policies.
  public init(of one: PolicyDocument, with other: PolicyDocument) {
    let (home, away) = (one.kind.platform, other.kind.platform)
    var rows: [Row] = []
    var only: [PortalSetting] = []
    var seen: Set<PolicyProperty> = []
    for setting in PortalSetting.all(on: home) where !setting.properties.contains(where: seen.contains) {
      let lead = setting.properties[0]
      let counterparts = setting.properties.flatMap {
        SettingCorrespondence.counterparts(of: $0, on: home, elsewhere: away)
      }
      guard !counterparts.isEmpty else {
        if setting.words(one) != nil { only.append(setting) }
        continue
      }
      let row = SettingCorrespondence.with(lead, on: home)
      let properties = row?.properties(on: home) ?? setting.properties
      seen.formUnion(properties)
      let sides = (
        SettingCorrespondence.settings(properties, on: home), SettingCorrespondence.settings(counterparts, on: away)
      )
      let isSame =
        row.map { $0.meaning(one) == $0.meaning(other) } ?? counterparts.allSatisfy { $0.isSame(in: one, as: other) }
      rows.append(
        Row(
          group: setting.group, title: Self.title(sides.0, sides.1), properties: properties + counterparts,
          one: Self.value(sides.0, in: one), other: Self.value(sides.1, in: other),
          relation: row?.relation ?? .comparable, isDifferent: !isSame))
    }
    self.rows = rows
    onlyOne = only
    onlyOther = PortalSetting.all(on: away).filter { setting in
      setting.words(other) != nil
        && setting.properties.allSatisfy {
          SettingCorrespondence.counterparts(of: $0, on: away, elsewhere: home).isEmpty
        }
    }
  }

  /// The titles on both sides, once where they agree.
  private static func title(_ one: [PortalSetting], _ other: [PortalSetting]) -> String {
    let titles = [one, other].compactMap(\.first?.title)
    return titles.first == titles.last ? titles.first ?? "" : titles.joined(separator: " / ")
  }

  /// The value of a side; several entries are named, because no title stands for all.
  private static func value(_ settings: [PortalSetting], in policy: PolicyDocument) -> PortalValue? {
    guard settings.count > 1 else { return settings.first?.value(in: policy) }
    return PortalValue.joined(
      settings.compactMap { setting in
        setting.value(in: policy).map { PortalValue("\(setting.title): \($0.words)", isPrivate: $0.isPrivate) }
      })
  }
}

extension PolicyCombination {
  /// Combines policies for one platform. Without any, nothing is set.
  public init(of policies: [PolicyDocument], on platform: PolicyPlatform) {
    self.init(of: policies, in: platform.properties, as: platform.kind, shortest: platform.shortest)
  }
}
