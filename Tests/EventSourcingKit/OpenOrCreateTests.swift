import Expectations
import EventSourcing
import EventSourcingKit
import Foundation
import Journal
import Testing

private enum Tick: EventList {
  case ticked

  static let types = EventTypes<Tick>("count", .ticked)

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Tick { list.event(1, "clock.ticked", self) }
}

private struct Count: Aggregate {
  var count: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "count", &count) }
  mutating func apply(_ tick: Tick, _ context: EventContext) { count += 1 }
}

@Suite("A store is opened, and its journal created where there is none")
struct OpenOrCreateTests {
  /// A path in a folder of its own, which is removed afterwards.
  private static func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "open-or-create-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "journal").path)
  }

  @Test("The first opening creates the journal, and the next continues it")
  func twice() throws {
    try Self.inFolder { path in
      let store = try EventStore<Count>.open(at: path, create: true)
      try store.append(.ticked, at: Moment(wallNanoseconds: 1))
      let id = store.journal.id
      try store.close()
      let again = try EventStore<Count>.open(at: path, create: true)
      expectEqual(again.journal.id, id)
      expectEqual(again.state.count, 1)
    }
  }

  @Test("A missing journal is not created unasked")
  func unasked() throws {
    try Self.inFolder { path in
      let error = #expect(throws: HistoryError.self) { try EventStore<Count>.open(at: path, create: false) }
      guard case .journal(let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectEqual(reason.code, .notAJournal)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("A journal that lost a file is refused, and nothing new is put in its place")
  func damaged() throws {
    try Self.inFolder { path in
      let store = try EventStore<Count>.open(at: path, create: true)
      try store.append(.ticked, at: Moment(wallNanoseconds: 1))
      try store.close()
      // All that is left of an event's bytes is its segment, without its header.
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      for name in names where !name.hasSuffix(".seg") { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
      let segment = try #require(names.first { $0.hasSuffix(".seg") })
      try Data(repeating: 0xFF, count: 300).write(to: URL(fileURLWithPath: "\(path)/\(segment)"))
      let error = #expect(throws: HistoryError.self) { try EventStore<Count>.open(at: path, create: true) }
      guard case .journal(let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason.code != .notAJournal && reason.code != .alreadyExists)
      try expectEqual(Data(contentsOf: URL(fileURLWithPath: "\(path)/\(segment)")), Data(repeating: 0xFF, count: 300))
      #expect(!FileManager.default.fileExists(atPath: "\(path)/JOURNAL"))
    }
  }

  @Test("Where only the receipts of a journal are left, they are not written over")
  func onlyReceipts() throws {
    try Self.inFolder { path in
      let store = try EventStore<Count>.open(at: path, create: true)
      try store.append(.ticked, at: Moment(wallNanoseconds: 1))
      try store.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      for name in names where name != "HEAD" && name != "LOCK" {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
      }
      let head = try Data(contentsOf: URL(fileURLWithPath: "\(path)/HEAD"))
      let error = #expect(throws: HistoryError.self) { try EventStore<Count>.open(at: path, create: true) }
      guard case .journal(let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason.code == .damaged && reason.file == "\(path)/HEAD", "the journal is named")
      try expectEqual(Data(contentsOf: URL(fileURLWithPath: "\(path)/HEAD")), head)
      try expectEqual(FileManager.default.contentsOfDirectory(atPath: path).sorted(), ["HEAD", "LOCK"])
    }
  }

  @Test("A random identity is not drawn twice, and is not that of no journal")
  func identities() {
    let drawn = Set((0..<100).map { _ in JournalID.random() })
    expectEqual(drawn.count, 100)
    #expect(!drawn.contains(.none))
  }

  @Test("Both clocks are read, and uptime does not run backwards")
  func clocks() {
    let moments = (0..<100).map { _ in Moment.now() }
    // 2020-01-01: a device whose clock was never set would be earlier, and a wrong unit would be far off.
    #expect(moments.allSatisfy { (1_577_836_800_000_000_000..<9_214_646_400_000_000_000).contains($0.wallNanoseconds) })
    #expect(moments.allSatisfy { $0.uptimeNanoseconds > 0 })
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $0.uptimeNanoseconds <= $1.uptimeNanoseconds })
  }
}
