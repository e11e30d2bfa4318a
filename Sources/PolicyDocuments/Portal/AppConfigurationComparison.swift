import AppProtection
import JSON

/// Two app configurations, line by line: what an administrator sees of each, with settings under their keys.
///
/// The order of settings, apps and groups does not matter, nor does whether something is absent, empty or `null`.
public struct AppConfigurationComparison: Sendable {
  /// A line that differs.
  public struct Change: Sendable {
    /// The subject of the line.
    public let title: String
    /// The value in each; `nil` if it has none.
    public let one, other: PortalValue?
    /// The property of each as Graph has it; `nil` if it has none.
    package let graph, otherGraph: JSONValue?
    /// Whether it tells revisions of one configuration apart: its identifier, version or dates.
    public let isRevision: Bool
  }

  /// What differs, in the order of the first configuration, then what only the other one has.
  public let changes: [Change]

  /// Compares two configurations.
  ///
  /// - Parameter lost: The members whose values are unknown in one of the two. Their lines are not compared.
  public init(
    of one: AppConfigurationDocument, with other: AppConfigurationDocument, lacking lost: Set<String> = []
  ) {
    let rows = (Self.rows(one), Self.rows(other))
    let values = (Self.values(rows.0), Self.values(rows.1))
    let titles = rows.0.map(\.title) + rows.1.map(\.title).filter { values.0[$0] == nil }
    changes = titles.compactMap { title in
      let (one, other) = (values.0[title], values.1[title])
      guard one?.meaning != other?.meaning, !lost.contains(where: { Self.isLine(title, of: $0) }) else { return nil }
      return Change(
        title: title, one: one?.row.shown, other: other?.row.shown, graph: one?.row.graph, otherGraph: other?.row.graph,
        isRevision: ["Identifier", "Version", "Created", "Last modified"].contains(title))
    }
  }

  /// The beginnings of the lines that show a member, where they are not its own name.
  private static let lines: [String: [String]] = [
    "displayName": ["Name"], "name": ["Name"], "description": ["Description"], "id": ["Identifier"],
    "settings": ["Setting ", "Replaced"], "customSettings": ["Setting ", "Replaced"],
    "encodedSettingXml": ["Setting ", "Replaced", "Encoded"], "payloadJson": ["Setting ", "Replaced"],
    "createdDateTime": ["Created"], "lastModifiedDateTime": ["Last modified"], "version": ["Version"],
    "apps": ["Apps"], "targetedMobileApps": ["Apps"], "assignments": ["Groups", "Deployed"], "isAssigned": ["Deployed"],
    "deployedAppCount": ["Deployed apps"], "appGroupType": ["App group"], "permissionActions": ["Permissions"],
    "targetedAppManagementLevels": ["Device types"], "roleScopeTagIds": ["Scope tags"], "platforms": ["Platforms"],
    "packageId": ["Package"], "profileApplicability": ["Profiles"],
  ]

  private static func isLine(_ title: String, of member: String) -> Bool {
    lines[member]?.contains(where: title.hasPrefix) ?? (title == member)
  }

  private struct Value {
    let row: ManagementDocument.Row
    /// The value, or what a list has, in a fixed order.
    let meaning: [String]
  }

  /// The lines; of several with one title, all but the first are numbered.
  private static func rows(_ configuration: AppConfigurationDocument) -> [ManagementDocument.Row] {
    var count: [String: Int] = [:]
    let channel = ManagementDocument.Row("Channel", configuration.channel.name)
    return ([channel].compactMap(\.self) + configuration.rows).map { row in
      count[row.title, default: 0] += 1
      return row.numbered(count[row.title] ?? 1)
    }
  }

  private static func values(_ rows: [ManagementDocument.Row]) -> [String: Value] {
    Dictionary(
      rows.map { ($0.title, Value(row: $0, meaning: $0.elements?.sorted() ?? [$0.value])) }, uniquingKeysWith: { $1 })
  }
}
