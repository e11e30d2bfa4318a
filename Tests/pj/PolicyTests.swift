import Expectations
import JSON
import Testing

@testable import CommandSupport

/// The files are in `Policies`.
@Suite("pj policy")
struct PolicyTests {
  private static func path(_ name: String) -> String {
    _ = Repository.root
    return "Tests/pj/Policies/\(name)"
  }

  private static let journal = Repository.journal("framework-history")

  private static func findings(_ run: ToolRun) -> [JSONObject] {
    run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "finding" }
  }

  @Test("One file that cannot be read does not keep the others from being checked")
  func severalFiles() throws {
    let run = ToolRun("policy", "lint", Self.path("Dump.plist"), "nowhere.json", Self.path("Faulty.json"), "-j")
    expectEqual(run.code, .unreadable)
    expectEqual(run.records.count { $0?.object?["kind"]?.string == "unreadable" }, 1)
    expectEqual(Set(Self.findings(run).compactMap { $0["file"]?.string }).count, 2)
    let end = try #require(run.records.last??.object)
    #expect(end["complete"]?.bool == false && end["policies"]?.number == JSONNumber(2))
  }

  @Test("Every finding has rule, severity, setting, reason, next step and source, and a place in its file")
  func findings() throws {
    let run = ToolRun("policy", "lint", Self.path("Faulty.json"), "-j")
    expectEqual(run.code, .different)
    #expect(Self.findings(run).count > 15)
    for finding in Self.findings(run) {
      for name in ["rule", "severity", "setting", "message", "remedy", "source"] {
        expectEqual(finding[name]?.string?.isEmpty, false, "\(name) of \(finding["rule"]?.string ?? "")")
      }
      #expect((finding["line"]?.number?.integer(Int.self) ?? 0) > 1)
    }
  }

  @Test("A dump and a document of Graph that say the same do not differ")
  func sameInBoth() throws {
    let graph = ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "x", "pinRequired": true,
       "simplePinBlocked": true, "allowedOutboundDataTransferDestinations": "managedApps",
       "periodOfflineBeforeAccessCheck": "PT12H", "minimumRequiredOsVersion": null}
      """##
    let dump =
      "PINEnabled=1\nSimplePINAllowed=0\nAppSharingToLevel=1\nAccessRecheckOfflineTimeout=720\nMinOsVersion=0.0\n"
    let runs = try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(graph.utf8), to: "\(folder)/graph.json")
      try TestFiles.write(Array(dump.utf8), to: "\(folder)/dump.txt")
      try TestFiles.write(Array(dump.replacing("PINEnabled=1", with: "PINEnabled=0").utf8), to: "\(folder)/other.txt")
      return ["dump", "other"].map { ToolRun("policy", "diff", "\(folder)/graph.json", "\(folder)/\($0).txt") }
    }
    #expect(runs[0].code == .done && runs[0].output.hasPrefix("no difference between "))
    #expect(runs[0].notes.hasSuffix("one of the two is from a device: only settings that devices have are compared\n"))
    #expect(runs[1].code == .different && runs[1].output.contains("PIN for access"))
    #expect(runs[1].output.contains("Require → Not required"))
  }

  @Test("What may name persons is withheld unless it is asked for")
  func redaction() {
    let commands = [
      ["policy", "show", Self.path("Dump.txt")], ["policy", "show", Self.path("Registration.json")],
      ["policy", "show", Self.path("Small.json")],
    ]
    for (words, secret) in zip(commands, ["alice@contoso.com", "5bc789cb-89cb"]) {
      for option in [[], ["-j"]] {
        let hidden = ToolRun(words + option)
        #expect(hidden.code == .done && !hidden.output.contains(secret) && !hidden.notes.contains(secret))
        #expect(ToolRun(words + option + ["--reveal"]).output.contains(secret), "\(words)")
      }
    }
  }

  @Test("Links, names of browsers, numbers and yes or no say nothing about a person and are shown")
  func impersonal() throws {
    #expect(ToolRun("policy", "show", Self.path("Small.json")).output.contains("http://*.contoso.com/*"))
    try TestFiles.withTemporaryFolder { folder in
      let members = #""customBrowserDisplayName": "Firefox", "newSwitch": true, "newLimit": 42, "owner": "Jane Doe""#
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", \##(members)}"##
      try TestFiles.write(Array(policy.utf8), to: "\(folder)/p.json")
      let changed = policy.replacing("true", with: "false").replacing("Firefox", with: "Edge")
      try TestFiles.write(Array(changed.utf8), to: "\(folder)/q.json")
      let shown = ToolRun("policy", "show", "\(folder)/p.json").output
      for text in ["\"Firefox\"", "newSwitch                 true", "newLimit                  42"] {
        #expect(shown.contains(text), "\(shown)")
      }
      #expect(!shown.contains("Jane") && shown.contains("owner                     (withheld)"), "\(shown)")
      let diff = ToolRun("policy", "diff", "\(folder)/p.json", "\(folder)/q.json").output
      #expect(diff.contains("\"Firefox\" → \"Edge\"") && diff.contains("true → false"), "\(diff)")
    }
  }

  @Test(
    "A file without a document, such as an empty list, ends in 4 with its name, place and next step in every action")
  func empty() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/empty.json"
      try TestFiles.write(Array("\n[]".utf8), to: path)
      for words in [["show", path], ["lint", path], ["combine", path], ["diff", path, path]] {
        for option in [[], ["-j"]] {
          let run = ToolRun(["policy"] + words + option)
          #expect(
            run.code == .unreadable
              && run.notes.contains(
                "\(path): line 2, column 1: the document lists no policy and nothing else. Next: pj help policy\n"),
            "\(words): \(run.notes)")
        }
      }
    }
  }

  @Test("A file with nothing but documents of unknown types ends in 4; each is named with its place and the next step")
  func unknownTypes() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/new.json"
      let entity = ##"{"@odata.type": "#microsoft.graph.somethingNew"}"##
      func run(_ count: Int, _ words: String...) throws -> ToolRun {
        try TestFiles.write(
          Array("[\(Array(repeating: entity, count: count).joined(separator: ",\n"))]".utf8), to: path)
        return ToolRun(["policy"] + words)
      }
      func line(_ number: Int) -> String {
        "pj policy: \(path): line \(number), column \(number == 1 ? 18 : 17): [\(number - 1)][\"@odata.type\"]: somethingNew is no "
          + "app protection policy and no app configuration; give a policy or a configuration for iOS, Android or Windows. "
          + "Next: pj help policy\n"
      }
      for words in ["show", "lint"] {
        try expectEqual(run(2, words, path).notes, line(1) + line(2), "\(words)")
        try expectEqual(run(20, words, path).notes, (1...8).map(line).joined(), "\(words)")
        let records = try run(1, words, path, "-j")
        #expect(records.code == .unreadable && records.output.contains(##"{"kind":"unreadable","file":""##))
        #expect(try run(1, words, path, Self.path("Small.json")).notes.contains("somethingNew is no") == false)
      }
    }
  }

  @Test("Free text with an address in it is withheld, and shown with --reveal; so is a version that is none")
  func addresses() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/p.json"
      try TestFiles.write(
        Array(
          ##"""
          {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "For alice@contoso.com",
           "description": "Ask alice@contoso.com", "minimumRequiredOsVersion": "alice@contoso.com",
           "minimumWarningOsVersion": "sixteen", "minimumWipeOsVersion": "15.0"}
          """##.utf8), to: path)
      let old = "\(folder)/old.json"
      try TestFiles.write(Array(##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection"}"##.utf8), to: old)
      for words in [["show", path], ["diff", old, path], ["combine", old, path], ["lint", path]] {
        for options in [[], ["-j"]] {
          let run = ToolRun(["policy"] + words + options)
          #expect(!(run.output + run.notes).contains("alice"), "\(words + options)")
          #expect(ToolRun(["policy"] + words + options + ["--reveal"]).output.contains("alice"), "\(words + options)")
        }
      }
      let shown = ToolRun("policy", "show", path).output
      #expect(shown.contains("sixteen (not a version)\n") && shown.contains("15.0\n"), "\(shown)")
    }
  }

  @Test("JSON withholds what no form explains: members of an assignment or an app, and a choice that is an address")
  func unexplained() throws {
    let id = "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01"
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/p.json"
      for member in [
        #""assignments": [{"note": "alice@contoso.com", "owner": "\#(id)"}]"#,
        #""apps": [{"id": "x", "owner": "alice@contoso.com", "mobileAppIdentifier": {"bundleId": "com.a"}}]"#,
        #""pinCharacterSet": "alice@contoso.com""#,
      ] {
        try TestFiles.write(
          Array(##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", \##(member)}"##.utf8), to: path)
        let withheld = ToolRun("policy", "show", "-j", path).output
        #expect(!withheld.contains("alice") && !withheld.contains(id), "\(withheld)")
        #expect(ToolRun("policy", "show", "-j", "--reveal", path).output.contains("alice"), "\(member)")
      }
    }
  }

  @Test("Of names with an @, only annotations are left out of a comparison; any other is a member")
  func annotations() throws {
    try TestFiles.withTemporaryFolder { folder in
      func write(_ name: String, _ value: Int) throws {
        try TestFiles.write(
          Array(
            ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": true, "\##(name)": \##(value)}"##
              .utf8),
          to: "\(folder)/\(value).json")
      }
      let rows: [(String, ExitCode, String)] = [
        ("@odata.etag", .done, ""), ("apps@odata.context", .done, ""), ("x@odata.bind", .done, ""),
        ("assignments@odata.navigationLink", .done, ""), ("@microsoft.graph.tips", .done, ""),
        ("#microsoft.graph.assign", .done, ""), ("@custom.note", .different, "(withheld)"),
        ("owner@contoso.com", .different, "(withheld)"), ("x@odata.typed", .different, "(withheld)"),
      ]
      for (name, code, line) in rows {
        try write(name, 1)
        try write(name, 2)
        let diff = ToolRun("policy", "diff", "\(folder)/1.json", "\(folder)/2.json")
        #expect(diff.code == code && (line.isEmpty || diff.output.contains("  \(line)")), "\(name): \(diff.output)")
        expectEqual(diff.output.contains("1 → 2"), !line.isEmpty, "\(name): \(diff.output)")
        expectEqual(ToolRun("policy", "lint", "\(folder)/1.json").code, code, "\(name)")
        expectEqual(
          ToolRun("policy", "show", "\(folder)/1.json").output.contains("Other members"), !line.isEmpty, "\(name)")
        let revealed = ToolRun("policy", "diff", "\(folder)/1.json", "\(folder)/2.json", "--reveal").output
        #expect(line.isEmpty || revealed.contains("  \(name)"), "\(revealed)")
      }
    }
  }

  @Test("Wrong use and what cannot be read are one line that says what to type")
  func errors() throws {
    let several = try TestFiles.withTemporaryFolder { folder in
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection"}"##
      try TestFiles.write(Array("[\(policy), \(policy)]".utf8), to: "\(folder)/two.json")
      try TestFiles.write(Array("[\(policy);]".utf8), to: "\(folder)/comma.json")
      return ["two", "comma"].map { ToolRun("policy", "diff", "\(folder)/\($0).json", Self.path("Small.json")) }
        + [ToolRun("policy", "diff", "\(folder)/two.json", Self.journal, "--account", "a1")]
    }
    expectEqual(several[2].code, .wrongUse)
    #expect(several[2].notes.contains("two.json: line 1, column 1: the document holds 2 policies; one is needed"))
    // Documents with several policies are compared as exports are.
    expectEqual(several[0].code, .different)
    expectEqual(several[1].code, .unreadable)
    #expect(several[1].notes.contains(": line 1, column 61: expected a comma or ] after an element"), "\(several[1])")
    let small = Self.path("Small.json")
    let rows: [([String], ExitCode, String)] = [
      (["show"], .wrongUse, "a file is missing, such as policy.json. Next: pj help policy"),
      (["diff", small], .wrongUse, "two policies are needed, but 1 is named. Next: pj help policy"),
      (
        ["diff", Self.path("Registration.json"), small], .unreadable,
        "\(Self.path("Registration.json")): line 1, column 1: the document holds no policy (App registration). Next: pj policy show \(Self.path("Registration.json"))"
      ),
      (
        ["lint", small, "--all"], .wrongUse,
        "--all applies to show, combine, effective and level only. Next: pj help policy"
      ),
      (["lint", small, "--require", "2"], .wrongUse, "--require applies to level only. Next: pj help policy"),
      (
        ["show", small, "--revision", "2020-03-05"], .wrongUse, "--revision applies to level only. Next: pj help policy"
      ),
      (
        ["show", Self.journal], .wrongUse,
        "\(Self.journal): this is a journal; --account names the account whose policy is meant. Next: pj state \(Self.journal) --path /accounts"
      ),
      (
        ["show", Self.journal, "--account", "a9"], .wrongUse,
        "\(Self.journal): account a9 does not exist; accounts here: a1, a2, a3. Next: pj state \(Self.journal) --path /accounts"
      ),
      (
        ["show", "\(Self.journal)@4", "--account", "a1"], .wrongUse,
        "\(Self.journal): a1 has no policy after event 4. Next: pj log \(Self.journal) --account a1 --type 'policy.*'"
      ),
      (["show", "nowhere.json"], .unreadable, "nowhere.json: No such file or directory. Next: ls -ld nowhere.json"),
    ]
    for (words, code, line) in rows {
      let run = ToolRun(["policy"] + words)
      #expect(run.code == code && run.output.isEmpty, "\(words)")
      expectEqual(run.notes, "pj policy: \(line)\n")
    }
  }
}
