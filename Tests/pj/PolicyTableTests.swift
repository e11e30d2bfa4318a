import Expectations
import PlainText
import Testing

@testable import CommandSupport
@testable import PolicyCommands

@Suite("Reports of policies")
struct PolicyTableTests {
  private static func document(_ number: Int) throws -> String {
    let folder = "\(Repository.root)/journals/documents"
    let names = try TestFiles.names(in: folder).sorted().filter {
      $0.contains("level-\(number)-") && $0.hasSuffix("iOS.json")
    }
    return "journals/documents/\(try #require(names.last))"
  }

  private static func fields(_ run: ToolRun) throws -> [[String]] { try CSVRecords.read(run.output).map(\.fields) }

  @Test("show puts every setting of every policy into a line of its own")
  func show() throws {
    let paths = [try Self.document(1), try Self.document(3)]
    let run = ToolRun(["policy", "show", "--format", "csv"] + paths)
    let lines = try Self.fields(run)
    #expect(run.code == .done && lines[0] == CSVReport.heading && run.output.hasSuffix("\r\n"))
    #expect(lines.allSatisfy { $0.count == 8 } && lines.count % 2 == 1 && lines.count > 60)
    let pin = lines.filter { $0[1] == "PIN for access" }
    #expect(pin.map { $0[2] } == paths && pin.map { $0[3] } == ["Require", "Require"])
    let all = try Self.fields(ToolRun(["policy", "show", "--format", "csv", "--all"] + paths))
    #expect(all.count > lines.count && all.contains { $0[3] == "Not configured" })
  }

  @Test("diff, combine and level say in a report what they say otherwise, with the same exit codes")
  func others() throws {
    let paths = [try Self.document(1), try Self.document(3)]
    for action in ["diff", "combine", "level"] {
      let words = ["policy", action] + paths
      let (text, csv) = (ToolRun(words), ToolRun(words + ["--format", "csv"]))
      expectEqual(text.code, csv.code, "\(action)")
      let records = ToolRun(words + ["-j"]).records.compactMap { $0?.object }
      let lines = try Self.fields(csv).dropFirst()
      switch action {
      case "diff": expectEqual(lines.count, 2 * records.count { $0["kind"]?.string == "change" })
      case "combine": expectEqual(lines.count, 3 * records.count { $0["kind"]?.string == "setting" })
      default:
        // A setting may be missing at two levels.
        let missing = Set(
          records.filter { $0["kind"]?.string == "setting" }.map { [$0["title"]?.string, $0["file"]?.string] })
        #expect(
          !missing.isEmpty
            && Set(lines.filter { $0[1] != "Level" && $0[4] != "met" }.map { [$0[1], $0[2]] }) == missing)
        #expect(lines.contains { $0[4] == "met" } && lines.allSatisfy { paths.contains($0[2]) })
      }
    }
    let below = ToolRun(["policy", "level", "--require", "2", "--format", "markdown"] + paths)
    #expect(
      below.code == .different && below.output.contains("| meets level 1 **(below the required level: level 2, but for")
    )
  }

  @Test("A setting that a platform does not have gets no line for its policy, and no level")
  func platforms() throws {
    let names = try TestFiles.names(in: "\(Repository.root)/journals/documents").sorted()
    let android =
      "journals/documents/\(try #require(names.last { $0.contains("level-3-") && $0.hasSuffix("Android.json") }))"
    let ios = try Self.document(3)
    for action in ["show", "diff", "level"] {
      let run = ToolRun("policy", action, ios, android, "--format", "csv")
      let lines = try Self.fields(run).dropFirst()
      #expect(lines.allSatisfy { $0[3] != "–" } && Set(lines.map { $0[2] }) == [ios, android], "\(action)")
      let page = ToolRun("policy", action, ios, android, "--format", "html").output
      #expect(!page.contains("<bdi>–</bdi>") && page.ranges(of: "<table>").count >= 2, "\(action)")
    }
  }

  @Test("Names stand before the identifiers that a table names")
  func names() throws {
    try TestFiles.withTemporaryFolder { folder in
      let names = "\(folder)/names.csv"
      try TestFiles.write(
        Array("\u{FEFF}id,name\r\nCOM.microsoft.skydrive,\"One\"\"Drive\", x\r\n\r\n1b2c,Sales".utf8), to: names)
      let policy = "\(folder)/policy.json"
      try TestFiles.write(
        Array(
          "{\"@odata.type\":\"#microsoft.graph.iosManagedAppProtection\",\"displayName\":\"a|b com.microsoft.skydrive <i>\",\"description\":\"=1+1\"}"
            .utf8), to: policy)
      let run = ToolRun("policy", "show", policy, "--format", "markdown", "--names", names)
      #expect(run.output.contains("| a\\|b One\"Drive (com.microsoft.skydrive) &lt;i&gt; |"))
      #expect(ToolRun("policy", "show", policy, "--format", "csv").output.contains(",\"'=1+1\",,,"))
      let page = ToolRun("policy", "show", policy, "--format", "html", "--names", names).output
      #expect(
        page.contains("<bdi>a|b One&quot;Drive (com.microsoft.skydrive) &lt;i&gt;</bdi>") && page.hasSuffix("</html>\n")
      )
      for (text, reason) in [
        ("a", "line 1: a line needs an identifier and a name, with a comma between them"),
        ("a,b\nA,c", "line 2: the identifier A stands there twice"),
        ("a,\"b\nc", "line 1: a quotation mark is not closed"),
        ("a,\"b\"c", "line 1: something follows the quotation mark that closes a field"),
        ("a b,c", "line 1: an identifier has letters, digits, dots, hyphens and underscores alone"),
      ] {
        try TestFiles.write(Array(text.utf8), to: names)
        let run = ToolRun("policy", "show", policy, "--format", "csv", "--names", names)
        #expect(
          run.code == .unreadable && run.notes == "pj policy: --names \(names): \(reason). Next: pj help policy\n")
      }
      try TestFiles.write([0xFF], to: names)
      #expect(
        ToolRun("policy", "show", policy, "--format", "csv", "--names", names).notes.contains(
          "line 1: the table is not UTF-8; save it as UTF-8"))
    }
  }

  @Test("Names of persons are withheld in reports too")
  func redaction() throws {
    let path = "Tests/pj/Policies/Dump.plist"
    for format in ["csv", "markdown", "html"] {
      let plain = ToolRun("policy", "show", path, "--format", format)
      #expect(!plain.output.contains("@contoso.com") && !plain.output.isEmpty)
    }
  }

  @Test("Wrong use is one line")
  func wrongUse() {
    let next = ". Next: pj help policy\n"
    expectEqual(
      ToolRun("policy", "show", "a", "--names", "b").notes,
      "pj policy: --names applies to a report: add --format\(next)")
    expectEqual(
      ToolRun("policy", "show", "a", "--format", "csv", "-j").notes, "pj policy: -j does not apply to --format\(next)")
    expectEqual(
      ToolRun("policy", "lint", "a", "--format", "xml").notes,
      "pj policy: --format is one of markdown, csv, html, junit, sarif, not 'xml'\(next)")
    let missing = ToolRun("policy", "show", "nowhere.json", "--format", "html")
    #expect(missing.code == .unreadable && missing.output.isEmpty)
  }

  @Test(
    "A field is quoted where it must be, and begins no formula",
    arguments: [
      ("a", "a"), ("", ""), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("a\nb", "\"a\nb\""),
      ("=A1", "\"'=A1\""),
      ("-2", "\"'-2\""), ("@x", "\"'@x\""), ("+1", "\"'+1\""), ("\tx", "\"'\tx\""), ("1-2", "1-2"),
    ])
  func csv(text: String, field: String) throws {
    #expect(CSVText.field(text) == field)
    let read = try CSVRecords.read("x,\(field)\r\n")
    #expect(read.count == 1 && read[0].fields.count == 2)
    #expect(read[0].fields[1] == text || read[0].fields[1] == "'" + text)
  }
}
