import AppProtection
import Expectations
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

/// How programs other than Microsoft365DSC write each kind of value: PowerShell 5.1 and 7 (`ConvertTo-Json` of the objects of Graph's
/// SDK, and of what `Invoke-MgGraphRequest` returns), on which IntuneManagement and IntuneBackupAndRestore build, and PyYAML,
/// on which IntuneCD builds.
@Suite("Forms of the exporting programs")
struct ToolFormTests {
  /// A value of every kind that Graph allows for a property, the loosest and the strictest among them.
  private static func values(of property: PolicyProperty) throws -> [PolicyValue] {
    switch property.kind {
    case .date: return [.date(try PolicyDate("2024-12-20T09:29:55Z"))]
    case .apps:
      var app = PolicyApp()
      (app.id, app.version) = ("com.example.a", "1")
      return [.apps([app])]
    case .assignments:
      var assignment = PolicyAssignment()
      (assignment.groupID, assignment.targetTypeName) = ("g", "#microsoft.graph.groupAssignmentTarget")
      return [.assignments([assignment])]
    case .text, .flag, .number, .duration, .choice, .choices, .flags, .texts, .pairs: return property.extremes
    }
  }

  private static func text(_ text: String) -> JSONValue { .string(text) }

  /// What PowerShell writes for a value: each form on its own.
  private static func powerShell(_ value: PolicyValue, _ graph: JSONValue) -> [JSONValue] {
    switch value {
    case .duration(let duration):
      let seconds = duration.nanoseconds / 1_000_000_000
      let parts = [
        ("Ticks", seconds * 10_000_000), ("Days", seconds / 86_400), ("Hours", seconds / 3600 % 24),
        ("Milliseconds", 0), ("Minutes", seconds / 60 % 60), ("Seconds", seconds % 60),
      ]
      let clock = parts.dropFirst(2).filter { $0.0 != "Milliseconds" }.map { $0.1 < 10 ? "0\($0.1)" : "\($0.1)" }
      return [
        .object(parts.map { .init($0.0, .number($0.1)) }),
        text((seconds < 86_400 ? "" : "\(seconds / 86_400).") + clock.joined(separator: ":")),
      ]
    case .date: return [text("/Date(1734686995000)/"), text("12/20/2024 09:29:55"), text("2024-12-20T09:29:55+00:00")]
    case .choice: return [text(graph.string.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "")]
    case .flags: return [text(graph.string?.replacing(",", with: ", ") ?? "")]
    case .choices, .texts, .pairs, .apps, .assignments:
      // One element loses its list in a pipeline.
      return graph.array?.count == 1 ? graph.array ?? [] : []
    case .flag(let flag): return [text(flag ? "True" : "False")]
    case .number(let number): return [text("\(number)")]
    case .text: return []
    }
  }

  @Test("Every member is read from each form in which PowerShell writes it", arguments: PolicyPlatform.allCases)
  func powerShell(platform: PolicyPlatform) throws {
    for property in platform.properties {
      for value in try Self.values(of: property) {
        for json in Self.powerShell(value, property.graphJSON(of: value, on: platform)) {
          let text = JSONValue.object([
            .init("@odata.type", .string("#microsoft.graph.\(platform.rawValue.lowercased())ManagedAppProtection")),
            .init(property.name, json),
          ]).description
          let item = try #require(PolicyFile.read(Array(text.utf8), name: "p.json").policies.first)
          #expect(item.lost.isEmpty, "\(text)")
          guard case .value(let found) = item.policy[property] else {
            Issue.record("\(text): \(item.findings)")
            continue
          }
          // The same point in time may have another text.
          let isSame = if case .date = value { true } else { found == value }
          #expect(isSame, "\(text)")
        }
      }
    }
  }

  @Test("Every member is read from the text in which PyYAML writes it", arguments: PolicyPlatform.allCases)
  func yaml(platform: PolicyPlatform) throws {
    for property in platform.properties {
      for value in try Self.values(of: property) {
        let lines = [
          "'@odata.type': '#microsoft.graph.\(platform.rawValue.lowercased())ManagedAppProtection'",
          "\(property.name):\(Self.yaml(property.graphJSON(of: value, on: platform), indent: ""))",
        ]
        let text = lines.joined(separator: "\n") + "\n"
        let item = try #require(PolicyFile.read(Array(text.utf8), name: "p.yaml").policies.first)
        #expect(item.policy[property] == .value(value) && item.lost.isEmpty, "\(text)\(item.findings)")
      }
    }
  }

  /// A value as `yaml.dump(default_flow_style=False)` writes it after a colon: lists without further indentation, and texts in
  /// single quotes where they would be something else without.
  private static func yaml(_ value: JSONValue, indent: String) -> String {
    switch value.content {
    case .array(let elements):
      guard !elements.isEmpty else { return " []" }
      return elements.map { element in
        guard let object = element.object else { return "\n\(indent)-\(yaml(element, indent: indent))" }
        let members = object.members.map {
          "\($0.name == "@odata.type" ? "'@odata.type'" : $0.name):\(yaml($0.value, indent: indent + "    "))"
        }
        return "\n\(indent)- " + members.joined(separator: "\n\(indent)  ")
      }.joined()
    case .object(let object):
      let members = object.members.map {
        "\($0.name == "@odata.type" ? "'@odata.type'" : $0.name):\(yaml($0.value, indent: indent + "  "))"
      }
      return members.map { "\n\(indent)\($0)" }.joined()
    case .string(let text):
      let isPlain = text.first.map { $0.isLetter } ?? false
      return isPlain ? " \(text)" : " '\(text)'"
    case .number(let number): return " \(number.text)"
    case .bool(let flag): return " \(flag)"
    case .null: return " null"
    }
  }

  @Test("Texts that other words of YAML could be keep their meaning, as PyYAML writes them")
  func quotedTexts() throws {
    let text = #"""
      '@odata.type': '#microsoft.graph.iosManagedAppProtection'
      displayName: 'yes'
      description: "Zeile eins: \"x\"\nZeile zwei # kein Kommentar\n\n  - einger\xFCckt\ttab\
        \ lang"
      minimumRequiredOsVersion: '17.0'
      customBrowserProtocol: '010'
      customDialerAppProtocol: 1e3
      managedUniversalLinks:
      - http://a.b/*
      - ' lead'
      - 'null'
      - '~'
      - '@x'
      - '''q'''
      - 'a: b'
      - '#c'
      - '0x1F'
      - 0o7
      - '1:30'
      - "\xE9\U0001F600"
      - ''
      """#
    let policy = try #require(PolicyFile.read(Array(text.utf8), name: "p.yaml").policies.first).policy
    expectEqual(policy.about.displayName, "yes")
    expectEqual(policy.about.description, "Zeile eins: \"x\"\nZeile zwei # kein Kommentar\n\n  - eingerückt\ttab lang")
    expectEqual(policy.conditionalLaunch.minimumRequiredOsVersion, "17.0")
    expectEqual(policy.redirection.customBrowserProtocol, "010")
    expectEqual(policy.redirection.customDialerAppProtocol, "1e3")
    expectEqual(
      policy.redirection.managedUniversalLinks,
      ["http://a.b/*", " lead", "null", "~", "@x", "'q'", "a: b", "#c", "0x1F", "0o7", "1:30", "é😀", ""])
  }
}
