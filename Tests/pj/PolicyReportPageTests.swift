import Expectations
import PlainText
import Testing

@testable import CommandSupport
@testable import PolicyCommands

@Suite("Headings, tables and colors of reports of policies")
struct PolicyReportPageTests {
  private static func policy(_ platform: String, _ name: String, _ settings: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.\##(platform)ManagedAppProtection", "displayName": "\##(name)", \##(settings)}"##
  }

  private static let files: [(path: String, text: String)] = [
    (
      "north/a/rules.json",
      policy("ios", "North", #""minimumPinLength": 4, "pinRequired": true, "description": "Description value""#)
    ),
    (
      "south/a/rules.json",
      policy(
        "ios", "South", #""minimumPinLength": 6, "pinRequired": true, "customBrowserProtocol": "1x", "id": "Id value""#)
    ),
    ("south/b/rules.json", policy("ios", "South", #""minimumPinLength": 6, "description": "Description value""#)),
    ("south/droid.json", policy("android", "Droid", #""minimumPinLength": 6, "version": "Version value""#)),
    (
      "own.json",
      #"{"baseline": 1, "title": "Fabrikam", "settings": [{"setting": "minimumPinLength", "is": "atLeast", "value": 5, "reason": "rule 3"}]}"#
    ),
  ]

  private static func run(_ words: String...) throws -> (run: ToolRun, folder: String) {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir -p '\(folder)/t/north/a' '\(folder)/t/south/a' '\(folder)/t/south/b'"), 0)
      for (path, text) in files {
        try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path == "own.json" ? "" : "t/")\(path)")
      }
      return (ToolRun(["policy"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 }), folder)
    }
  }

  @Test("A heading is the display name; the path below is shortened to what no other has, and whole in the tooltip")
  func headings() throws {
    let (run, folder) = try Self.run("show", "./t", "--format", "html")
    for (name, path, short) in [
      ("North", "north/a/rules.json", "north/a/rules.json"), ("South", "south/a/rules.json", "south/a/rules.json"),
      ("South", "south/b/rules.json", "b/rules.json"), ("Droid", "south/droid.json", "droid.json"),
    ] {
      let heading =
        "title=\"\(name)\n\(folder)/t/\(path)\"><div class=\"name lines2\"><bdi>\(name)</bdi></div><small><bdi>\(short)</bdi></small></th>"
      #expect(run.output.contains(heading), "\(heading): \(run.output.prefix(9000))")
    }
    let markdown = try Self.run("show", "./t", "--format", "markdown").run.output
    #expect(markdown.contains("| Setting | North | South (south/a/rules.json) | South (b/rules.json) |"), "\(markdown)")
  }

  @Test("Paths that end alike keep what tells them apart; where a document lies in its file stays with the file")
  func shortPaths() {
    let paths = ["x.json", "a/x.json", "b/a/x.json", "c/y.json: value[0]", "c/y.json: value[1]/2", "-", "/"]
    let report = Report(title: "", tables: [ReportTable(columns: paths.map { .init(name: "", path: $0) })])
    expectEqual(
      paths.map { report.shortPaths[$0] },
      ["x.json", "a/x.json", "b/a/x.json", "y.json: value[0]", "y.json: value[1]/2", "-", "/"])
  }

  @Test("Each platform has a table of its own")
  func platforms() throws {
    for action in ["show", "level", "lint"] {
      let page = try Self.run(action, "./t", "--format", "html").run.output
      for heading in ["<h2>iOS <small>3 documents</small></h2>", "<h2>Android <small>1 document</small></h2>"] {
        #expect(page.contains(heading), "\(action): \(heading)")
      }
    }
  }

  @Test("Comma-separated values keep the whole path, and name the document and its table after it")
  func csv() throws {
    let (run, folder) = try Self.run("show", "./t", "--format", "csv")
    let lines = try CSVRecords.read(run.output).map(\.fields)
    expectEqual(lines[0].suffix(2), ["name", "table"])
    let pins = lines.filter { $0[1] == "Select minimum PIN length" }.map { [$0[2], $0[3], $0[6], $0[7]] }
    expectEqual(
      pins,
      [
        ["\(folder)/t/north/a/rules.json", "4", "North", "iOS"],
        ["\(folder)/t/south/a/rules.json", "6", "South", "iOS"],
        ["\(folder)/t/south/b/rules.json", "6", "South", "iOS"],
        ["\(folder)/t/south/droid.json", "6", "Droid", "Android"],
      ])
  }

  @Test("What most documents say is not marked, and the legend says what a mark means")
  func marks() throws {
    let page = try Self.run("show", "./t", "--format", "html").run.output
    #expect(page.contains("<td class=\"marked\"><bdi>4</bdi></td><td><bdi>6</bdi></td><td><bdi>6</bdi></td>"))
    #expect(
      page.contains("<span class=\"marked\"><small>Aa</small></span> the documents differ, or this one from most"))
    let level = try Self.run("level", "./t", "--format", "html").run.output
    #expect(level.contains("<span class=\"marked notable\"><small>Aa</small></span> missing</li>"))
    #expect(level.contains("<span class=\"reference\"><small>Aa</small></span> what the documents are compared with"))
  }

  @Test("level says how many of how many meet each level, as text and as a report")
  func counts() throws {
    let counts = "4 policies, 0 of 4 meet level 1, 0 of 4 meet level 2, 0 of 4 meet level 3"
    #expect(try Self.run("level", "./t").run.output.contains(counts))
    for format in ["html", "markdown"] {
      #expect(try Self.run("level", "./t", "--format", format).run.output.contains(counts))
    }
  }

  @Test("lint makes a report with a row for each rule and setting, by severity, as the text has them")
  func lint() throws {
    let text = try Self.run("lint", "./t").run
    let (run, folder) = try Self.run("lint", "./t", "--format", "csv")
    expectEqual(run.code, text.code)
    let lines = try CSVRecords.read(run.output).map(\.fields).dropFirst()
    // Findings about one setting by one rule are one cell.
    #expect(!lines.isEmpty && lines.count <= text.lines.dropLast().count)
    for line in lines {
      #expect(["Errors", "Warnings", "Notes"].contains(line[0]) && line[2].hasPrefix("\(folder)/t/"))
      #expect(line[1].hasSuffix("]") && !line[3].isEmpty && !line[5].isEmpty, "\(line)")
    }
    let page = try Self.run("lint", "./t", "--format", "html").run.output
    #expect(page.contains("<td><bdi></bdi></td>") && page.contains("<span>Errors</span>"))
    #expect(page.contains("</span> error or warning</li>") && page.contains("in 4 policies.</p>"))
    // Two rules find something about one setting, and one rule in two policies.
    expectEqual(lines.filter { $0[1] == "description [placeholder]" }.map { $0[6] }, ["North", "South"])
    expectEqual(lines.count { $0[1].hasPrefix("customBrowserProtocol [") }, 2)
    let nothing = try Self.run("lint", "./t/nowhere.json", "--format", "csv").run
    #expect(nothing.code == .unreadable && nothing.output.isEmpty)
  }

  @Test("effective makes a report of what decides and of the effect")
  func effective() throws {
    let words = ["--user", "ada@contoso.com", "--app", "com.microsoft.Office.Outlook"]
    let text = try Self.run("effective", "./t", words[0], words[1], words[2], words[3]).run
    let run = try Self.run("effective", "./t", words[0], words[1], words[2], words[3], "--format", "csv").run
    #expect(run.code == text.code && run.notes == text.notes)
    let lines = try CSVRecords.read(run.output).map(\.fields).dropFirst()
    expectEqual(lines.filter { $0[1] == "Outcome" }.map { $0[6] }, ["North", "South", "South", "Droid"])
    #expect(lines.contains { $0[1] == "Platform" && $0[3] == "the policy is for Android" && $0[6] == "Droid" })
    let page = try Self.run("effective", "./t", words[0], words[1], words[2], words[3], "--format", "html").run.output
    #expect(page.contains("<h2>Policies <small>4 documents</small></h2>") && page.contains("</span> undecided</li>"))
    let json = try Self.run("effective", "./t", words[0], words[1], words[2], words[3], "--format", "csv", "-j").run
    #expect(json.notes.contains("-j does not apply to --format"))
  }

  @Test("A baseline makes a report, too")
  func baseline() throws {
    let run = try Self.run("level", "./t/north", "./t/south", "--baseline", "./own.json", "--format", "markdown").run
    expectEqual(run.code, .different)
    #expect(run.output.hasPrefix("# Fabrikam\n"), "\(run.output)")
    #expect(run.output.contains("| Outcome |  | not as asked | as asked | as asked |"), "\(run.output)")
    #expect(run.output.contains("| 5, or stricter | 4 **(missing: rule 3)** | 6 (met) | 6 (met) |"), "\(run.output)")
  }
}
