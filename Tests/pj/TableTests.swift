import AppProtection
import Expectations
import CommandLineInterface
import Simulation
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool
@testable import pj
@testable import PolicyCommands

@Suite("The table of commands")
struct TableTests {
  private static let table = PolicyJournalTool.table

  @Test("The table has no mistakes")
  func noProblems() {
    expectEqual(Self.table.problems(), [])
  }

  @Test("Every command has three examples and says what it does", arguments: table.commands.map(\.name))
  func examples(name: String) throws {
    let command = try #require(Self.table.command(named: name))
    expectEqual(command.examples.count, 3)
    #expect(command.summary.hasSuffix("."))
  }

  @Test("Help, manual page and completions know every command, option and topic")
  func everythingIsKnown() throws {
    let man = Self.page(Self.table.manPage())
    let scripts = Shell.allCases.map { Self.table.completionScript(for: $0) }
    for command in Self.table.commands {
      let help = Self.table.helpText(for: command)
      #expect(Self.table.overview().contains(command.name))
      let commandPage = Self.page(Self.table.manPage(for: command))
      #expect(man.contains("pj-\(command.name)(1)"))
      for script in scripts { #expect(script.contains(command.name)) }
      for option in command.options + Self.table.globalOptions {
        #expect(help.contains("--\(option.name)"), "help \(command.name)")
        #expect(commandPage.contains("--\(option.name)"), "man: \(command.name)")
        for script in scripts { #expect(script.contains(option.name), "completions: \(command.name)") }
      }
    }
    for topic in Self.table.topics { #expect(Self.table.overview().contains(topic.name)) }
  }

  /// A manual page without roff's escapes of hyphens.
  private static func page(_ text: String) -> String { text.replacing("\\-", with: "-") }

  @Test("Every page of help fits 80 columns, in a pipe too, and none breaks a word")
  func pages() throws {
    for subject in Self.table.commands.map(\.name) + Self.table.topics.map(\.name) {
      let page = ToolRun("help", subject)
      #expect(page.lines.allSatisfy { TerminalText.width(of: String($0)) <= 80 }, "\(subject)")
      let words = Set(page.output.split(whereSeparator: \.isWhitespace))
      let wide = try Self.table.help(on: subject, width: 160)
      expectEqual(words, Set(wide.split(whereSeparator: \.isWhitespace)), "\(subject)")
    }
    func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
    let scenario = ToolRun("help", "scenario").output
    let expected = words(Scenario.helpText)
    expectEqual(Array(words(scenario).suffix(expected.count)), expected)
  }

  @Test("A command of pj is one file and one line of the table")
  func commands() throws {
    let folders = ["JournalCommands/Commands", "PolicyCommands/Commands", "ReplayTool/Commands", "pj"].map {
      "\(Repository.root)/Sources/\($0)"
    }
    let sources = try folders.flatMap { folder in
      try TestFiles.names(in: folder).filter { $0.hasSuffix(".swift") }.map { (name: $0, path: "\(folder)/\($0)") }
    }
    let shown = PolicyJournalTool.groups.flatMap(\.commands)
    let types = shown + PolicyJournalTool.hiddenCommands
    #expect(
      types.map { "\($0).swift" }.sorted() == sources.map(\.name).filter { $0.hasSuffix("Command.swift") }.sorted())
    #expect(shown.map { $0.description.name } == Self.table.commands.map(\.name))
    #expect(types.dropFirst(shown.count).map { $0.description.name } == Self.table.hiddenCommands.map(\.name))
    let status = try TestFiles.read("\(Repository.root)/Sources/pj/pj.docc/Status.md")
    let row = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("| `pj log ") }
    let listed = Set((row?.split(separator: "`")[1].split(separator: " ").dropFirst() ?? []).map(String.init))
    let others = listed.symmetricDifference(Self.table.commands.map(\.name)).sorted()
    expectEqual(others, [], "the page about the status lists the commands")
    for type in types {
      let naming = try sources.filter { source in
        let text = String(decoding: try TestFiles.read(source.path), as: UTF8.self)
        return text.split { !$0.isLetter }.contains("\(type)")
      }
      #expect(Set(naming.map(\.name)) == ["PolicyJournalTool.swift", "\(type).swift"], "\(type)")
    }
  }

  @Test("The table of exit codes lists every code")
  func exitCodes() {
    expectEqual(Self.table.exitCodes.map { Int32($0.code) }, ExitCode.allCases.map(\.rawValue))
    expectEqual(ExitCode.allCases.map(\.rawValue), [0, 1, 2, 3, 4, 5, 6, 70, 130])
  }

  @Test("The version names the tool, the format, the rules and the catalogue")
  func version() throws {
    let lines = ToolRun("version").lines
    expectEqual(lines.count, 4)
    expectEqual(lines.first, "pj \(Version.package)")
    #expect(lines[1].wholeMatch(of: /journal format +\d+\.\d+/) != nil)
    #expect(lines[2].wholeMatch(of: /reducer revision +\d+/) != nil)
    #expect(lines[3].wholeMatch(of: /catalogue fingerprint [0-9a-f]{64}/) != nil)
    let record = try #require(ToolRun("version", "-j").records[1]?.object)
    expectEqual(record["pj"]?.string, Version.package)
    expectEqual(record["catalogFingerprint"]?.string, lines[3].split(separator: " ").last.map(String.init))
  }

  @Test("Every event type is listed with its meaning")
  func schema() {
    let run = ToolRun("schema")
    for name in PolicyJournalTool.domain.entries.map(\.name) { #expect(run.output.contains(" \(name) "), "\(name)") }
    expectEqual(run.lines.count, PolicyJournalTool.domain.entries.map(\.name).count + 1)
  }

  @Test("Completions and the manual page are printed")
  func printed() {
    for shell in Shell.allCases {
      let run = ToolRun("completions", shell.rawValue)
      #expect(run.code == .done && run.output == Self.table.completionScript(for: shell))
    }
    expectEqual(ToolRun("help", "--man").output, Self.table.manPage())
    expectEqual(ToolRun("log", "--help").output, Self.table.helpText(for: LogCommand.description))
    expectEqual(ToolRun("--help").output, Self.table.overview())
    expectEqual(ToolRun("--version").output, "pj \(Version.package)\n")
  }
}
