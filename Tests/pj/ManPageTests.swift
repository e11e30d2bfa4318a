import Expectations
import AppProtection
import CommandLineInterface
import EventSourcing
import Testing

@testable import CommandSupport
@testable import pj
@testable import PolicyCommands

@Suite("Manual pages")
struct ManPageTests {
  @Test("Pages are written for pj and every command, into a folder that is made, and never over others")
  func written() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/man1"
      let run = ToolRun("help", "--man-pages", path)
      #expect(run.code == .done && run.output.isEmpty && run.notes.isEmpty)
      let names = ["pj.1", "pj-terms.1"] + PolicyJournalTool.table.commands.map { "pj-\($0.name).1" }
      let written = try TestFiles.names(in: path)
      expectEqual(written.sorted(), names.sorted())
      for page in PolicyJournalTool.table.manPages {
        let text = String(decoding: try TestFiles.read("\(path)/\(page.file)"), as: UTF8.self)
        expectEqual(text, page.text)
      }
      let again = ToolRun("help", "--man-pages", path)
      expectEqual(again.code, .wrongUse)
      expectEqual(
        again.notes, "pj help: \(path)/pj.1 exists, and existing files are never replaced. Next: pj help help\n")
      let nowhere = ToolRun("help", "--man-pages", "\(folder)/a/b")
      #expect(nowhere.code == .unreadable && nowhere.notes.contains("\(folder)/a/b: the pages cannot be written: "))
    }
  }

  @Test("--man prints the page of pj or of a command")
  func printed() {
    expectEqual(ToolRun("help", "--man").output, PolicyJournalTool.table.manPage())
    let log = ToolRun("help", "--man", "log").output
    #expect(log.hasPrefix(".TH \"PJ\\-LOG\" \"1\"") && log.contains("\\-\\-oneline"))
    let run = ToolRun("help", "--man", "lg")
    expectEqual(run.code, .wrongUse)
    expectEqual(run.notes, "pj help: lg has no manual page of its own; nearest: log. Next: pj help --man\n")
  }

  @Test("The page about paths names every part of a state, in its order")
  func slices() {
    expectEqual(HelpTopics.slices.map(\.name), AppProtectionState.sliceNames)
  }
}
