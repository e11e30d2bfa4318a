import EventSourcing
import Expectations
import Testing

@testable import Forensics

/// A shelf, of which two fields make the key.
private struct Shelf: KeyedRow, FieldTree {
  var hall: UInt64 = 0
  var label = ""
  var lent: [GUID: Int] = [:]

  var key: String { "\(hall)-\(label)" }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ shelf: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "hall", &shelf.hall)
    try field(2, "label", &shelf.label)
    try field(3, "lent", &shelf.lent)
  }
}

/// A desk, whose key has the name of a reader in it.
private struct Desk: KeyedRow, FieldTree {
  var hall: UInt64 = 0
  var reader = ""

  var key: String { "\(hall)-\(reader)" }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ desk: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "hall", &desk.hall)
    try field(2, "reader", &desk.reader, privacy: .account)
  }
}

/// A lamp, whose key comes from none of the fields, of which some are personal.
private struct Lamp: KeyedRow, FieldTree {
  var owner: String?
  var owners: [String] = []

  var key: String { owners.first ?? "" }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ lamp: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "owner", &lamp.owner, privacy: .account)
    try field(2, "owners", &lamp.owners, privacy: .account)
  }
}

/// A hall with tables in the rows of a table.
private struct Hall: TableRow, FieldTree {
  var key: UInt64 = 0
  var desks = KeyedTable<Desk>()

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ hall: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &hall.key, required: true)
    try field(2, "desks", &hall.desks)
  }
}

private enum Change: EventList {
  case opened

  static let types = EventTypes<Change>("reading-room", .opened)

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Change { list.event(1, "room.opened", .opened) }
}

private struct ReadingRoom: Aggregate {
  var shelves = KeyedTable<Shelf>()
  var lamps = KeyedTable<Lamp>()
  var halls = StateTable<Hall>()
  var visits: [String: [String: Int]] = [:]

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "shelves", &shelves)
    try field(2, "lamps", &lamps)
    try field(3, "halls", &halls)
    try field(4, "visits", &visits)
  }

  mutating func apply(_ event: Change, _ context: EventContext) {}
}

@Suite("Who may see the keys in paths")
struct KeyedNamesTests {
  private static let id = "5f0c7d1e-0000-4000-8000-000000000001"

  @Test(
    "A key is shown to those who may see every field that it comes from",
    arguments: [
      ("/shelves/1-\(id)/hall", "/shelves/1-\(id)/hall"), ("/shelves/1-x/lent/\(id)", "/shelves/1-x/lent/\(id)"),
      ("/shelves/a@b.example/hall", "/shelves/(withheld)/hall"),
      ("/halls/7/desks/1-Ada/hall", "/halls/7/desks/(withheld)/hall"),
      ("/lamps/Ada/owner", "/lamps/(withheld)/owner"),
      ("/visits/\(id)/\(id)", "/visits/\(id)/\(id)"), ("/none/\(id)", "/none/(withheld)"), ("/", "/"),
    ])
  func keys(path: String, shown: String) {
    expectEqual(Redaction(revealing: false, pathsOf: ReadingRoom.self).shown(statePath: path), shown)
    expectEqual(Redaction(revealing: true, pathsOf: ReadingRoom.self).shown(statePath: path), path)
  }

  @Test("A tree, of the state or of a part, shows its keys as paths do")
  func trees() {
    var room = ReadingRoom()
    room.shelves.set(Shelf(hall: 1, label: Self.id))
    var hall = Hall(key: 7)
    hall.desks.set(Desk(hall: 1, reader: "Ada"))
    room.halls.set(hall)
    let redaction = Redaction(revealing: false, pathsOf: ReadingRoom.self)
    let (text, json) = (room.tree().text(redaction), room.tree().json(redaction))
    for shown in [text, json] { #expect(shown.contains("1-\(Self.id)") && !shown.contains("1-Ada"), "\(shown)") }
    let part = room.tree(at: "/halls/7") ?? .members([])
    expectEqual(
      TreeText(redaction).indented(part, under: "/halls/7").map(\.text).filter { $0.contains("1-") }, [])
    #expect(!ValueJSON(redaction).json(part, under: "/halls/7").text(style: .compact).contains("1-Ada"))
  }
}
