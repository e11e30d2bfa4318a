import Expectations
import EventSourcing
import EventSourcingKit
import Foundation
import Journal
import RoomsDomain
import SystemCalls
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
    var paths: [String] = []
    for name in SystemCalls.names(in: folder).names where ![".git", ".build"].contains(name) {
      let path = "\(folder)/\(name)"
      let isFolder = SystemCalls.status(of: path, followsLinks: false).status?.kind == .folder
      paths += isFolder ? Self.paths(below: path) : [path]
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

  /// The page with the account book's program.
  private static let bookPage: String = "Sources/EventSourcingKit/EventSourcingKit.docc/EventSourcingKit.md"

  /// The programs of a page, which `tools/embedding` compiles and runs outside of this package.
  private static func programs(in page: String) throws -> [ArraySlice<Substring>] {
    blocks(try lines("\(root)/\(page)")).filter { $0.first?.hasPrefix("import ") == true }
  }

  /// What a page says that its programs print.
  private static func outputs(_ page: [Substring]) -> [Substring] {
    var isCode = false
    var isOutput = false
    return page.filter { line in
      guard line.hasPrefix("```") else { return isOutput }
      isOutput = !isCode && line == "```"
      isCode = !isCode
      return false
    }
  }

  @Test("The first programs are short, and a line of the pipeline runs them", arguments: ["README.md", bookPage])
  func programs(page: String) throws {
    let programs = try Self.programs(in: page)
    expectEqual(programs.count, 1)
    for program in programs { #expect(program.count <= 25, "\(program.count) lines") }
    #expect(try Self.lines(Self.root + "/.ci/run").contains("tools/embedding"))
  }

  @Test("An event of the account book takes at most four lines", arguments: ["deposited", "withdrawn"])
  func lines(event: String) throws {
    let book = try #require(try Self.programs(in: Self.bookPage).first)
    let domain = book.prefix { !$0.hasPrefix("let store") }
    #expect((1...4).contains(domain.count { $0.contains(event) }))
  }

  @Test("The account book of the tutorial prints what the page says")
  func tutorial() throws {
    var printed: [String] = []
    try Self.inFolder { path in
      let print = { (line: String) in printed.append(line) }
      try AccountBook.writeFirstEvent(at: path, print: print)
      try AccountBook.refuse(at: path, print: print)
      try AccountBook.travel(at: path, print: print)
      try UpdatedAccountBook.update(at: path, print: print)
      try UpdatedAccountBook.list(at: path, print: print)
      try ReworkedAccountBook.run(at: path, print: print)
      // The program before the update stops where it would be wrong.
      let old = try History<Book>(at: path)
      #expect(throws: HistoryError.unknownVersion(sequence: 3, name: "money.deposited", version: 2)) {
        try old.state(at: .end)
      }
      try expectEqual(old.state(at: .sequence(2)).state.cents, 3_750)
    }
    let page = try Self.lines(Self.root + "/Sources/EventSourcing/EventSourcing.docc/BuildAnAccountBook.md")
    expectEqual(printed.map { Substring($0) }, Self.outputs(page))
  }

  @Test("The commands of the account book print what their page says")
  func commands() throws {
    var printed: [String] = []
    try Self.inFolder { path in
      try AccountBook.writeFirstEvent(at: path) { _ in }
      try payRent(at: path) { printed.append($0) }
    }
    let page = try Self.lines(Self.root + "/Sources/EventSourcing/EventSourcing.docc/Commands.md")
    expectEqual(printed.map { Substring($0) }, Self.outputs(page))
  }

  @Test("The house of the page Rooms says what the page prints, and the page has each file as it is compiled")
  func rooms() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rooms-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let ledger = TextFile(folder.appending(path: "ledger.txt").path)
    var printed: [String] = []
    do {
      let desk = try FrontDesk(in: folder.path)
      let events: [RoomEvent] = [
        .opened(room: 1, beds: 2), .opened(room: 2, beds: 1), .registered(guest: 1, name: "Ada Lovelace"),
        .registered(guest: 2, name: "Charles Babbage"),
      ]
      for event in events { try desk.store.append(event, at: .now()) }
      try printed.append(desk.description(of: 2))
      try desk.book(room: 2, for: 1, nights: 3, seen: 2)
      try printed.append(desk.description(of: 2))
      for version: UInt64 in [2, 5] {
        do { try desk.book(room: 2, for: 2, nights: 1, seen: version) } catch { printed.append("front-desk: \(error)") }
      }
      for round in 1...2 {
        printed += try desk.demand(ledger: ledger).rooms.map { "room \($0.number), nights: \($0.nights)" }
        var mails: [String] = []
        try await desk.confirmBookings { text, _ in mails.append(text) }
        printed += mails
        if round == 1 { try desk.book(room: 1, for: 2, nights: 4, seen: 1) }
      }
      printed += try Self.lines(ledger.url.path).dropFirst().filter { !$0.isEmpty }.map { String($0) }
      try desk.keys.erase(1)
      try desk.store.close()
    }
    let desk = try FrontDesk(in: folder.path)
    try printed.append(desk.description(of: 2))
    try desk.store.close()
    let page = try Self.lines(Self.root + "/Sources/EventSourcing/EventSourcing.docc/Rooms.md")
    let quoted = Self.outputs(Array(page.prefix { $0 != "### An update" })).filter { !$0.hasPrefix("$ ") }
    expectEqual(printed.map { Substring($0) }, quoted)

    let paths = Self.paths(below: "\(Self.root)/Tests/Rooms").filter { !$0.contains("/Updated/") }
    let files = try paths.map { try Self.lines($0).dropLast() }
    let blocks = Self.blocks(page).filter { block in
      ["import ", "// swift-tools-version"].contains { block.first?.hasPrefix($0) == true }
    }
    expectEqual(Set(files.map { Array($0) }), Set(blocks.map { Array($0) }))
  }

  @Test("Every block of Swift in a page stands in a source that is compiled")
  func compiled() throws {
    let paths = Self.paths(below: Self.root)
    let sources = try paths.filter { $0.hasSuffix(".swift") }.map { try Self.lines($0) }
    // `tools/embedding` builds them outside of this package, with the README's manifest.
    let programs =
      try [
        "README.md", Self.bookPage, "Sources/AppProtectionKit/AppProtectionKit.docc/ProtectingFilesAndData.md",
      ].flatMap { try Self.programs(in: $0) }
      + Self.blocks(try Self.lines(Self.root + "/README.md")).filter {
        $0.first?.hasPrefix("// swift-tools-version") == true
      }
    var count = 0
    for page in paths where page.hasSuffix(".md") {
      for block in Self.blocks(try Self.lines(page)) where !programs.contains(block) {
        count += 1
        let isCompiled = sources.contains { lines in
          lines.indices.contains { lines[$0] == block.first && lines[$0...].starts(with: block) }
        }
        #expect(isCompiled, "\(page.dropFirst(Self.root.utf8.count + 1)):\n\(block.joined(separator: "\n"))")
      }
    }
    #expect(count > 10)
  }

  /// A path in a folder of its own, which is removed afterwards.
  private static func inFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/first-program-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    let path = "\(folder)/journal"
    defer {
      for name in (try? PosixFileSystem().list(path)) ?? [] { unlink("\(path)/\(name)") }
      rmdir(path)
      rmdir(folder)
    }
    try body(path)
  }
}
