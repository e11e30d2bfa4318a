import AppProtection
import AppProtectionInsight
import AppProtectionKit
import EventSourcing
import PolicyDocuments
import PolicySettings
import Synchronization
import Testing

@testable import PolicyCommands
@testable import SampleNotes

/// The examples of the README and of the pages that it leads to. `UPDATE_GOLDEN=1 swift test --filter ReadmeTests` rewrites
/// their outputs.
@Suite("The README's examples")
struct ReadmeTests {
  private static let tourPage: String = "Sources/pj/pj.docc/PolicyTour.md"

  @Test(
    "Every example prints what the page says",
    arguments: ["README.md", tourPage, "Sources/SampleNotes/SampleNotes.docc/SampleNotes.md"])
  @MainActor
  func examples(page: String) async throws {
    let path = "\(Repository.root)/\(page)"
    try await TestFiles.withTemporaryFolder { folder in
      var printed: [[String]: String] = [:]
      for words in try PageExamples.commands(of: "sample-notes", at: path) {
        printed[words] = await Self.notes(words, on: "\(folder)/phone")
      }
      try PageExamples.expectCurrent(at: path) { program, words in
        switch program {
        case "pj":
          ToolRun(Array(words.prefix(1)) + words.dropFirst().map { Self.moved($0, to: folder) }).output
            .replacing("\(folder)/", with: "")
        case "sample-notes": printed[words]
        default: nil
        }
      }
    }
  }

  /// A word of a command line, where the examples' own folders are in another folder.
  private static func moved(_ word: String, to folder: String) -> String {
    word.hasPrefix("phone/") || word == "tables" ? "\(folder)/\(word)" : word
  }

  @Test("The tour for administrators shows each command, with ten lines at most")
  func tour() throws {
    let text = String(decoding: try TestFiles.read("\(Repository.root)/\(Self.tourPage)"), as: UTF8.self)
    let blocks = text.split(separator: "```\n").filter { $0.hasPrefix("$ ") }
    #expect(blocks.allSatisfy { $0.split(separator: "\n").filter { !$0.hasPrefix("$ ") }.count <= 10 })
    for command in [
      "pj policy list", "pj policy level", "pj policy diff", "pj policy effective", "pj settings fix", "pj fleet",
      "pj tables", "spark-submit",
    ] { #expect(blocks.contains { $0.contains("$ \(command) ") }, "\(command)") }
    #expect(blocks.contains { $0.contains(" --format ") })
  }

  @Test("The page for contributors names every command in tools")
  func tools() throws {
    let text = String(decoding: try TestFiles.read("\(Repository.root)/.github/CONTRIBUTING.md"), as: UTF8.self)
    // Others call this one.
    let names = try TestFiles.names(in: "\(Repository.root)/tools").filter { name in
      name != "python-venv"
        && TestFiles.shell("test -f \(Repository.root)/tools/\(name) -a -x \(Repository.root)/tools/\(name)") == 0
    }
    #expect(names.count > 30 && names.filter { !text.contains("`\($0)`") } == [])
  }

  /// What a command of the sample app prints, if the user answers no question.
  @MainActor
  private static func notes(_ words: [String], on phone: String) async -> String {
    let printed = Mutex("")
    let terminal = SampleNotes.Terminal(read: { nil }, write: { line in printed.withLock { $0 += line + "\n" } })
    let options = ["--phone", phone, "--service", "\(Repository.root)/Sources/SampleNotes/Company"]
    _ = await Program.run(options + words, on: terminal, clock: StandingClock())
    return printed.withLock { $0 }
  }

  @Test(
    "The numbers on the page about the status are those of the tables",
    arguments: [
      ("the settings in an app's", " lint with \(SettingsRule.allCases.count) rules"),
      ("policies in the", " lint with \(PolicyRule.allCases.count) rules"),
      ("headlines of all ", " all \(AppProtectionEvent.catalog.entries.count) events"),
      ("`pj diagnose`: ", " of \(ProblemFamily.allCases.count) families"),
      ("likely mistakes in the app: ", ": \(TraceFinding.Kind.allCases.count) kinds"),
    ])
  func counts(row: String, words: String) throws {
    let page = "\(Repository.root)/Sources/pj/pj.docc/Status.md"
    let lines = String(decoding: try TestFiles.read(page), as: UTF8.self).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("| \(row)") })
    #expect(line.contains(words), "\(line.prefix(120)) has not\(words)")
  }
}

/// A clock by which everything happens at once.
private struct StandingClock: TimeSource {
  func now() -> Moment { Moment(wallNanoseconds: 1_791_190_800_000_000_000, uptimeNanoseconds: 1) }
}
