import AppProtection
import AppProtectionInsight
import Expectations
import JSON
import PolicyDocuments
import PolicySettings
import Testing

@testable import pj

/// The names that commands print lead somewhere.
@Suite("pj help on rules")
struct RuleHelpTests {
  private static func expectText(_ name: String, _ source: String = "") {
    let run = ToolRun("help", name)
    #expect(
      run.code == .done && run.output.contains(".") && run.output.count > name.count + 20, "\(source) \(name): \(run)")
  }

  @Test("Every status code, family, page, rule, assumption and number of a wipe has a text")
  func complete() {
    var names = EnrollmentStatusCode.table.map { "\($0.code.rawValue)" } + ["0", "1", "2", "3", "607", "608", "299"]
    names += ProblemFamily.allCases.map(\.page) + LaunchRule.allCases.map(\.id)
    names += TraceFinding.Kind.allCases.map(\.rawValue) + PolicyRule.allCases.map(\.id)
    names += SettingsRule.allCases.map(\.rawValue) + (1...39).map { "T\($0)" } + ["saveTo.13", "S-24", "Diagnosis"]
    for name in names + RuleHelp.names { Self.expectText(name) }
  }

  @Test("So has every rule that a journal's log, findings and explanations show", arguments: Repository.journals)
  func printed(journal: String) {
    let path = Repository.journal(journal)
    let commands =
      [["log", path, "-j"], ["stats", path, "-j"], ["diagnose", path, "-j"]]
      + PlantedSecretTests.questions.map { ["explain", path, $0, "-j"] }
    var names: Set<String> = []
    for words in commands {
      for record in ToolRun(words).records { if let record { Self.collect(record, into: &names) } }
    }
    #expect(!names.isEmpty)
    for name in names.sorted() { Self.expectText(name, journal) }
  }

  /// The values of members that hold names of rules.
  private static func collect(_ value: JSONValue, into names: inout Set<String>) {
    for element in value.array ?? [] { collect(element, into: &names) }
    for member in value.object?.members ?? [] {
      if ["rule", "assumption", "family", "page"].contains(member.name), let name = member.value.string, !name.isEmpty {
        names.insert(name)
      }
      collect(member.value, into: &names)
    }
  }

  @Test("Every name that the rules' source gives to one is known")
  func sources() throws {
    let known = Set(RuleHelp.names)
    let names = try TestFiles.withTemporaryFolder { folder in
      let makers = "(RuleRow|RuleCondition|evaluate)"
      let line = "grep -rhE -A1 '\(makers)[(]' '\(Repository.root)/Sources/AppProtection' > \(folder)/lines"
      expectEqual(TestFiles.shell(line), 0)
      let text = String(decoding: try TestFiles.read("\(folder)/lines"), as: UTF8.self)
      return Set(text.matches(of: /[(]\s*"([a-zA-Z]+\.[a-zA-Z0-9.]+)"/).map { String($0.1) })
    }
    #expect(names.count > 100, "\(names.count)")
    expectEqual(names.subtracting(known).sorted(), [])
  }

  @Test("No name of a rule is a command's or a topic's, and no two sources of names differ by case alone")
  func distinct() {
    let subjects = Set(PolicyJournalTool.table.helpSubjects)
    expectEqual(RuleHelp.names.filter(subjects.contains), [])
    let names = Set(RuleHelp.names)
    expectEqual(Set(names.map { $0.lowercased() }).count, names.count)
  }

  @Test("A code says what user, administrator and developer can do")
  func roles() {
    let text = ToolRun("help", "222").output
    for word in ["tenantMigration", "user", "administrator", "developer", "license"] {
      #expect(text.contains(word), "\(word)")
    }
    expectEqual(ToolRun("help", "2999").code, .wrongUse)
    expectEqual(ToolRun("help", "t39").output, ToolRun("help", "T39").output)
  }

  @Test("A rule shows its answers with their reasons, and the assumption that it rests on")
  func rule() {
    let text = ToolRun("help", "saveTo.6").output
    for word in ["allowed", "denied", "saveAllowCoversForeignLocations", "the account's"] {
      #expect(text.contains(word), "\(word): \(text)")
    }
    #expect(!text.contains("{"))
    #expect(ToolRun("help", "T35").output.contains("sign it out"), "both as a transition and as a mistake")
    #expect(ToolRun("help", "Diagnosis#offline-block").output == ToolRun("help", "offline-block").output)
    #expect(ToolRun("help", "maximumStopsUpdates").output.contains("pj policy lint"))
  }

  @Test("Transitions and situations are those of the pages", arguments: ["AccountsAndEnrollment", "Coverage"])
  func pages(page: String) throws {
    let path = "\(Repository.root)/Sources/AppProtection/AppProtection.docc/\(page).md"
    let lines = String(decoding: try TestFiles.read(path), as: UTF8.self).split(separator: "\n")
    var count = 0
    for line in lines {
      let cells = line.split(separator: "|").map { $0.trimming(" ").replacing("`", with: "") }
      guard cells.count > 2, let first = cells.first else { continue }
      if page == "Coverage", first.hasPrefix("S-") {
        expectEqual(SituationHelp.named(first)?.text, cells[1], "\(first)")
        count += 1
      } else if page == "AccountsAndEnrollment", first.wholeMatch(of: /T\d+/) != nil {
        let transition = TransitionHelp.named(first)
        expectEqual(transition?.when, cells[1], "\(first)")
        expectEqual(transition?.then, cells[2], "\(first)")
        count += 1
      }
    }
    expectEqual(count, page == "Coverage" ? SituationHelp.names.count : TransitionHelp.names.count)
  }
}

extension Substring {
  /// The text without these characters at its ends.
  fileprivate func trimming(_ character: Character) -> String {
    var text = self
    while text.first == character { text = text.dropFirst() }
    while text.last == character { text = text.dropLast() }
    return String(text)
  }
}
