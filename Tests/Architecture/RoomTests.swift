import Expectations
import Foundation
import Testing

/// Swift keeps modules apart, and not the folders of one. These tests do.
@Suite("The rooms of a module")
struct RoomTests {
  @Test("A file names no type of a room above its own", arguments: Module.all.map(\.name))
  func floors(name: String) throws {
    let module = try #require(Module.all.first { $0.name == name })
    let sources = try SwiftSource.all(below: "Sources/\(name)")
    var rooms: [String: Set<String>] = [:]
    for source in sources {
      #expect(source.isBalanced, "the braces of \(source.path) were not understood")
      let own = try #require(module.room(of: source.path), "the table of modules lacks the room of \(source.path)")
      for type in source.declared { rooms[type, default: []].insert(own) }
    }
    for source in sources {
      let own = try #require(module.room(of: source.path))
      let floor = module.rooms.firstIndex(of: own) ?? 0
      for type in source.used.sorted() {
        // A name that two rooms declare, each for itself, says nothing.
        guard let homes = rooms[type], homes.count == 1, let home = homes.first else { continue }
        let isBelow = module.rooms.firstIndex(of: home).map { $0 <= floor } ?? false
        #expect(isBelow, "\(source.path) names \(type) of the room \(home), which stands above \(own)")
      }
    }
  }

  /// Members of the standard library that a type of this package also has.
  private static let standard: Set<String> = [
    "endIndex", "filter", "indices", "insert", "isLetter", "keys", "sort", "sorted", "split", "startIndex",
    "stringValue",
  ]

  /// An extension can give a type of a low room a member in a high one, which a file then uses without naming a type of that
  /// room. Only a name that one room of one module declares shows that.
  @Test("A file uses no member that an extension in a room above its own declares")
  func members() throws {
    let sources = try SwiftSource.all(below: "Sources")
    var homes: [String: Set<[String]>] = [:]
    for source in sources {
      let room = try Module.of(source.path).map { try #require($0.room(of: source.path)) }
      for member in source.members { homes[member, default: []].insert([source.module, room ?? ""]) }
    }
    for source in sources {
      guard let module = Module.of(source.path), let own = module.room(of: source.path) else { continue }
      let floor = module.rooms.firstIndex(of: own) ?? 0
      for member in source.mentioned.subtracting(Self.standard).sorted() {
        guard let rooms = homes[member], rooms.count == 1, let home = rooms.first, home[0] == module.name else {
          continue
        }
        let isBelow = module.rooms.firstIndex(of: home[1]).map { $0 <= floor } ?? false
        #expect(isBelow, "\(source.path) uses \(member) of the room \(home[1]), which stands above \(own)")
      }
    }
  }

  @Test("The table of modules has every module with folders, and no folder that is gone")
  func table() throws {
    let sources = SwiftSource.root.appending(path: "Sources")
    for module in Module.all {
      for room in module.rooms where !room.isEmpty {
        let folder = sources.appending(path: "\(module.name)/\(room)").path
        #expect(FileManager.default.fileExists(atPath: folder), "\(folder)")
      }
    }
    let listed = Set(Module.all.map(\.name))
    for name in try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted() {
      let folders = try FileManager.default.contentsOfDirectory(atPath: sources.appending(path: name).path).filter {
        !$0.contains(".")
      }
      #expect(folders.count < 2 || listed.contains(name), "\(name)")
    }
  }

  @Test("Only the edge of a program reads the system's clock and draws random numbers")
  func determinism() throws {
    let names = [
      "clock_gettime", "SystemCalls.nanoseconds(", "gettimeofday", "SystemRandomNumberGenerator", "arc4random",
      "getrandom", "ContinuousClock", "SuspendingClock", "Moment.now()", "JournalID.random()", ".random(in:",
    ]
    let readers = try SwiftSource.all(below: "Sources").map(\.path).filter { path in
      let text = try String(contentsOf: SwiftSource.root.appending(path: path), encoding: .utf8)
      return names.contains { text.contains($0) }
    }
    expectEqual(
      readers,
      [
        "Sources/EventSourcingKit/EventStore+OpenOrCreate.swift",
        "Sources/EventSourcingKit/SystemRandom.swift", "Sources/EventSourcingKit/SystemTime.swift",
        // Whether a folder changed while it was walked through.
        "Sources/FileProtection/Container/FileCalls+FolderChange.swift",
        // Pseudonyms that no other export has need a key of their own.
        "Sources/Forensics/Redaction/Pseudonyms.swift",
        // Delays, and how recently a file changed: neither reaches the bytes of a journal.
        "Sources/Journal/Files/OperatingSystem.swift",
        // A new journal needs an identity of its own.
        "Sources/ReplayTool/Commands/ForkCommand.swift",
        // How recently a journal's files changed decides what is examined again, and not what is found.
        "Sources/ReplayTool/Input/FleetInput.swift",
        // When an imagined journal was made.
        "Sources/ReplayTool/Reports/HistoryImagination.swift",
        // The call itself.
        "Sources/SystemCalls/SystemCalls.swift",
      ])
  }

  @Test("The page of app protection lists its folders from the ground up")
  func page() throws {
    let page = SwiftSource.root.appending(path: "Sources/AppProtection/AppProtection.docc/AppProtection.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.map { String($0.split(separator: "`")[1]) }
    expectEqual(listed, Module.all.first { $0.name == "AppProtection" }?.rooms)
  }

  /// The exception to one type a file, which would have most events in files of 20 lines.
  @Test("The events of a theme, their fields, changes and words, share a file of at most 400 lines")
  func events() throws {
    let sources = try SwiftSource.all(below: "Sources/AppProtection")
    let themes = sources.filter { $0.lines.contains { $0.contains("var entry: EventEntry {") } }
    #expect((10...14).contains(themes.count))
    for source in themes {
      #expect(source.path.hasPrefix("Sources/AppProtection/Events/") && source.path.hasSuffix("Events.swift"))
      #expect(source.lines.count <= 400, "\(source.path)")
    }
  }

  @Test("A name in a comment, a text or another type is not one that a file uses or declares")
  func names() {
    let text = """
      // Comment
      struct Outer { enum Inner {} ; let text = "Text \\" Quoted"; let made: Other }
      """
    let source = SwiftSource(path: "Sources/M/R/Outer.swift", bytes: Array(text.utf8))
    expectEqual(source.declared, ["Outer"])
    expectEqual(source.used, ["Outer", "Inner", "Other"])
    #expect(source.isBalanced)
    expectEqual(source.members, ["text", "made"])
    for text in ["struct Outer {", "} struct Outer {", "struct Outer {}}"] {
      #expect(!SwiftSource(path: "Sources/M/R/Outer.swift", bytes: Array(text.utf8)).isBalanced, "\(text)")
    }
  }

  @Test("Every name of a list of cases is a member")
  func listsOfCases() {
    let text = """
      enum Outer: Int {
        case first = 1, second = 2
        case third(Kind, label: [Int: Kind]), fourth, fifth(Int)
        var kind: Int { switch self { case .first, .other(let left, _): left; case let right where right == shown(a, b): 0 } }
      }
      """
    let source = SwiftSource(path: "Sources/M/R/Outer.swift", bytes: Array(text.utf8))
    expectEqual(source.members, ["first", "second", "third", "fourth", "fifth", "kind"])
    #expect(source.mentioned.isSuperset(of: ["other", "shown"]))
  }

  @Test("A member is declared by a type or an extension, and used by its name alone")
  func namesOfMembers() {
    let text = """
      extension Outer {
        func made(of kind: Kind) -> Int { let local = 1; return state.read(local, by: "\\(shown(in: "text")) hidden") }
        private var secret: Int { other + secret }
        enum Inner { case first(label: Int) }
      }
      """
    let source = SwiftSource(path: "Sources/M/R/Outer.swift", bytes: Array(text.utf8))
    expectEqual(source.members, ["made", "first"])
    #expect(source.mentioned.isSuperset(of: ["read", "shown", "other"]))
    #expect(source.mentioned.isDisjoint(with: ["made", "local", "secret", "kind", "by", "text", "hidden", "label"]))
    #expect(source.isBalanced)
  }
}
