import Expectations
import JSON
import Testing

@Suite("pj policy lint --profile")
struct LintProfileCommandTests {
  private static let faulty = "Tests/pj/Policies/Faulty.json"

  private static func withProfile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(text.utf8), to: "\(folder)/profile.json")
      return try body("\(folder)/profile.json")
    }
  }

  private static func severities(_ run: ToolRun) -> [String: [String]] {
    run.records.compactMap { $0?.object }.reduce(into: [:]) { result, record in
      guard let rule = record["rule"]?.string, let severity = record["severity"]?.string else { return }
      result[rule, default: []].append(severity)
    }
  }

  @Test("The exit code follows the profile")
  func decisions() throws {
    let plain = ToolRun("policy", "lint", Self.faulty, "-j")
    let before = Self.severities(plain)
    #expect(plain.code == .different && before.count > 3)
    let silent = before.keys.sorted().map { "{\"rule\": \"\($0)\", \"do\": \"silence\", \"reason\": \"known\"}" }
    try Self.withProfile("{\"profile\": 1, \"rules\": [\(silent.joined(separator: ","))]}") { profile in
      let run = ToolRun("policy", "lint", Self.faulty, "--profile", profile, "-j")
      #expect(run.code == .done && Self.severities(run).isEmpty)
      expectEqual(run.records.last??.object?["silenced"]?.number, JSONNumber(before.values.reduce(0) { $0 + $1.count }))
      let text = ToolRun("policy", "lint", Self.faulty, "--profile", profile)
      #expect(text.output.hasPrefix("No findings in 1 policy, ") && text.output.hasSuffix(" silenced.\n"))
    }
    let first = try #require(before.first { !$0.value.contains("error") }?.key)
    try Self.withProfile(
      "{\"profile\": 1, \"rules\": [{\"rule\": \"\(first)\", \"do\": \"require\", \"reason\": \"ours\"}]}"
    ) { profile in
      let run = ToolRun("policy", "lint", Self.faulty, "--profile", profile, "-j")
      #expect(run.code == .different && Set(Self.severities(run)[first] ?? []) == ["error"])
    }
  }

  @Test("A decision that silences nothing is named, and a profile that cannot be read is refused")
  func faults() throws {
    let rules =
      "{\"profile\": 1, \"rules\": [{\"rule\": \"shortOfflineGrace\", \"do\": \"silence\", \"reason\": \"x\"}]}"
    try Self.withProfile(rules) { profile in
      let clean = "Tests/pj/Policies/Small.json"
      let run = ToolRun("policy", "lint", clean, "--profile", profile)
      expectEqual(
        run.notes,
        "pj policy: \(profile): line 1, column 26: shortOfflineGrace silences nothing; remove it, or check the rule\n")
      let json = ToolRun("policy", "lint", clean, "--profile", profile, "-j").records.compactMap { $0?.object }
      #expect(json.contains { $0["kind"]?.string == "idle" && $0["rule"]?.string == "shortOfflineGrace" })
    }
    try Self.withProfile("{\"profile\": 2, \"rules\": []}") { profile in
      let run = ToolRun("policy", "lint", Self.faulty, "--profile", profile)
      #expect(run.code == .wrongUse && run.notes.hasPrefix("pj policy: --profile \(profile): line 1, column "))
      #expect(run.output.isEmpty)
    }
    expectEqual(ToolRun("policy", "lint", Self.faulty, "--profile", "nowhere").code, .unreadable)
    #expect(ToolRun("policy", "show", Self.faulty, "--profile", "x").notes.contains("--profile applies to lint only"))
  }
}
