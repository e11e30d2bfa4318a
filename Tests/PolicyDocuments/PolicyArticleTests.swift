import Expectations
import AppProtection
import PolicyDocuments
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The articles "Policy documents", "Lint of policies", "Levels of policies", "Exports of a tenant" and "Logs of the SDK" end with tables that come from the catalogues. `UPDATE_GOLDEN=1
/// swift test --filter PolicyArticleTests` writes them anew; the difference is to be reviewed like code.
@Suite("The articles about policies")
struct PolicyArticleTests {
  private static let folder: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return parts.joined(separator: "/") + "/Sources/PolicyDocuments/PolicyDocuments.docc"
  }()

  private static let mark = "with UPDATE_GOLDEN=1. -->\n"

  private static func row(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
  }

  private static func table(_ titles: [String]) -> String {
    row(titles) + "|" + titles.map { _ in "---|" }.joined() + "\n"
  }

  private static func kind(_ property: PolicyProperty) -> String {
    switch property.kind {
    case .text: "text"
    case .flag: "true or false"
    case .number(let held): numbers(property.documentedRange ?? held)
    case .duration: "duration"
    case .date: "date"
    case .choice(let names): names.members.map(\.name).filter { $0 != "unrecognized" }.joined(separator: ", ")
    case .choices(let names):
      "list of " + names.members.map(\.name).filter { $0 != "unrecognized" }.joined(separator: ", ")
    case .flags(let names):
      "set of " + names.members.map(\.name).filter { $0 != "unrecognized" }.joined(separator: ", ")
    case .texts: "list of texts"
    case .pairs: "list of names with texts"
    case .apps: "list of apps"
    case .assignments: "list of groups"
    }
  }

  private static func numbers(_ range: ClosedRange<Int64>) -> String {
    "number from \(range.lowerBound) to \(range.upperBound)"
  }

  private static let readers = SettingReaders().readers

  private static var properties: String {
    var text = ""
    for group in PortalGroup.allCases {
      text += "\n## \(group.rawValue)\n\n"
      text += table([
        "property in Graph", "in the portal", "proposed there", "on a device", "type", "of several",
        "read by",
      ])
      for setting in PortalSetting.all where setting.group == group {
        for property in setting.properties {
          let devices = DeviceSetting.all.filter { $0.properties.contains(property) }.map { "`\($0.name)`" }
          text += row([
            "`\(property.name)`", setting.title, setting.portalDefault ?? "", devices.joined(separator: ", "),
            kind(property), property.combination.rawValue,
            (readers[property.name] ?? []).map { "`\($0)`" }.joined(separator: ", "),
          ])
        }
      }
    }
    text += platforms
    text += "\n## Members that are kept as they came\n\n" + table(["member in Graph", "of"])
    for member in GraphMember.all where PolicyPlatform.allCases.allSatisfy({ $0.property(named: member.name) == nil }) {
      text += row(["`\(member.name)`", types(member)])
    }
    text += "\n## How values of several policies become one\n\n" + table(["rule", "meaning"])
    for rule in CombinationRule.allCases { text += row(["`\(rule.rawValue)`", rule.meaning]) }
    text += "\n## Settings of a device\n\n" + table(["name", "values", "in Graph", "meaning"])
    for setting in DeviceSetting.all {
      let names = ([setting.name] + setting.otherNames).map { "`\($0)`" }.joined(separator: ", ")
      let meaning =
        setting.meaning.isEmpty
        ? setting.properties.first?.meaning ?? "" : setting.meaning
      text += row([names, setting.values, setting.properties.map { "`\($0.name)`" }.joined(separator: ", "), meaning])
    }
    return text
  }

  /// What the other platforms have of their own, and what corresponds to what.
  private static var platforms: String {
    var text = ""
    for platform in PolicyPlatform.allCases.dropFirst() {
      text += "\n## Settings of \(platform.rawValue) alone\n\n"
      text += table(["property in Graph", "in the portal", "under", "proposed there", "type", "of several"])
      for setting in PortalSetting.all(on: platform) {
        for property in setting.properties where PolicyPlatform.ios.property(named: property.name) != property {
          text += row([
            "`\(property.name)`", setting.title, platform.heading(of: setting.group), setting.portalDefault ?? "",
            kind(property), property.combination.rawValue,
          ])
        }
      }
    }
    text += "\n## Settings that correspond\n\n"
    text += table(PolicyPlatform.allCases.map(\.rawValue) + ["values"])
    var seen: Set<PolicyProperty> = []
    for platform in PolicyPlatform.allCases {
      for setting in PortalSetting.all(on: platform) {
        for property in setting.properties where seen.insert(property).inserted {
          let correspondence = SettingCorrespondence.with(property, on: platform)
          let sides = PolicyPlatform.allCases.map { side -> [PolicyProperty] in
            if let correspondence { return correspondence.properties(on: side) }
            return SettingCorrespondence.isOf(side, property) ? [property] : []
          }
          seen.formUnion(sides.joined())
          guard sides.count(where: { !$0.isEmpty }) > 1 else { continue }
          text += row(
            sides.map { $0.map { "`\($0.name)`" }.joined(separator: ", ") } + [
              correspondence?.relation == .purpose ? "of each platform" : "compared"
            ])
        }
      }
    }
    return text
  }

  private static func types(_ member: GraphMember) -> String {
    let names: [(GraphMember.Types, String)] = [
      (.ios, "iosManagedAppProtection"), (.android, "androidManagedAppProtection"),
      (.standard, "defaultManagedAppProtection"), (.windows, "windowsManagedAppProtection"),
      (.windowsInformation, "windowsInformationProtection"),
    ]
    return names.filter { member.types.contains($0.0) }.map(\.1).joined(separator: ", ")
  }

  private static var rules: String {
    var text = "\n## Rules\n\n" + table(["rule", "finding", "what should be", "source"])
    for rule in PolicyRule.allCases {
      text += row(["`\(rule.id)`", rule.severity.rawValue, rule.meaning, rule.source])
    }
    return text
  }

  private static var logs: String {
    "\n## Every sentence\n\n" + table(["shape", "what it says", "quoted by apps", "source"])
      + FieldLogTables.sentences.map(row).joined() + "\n## Every block\n\n"
      + table(["name", "what it says", "source"]) + FieldLogTables.blocks.map(row).joined()
  }

  private static var shapes: String {
    table(["shape", "how it is recognised"]) + ExportShape.all.map { row([$0.name, $0.sign]) }.joined()
  }

  private static var levels: String {
    PolicyPlatform.allCases.map { levels(on: $0) }.joined()
  }

  private static func levels(on platform: PolicyPlatform) -> String {
    let rows = FrameworkRow.all(on: platform)
    let suffix = platform == .ios ? "" : " for \(platform.rawValue)"
    let first = FrameworkRevision.first(on: platform)
    var text = "\n## Values of \(FrameworkRevision.newest.date)\(suffix)\n\n"
    let titles = FrameworkLevel.allCases.map { "level \($0.rawValue)" }
    text += table(["name", "in the portal", "property in Graph"] + titles + ["what meets the value"])
    for row in rows {
      let demands = FrameworkLevel.allCases.map { row.demand(namedBy: $0, in: .newest) }
      guard demands.contains(where: { $0 != nil }) else { continue }
      text += Self.row(
        [
          "`\(row.id)`", row.title, row.properties.map { "`\($0.name)`" }.joined(separator: ", "),
        ] + demands.map { $0.map(row.words) ?? "" } + [
          demands.allSatisfy { $0?.acceptsAll ?? true } ? "any value" : row.comparison.meaning
        ])
    }
    text += "\n## Revisions\(suffix)\n\n" + table(["date", "published as", "setting", "level", "value from then on"])
    for revision in FrameworkRevision.all where revision > first {
      for framework in rows {
        for demand in framework.demands where demand.since == revision {
          let words = demand.values.isEmpty ? "as the level below" : framework.words(of: demand)
          text += row([
            revision.date, revision.origin.rawValue, framework.title, "\(demand.level.rawValue)", words,
          ])
        }
      }
    }
    text += "\n## Values of \(first.date)\(suffix)\n\n" + table(["in the portal"] + titles)
    for framework in rows {
      let demands = FrameworkLevel.allCases.map { framework.demand(namedBy: $0, in: first) }
      guard demands.contains(where: { $0 != nil }) else { continue }
      text += row([framework.title] + demands.map { $0.map(framework.words) ?? "" })
    }
    return text
  }

  @Test("The articles list the catalogues")
  func articles() throws {
    for (name, tables) in [
      ("Policies", Self.properties), ("PolicyLintRules", Self.rules), ("PolicyLevels", Self.levels),
      ("Exports", "\n" + Self.shapes), ("FieldLogs", Self.logs),
    ] {
      let path = "\(Self.folder)/\(name).md"
      let parts = try Self.read(path).split(separator: Self.mark, maxSplits: 1, omittingEmptySubsequences: false)
      try #require(parts.count == 2, "the mark is missing in \(name): \(Self.mark)")
      if getenv("UPDATE_GOLDEN").map({ String(cString: $0) }) == "1" {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        let bytes = Array((parts[0] + Self.mark + tables).utf8)
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
      } else {
        #expect(parts[1] == tables, "\(name).md")
      }
    }
  }

  @Test("Every setting that steers decisions is read by one, and no other setting is")
  func readers() {
    let steering = PolicyProperty.all.filter { $0.effect == .steersDecisions }.map(\.name)
    expectEqual(Set(steering).subtracting(Self.readers.keys).sorted(), [])
    expectEqual(Set(Self.readers.keys).subtracting(steering).sorted(), [])
    expectEqual(Self.readers["saveAsBlocked"], ["saveTo"])
    expectEqual(Self.readers["printBlocked"], ["printing"])
    expectEqual(Self.readers["previousPinBlockCount"], ["pin.reused"])
  }

  @Test("Defaults belong to existing settings")
  func defaults() {
    expectEqual(PortalSetting.all.compactMap(\.portalDefault).count, 33)
  }

  private static func read(_ path: String) throws -> String {
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
