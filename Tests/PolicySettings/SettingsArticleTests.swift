import Expectations
import PolicySettings
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The article "Settings" ends with tables that come from the catalogue. `UPDATE_GOLDEN=1 swift test --filter
/// SettingsArticleTests` writes them anew; the difference is to be reviewed like code.
@Suite("The article about settings")
struct SettingsArticleTests {
  private static let path: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return parts.joined(separator: "/") + "/Sources/PolicySettings/PolicySettings.docc/Settings.md"
  }()

  private static let mark = "with UPDATE_GOLDEN=1. -->\n"

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }

  private static var tables: String {
    var text = ""
    for section in SettingDescriptor.Section.allCases {
      text += "\n## Settings: \(section.rawValue)\n\n"
      text +=
        "| key | value | when it is missing | required when | what it does | source |\n|---|---|---|---|---|---|\n"
      for row in SettingDescriptor.all where row.section == section {
        let cells = [
          "`\(row.key)`", row.kind.phrase, row.absence, row.requiredWhen ?? "never", row.meaning, row.source,
        ]
        text += "| " + cells.map(cell).joined(separator: " | ") + " |\n"
      }
    }
    text += "\n## Rules\n\n| rule | finding | what should be | source |\n|---|---|---|---|\n"
    for rule in SettingsRule.allCases {
      text += "| `\(rule.rawValue)` | \(rule.severity.rawValue) | \(cell(rule.meaning)) | \(rule.source) |\n"
    }
    return text
  }

  @Test("The article lists the catalogue")
  func article() throws {
    let article = try Self.read()
    let parts = article.split(separator: Self.mark, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2, "the mark is missing: \(Self.mark)")
    if getenv("UPDATE_GOLDEN").map({ String(cString: $0) }) == "1" {
      let file = try #require(fopen(Self.path, "w"))
      defer { fclose(file) }
      let bytes = Array((parts[0] + Self.mark + Self.tables).utf8)
      try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
      return
    }
    #expect(parts[1] == Self.tables)
  }

  private static func read() throws -> String {
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
