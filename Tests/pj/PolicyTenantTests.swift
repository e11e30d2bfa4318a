import Expectations
import JSON
import PlainText
import Testing

@testable import PolicyCommands

@Suite("pj policy on a tenant")
struct PolicyTenantTests {
  private static func policy(
    _ name: String, _ groups: [String], _ settings: String, platform: String = "ios", apps: String
  ) -> String {
    let targets = groups.map {
      ##"{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "\##($0)"}}"##
    }
    let key = platform == "ios" ? "bundleId" : "packageId"
    return
      ##"{"@odata.type": "#microsoft.graph.\##(platform)ManagedAppProtection", "displayName": "\##(name)", "apps": [{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.\##(platform)MobileAppIdentifier", "\##(key)": "\##(apps)"}}], "assignments": [\##(targets.joined(separator: ", "))], \##(settings)}"##
  }

  private static let files: [(path: String, text: String)] = [
    ("nurses.json", policy("Nurses iOS", ["ward"], #""printBlocked": true"#, apps: "org.contoso.chart")),
    ("wards.json", policy("Wards", ["WARD", "clinic"], #""printBlocked": false"#, apps: "org.contoso.chart")),
    (
      "android.json",
      policy("Nurses Android", ["ward"], #""printBlocked": false"#, platform: "android", apps: "org.contoso.chart")
    ),
    (
      "groups.json",
      ##"{"value": [{"@odata.type": "#microsoft.graph.group", "id": "ward", "members": [{"id": "ada"}]}, {"@odata.type": "#microsoft.graph.group", "id": "other", "members": [{"id": "eve"}]}]}"##
    ),
  ]

  private static func run(_ words: String...) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir -p '\(folder)/tenant'"), 0)
      for (path, text) in files { try TestFiles.write(Array(text.utf8), to: "\(folder)/tenant/\(path)") }
      try TestFiles.write(
        Array(
          #"{"profile": 1, "rules": [{"rule": "differingPolicies", "do": "silence", "reason": "Wards print."}, {"rule": "differingTwins", "do": "raise", "reason": "Ours agree."}]}"#
            .utf8), to: "\(folder)/profile.json")
      return ToolRun(["policy"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 })
    }
  }

  private static func rules(_ run: ToolRun) -> [String] {
    run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "finding" }.map { record in
      let file = record["file"]?.string?.split(separator: "/").last ?? ""
      return "\(file) \(record["severity"]?.string ?? "") \(record["rule"]?.string ?? "")"
    }
  }

  @Test("Lint reads the documents of a folder together")
  func lint() throws {
    let run = try Self.run("lint", "./tenant", "-j")
    expectEqual(run.code, .different)
    expectEqual(
      Self.rules(run), ["nurses.json warning differingPolicies", "nurses.json note differingTwins"])
    let pair = try #require(run.records.compactMap { $0?.object }.first { $0["rule"]?.string == "differingPolicies" })
    #expect(pair["message"]?.string?.contains("tenant/wards.json reaches the same users in org.contoso.chart") == true)
    #expect(pair["message"]?.string?.contains("(Block here, Allow there)") == true, "\(pair)")
    #expect(run.notes.isEmpty)
    let one = try Self.run("lint", "./tenant/nurses.json", "-j")
    #expect(one.code == .done && Self.rules(one).isEmpty && one.notes.isEmpty)
    let few = try Self.run("lint", "./tenant/nurses.json", "./tenant/android.json")
    expectEqual(
      few.notes, "pj policy: what only groups with their members would show is not checked. Next: export them, too\n")
  }

  @Test("Files that are named one by one are no tenant: what they lack is no finding")
  func namedFiles() throws {
    try TestFiles.withTemporaryFolder { folder in
      let configuration =
        ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "displayName": "Beds", "customSettings": [{"name": "Theme", "value": "dark"}], "appGroupType": "selectedPublicApps", "apps": [{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": "org.contoso.beds"}}]}"##
      expectEqual(TestFiles.shell("mkdir -p '\(folder)/tenant'"), 0)
      for (path, text) in Self.files + [(path: "beds.json", text: configuration)] {
        try TestFiles.write(Array(text.utf8), to: "\(folder)/tenant/\(path)")
      }
      let all = ToolRun("policy", "lint", "\(folder)/tenant", "-j")
      #expect(Self.rules(all).contains("beds.json warning appWithoutPolicy"), "\(all.output)")
      let words = ["nurses.json", "wards.json", "android.json", "beds.json"].map { "\(folder)/tenant/\($0)" }
      let few = ToolRun(["policy", "lint"] + words + ["-j"])
      expectEqual(Self.rules(few), ["nurses.json warning differingPolicies", "nurses.json note differingTwins"])
    }
  }

  @Test("A profile decides about its findings, and continuous integration sees them")
  func decisions() throws {
    let run = try Self.run("lint", "./tenant", "--profile", "./profile.json", "-j")
    expectEqual(Self.rules(run), ["nurses.json warning differingTwins"])
    expectEqual(run.records.last??.object?["silenced"]?.number, JSONNumber(1))
    let junit = try Self.run("lint", "./tenant", "--format", "junit").output
    #expect(junit.contains("<testcase classname=\"differingPolicies\"") && junit.contains("tests=\"1\" failures=\"0\""))
    // A document with a finding is not clean, too.
    expectEqual(junit.split(separator: "classname=\"lint\"").count - 1, 2)
    let sarif = try Self.run("lint", "./tenant", "--format", "sarif").output
    #expect(sarif.contains("\"ruleId\":\"differingTwins\""))
  }

  @Test("In a report, what only several documents show has a column for each document, which is not clean")
  func report() throws {
    let page = try Self.run("lint", "./tenant", "--format", "html").output
    #expect(page.contains("<h2>Documents together <small>1 document</small></h2>"), "\(page.suffix(4000))")
    #expect(page.contains("<p>2 documents have no findings.</p>"), "\(page.suffix(4000))")
    #expect(page.contains("in 3 policies; skipped: 2 Group.</p>"), "\(page.suffix(4000))")
    let lines = try CSVRecords.read(try Self.run("lint", "./tenant", "--format", "csv").output).map(\.fields)
    let named = lines.dropFirst().map { [$0[1], $0[6], $0[7]] }
    expectEqual(
      named,
      [
        ["assignments [differingPolicies]", "Nurses iOS", "Documents together"],
        ["displayName [differingTwins]", "Nurses iOS", "Documents together"],
      ])
    let decided = try Self.run("lint", "./tenant", "--profile", "./profile.json", "--format", "markdown").output
    #expect(decided.contains("in 3 policies, 1 silenced; skipped: 2 Group."), "\(decided)")
  }

  @Test("The matrix has the policies that count for each group in each app")
  func matrix() throws {
    let run = try Self.run("effective", "./tenant", "--matrix", "--reveal", "-j")
    expectEqual(run.code, .done)
    let found = run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "reach" }.map { record in
      func names(_ member: String) -> String {
        (record[member]?.array ?? []).compactMap { $0.string?.split(separator: "/").last }.joined(separator: " ")
      }
      let group = record["group"]?.string ?? "-"
      return "\(record["platform"]?.string ?? "") \(group): \(names("policies")); \(names("undecided"))"
    }
    expectEqual(
      found,
      [
        "iOS ward: nurses.json wards.json; ", "iOS clinic: wards.json; ", "iOS -: ; ",
        "Android ward: android.json; ", "Android clinic: ; ", "Android -: ; ",
      ])
    // Numbers tell groups apart whose names are withheld.
    let numbers = try Self.run("effective", "./tenant", "--matrix", "-j").records.compactMap { $0?.object }.filter {
      $0["kind"]?.string == "reach"
    }.map { $0["number"]?.number }
    expectEqual(numbers, [1, 2, nil, 1, 2, nil].map { (number: Int?) in number.map { JSONNumber($0) } })
    let text = try Self.run("effective", "./tenant", "--matrix").output
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    expectEqual(
      Array(lines.prefix(5)),
      ["iOS A", "group 1 2, 3", "group 2 3", "all other users none", "A org.contoso.chart"])
  }

  @Test("The matrix takes no user, app or platform")
  func refusals() throws {
    expectEqual(
      try Self.run("effective", "./tenant").notes,
      "pj policy: effective needs --user and --app, or --matrix. Next: pj help policy\n")
    expectEqual(
      try Self.run("effective", "./tenant", "--matrix", "--user", "ada").notes,
      "pj policy: --matrix asks for every group, app and platform, and takes no --user. Next: pj help policy effective\n"
    )
    expectEqual(
      try Self.run("effective", "./tenant", "--matrix", "--all").notes,
      "pj policy: --matrix takes none of --require-policy, --all and --format. Next: pj help policy effective\n")
    try TestFiles.withTemporaryFolder { folder in
      let run = ToolRun("policy", "effective", folder, "--matrix")
      #expect(run.code == .unreadable && run.notes.contains("no policy was judged. Next: pj policy list "))
    }
  }
}
