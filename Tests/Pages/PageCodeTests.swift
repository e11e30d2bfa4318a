import AppProtection
import EventSourcing
import Journal
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The Swift code in the pages is compiled: each block stands, line by line, in a source file of the repository. The folder
/// `Examples` holds the blocks that stand nowhere else.
@Suite("The code in the pages")
struct PageCodeTests {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  /// The paths below a folder, without what the build wrote.
  private static func paths(below folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard ![".", "..", ".git", ".build"].contains(name) else { continue }
      let path = "\(folder)/\(name)"
      paths += entry.pointee.d_type == UInt8(DT_DIR) ? Self.paths(below: path) : [path]
    }
    return paths.sorted()
  }

  /// The lines of a file without their indentation.
  private static func lines(_ path: String) throws -> [Substring] {
    let file = try #require(fopen(path, "r"), "\(path) cannot be opened")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }
  }

  /// The blocks of Swift code in a page.
  private static func blocks(_ page: [Substring]) -> [ArraySlice<Substring>] {
    var blocks: [ArraySlice<Substring>] = []
    var start: Int?
    for (index, line) in page.enumerated() where line.hasPrefix("```") {
      if let first = start { blocks.append(page[first..<index]) }
      start = start == nil && line == "```swift" ? index + 1 : nil
    }
    return blocks
  }

  @Test("Every block of Swift in a page stands in a source that is compiled")
  func compiled() throws {
    let paths = Self.paths(below: Self.root)
    let sources = try paths.filter { $0.hasSuffix(".swift") }.map { try Self.lines($0) }
    var count = 0
    for page in paths where page.hasSuffix(".md") {
      for block in Self.blocks(try Self.lines(page)) {
        count += 1
        let isCompiled = sources.contains { lines in
          lines.indices.contains { lines[$0] == block.first && lines[$0...].starts(with: block) }
        }
        #expect(isCompiled, "\(page.dropFirst(Self.root.utf8.count + 1)):\n\(block.joined(separator: "\n"))")
      }
    }
    #expect(count > 10)
  }

  @Test("The README's first program leaves an account that is enrolling")
  func program() throws {
    var template = Array("/tmp/first-program-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    let path = "\(folder)/journal"
    defer {
      for name in (try? PosixFileSystem().list(path)) ?? [] { unlink("\(path)/\(name)") }
      rmdir(path)
      rmdir(folder)
    }
    let id = try #require(JournalID(bytes: Array(1...16)))
    let status = try firstProgram(path: path, id: id, now: Moment(wallNanoseconds: 1))
    #expect(status == .enrolling)
  }
}
