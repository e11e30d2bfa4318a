import Expectations
import Testing

@testable import CommandSupport

@Suite("Odd values and pj policy")
struct OddValueCommandTests {
  private static func run(_ words: [String], _ files: String...) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      var paths: [String] = []
      for (index, members) in files.enumerated() {
        let path = "\(folder)/\(index + 1).json"
        let text = "{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\", \"displayName\": \"P\", \(members)}"
        try TestFiles.write(Array(text.utf8), to: path)
        paths.append(path)
      }
      return ToolRun(["policy", words[0]] + paths + words.dropFirst())
    }
  }

  private static let odd = #""pinRequired": true, "minimumPinLength": "6", "periodOfflineBeforeAccessCheck": "-PT17S""#
  private static let taken =
    #""pinRequired": true, "minimumPinLength": "6", "createdDateTime": "\/Date(1734686995000)\/""#

  @Test("What is unknown is shown so in every form, and ends in 3")
  func show() throws {
    let text = try Self.run(["show"], Self.odd)
    #expect(text.code == .partial && text.output.contains("Select minimum PIN length                     6"), "\(text)")
    #expect(text.output.contains("Offline grace period, Block access (minutes)  Unknown"), "\(text)")
    #expect(
      text.notes.contains("the value of periodOfflineBeforeAccessCheck is unknown. Next: pj policy lint "), "\(text)")
    let json = try Self.run(["show", "-j"], Self.odd)
    #expect(
      json.code == .partial
        && json.output.contains(
          #""title":"Offline grace period, Block access (minutes)","value":null,"properties":{},"unknown":true}"#),
      "\(json)")
    let list = try Self.run(["list"], Self.odd)
    #expect(
      list.code == .partial && list.notes.contains("the value of periodOfflineBeforeAccessCheck is unknown. Next: "),
      "\(list)")
    let table = try Self.run(["show", "--format", "csv"], Self.odd, Self.taken)
    #expect(
      table.code == .partial
        && table.output.contains("1.json,Unknown,,") && table.output.contains("2.json,Not configured,,"), "\(table)")
  }

  @Test("What was taken for another form ends as if it had been written so")
  func taken() throws {
    for action in ["show", "lint", "level"] { try expectEqual(Self.run([action], Self.taken).code, .done, "\(action)") }
    let lint = try Self.run(["lint"], Self.taken)
    #expect(lint.output.contains(#"the text "6" was found, and the number 6 was taken for it"#), "\(lint)")
    #expect(lint.output.contains(#"and the text "2024-12-20T09:29:55Z" was taken for it"#), "\(lint)")
  }

  @Test("No answer takes what is unknown for what is not set")
  func answers() throws {
    let lint = try Self.run(["lint"], Self.odd)
    #expect(lint.code == .partial && lint.output.contains("[unreadableValue]"), "\(lint)")
    let level = try Self.run(["level", "--require", "1"], Self.odd)
    #expect(
      level.code == .partial && level.output.contains("the value in the document is lost or unreadable"), "\(level)")
    let combine = try Self.run(["combine"], Self.odd, #""periodOfflineBeforeAccessCheck": "PT12H""#)
    #expect(combine.code == .partial && combine.output.contains("720 minutes  (1: unknown)"), "\(combine)")
    let diff = try Self.run(["diff"], Self.odd, Self.taken)
    #expect(
      diff.code == .partial && diff.notes.contains("the value of periodOfflineBeforeAccessCheck is unknown"), "\(diff)")
    let all = ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]"##
    let effective = try Self.run(
      ["effective", "--user", "ada", "--app", "com.example.app"], "\"appGroupType\": [], \(all)")
    #expect(effective.code == .partial && effective.output.contains("undecided"), "\(effective)")
  }

  @Test("An app configuration shows what is unknown, and does not compare it")
  func configuration() throws {
    func run(_ words: String...) throws -> ToolRun {
      try TestFiles.withTemporaryFolder { folder in
        for (name, settings) in [("1", "7"), ("2", #"[{"appConfigKey": "k", "appConfigKeyValue": "v"}]"#)] {
          let text =
            ##"{"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "displayName": "C", "settings": \##(settings)}"##
          try TestFiles.write(Array(text.utf8), to: "\(folder)/\(name).json")
        }
        return ToolRun(["policy"] + words.map { $0.hasSuffix(".json") ? "\(folder)/\($0)" : $0 })
      }
    }
    let show = try run("show", "1.json")
    #expect(show.code == .partial && show.output.contains("settings  Unknown"), "\(show)")
    let diff = try run("diff", "1.json", "2.json")
    #expect(diff.code == .partial && !diff.output.contains("Setting k"), "\(diff)")
  }

  @Test("One value that is out of range hides no other finding")
  func outOfRange() throws {
    let run = try Self.run(["lint"], #""maximumPinRetries": 0, "pinRequired": true, "simplePinBlocked": false"#)
    #expect(run.output.contains("maximumPinRetries") && run.output.contains("[simplePIN]"), "\(run)")
  }

  @Test("No history is changed by a policy of which a part is unknown")
  func whatif() throws {
    try TestFiles.withTemporaryFolder { folder in
      let text = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "minimumPinLength": "six"}"##
      try TestFiles.write(Array(text.utf8), to: "\(folder)/p.json")
      let run = ToolRun("whatif", Repository.journal("framework-history"), "--policy", "a1=\(folder)/p.json")
      #expect(run.code == .unreadable && run.notes.contains("the value of minimumPinLength is unknown"), "\(run)")
    }
  }
}
