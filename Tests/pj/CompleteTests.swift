import Expectations
import CommandLineInterface
import Forensics
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool
@testable import pj
@testable import PolicyCommands

@Suite("Candidates for completion")
struct CompleteTests {
  private static let wipe = Repository.journal("interrupted-wipe")

  private static func candidates(_ words: String...) -> [String] {
    ToolRun(["complete"] + words).lines.map(String.init)
  }

  @Test("Types, positions, paths and accounts are those of the journal on the line")
  func fromJournal() {
    let journal = Self.wipe
    expectEqual(
      Self.candidates("types", "--", "wipe", "log", journal, "--type"),
      [
        "wipe.completed", "wipe.delegateAnswered", "wipe.filesRemoved", "wipe.requested",
      ])
    expectEqual(
      Self.candidates("positions", "--", "", "log", journal).prefix(5),
      [
        "start", "end", "today", "yesterday", "account.introduced",
      ])
    expectEqual(
      Self.candidates("positions", "--", "process.started#", "log", journal),
      [
        "process.started#1", "process.started#2", "process.started#3", "process.started#4",
      ])
    expectEqual(
      Self.candidates("positions", "--", "3..e", "log", journal),
      [
        "3..end", "3..enrollment.requested",
        "3..enrollment.succeeded",
      ])
    expectEqual(
      Self.candidates("paths", "--", "/accounts/a1/enrollment/st", "blame", journal),
      [
        "/accounts/a1/enrollment/status"
      ])
    expectEqual(
      Self.candidates("paths", "--", "/acc", "state", "\(journal)@12").prefix(2), ["/accounts", "/accounts/a1"])
    expectEqual(Self.candidates("accounts", "--", "", "log", journal), ["a1"])
  }

  @Test("Every place that takes a position or a range has candidates, in every command")
  func places() {
    for command in PolicyJournalTool.groups.flatMap(\.commands).map({ $0.description }) {
      let name = command.name
      for argument in command.positionals where ["RANGE", "POSITION"].contains(argument.name) {
        expectEqual(argument.completion, .asks("positions"), "\(name) \(argument.name)")
      }
      for option in command.options where option.placeholder == "POSITION" {
        expectEqual(option.completion, .asks("positions"), "\(name) --\(option.name)")
      }
    }
  }

  @Test("Without a journal they are those of every journal, and what cannot be read is nobody's business")
  func withoutJournal() throws {
    _ = Repository.root
    expectEqual(Self.candidates("types", "--", ""), PolicyJournalTool.domain.entries.map(\.name))
    expectEqual(Self.candidates("positions", "--", "st", "log", "nowhere"), ["start", "state.migrated"])
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/broken.pj"
      try TestFiles.copy(Self.wipe, to: path)
      for name in try TestFiles.names(in: path) where name == "JOURNAL" || name.hasSuffix(".seg") {
        try TestFiles.write([1, 2, 3], to: "\(path)/\(name)")
      }
      let run = ToolRun("complete", "paths", "--", "", "blame", path)
      #expect(run.output.isEmpty && run.notes.isEmpty && run.code == .done)
    }
  }

  @Test("No candidate needs quotes, and none names a person")
  func plain() {
    for journal in Repository.journals {
      for kind in ["types", "positions", "paths", "accounts"] {
        for word in Self.candidates(kind, "--", "", "log", Repository.journal(journal)) {
          #expect(!word.contains { " '\"\\$*?()&;<>|`\u{1B}".contains($0) }, "\(word)")
          #expect(!word.contains("contoso"), "\(word)")
        }
      }
    }
  }

  @Test("No help, script or page mentions the command, and a shell can still call it")
  func hidden() {
    let table = PolicyJournalTool.table
    #expect(!table.overview().contains("complete ") && !table.commands.contains { $0.name == "complete" })
    #expect(table.command(named: "complete") != nil)
    #expect(!table.manPages.contains { $0.file == "pj-complete.1" })
  }
}
