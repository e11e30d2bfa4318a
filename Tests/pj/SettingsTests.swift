import Expectations
import JSON
import Testing

/// The files are in `PropertyLists`; the binary one holds the same as `Faulty.plist` and was written by Python's
/// `plistlib.dumps(value, fmt=FMT_BINARY, sort_keys=False)`.
@Suite("pj settings")
struct SettingsTests {
  private static func path(_ name: String) -> String {
    _ = Repository.root
    return "Tests/pj/PropertyLists/\(name).plist"
  }

  @Test("A built app gets the findings of its source, at other places")
  func binary() throws {
    let runs = ["Faulty", "FaultyBinary"].map { ToolRun("settings", "lint", Self.path($0), "-j") }
    let findings = runs.map { run in
      run.records.compactMap { record -> [JSONValue?]? in
        guard let object = record?.object, object["kind"]?.string == "finding" else { return nil }
        return ["rule", "path", "message", "remedy"].map { object[$0] }
      }
    }
    #expect(findings[0] == findings[1] && findings[0].count == 12)
    expectEqual(runs.map(\.code), [.different, .different])
    #expect(runs[0].records.contains { $0?.object?["line"] != nil })
    #expect(runs[1].records.contains { $0?.object?["byte"] != nil })
  }

  @Test("An app is compared with the extension and the entitlements that are given beside it")
  func comparison() {
    let alone = ToolRun("settings", "lint", Self.path("Good"), Self.path("OpenIn"), "-j")
    let all = ToolRun(
      "settings", "lint", Self.path("Good"), Self.path("OpenIn"), Self.path("Entitlements"), "-j")
    func rules(_ run: ToolRun) -> [String?] {
      run.records.map { $0?.object?["rule"]?.string }.filter { $0 != nil }
    }
    let shared = ["policyRequiredInAppStore", "noCommonAppGroup", "openInWithoutURLScheme"]
    expectEqual(rules(alone), shared)
    expectEqual(rules(all), shared + ["missingKeychainGroup", "keychainGroupOrder"])
    expectEqual(all.code, .different)
  }

  @Test("One file that cannot be read does not keep the others from being checked")
  func severalFiles() throws {
    let run = ToolRun("settings", "lint", Self.path("Broken"), Self.path("Faulty"), "nowhere.plist", "-j")
    expectEqual(run.code, .unreadable)
    expectEqual(run.records.count { $0?.object?["kind"]?.string == "unreadable" }, 2)
    expectEqual(run.records.count { $0?.object?["kind"]?.string == "finding" }, 12)
    let end = try #require(run.records.last??.object)
    #expect(end["complete"]?.bool == false && end["files"]?.number == JSONNumber(1))
  }

  @Test("A file that cannot be read is one line that says why")
  func unreadable() throws {
    let broken = Self.path("Broken")
    let reason = "line 6, column 2: IntuneMAMSettings.MultiIdentity: the key \"MultiIdentity\" has no value"
    let remedy = "write a value after it, or remove the key"
    for action in ["lint", "show"] {
      var run = ToolRun("settings", action, broken)
      expectEqual(run.notes, "pj settings: \(broken): \(reason); \(remedy). Next: pj help settings\n")
      #expect(run.code == .unreadable && run.output.isEmpty)
      run = ToolRun("settings", action, "nowhere.plist")
      expectEqual(run.notes, "pj settings: nowhere.plist: No such file or directory. Next: ls -ld nowhere.plist\n")
      #expect(run.code == .unreadable && run.output.isEmpty)
    }
    expectEqual(ToolRun("settings", "lint", "").notes, "pj settings: a file's name is empty. Next: pj help commands\n")
    expectEqual(ToolRun("settings", "lint", "Tests").code, .unreadable)
    let none = try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array("<dict/>".utf8), to: "\(folder)/a.plist")
      return (ToolRun("settings", "show", "\(folder)/a.plist"), ToolRun("settings", "lint", "\(folder)/a.plist"))
    }
    #expect(none.0.code == .unreadable && none.0.notes.contains("the dictionary of the settings is missing"))
    #expect(none.1.code == .different && none.1.output.contains("the dictionary of the settings is missing"))
  }

  @Test("What must not appear in logs appears in no output")
  func secrets() {
    for action in ["lint", "show"] {
      for options in [[], ["-j"], ["--reveal"]] {
        let run = ToolRun(["settings", action, Self.path("Good")] + options)
        expectEqual(run.code, .done)
        #expect(!run.output.contains("hunter2") && !run.notes.contains("hunter2"))
      }
    }
  }

  @Test("JSON Lines say which values are defaults, and keep types")
  func json() throws {
    let run = ToolRun("settings", "show", Self.path("Good"), "-j")
    func record(_ key: String) throws -> JSONObject {
      try #require(run.records.compactMap { $0?.object }.first { $0["key"]?.string == key })
    }
    try expectEqual(record("SplashDuration")["value"]?.number?.double, 2)
    #expect(
      try record("MultiIdentity")["value"]?.bool == true && record("MultiIdentity")["line"]?.number == JSONNumber(48))
    #expect(
      try record("SupportsDarkMode")["value"]?.bool == true && record("SupportsDarkMode")["isDefault"]?.bool == true)
    try expectEqual(record("ADALAuthority")["value"]?.isNull, true)
    try expectEqual(record("WebViewHandledURLSchemes")["value"]?.array?.count, 2)
    let keys = ToolRun("settings", "keys", "-j")
    #expect(keys.records.count == 34 && !keys.records.contains(nil))
  }
}
