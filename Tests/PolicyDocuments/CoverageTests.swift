import Expectations
import AppProtection
import PolicyDocuments
import PolicySettings
import Testing

/// The article "Coverage" lists every rule of the guides with its class, the type that implements it and the test that shows
/// it.
@Suite("The article about coverage")
struct CoverageTests {
  /// What depends on what a row says; the article defines the classes.
  enum Class: String, CaseIterable {
    case decided, modelled, stored, outside
  }

  /// A row of a table of the article whose last three columns are named `class`, `type` and `test`.
  struct Row {
    let section: String
    let cells: [String]

    var key: String { String(cells[0].filter { $0 != "`" }) }
    var kind: Class? { Class(rawValue: cells[cells.count - 3]) }
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
      } else if cells.suffix(3) == ["class", "type", "test"] {
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
      expectEqual(names.filter { !keys.contains($0) }, [], "\(section): add these rows")
      expectEqual(keys.filter { !names.contains($0) }, [], "\(section): these rows name nothing")
      expectEqual(Set(keys).count, keys.count, "\(section): a row occurs twice")
    }
  }

  @Test("The class of a setting is that of the code")
  func settings() throws {
    func kind(_ section: String, _ name: String) -> Class? {
      Self.rows.first { $0.section == section && $0.key == name }?.kind
    }
    for property in PolicyProperty.all {
      let expected: Class = property.effect == .steersDecisions ? .decided : .stored
      expectEqual(kind("Settings of a policy", property.name), expected, "\(property.name)")
    }
    // A program reads dumps of devices, and no app.
    for setting in DeviceSetting.all {
      let expected: Class = setting.properties.isEmpty ? .stored : .modelled
      expectEqual(kind("Settings of a device", setting.name), expected, "\(setting.name)")
    }
    // These steer Apple's systems alone; the kit's tests show the effect of each of the others (`SettingKey`).
    let apple: Set = [
      "SafariViewControllerBlockedOverride", "FinishLaunchingAtStartup", "AppGroupIdentifiers", "ContainingAppBundleId",
      "OpenInActionExtension", "DocumentBrowserFileCachePath",
    ]
    for row in SettingDescriptor.all {
      let expected: Class = apple.contains(row.key) ? .stored : .decided
      expectEqual(kind("Settings of an app", row.key), expected, "\(row.key)")
    }
  }

  @Test("A row that is decided names something that an app runs or asks for")
  func decided() {
    for row in Self.rows where row.kind == .decided {
      #expect(row.types.contains(where: SourceText.isRunByApps), "\(row.place): no app runs \(row.types)")
    }
  }

  @Test("Every transition and every scenario has one row, whose tests carry its number")
  func numbers() {
    expectEqual(Self.keys(of: "Transitions"), (1...39).map { "T\($0)" })
    let scenarios = Self.keys(of: "Scenarios")
    expectEqual(Set(scenarios).count, scenarios.count)
    let files = SourceText.names(in: "journals/scenarios").filter { $0.hasPrefix("S-") }
    let named = (files + SourceText.tests).flatMap(Self.scenarios(in:))
    expectEqual(Set(named).subtracting(scenarios).sorted(), [], "Scenarios: add these rows")
    for row in Self.rows where ["Transitions", "Scenarios"].contains(row.section) && row.kind != .outside {
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

  @Test("A row has a class, names types that are declared and tests that exist, or says why it is outside")
  func rows() {
    #expect(!Self.rows.isEmpty)
    let tests = Set(SourceText.tests)
    for row in Self.rows {
      #expect(row.kind != nil, "\(row.place): say decided, modelled, stored or outside")
      if row.kind == .outside {
        #expect(row.types.isEmpty && row.tests.isEmpty, "\(row.place): what is outside has no type and no test")
        #expect(row.cells.count == 5 && !row.cells[1].isEmpty, "\(row.place): say why")
        continue
      }
      #expect(!row.types.isEmpty && !row.tests.isEmpty, "\(row.place): name a type and a test, or say outside")
      let undeclared = row.types.filter { !SourceText.declares($0) }
      expectEqual(undeclared, [], "\(row.place): nothing in Sources declares these")
      let unknown = row.tests.filter { !tests.contains($0) }
      expectEqual(unknown, [], "\(row.place): there are no such tests")
    }
  }

  @Test("The article says how many rows it has, and how many of each class")
  func counts() {
    let classes = Class.allCases.map { kind in "\(Self.rows.count { $0.kind == kind }) \(kind)" }
    let sentence = "**\(Self.rows.count) rows: \(classes.joined(separator: ", ")).**"
    let isWritten = Self.article.contains(sentence)
    #expect(isWritten, "write: \(sentence)")
  }
}
