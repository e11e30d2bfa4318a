import Expectations
import JSON
import Testing

@testable import CommandSupport
@testable import pj
@testable import PolicyCommands

@Suite("The published JSON Schemas")
struct OutputSchemaTests {
  private static let folder = "Sources/pj/pj.docc/schemas"

  /// What is wrong with JSON Lines of the tool; empty where its schema has every record and member.
  static func problems(of output: String) -> [String] {
    guard output.hasPrefix("{\"kind\":\"start\",") else { return [] }
    let lines = output.split(separator: "\n")
    let records = lines.map { try? JSONDocument.parse(Array($0.utf8)).root.value }
    guard let name = records.first??.object?["schema"]?.string,
      let schema = PolicyJournalTool.schemas.first(where: { "pj.\($0.name)" == name })
    else { return ["no schema is published for \(lines[0])"] }
    let json = schema.json
    return records.enumerated().flatMap { index, record in
      record.map { JSONSchemaValidator.problems(of: $0, in: json, at: "\(name), line \(index + 1)") }
        ?? ["\(name), line \(index + 1) is no JSON"]
    }
  }

  @Test(
    "The files in the repository are what the table gives: UPDATE_GOLDEN=1 writes them anew",
    arguments: PolicyJournalTool.schemas.map(\.name))
  func filesAreCurrent(name: String) throws {
    let schema = try #require(PolicyJournalTool.schemas.first { $0.name == name })
    let path = "\(Repository.root)/\(Self.folder)/\(schema.file)"
    let text = ToolRun("schema", "--json-output", name).output
    #expect(text.hasSuffix("\n}\n") && !text.hasSuffix("\n\n"))
    if Platform.variable("UPDATE_GOLDEN") == "1" { try TestFiles.write(Array(text.utf8), to: path) }
    expectEqual(String(decoding: try TestFiles.read(path), as: UTF8.self), text)
  }

  @Test("No file is left of a schema that is gone, and every command has one")
  func complete() throws {
    let files = try TestFiles.names(in: "\(Repository.root)/\(Self.folder)").filter { !$0.hasPrefix(".") }
    #expect(files.sorted() == PolicyJournalTool.schemas.map(\.file).sorted())
    let groups = Set(PolicyJournalTool.schemas.map { String($0.name.prefix { $0 != "." }) })
    #expect(Set(PolicyJournalTool.table.commands.map(\.name)).subtracting(groups) == [])
  }

  @Test(
    "Every reviewed output is valid, as JSON and with every member published",
    arguments: SnapshotTests.snapshots.map(\.file))
  func reviewedOutputs(file: String) throws {
    let commands = try #require(SnapshotTests.snapshots.first { $0.file == file }).commands
    for words in commands {
      let words = words.map(SnapshotTests.expanded)
      let run = ToolRun(words.contains("-j") ? words : words + ["-j"])
      expectEqual(Self.problems(of: run.output), [], "\(words)")
    }
  }

  @Test("Every journal and every document gives valid JSON", arguments: Repository.journals)
  func journals(name: String) throws {
    let path = Repository.journal(name)
    let commands = [
      ["log", path, "--reveal"], ["show", path, "1", "7", "12"], ["state", path], ["stats", path], ["fields", path],
      ["verify", path], ["check", path], ["blame", path, "/accounts", "--writes"], ["diff", "\(path)@3", path],
      ["compare", path, Repository.journal("first-enrollment")], ["policy", "show", path, "--account", "a1"],
      ["bisect", path, "-w", "launch(a1) = open"], ["bisect", path, "--run", "test $PJ_EVENT -lt 5"],
      ["explain", path, "launch(a1)", "--when"], ["explain", path, "saveTo(localDrive, a1)"], ["log", path, "--bogus"],
    ]
    for words in commands {
      let run = ToolRun(words + ["-j"])
      #expect(run.output.hasPrefix("{\"kind\":\"start\","), "\(words): \(run.output)\(run.notes)")
      expectEqual(Self.problems(of: run.output), [], "\(words)")
    }
  }

  @Test("The validator finds what is wrong")
  func validator() throws {
    func problems(_ line: String) -> [String] { Self.problems(of: "{\"kind\":\"start\",\"schema\":\"pj.\(line)") }
    let start = "version\",\"version\":1,\"tool\":\"pj 1\"}\n"
    expectEqual(problems(start + "{\"kind\":\"end\",\"complete\":true,\"exit\":0}"), [])
    let cases = [
      ("{\"kind\":\"end\",\"complete\":true}", "exit is missing"),
      ("{\"kind\":\"end\",\"complete\":1,\"exit\":0}", "is not of type boolean"),
      ("{\"kind\":\"end\",\"complete\":true,\"exit\":0.5}", "is not of type integer"),
      ("{\"kind\":\"end\",\"complete\":true,\"exit\":0,\"more\":1}", "more is not in the schema"),
      ("{\"kind\":\"other\"}", "no choice fits"),
      (
        "{\"kind\":\"version\",\"pj\":\"1\",\"journalFormat\":\"1\",\"reducerRevision\":1,\"catalogFingerprint\":\"xy\"}",
        "does not match"
      ), ("{", "is no JSON"),
    ]
    for (line, reason) in cases {
      let found = problems(start + line)
      #expect(found.contains { $0.contains(reason) }, "\(line): \(found)")
    }
    #expect(problems("nothing\",\"version\":1,\"tool\":\"pj 1\"}").first?.hasPrefix("no schema is published") == true)
  }
}
