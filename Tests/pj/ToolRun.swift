import JSON
import Testing

@testable import CommandSupport
@testable import pj
@testable import PolicyCommands

/// One run of the tool in this process, with what it printed.
struct ToolRun {
  let output: String
  let notes: String
  let code: ExitCode

  init(_ words: [String], environment: ToolEnvironment = .withoutPauses) {
    let output = TextOutput()
    let notes = TextOutput()
    code = PolicyJournalTool.shell.run(words, output: output, notes: notes, environment: environment)
    self.output = output.text
    self.notes = notes.text
    expectValidJSON()
  }

  /// Every JSON output of every test is what its schema says.
  private func expectValidJSON() {
    // Long ones are like short ones, and take long.
    guard output.utf8.count < 65_536 else { return }
    let problems = OutputSchemaTests.problems(of: output)
    #expect(problems.isEmpty, "\(problems.prefix(3))")
  }

  /// Runs words as the system hands them over.
  init(bytes words: [[UInt8]]) {
    let output = TextOutput()
    let notes = TextOutput()
    code = PolicyJournalTool.shell.run(bytes: words, output: output, notes: notes, environment: .withoutPauses)
    self.output = output.text
    self.notes = notes.text
  }

  init(_ words: String...) {
    self.init(words)
  }

  /// The lines of the output, without the empty one after the last line end.
  var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: true) }

  /// The words of the output on one line, however its lines are folded.
  var unfolded: String { output.split { $0 == " " || $0 == "\n" }.joined(separator: " ") }

  /// The output as JSON Lines; a line that is no JSON gives `nil`.
  var records: [JSONValue?] {
    lines.map { try? JSONDocument.parse(Array($0.utf8)).root.value }
  }
}

/// The repository that the tests are in.
enum Repository {
  /// Its folder. Tests print relative paths, so the process works from there.
  static let root: String = {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    _ = TestFiles.enter(folder)
    return folder
  }()

  /// The path of a golden journal, relative to the repository.
  static func journal(_ name: String) -> String {
    _ = root
    return "journals/\(name)/journal"
  }

  /// The names of the golden journals.
  static let journals = [
    "damaged-frame", "first-enrollment", "framework-history", "interrupted-wipe", "multi-identity-day",
    "remediation-queue", "torn-tail",
  ]
}
