import PolicyDocuments
import Testing

@testable import pj

/// The examples of the README. `UPDATE_GOLDEN=1 swift test --filter ReadmeTests` writes their outputs anew.
@Suite("The README's examples")
struct ReadmeTests {
  private static let path = "\(Repository.root)/README.md"

  /// The README with what its examples print today: what follows a line `$ pj …` up to the end of its block.
  private static func printed(_ text: String) -> (text: String, count: Int) {
    var lines: [Substring] = []
    var isOutput = false
    var count = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isOutput = false }
      if !isOutput { lines.append(line) }
      guard line.hasPrefix("$ pj ") else { continue }
      isOutput = true
      count += 1
      lines += ToolRun(line.split(separator: " ").dropFirst(2).map(String.init)).lines
    }
    return (lines.joined(separator: "\n"), count)
  }

  @Test("Every example prints what the README says")
  func examples() throws {
    let text = String(decoding: try TestFiles.read(Self.path), as: UTF8.self)
    let (today, count) = Self.printed(text)
    #expect(count > 0)
    if Platform.variable("UPDATE_GOLDEN") == "1" {
      try TestFiles.write(Array(today.utf8), to: Self.path)
      return
    }
    #expect(today == text, "if that is meant, write it anew with UPDATE_GOLDEN=1")
  }

  @Test(
    "The numbers of rules on the page about the status are those of the rules",
    arguments: [
      ("the settings in an app's", SettingsRule.allCases.count), ("policies in the", PolicyRule.allCases.count),
    ])
  func counts(row: String, count: Int) throws {
    let page = "\(Repository.root)/Sources/pj/pj.docc/Status.md"
    let lines = String(decoding: try TestFiles.read(page), as: UTF8.self).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("| \(row)") })
    #expect(line.contains(" lint with \(count) rules"), "\(line.prefix(120))")
  }
}
