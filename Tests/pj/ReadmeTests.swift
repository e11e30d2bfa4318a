import PolicyDocuments
import Testing

@testable import pj

/// The examples of the README. `UPDATE_GOLDEN=1 swift test --filter ReadmeTests` writes their outputs anew.
@Suite("The README's examples")
struct ReadmeTests {
  private static let path = "\(Repository.root)/README.md"

  @Test("Every example prints what the README says")
  func examples() throws {
    try PageExamples.expectCurrent(at: Self.path) { ToolRun($0).output }
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
