import EventSourcing
import Expectations
import Journal
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool

@Suite("pj diagnose --format html")
struct CasePageTests {
  /// The page of a scenario, made in a folder that is named like a person.
  private static func page(_ scenario: String, _ words: String...) throws -> (page: ToolRun, text: ToolRun) {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/ann@contoso.com/case"
      expectEqual(TestFiles.shell("mkdir '\(folder)/ann@contoso.com'"), 0)
      expectEqual(
        ToolRun("simulate", "\(Repository.root)/Tests/Simulation/Diagnosis/\(scenario).json", "-o", journal).code, .done
      )
      let command = ["diagnose", journal] + words
      return (ToolRun(command + ["--format", "html"]), ToolRun(command))
    }
  }

  @Test("The page has the complaint, what is wrong with its evidence in time, and what each does about it")
  func complaint() throws {
    let (run, text) = try Self.page("auth-required/network-fails-before@token.removed#1", "--complaint", "blocked")
    expectEqual(run.code, text.code)
    let page = run.output
    for part in [
      "<h1>Case: case</h1>", "<h2>The complaint</h2>\n<p><b>blocked</b>: ", "<h2>What is wrong now</h2>",
      "auth-required: the service asks for a sign-in (203)", "<em>decides</em>", "<svg viewBox=",
      "<dt>administrator</dt><dd>look up in the sign-in logs", "<dt>user</dt>", "<dt>developer</dt>",
      "<h2>What was redacted</h2>\n<p>Accounts are pseudonyms, such as a1.", "<pre><code>pj ",
    ] { #expect(page.contains(part), "\(part): \(page.suffix(6000))") }
    // It loads nothing, and runs nothing.
    #expect(!page.contains("<script") && !page.contains("http://") && page.contains("default-src 'none'"))
    // Each problem of the text stands there, and every link leads to a part of the page.
    for family in text.lines.compactMap({ $0.firstMatch(of: #/^ *[A-Z]+  ([a-z-]+)/#)?.1 }) {
      #expect(page.contains(" \(family): "), "\(family)")
    }
    for link in page.matches(of: #/href="#([^"]+)"/#) { #expect(page.contains("id=\"\(link.1)\""), "\(link.1)") }
  }

  @Test("Folders above the journal are left out, and a damaged history says what is not judged")
  func names() throws {
    let page = try Self.page("auth-required/damaged-later@token.removed#1").page
    expectEqual(page.code, .partial)
    #expect(!page.output.contains("contoso") && !page.output.contains("ann@"), "\(page.output.suffix(4000))")
    #expect(page.output.contains("<p>case: "), "\(page.output.suffix(4000))")
  }

  /// What `pj` writes that runs in a folder.
  private static func page(of path: String, in folder: String) throws -> String {
    try TestFiles.withTemporaryFolder { output in
      let command = "'\(Terminal.program)' diagnose \(path) --format html > '\(output)/page' 2> /dev/null"
      _ = TestFiles.shell("cd '\(folder)' && \(command)")
      return String(decoding: try TestFiles.read("\(output)/page"), as: UTF8.self)
    }
  }

  @Test("A page is the same, whatever path leads to the journal")
  func paths() throws {
    try TestFiles.withTemporaryFolder { folder in
      let scenario = "\(Repository.root)/Tests/Simulation/Diagnosis/auth-required/damaged-later@token.removed#1.json"
      // The letter stands in many words of the page.
      for name in ["journal", "e"] {
        let journal = "\(folder)/\(name)"
        expectEqual(ToolRun("simulate", scenario, "-o", journal).code, .done)
        let whole = ToolRun("diagnose", journal, "--format", "html").output
        #expect(whole.contains("<h1>Case: \(name)</h1>") && whole.contains("pj salvage \(name) -o copy<"), "\(whole)")
        for path in [name, "./\(name)", "\(name)/", "\(name)/."] {
          expectEqual(try Self.page(of: path, in: folder), whole, "\(path)")
        }
      }
      // A name that the path does not tell is left out.
      let whole = ToolRun("diagnose", "\(folder)/journal", "--format", "html").output
      for (path, place) in [(".", ""), ("./", ""), ("..", "/inner"), ("../", "/inner"), ("inner/..", "")] {
        for name in ["journal", "e"] {
          _ = TestFiles.shell("mkdir -p '\(folder)/\(name)/inner'")
          expectEqual(try Self.page(of: path, in: "\(folder)/\(name)\(place)"), whole, "\(path) in \(name)")
        }
      }
    }
  }

  @Test("What keeps the history from being judged names files without the folders above the journal")
  func obstacles() {
    func words(_ file: String?, naming name: String) -> String {
      DiagnosisReport.message(
        of: .journal(JournalError(.damaged, "a frame is torn", remedy: "look again", file: file, offset: 7)),
        at: "/home/eve@fabrikam.com/field", naming: name)
    }
    expectEqual(
      words("/home/eve@fabrikam.com/field/segment", naming: "field"),
      "field: segment, byte 7: a frame is torn; look again")
    expectEqual(words("/home/eve@fabrikam.com/field", naming: "field"), "field, byte 7: a frame is torn; look again")
    expectEqual(words(nil, naming: "field"), "field: byte 7: a frame is torn; look again")
    expectEqual(
      words("segment", naming: "/home/eve@fabrikam.com/field"),
      "/home/eve@fabrikam.com/field: segment, byte 7: a frame is torn; look again")
  }

  @Test("What differs withholds the other journal's name where it may be a person's, and says what is left out")
  func contrast() throws {
    try TestFiles.withTemporaryFolder { folder in
      let other = "\(folder)/eve@fabrikam.com"
      let scenario = "Tests/Simulation/Diagnosis/auth-required/network-fails-before@token.removed#1.json"
      expectEqual(ToolRun("simulate", "\(Repository.root)/\(scenario)", "-o", other).code, .done)
      let command = ["diagnose", "journals/framework-history/journal", "--against", other]
      let page = ToolRun(command + ["--format", "html"]).output
      #expect(page.contains("What differs from <bdi>the other journal</bdi>") && !page.contains("fabrikam"), "\(page)")
      let count = ToolRun(command + ["-j"]).lines.count { $0.hasPrefix(#"{"kind":"difference""#) }
      #expect(count > 21 && page.contains("<p>\(count - 20) more differences are left out.</p>"), "\(count)")
    }
  }

  @Test("What holds and what is over stand apart, and a page without problems says so")
  func parts() {
    let many = ToolRun("diagnose", "journals/framework-history/journal", "--format", "html").output
    #expect(many.contains("<p class=\"summary\">3 problems now, 3 over. "))
    // Three are open, so that two sheets hold the page.
    #expect(many.ranges(of: "<article ").count == 3 && many.ranges(of: "<details ").count == 3)
    #expect(many.contains("<h2>What is over</h2>"))
    let none = ToolRun("diagnose", "journals/first-enrollment/journal", "--format", "html")
    #expect(
      none.code == .done && none.output.contains("<p>Nothing was found up to event "), "\(none.output.suffix(900))")
    let against = ToolRun(
      "diagnose", "journals/framework-history/journal", "--against", "journals/first-enrollment/journal", "--format",
      "html")
    #expect(against.output.contains("<h2>What differs from <bdi>journal</bdi></h2>"))
  }

  @Test("Wrong use is one line")
  func wrongUse() {
    let journal = "journals/first-enrollment/journal"
    expectEqual(
      ToolRun("diagnose", journal, "--format", "html", "-j").notes,
      "pj diagnose: -j does not apply to --format. Next: pj help diagnose\n")
    expectEqual(
      ToolRun("diagnose", "--families", "--format", "html").notes,
      "pj diagnose: --format and --families exclude each other. Next: pj help diagnose\n")
  }
}
