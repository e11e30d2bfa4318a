import AppProtection
import CommandLineInterface
import EventSourcing
import PolicyDocuments
import PolicySettings

/// What administrators set in policies and configurations, and developers in the app.
extension Terms {
  // MARK: - Policies

  static var settings: [Term] {
    var names: [String] = []
    var rows: [String: [(platform: PolicyPlatform, property: PolicyProperty)]] = [:]
    for platform in PolicyPlatform.allCases {
      for property in platform.properties {
        if rows[property.name] == nil { names.append(property.name) }
        rows[property.name, default: []].append((platform, property))
      }
    }
    return names.compactMap { name in
      guard let rows = rows[name], let first = rows.first else { return nil }
      // The title of an entry means the setting whose row has it.
      let titles = rows.compactMap { row in
        PortalSetting.all(on: row.platform).first { $0.properties.first == row.property }?.title
      }
      let devices = first.property.device.flatMap { [$0.name] + $0.otherNames }
      return Term(
        .setting, name, phrase(first.property.meaning), aliases: unique(titles + devices), page: "Policies",
        [.definitions(facts(of: first.property, rows))])
    }
  }

  private static func facts(
    of property: PolicyProperty, _ rows: [(platform: PolicyPlatform, property: PolicyProperty)]
  ) -> [HelpBlock.Definition] {
    var facts: [HelpBlock.Definition] = [
      .init("values", values(of: property))
    ]
    var portal: [(place: String, platforms: [String])] = []
    for (platform, property) in rows {
      guard let setting = PortalSetting.showing(property, on: platform) else { continue }
      let standard = setting.portalDefault.map { ", by default \($0)" } ?? ""
      let place = "\(platform.heading(of: setting.group)): \(setting.title)\(standard)"
      if let index = portal.firstIndex(where: { $0.place == place }) {
        portal[index].platforms.append(platform.rawValue)
      } else {
        portal.append((place, [platform.rawValue]))
      }
    }
    facts += portal.map { .init("in the portal", "\($0.place) (\($0.platforms.joined(separator: ", "))).") }
    facts += property.device.compactMap { encoding in
      DeviceSetting.named(encoding.name).map {
        .init("on a device", "\(([$0.name] + $0.otherNames).joined(separator: ", ")): \($0.values).")
      }
    }
    let rules = LaunchRule.allCases.filter { rule in
      LaunchOutcome.allCases.contains { rule.settings(for: $0).contains(property.name) }
    }
    if !rules.isEmpty { facts.append(.init("read by", rules.map(\.id).joined(separator: ", ") + ".")) }
    facts.append(
      .init("in an app", property.effect == .steersDecisions ? "Decisions depend on it." : "It is kept and shown."))
    if let platform = rows.first?.platform {
      facts.append(.init("of several", platform.combination(of: property).meaning))
      for other in PolicyPlatform.allCases where other != platform {
        let names = SettingCorrespondence.with(property, on: platform)?.properties(on: other).map(\.name) ?? []
        if !names.isEmpty, names != [property.name] {
          facts.append(.init("on \(other.rawValue)", names.joined(separator: ", ") + "."))
        }
      }
    }
    return facts
  }

  private static func values(of property: PolicyProperty) -> String {
    func named(_ names: EnumerationDescriptor) -> String {
      names.members.map(\.name).filter { $0 != "unrecognized" }.joined(separator: ", ")
    }
    return switch property.kind {
    case .text: "Text."
    case .flag: "True or false."
    case .number:
      property.documentedRange.map { "A whole number from \($0.lowerBound) to \($0.upperBound)." } ?? "A whole number."
    case .duration: "A length of time."
    case .date: "A date."
    case .choice(let names): "One of \(named(names))."
    case .choices(let names): "A list of \(named(names))."
    case .flags(let names): "Any of \(named(names))."
    case .texts: "A list of texts."
    case .pairs: "A list of names with texts."
    case .apps: "A list of apps."
    case .assignments: "A list of assignments."
    }
  }

  private static func phrase(_ text: String) -> String {
    let phrase = text.hasSuffix(".") ? text.dropLast() : text[...]
    return phrase.prefix(1).lowercased() + phrase.dropFirst()
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0.lowercased()).inserted }
  }

  // MARK: - Apps

  static var appSettings: [Term] {
    SettingDescriptor.all.map { row in
      Term(
        .appSetting, row.key, phrase(row.meaning), page: "Settings",
        [
          .definitions([
            .init("values", Term.sentence(row.kind.phrase)), .init("if missing", Term.sentence(row.absence)),
            .init("required", row.requiredWhen.map { "When: \($0)." } ?? "Never."),
            .init("source", Term.sentence(row.source)),
          ])
        ])
    }
  }

  static var configurationKeys: [Term] {
    var names: [String] = []
    var keys: [String: [KnownConfigurationKey]] = [:]
    for key in KnownConfigurationKey.all {
      if keys[key.name] == nil { names.append(key.name) }
      keys[key.name, default: []].append(key)
    }
    return names.compactMap { name in
      guard let keys = keys[name] else { return nil }
      return Term(
        .configurationKey, name, "for \(unique(keys.map(\.app)).joined(separator: ", "))", page: "Policies",
        [
          .definitions(
            keys.map { key in
              .init(
                key.app,
                "\(key.isSecret ? "A secret. " : "")By \(key.channels.map(\.name).sorted().joined(separator: " or ")), on \(key.platforms.map(\.rawValue).sorted().joined(separator: ", "))."
              )
            })
        ])
    }
  }
}
