import Expectations
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Profiles of lint")
struct LintProfileTests {
  private static func profile(_ entries: String) throws(JSONError) -> LintProfile {
    try LintProfile.read(Array("{\"profile\": 1, \"rules\": [\(entries)]}".utf8))
  }

  private static func finding(_ rule: String, _ setting: String) throws -> PolicyFinding {
    PolicyFinding(try #require(PolicyRule.allCases.first { $0.id == rule }), setting, "m", remedy: "r")
  }

  @Test("A decision about a setting counts before one about its rule; what no decision concerns stays")
  func severities() throws {
    let profile = try Self.profile(
      """
      {"rule": "twoBrowsers", "do": "silence", "reason": "a"}, {"rule": "twoBrowsers", "setting": "x", "do": "require", "reason": "b"},
      {"rule": "schemeWithoutEffect", "do": "raise", "reason": "c"}, {"rule": "openClipboard", "do": "raise", "reason": "d"}
      """)
    let expected: [(String, String, PolicyRule.Severity?)] = [
      ("twoBrowsers", "y", nil), ("twoBrowsers", "x", .error), ("schemeWithoutEffect", "y", .warning),
      ("openClipboard", "y", .error), ("linkInBothLists", "y", .note),
    ]
    for (rule, setting, severity) in expected {
      expectEqual(profile.severity(of: try Self.finding(rule, setting)), severity, "\(rule)")
    }
    expectEqual(profile.idle(beside: []).map(\.reason), ["a"])
    expectEqual(profile.idle(beside: [try Self.finding("twoBrowsers", "x")]), [])
    expectEqual(profile.entries[1].place, .text(line: 1, column: 83))
  }

  @Test(
    "A profile that does not say what it means is an error with its place",
    arguments: [
      (
        "{\"rule\": \"twoBrowser\", \"do\": \"silence\", \"reason\": \"a\"}",
        "no rule has the name \"twoBrowser\"; write \"twoBrowsers\""
      ),
      ("{\"rule\": \"twoBrowsers\", \"do\": \"silence\"}", "the member \"reason\" is missing; add \"reason\""),
      (
        "{\"rule\": \"twoBrowsers\", \"do\": \"silence\", \"reason\": \" \"}",
        "the reason is empty; say why, for those who come after you"
      ),
      (
        "{\"rule\": \"twoBrowsers\", \"do\": \"hide\", \"reason\": \"a\"}",
        "\"hide\" is not a decision; write \"silence\", \"raise\", \"require\""
      ),
      (
        "{\"rule\": \"invalidScheme\", \"do\": \"raise\", \"reason\": \"a\"}",
        "the findings of invalidScheme are errors already; remove the entry, or silence the rule"
      ),
      (
        "{\"rule\": \"twoBrowsers\", \"do\": \"silence\", \"reason\": \"a\"}, {\"rule\": \"twoBrowsers\", \"do\": \"raise\", \"reason\": \"a\"}",
        "the rule twoBrowsers stands there twice for the same settings; keep one of them"
      ),
      (
        "{\"rule\": \"twoBrowsers\", \"do\": \"silence\", \"reson\": \"a\"}",
        "the name \"reson\" is not known here; write \"reason\""
      ),
    ])
  func errors(entries: String, message: String) throws {
    let error = try #require(throws: JSONError.self) { try Self.profile(entries) }
    #expect(error.description.hasSuffix(message), "\(error)")
    #expect(error.position.isInText)
  }
}
