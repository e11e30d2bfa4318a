import Expectations
import JSON
import Testing

@testable import CommandSupport

@Suite("pj policy level")
struct PolicyLevelTests {
  private static func document(_ part: String) throws -> String {
    let names = try TestFiles.names(in: "\(Repository.root)/journals/documents")
    return "journals/documents/" + (try #require(names.first { $0.contains(part) }))
  }

  private static func records(_ run: ToolRun, _ kind: String) -> [JSONObject] {
    run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == kind }
  }

  @Test("--require ends with 1 where a policy is below the level, and with 0 where all meet it")
  func require() throws {
    let level1 = try Self.document("79fd1a7")
    let level2 = try Self.document("44335e0")
    let rows: [(words: [String], code: ExitCode)] = [
      ([level1], .done), ([level1, "--require", "1"], .done), ([level1, "--require", "2"], .different),
      ([level1, level2, "--require", "1"], .done), ([level1, level2, "--require", "2"], .different),
      ([level2, "--require", "2"], .different), ([level2, "--require", "2", "--revision", "2020-11-17"], .done),
      ([level2, "--require", "4"], .wrongUse), ([level2, "--revision", "2020-11-18"], .wrongUse),
    ]
    for row in rows {
      for option in [[], ["-j"]] {
        let run = ToolRun(["policy", "level"] + row.words + option)
        expectEqual(run.code, row.code, "\(row.words): \(run.output)\(run.notes)")
      }
    }
  }

  @Test("A value that the exporting program lost meets no level")
  func lost() throws {
    let text = String(decoding: try TestFiles.read("\(Repository.root)/\(try Self.document("44335e0"))"), as: UTF8.self)
    let members = try #require(try JSONDocument.parse(Array(text.utf8)).value.object).members
    for name in ["exemptedAppProtocols", "allowedDataStorageLocations"] {
      let lost = members.filter { $0.name != name } + [.init(name, .string("System.Object[]"))]
      try TestFiles.withTemporaryFolder { folder in
        try TestFiles.write(
          Array(JSONValue.object(lost).description.utf8), to: "\(folder)/lost.json")
        let run = ToolRun("policy", "level", "\(folder)/lost.json", "--require", "2", "--revision", "2020-11-17")
        #expect(
          run.code == .partial && run.output.contains("the value in the document is lost or unreadable"), "\(run)")
      }
    }
  }

  @Test("The verdict comes first; one policy's missing settings follow, those of several with --all")
  func text() throws {
    let level2 = try Self.document("44335e0")
    let one = ToolRun("policy", "level", level2).output.split(separator: "\n")
    #expect(one.first?.hasPrefix("level  next ") == true && one[1].hasPrefix("1      level 2, but for 2 settings  "))
    #expect(one.contains { $0.contains("Offline grace period, Wipe data (days)") && $0.contains("90 days") })
    expectEqual(one.last?.hasPrefix("1 policy. Data protection framework of 2025-10-14 (the documentation)."), true)
    let level1 = try Self.document("79fd1a7")
    let two = ToolRun("policy", "level", level1, level2)
    #expect(!two.output.contains("90 days") && two.notes.contains("--all lists what each policy lacks"))
    #expect(ToolRun("policy", "level", level1, level2, "--all").output.contains("90 days"))
  }

  @Test("A policy for Android is compared with the values for Android")
  func android() throws {
    let path = try Self.document("5767671")
    let run = ToolRun("policy", "level", path)
    #expect(run.code == .done && run.output.contains("level 2, but for 4 settings"), "\(run.output)")
    #expect(run.output.contains("Samsung Knox device attestation"))
    expectEqual(ToolRun("policy", "level", path, "--require", "2").code, .different)
    expectEqual(ToolRun("policy", "level", path, "--require", "2", "--revision", "2021-10-05").code, .done)
  }

  @Test("A document without values in the framework is named with its type, and fails only with --require")
  func outOfScope() throws {
    let android = try Self.document("5767671")
    let early = "androidManagedAppProtection: the framework has values for Android from 2021-10-05 on"
    for (path, type, options) in [
      (android, early, ["--revision", "2020-03-05"]),
      ("Tests/pj/Policies/Registration.json", "App registration", []),
    ] {
      let run = ToolRun(["policy", "level", path] + options)
      #expect(run.code == .done && run.output.contains("out of scope: \(type)"), "\(run.output)\(run.notes)")
      let required = ToolRun(["policy", "level", path, "--require", "1"] + options)
      #expect(required.code == .different && required.notes.contains("what is out of scope meets no level"))
      let json = ToolRun(["policy", "level", path, "-j"] + options)
      expectEqual(Self.records(json, "outOfScope").map { $0["type"]?.string }, [type])
    }
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/script.json"
      try TestFiles.write(Array(##"{"@odata.type": "#microsoft.graph.deviceManagementScript"}"##.utf8), to: path)
      let run = ToolRun("policy", "level", path)
      #expect(run.code == .done && run.output.contains("out of scope: deviceManagementScript"), "\(run.notes)")
      // A folder may hold anything; only policies for other platforms fail there, and where there is none, nothing holds.
      expectEqual(ToolRun("policy", "level", folder, "--require", "1").code, .unreadable)
      let policy = ##"{"@odata.type": "#microsoft.graph.windowsManagedAppProtection"}"##
      try TestFiles.write(Array(policy.utf8), to: "\(folder)/windows.json")
      expectEqual(ToolRun("policy", "level", folder, "--require", "1").code, .different)
      expectEqual(ToolRun("policy", "level", folder).code, .done)
    }
  }

  @Test("JSON names each missing setting with its value, the wanted one and the properties that hold it")
  func json() throws {
    let run = ToolRun("policy", "level", try Self.document("44335e0"), "-j")
    let policy = try #require(Self.records(run, "policy").first)
    expectEqual(policy["level"]?.number, JSONNumber(1))
    let settings = Self.records(run, "setting").filter { $0["level"]?.number == JSONNumber(2) }
    expectEqual(settings.map { $0["setting"]?.string }, ["offlineWipe", "minimumOS"])
    let wipe = try #require(settings.first)
    #expect(wipe["value"]?.string == "90 days" && wipe["wanted"]?.string == "30 days")
    expectEqual(wipe["outcome"]?.string, "missing")
    expectEqual(wipe["properties"]?.object?["periodOfflineBeforeWipeIsEnforced"]?.string, "P30D")
    let end = try #require(run.records.last??.object)
    #expect(end["policies"]?.number == JSONNumber(1) && end["below"]?.number == JSONNumber(0))
  }

  @Test("A file that cannot be read is named and does not keep the others from being judged")
  func unreadable() throws {
    let level1 = try Self.document("79fd1a7")
    let run = ToolRun("policy", "level", "nowhere.json", level1)
    #expect(run.code == .unreadable && run.notes.contains("nowhere.json: No such file or directory"))
    #expect(run.output.contains("level-1"))
    let alone = ToolRun("policy", "level", "nowhere.json")
    #expect(alone.code == .unreadable && alone.output.isEmpty)
    expectEqual(ToolRun("policy", "level").code, .wrongUse)
  }

  @Test("A value with an address in it is withheld")
  func redaction() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/p.json"
      let members = #""displayName": "alice@contoso.com", "minimumRequiredOsVersion": "alice@contoso.com""#
      try TestFiles.write(
        Array(##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", \##(members)}"##.utf8), to: path)
      for option in [[], ["-j"]] {
        let run = ToolRun(["policy", "level", path] + option)
        #expect(!(run.output + run.notes).contains("alice"), "\(run.output)")
        #expect(ToolRun(["policy", "level", path, "--reveal"] + option).output.contains("alice"))
      }
    }
  }
}
