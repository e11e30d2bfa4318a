import Expectations
import Testing

@testable import AppProtection

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("The article about data protection decisions")
struct DataProtectionArticleTests {
  @Test("Every rule and every assumption of data protection is in the article, and no other rule")
  func rules() throws {
    let article = try Self.read()
    let quoted = Set(article.split(separator: "`").map(String.init))
    expectEqual(RuleTable.ids.subtracting(quoted).sorted(), [])
    expectEqual(RuleTable.assumptions.filter { !quoted.contains($0) }, [])
    var listed: Set<String> = []
    for line in article.split(separator: "\n") where line.hasPrefix("| `") {
      listed.insert(String(line.split(separator: "`")[1]))
    }
    expectEqual(listed.subtracting(RuleTable.ids).sorted(), [])
  }

  private static func read() throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let path = root + "/Sources/AppProtection/AppProtection.docc/DataProtectionDecisions.md"
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
