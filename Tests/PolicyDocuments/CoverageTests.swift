import AppProtection
import PolicyDocuments
import Testing

/// The article "Coverage" lists every rule of the guides with the type that implements it and the test that shows it.
@Suite("The article about coverage")
struct CoverageTests {
  /// A row of a table of the article whose last two columns are named `type` and `test`.
  struct Row {
    let section: String
    let cells: [String]

    var key: String { String(cells[0].filter { $0 != "`" }) }
    var isMissing: Bool { cells[cells.count - 2] == "missing" }
    /// Whether it is about something that no history of an app can hold.
    var isOutside: Bool { cells[cells.count - 2] == "outside" }
    /// What stands between backticks: types, with or without a member.
    var types: [String] { CoverageTests.quoted(cells[cells.count - 2], by: "`") }
    /// What stands between quotation marks: names of tests.
    var tests: [String] { CoverageTests.quoted(cells[cells.count - 1], by: "\"") }
    var place: String { "\(section): \(cells[0])" }
  }

  static let article = SourceText.read("Sources/AppProtection/AppProtection.docc/Coverage.md")

  static let rows: [Row] = {
    var rows: [Row] = []
    var section = ""
    var columns = 0
    for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard line.hasPrefix("| ") else {
        if !line.hasPrefix("|--") { columns = 0 }
        continue
      }
      let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      if columns > 0 {
        rows.append(Row(section: section, cells: cells))
      } else if cells.suffix(2) == ["type", "test"] {
        columns = cells.count
      }
    }
    return rows
  }()

  private static func quoted(_ cell: String, by mark: Character) -> [String] {
    let parts = cell.split(separator: mark, omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
  }

  private static func keys(of section: String) -> [String] { rows.filter { $0.section == section }.map(\.key) }

  @Test("Every event, setting, device setting, status code and key of an app has one row")
  func catalogues() {
    let catalogues: [(section: String, names: [String])] = [
      ("Events", AppProtectionEvent.catalog.entries.map(\.name)),
      ("Settings of a policy", PolicyProperty.all.map(\.name)),
      ("Settings of a device", DeviceSetting.all.map(\.name)),
      ("Status codes", EnrollmentStatusCode.table.map { "\($0.code.rawValue)" }),
      ("Settings of an app", SettingDescriptor.all.map(\.key)),
    ]
    for (section, names) in catalogues {
      let keys = Self.keys(of: section)
      #expect(names.filter { !keys.contains($0) } == [], "\(section): add these rows")
      #expect(keys.filter { !names.contains($0) } == [], "\(section): these rows name nothing")
      #expect(Set(keys).count == keys.count, "\(section): a row occurs twice")
    }
  }

  @Test("A setting is said to be kept only exactly where no decision reads it")
  func effects() {
    let kept = Self.rows.filter { $0.section == "Settings of a policy" && $0.cells[1].hasPrefix("kept and shown") }
    let names = PolicyProperty.all.filter { $0.effect == .storedAndShown }.map(\.name)
    #expect(kept.map(\.key).sorted() == names.sorted())
  }

  @Test("Every transition and every scenario has one row, whose tests carry its number")
  func numbers() {
    #expect(Self.keys(of: "Transitions") == (1...39).map { "T\($0)" })
    let scenarios = Self.keys(of: "Scenarios")
    #expect(Set(scenarios).count == scenarios.count)
    let files = SourceText.names(in: "journals/scenarios").filter { $0.hasPrefix("S-") }
    let named = (files + SourceText.tests).flatMap(Self.scenarios(in:))
    #expect(Set(named).subtracting(scenarios).sorted() == [], "Scenarios: add these rows")
    for row in Self.rows where ["Transitions", "Scenarios"].contains(row.section) && !row.isMissing && !row.isOutside {
      for test in row.tests {
        let words = test.prefix { $0 != ":" }.split(separator: " ").map(String.init)
        #expect(words.contains(row.key), "\(row.key): \(test)")
      }
    }
  }

  /// The numbers of scenarios that occur in a text, such as S-01.
  private static func scenarios(in text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }
      .filter { $0.hasPrefix("S-") && $0.dropFirst(2).first?.isNumber == true }
      .map { "S-" + $0.dropFirst(2).prefix { $0.isNumber } }
  }

  @Test("A row names types that are declared and tests that exist, or says that it is missing or outside")
  func rows() {
    #expect(!Self.rows.isEmpty)
    let tests = Set(SourceText.tests)
    for row in Self.rows {
      if row.isMissing || row.isOutside {
        #expect(row.cells.last == "", "\(row.place): what is missing or outside has no test")
        #expect(row.cells.count == 4 && !row.cells[1].isEmpty, "\(row.place): say why")
        continue
      }
      #expect(!row.types.isEmpty && !row.tests.isEmpty, "\(row.place): name a type and a test, or missing, or outside")
      let undeclared = row.types.filter { !SourceText.declares($0) }
      #expect(undeclared == [], "\(row.place): nothing in Sources declares these")
      let unknown = row.tests.filter { !tests.contains($0) }
      #expect(unknown == [], "\(row.place): there are no such tests")
    }
  }

  @Test("The article says how many rows it has, how many are missing and how many are outside")
  func counts() {
    let missing = Self.rows.filter(\.isMissing).count
    let outside = Self.rows.filter(\.isOutside).count
    let sentence = "**\(Self.rows.count) rows, of which \(missing) are missing and \(outside) are outside.**"
    let isWritten = Self.article.contains(sentence)
    #expect(isWritten, "write: \(sentence)")
  }
}
