import Expectations
import JSON
import Testing

@Suite("pj policy with policies for Android and Windows")
struct PolicyPlatformTests {
  private static let ios = "icf_2020-11-17_44335e0_level-2-enterprise-enhanced-data-protection-iOS.json"
  private static let android = "icf_2021-10-05_5767671_level-2-enterprise-enhanced-data-protection-Android.json"
  private static let level3 = "icf_2021-10-05_34eec8e_level-3-enterprise-high-data-protection-Android.json"

  private static func path(_ name: String) -> String { "journals/documents/\(name)" }

  private static func text(_ type: String, _ members: String) -> [UInt8] {
    Array("{\"@odata.type\": \"#microsoft.graph.\(type)ManagedAppProtection\", \(members)}".utf8)
  }

  private static func records(_ run: ToolRun, _ kind: String) -> [JSONObject] {
    run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == kind }
  }

  @Test("show words a policy for Android and one for Windows as their portals do")
  func show() throws {
    let run = ToolRun("policy", "show", Self.path(Self.level3))
    expectEqual(run.code, .done)
    for words in [
      "Play integrity verdict evaluation type", "Check strong integrity", "Encrypt org data on enrolled devices",
    ] {
      #expect(run.output.contains(words), "\(words)")
    }
    #expect(!run.output.contains("Touch ID") && !run.output.contains("Other members"))
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(
        Self.text("windows", #""allowedInboundDataTransferSources": "none", "minimumRequiredOsVersion": "22631.3155""#),
        to: "\(folder)/w.json")
      let windows = ToolRun("policy", "show", "\(folder)/w.json", "--all")
      #expect(windows.output.contains("Health Checks: Device conditions") && windows.output.contains("No sources"))
      let json = ToolRun("policy", "show", "\(folder)/w.json", "-j")
      expectEqual(Self.records(json, "policy").map { $0["type"]?.string }, ["windowsManagedAppProtection"])
      let lint = ToolRun("policy", "lint", "\(folder)/w.json", "-j")
      expectEqual(lint.code, .different)
      expectEqual(
        Self.records(lint, "finding").map { $0["source"]?.string }, ["D Windows app protection policy settings"])
    }
  }

  @Test("diff compares two policies for Android, and names what changed in its words")
  func samePlatform() {
    let run = ToolRun("policy", "diff", Self.path(Self.android), Self.path(Self.level3))
    expectEqual(run.code, .different)
    #expect(run.output.contains("Approved keyboards") && run.output.contains("Not required → Require"))
    #expect(!run.output.contains("Other members"))
    expectEqual(ToolRun("policy", "diff", Self.path(Self.android), Self.path(Self.android)).code, .done)
  }

  @Test("diff compares policies for two platforms where settings correspond, and lists the rest")
  func across() {
    let run = ToolRun("policy", "diff", Self.path(Self.ios), Self.path(Self.android), "--settings-only")
    expectEqual(run.code, .different)
    #expect(run.output.contains("Touch ID instead of PIN for access / Fingerprint instead of PIN"))
    #expect(run.output.contains("For the same purpose, with values of each platform"))
    #expect(run.output.contains("13.7 | 9.0"))
    #expect(run.output.contains("On Android alone") && run.output.contains("Play integrity verdict"))
    #expect(!run.output.contains("Printing Org data"))
    let json = ToolRun("policy", "diff", Self.path(Self.ios), Self.path(Self.android), "-j")
    #expect(!Self.records(json, "alike").isEmpty)
    expectEqual(Set(Self.records(json, "only").compactMap { $0["platform"]?.string }), ["Android"])
  }

  @Test("combine takes policies for one platform, and refuses to mix platforms")
  func combine() {
    let run = ToolRun("policy", "combine", Self.path(Self.android), Self.path(Self.level3))
    #expect(run.code == .done && run.output.contains("Approved keyboards"), "\(run.output)\(run.notes)")
    let mixed = ToolRun("policy", "combine", Self.path(Self.ios), Self.path(Self.android))
    expectEqual(mixed.code, .wrongUse)
    #expect(
      mixed.notes.contains("policies for iOS and Android never meet in one app; combine those of one platform"),
      "\(mixed.notes)")
  }

  @Test("show, diff and lint take app configurations of managed devices")
  func configurations() throws {
    func text(_ value: String) -> [UInt8] {
      Array(
        ##"{"@odata.type": "#microsoft.graph.androidManagedStoreAppConfiguration", "displayName": "C", "version": 1, "payloadJson": {"managedProperty": [{"key": "lock_home_screen", "value\##(value)}]}}"##
          .utf8)
    }
    try TestFiles.withTemporaryFolder { folder in
      let (one, other) = ("\(folder)/one.json", "\(folder)/other.json")
      try TestFiles.write(text(#"Bool": true"#), to: one)
      try TestFiles.write(text(#"String": "true""#), to: other)
      #expect(ToolRun("policy", "show", one).output.contains("App configuration for managed devices"))
      let run = ToolRun("policy", "diff", one, other, "--settings-only")
      #expect(run.code == .different && run.output.contains("Setting lock_home_screen"), "\(run.output)\(run.notes)")
      #expect(run.output.hasSuffix("1 setting differs between \(one) and \(other)\n"))
      let json = ToolRun("policy", "diff", one, other, "-j")
      expectEqual(Self.records(json, "change").count, 1)
      expectEqual(ToolRun("policy", "diff", one, one).code, .done)
      let mixed = ToolRun("policy", "diff", one, Self.path(Self.ios))
      #expect(mixed.code == .unreadable && mixed.notes.contains("the document holds no policy"), "\(mixed.notes)")
      let lint = ToolRun("policy", "lint", other)
      #expect(lint.code == .different && lint.output.contains("[valueWithoutForm]"), "\(lint.output)")
    }
  }

  @Test("lint checks a policy for Android")
  func lint() throws {
    let run = ToolRun("policy", "lint", Self.path(Self.android))
    #expect(run.code == .done && run.output.contains("biometrics are blocked"), "\(run.output)")
    #expect(run.output.hasSuffix("3 notes in 1 policy.\n"), "\(run.output)")
  }
}
