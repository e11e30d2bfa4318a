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
      "clock_gettime", "gettimeofday", "SystemRandomNumberGenerator", "arc4random", "getrandom", "ContinuousClock",
      "SuspendingClock", "Moment.now()", "JournalID.random()", ".random(in:",
    ]
    let readers = try SwiftSource.all(below: "Sources").map(\.path).filter { path in
      let text = try String(contentsOf: SwiftSource.root.appending(path: path), encoding: .utf8)
      return names.contains { text.contains($0) }
    }
    #expect(
      readers == [
        "Sources/EventSourcingKit/EventStore+OpenOrCreate.swift", "Sources/EventSourcingKit/JournalID+Random.swift",
        "Sources/EventSourcingKit/Platform.swift",
        // Delays, and how recently a file changed: neither reaches the bytes of a journal.
        "Sources/Journal/Files/Platform.swift",
      ])
  }

  @Test("The page of app protection lists its folders from the ground up")
  func page() throws {
    let page = SwiftSource.root.appending(path: "Sources/AppProtection/AppProtection.docc/AppProtection.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.map { String($0.split(separator: "`")[1]) }
    #expect(listed == Module.all.first { $0.name == "AppProtection" }?.rooms)
  }

  @Test("A name in a comment, a text or another type is not one that a file uses or declares")
  func names() {
    let text = """
      // Comment
      struct Outer { enum Inner {} ; let text = "Text \\" Quoted"; let made: Other }
      """
    let source = SwiftSource(path: "Sources/M/R/Outer.swift", bytes: Array(text.utf8))
    #expect(source.declared == ["Outer"])
    #expect(source.used == ["Outer", "Inner", "Other"])
    #expect(source.isBalanced)
    for text in ["struct Outer {", "} struct Outer {", "struct Outer {}}"] {
      #expect(!SwiftSource(path: "Sources/M/R/Outer.swift", bytes: Array(text.utf8)).isBalanced, "\(text)")
    }
  }
}
