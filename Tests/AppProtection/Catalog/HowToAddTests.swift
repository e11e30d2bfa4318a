import Testing

@testable import AppProtection

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The page "How to add…" against the sources: what it shows is there, and nothing else names its example.
@Suite("The page on how to add an event")
struct HowToAddTests {
  private static let sources: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return parts.joined(separator: "/") + "/Sources/AppProtection"
  }()

  private static func text(_ path: String) throws -> String {
    let file = try #require(fopen("\(sources)/\(path)", "r"), "\(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The paths of all sources below a folder.
  private static func paths(below folder: String = "") throws -> [String] {
    let directory = try #require(opendir("\(sources)/\(folder)"), "\(folder)")
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".swift") { paths.append(folder + name) }
      if !name.contains(".") { paths += try Self.paths(below: "\(folder)\(name)/") }
    }
    return paths.sorted()
  }

  /// The sources that the rows of a section's table name.
  private static func rows(of section: String) throws -> [String] {
    var isInside = false
    return try text("AppProtection.docc/HowToAdd.md").split(separator: "\n").compactMap { line in
      if line.hasPrefix("### ") { isInside = line == "### \(section)" }
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      return isInside && line.hasPrefix("| `") && parts.count > 2 ? String(parts[1]) : nil
    }
  }

  @Test(
    "What the page shows is in the sources that it lists, and in no other",
    arguments: [
      ("An event", "accountIntroduced", 4), ("A rule that decides", "listedPhotoLibrary", 2),
      ("A question to the rules", "openFrom", 4),
    ])
  func sources(section: String, example: String, count: Int) throws {
    let type = example.prefix(1).uppercased() + example.dropFirst()
    let naming = try Self.paths().filter { path in
      let text = try Self.text(path)
      return text.contains(example) || text.contains(type)
    }
    #expect(try Self.rows(of: section).sorted() == naming)
    #expect(naming.count == count)
  }

  @Test("Every table of rules is listed")
  func tables() throws {
    let listed = Set(RuleTable.tables.map { "\($0)" })
    for path in try Self.paths() {
      for line in try Self.text(path).split(separator: "\n") where line.hasSuffix("DecisionRule {") {
        let words = line.split { !$0.isLetter }
        guard let kind = words.firstIndex(where: { $0 == "enum" || $0 == "struct" }) else { continue }
        #expect(listed.contains(String(words[kind + 1])), "\(path)")
      }
    }
  }

  @Test("The payload that the page shows is the source itself")
  func payload() throws {
    let source = try Self.text("Accounts/AccountIntroduced.swift")
    #expect(try Self.text("AppProtection.docc/HowToAdd.md").contains("```swift\n\(source)```\n"))
  }

  @Test("Every number belongs to one type, whose payload is in a source of its own")
  func kinds() throws {
    let names = Set(try Self.paths().map { $0.split(separator: "/").last.map(String.init) ?? "" })
    for kind in AppProtectionEvent.Kind.allCases {
      let entry = try #require(AppProtectionEvent.catalog[kind.rawValue], "\(kind) has no entry")
      #expect(names.contains("\(entry.body.name).swift"), "\(kind)")
      #expect(EventSamples.all.contains { $0.type == kind.rawValue }, "EventSamples.all lacks \(kind)")
    }
    #expect(AppProtectionEvent.catalog.entries.count == AppProtectionEvent.Kind.allCases.count)
  }
}
