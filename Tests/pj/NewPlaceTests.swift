import Expectations
import Testing

@testable import CommandSupport
@testable import pj
@testable import PolicyCommands

/// Where commands write: what they write appears where it was named, or not at all.
@Suite("New files and folders")
struct NewPlaceTests {
  private static let journal = Repository.journal("first-enrollment")

  /// The command lines of everything that writes a folder, up to its name, in a folder with an export and a diagnostic file.
  private static func commands(_ folder: String) -> [[String]] {
    [
      ["salvage", journal, "-o"], ["import", "\(folder)/a.pjx", "-o"],
      ["import", "--format", "intune-log", "\(folder)/log.txt", "-o"], ["whatif", journal, "--drop", "3", "-o"],
      ["simulate", "journals/first-enrollment/scenario.json", "-o"],
      ["tables", journal, "-o"], ["fork", journal, "5"], ["help", "--man-pages"],
    ]
  }

  /// What stands before the name of the place in what is said of it.
  private static func option(_ words: [String]) -> String {
    switch words.last {
    case "-o": "--output "
    case "--man-pages": "--man-pages "
    default: ""
    }
  }

  @Test("No command follows a link in the place of the folder that it writes, and each names the link")
  func links() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(
        TestFiles.shell("cd \(folder) && mkdir empty && ln -s empty link && ln -s nothing lost && touch log.txt"), 0)
      expectEqual(ToolRun("export", Self.journal, "-o", "\(folder)/a.pjx").code, .done)
      for words in Self.commands(folder) {
        let name = Self.option(words)
        for target in ["link", "link/", "link//", "link/."] {
          let run = ToolRun(words + ["\(folder)/\(target)"])
          #expect(run.code == .wrongUse && run.output.isEmpty, "\(words) \(target): \(run)")
          #expect(
            run.notes.hasSuffix(
              "\(name)\(folder)/\(target): this is a link, which is not followed; "
                + "name a folder that does not exist yet. Next: ls -ld \(folder)/link\n"), "\(words): \(run.notes)")
        }
        let run = ToolRun(words + ["\(folder)/lost"])
        #expect(run.code == .wrongUse && run.output.isEmpty, "\(words): \(run)")
        #expect(
          run.notes.hasSuffix(
            "\(name)\(folder)/lost: this link leads nowhere; "
              + "name a folder that does not exist yet. Next: ls -ld \(folder)/lost\n"), "\(words): \(run.notes)")
      }
      let names = try TestFiles.names(in: "\(folder)/empty")
      #expect(names.isEmpty)
      try expectEqual(TestFiles.names(in: folder).sorted(), ["a.pjx", "empty", "link", "log.txt", "lost"])
    }
  }

  @Test("Every command that writes what its option or word names is among those that are tried")
  func complete() {
    let tried = Set((Self.commands("") + [["export"], ["timeline"]]).map { $0[0] })
    let writing = PolicyJournalTool.table.commands.filter { command in
      command.options.contains { ["output", "man-pages"].contains($0.name) }
    }
    #expect(Set(writing.map(\.name)).isSubset(of: tried))
  }

  @Test("Whatever has the name of what a command writes stays as it is, and every command says so alike")
  func taken() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(
        TestFiles.shell(
          "cd \(folder) && echo old > file && mkfifo pipe && ln -s file link && ln -s nothing lost && touch log.txt"), 0
      )
      expectEqual(ToolRun("export", Self.journal, "-o", "\(folder)/a.pjx").code, .done)
      let files = [["export", Self.journal, "-o"], ["timeline", Self.journal, "-o"]]
      for (words, noun) in Self.commands(folder).map({ ($0, "folder") }) + files.map({ ($0, "file") }) {
        let name = Self.option(words)
        for (target, reason) in [
          ("\(folder)/file", "this exists and is not replaced"), ("\(folder)/pipe", "this exists and is not replaced"),
          ("/dev/null", "this exists and is not replaced"), ("\(folder)/link", "this is a link, which is not followed"),
          ("\(folder)/lost", "this link leads nowhere"),
        ] {
          let run = ToolRun(words + [target])
          #expect(run.code == .wrongUse && run.output.isEmpty, "\(words) \(target): \(run)")
          #expect(
            run.notes.hasSuffix(
              "\(name)\(target): \(reason); name a \(noun) that does not exist yet. Next: ls -ld \(target)\n"),
            "\(words): \(run.notes)")
        }
      }
      let kept = try TestFiles.read("\(folder)/file")
      expectEqual(kept, Array("old\n".utf8))
      try expectEqual(TestFiles.names(in: folder).sorted(), ["a.pjx", "file", "link", "log.txt", "lost", "pipe"])
    }
  }

  @Test("A folder may be named through links above it")
  func linksAbove() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("cd \(folder) && mkdir real && ln -s real link"), 0)
      expectEqual(ToolRun("salvage", Self.journal, "-o", "\(folder)/link/copy").code, .done)
      expectEqual(ToolRun("verify", "\(folder)/real/copy").code, .done)
    }
  }
}
