import EventSourcing
import Expectations
import Testing
import WireFormat

/// A state with a field of every shape: the tables hold few rows and many.
private struct Hotel: MachineState, FieldTree {
  struct Room: TableRow, FieldTree {
    var key: UInt64 = 0
    var guest = ""
    var nights: UInt64 = 0
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ room: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "number", &room.key, shown: false)
      try field(2, "guest", &room.guest)
      try field(3, "nights", &room.nights)
    }
  }
  struct Owner: FieldTree {
    var name = ""
    var since: Int64?
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ owner: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "name", &owner.name)
      try field(2, "since", &owner.since, as: .time)
    }
  }

  var stars: UInt64 = 3
  var name = "Grand"
  var owner = Owner()
  var phone: String?
  var codes: [UInt64] = []
  var owners: [Owner] = []
  var secret: UInt64 = 0
  @Personal var manager = ""
  var suites = StateTable<Room>()
  var rooms = StateTable<Room>()

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ hotel: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "stars", &hotel.stars)
    try field(2, "name", &hotel.name)
    try field(3, "owner", &hotel.owner)
    try field(4, "phone", &hotel.phone)
    try field(5, "codes", &hotel.codes)
    try field(6, "owners", &hotel.owners)
    try field(7, "secret", &hotel.secret, shown: false)
    try field(8, "manager", &hotel.$manager, privacy: .account)
    try field(9, "suites", &hotel.suites)
    try field(10, "rooms", &hotel.rooms)
  }

  static func built() -> Hotel {
    var hotel = Hotel()
    hotel.owner = Owner(name: "Ann", since: 7)
    hotel.phone = "12"
    hotel.codes = [4, 0, 9]
    hotel.owners = [Owner(name: "B"), Owner(name: "C", since: 1)]
    hotel.secret = 5
    hotel.manager = "Max"
    hotel.suites = StateTable((1...3).map { Room(key: $0, guest: "s\($0)", nights: $0) })
    hotel.rooms = StateTable((1...200).map { Room(key: $0 * 3, guest: "r\($0)", nights: 0) })
    return hotel
  }
}

@Suite("One field of a state that lists its fields")
struct FieldSliceTests {
  /// Changes of one field each, and one that changes nothing.
  private static let changes: [@Sendable (inout Hotel) -> Void] = [
    { _ in }, { $0.stars = 0 }, { $0.name = "Café" }, { $0.owner.since = nil }, { $0.phone = nil },
    { $0.codes.append(1) },
    { $0.codes = [] }, { $0.owners[1].name = "D" }, { $0.secret = 0 }, { $0.manager = "" },
    { $0.suites.update(2) { $0.nights = 9 } },
    { $0.suites.remove(1) }, { $0.suites.set(Hotel.Room(key: 9)) }, { $0.rooms.update(30) { $0.guest = "other" } },
    { $0.rooms.update(30) { $0.nights = 1 } }, { $0.rooms.remove(300) },
    { $0.rooms.set(Hotel.Room(key: 4, guest: "new")) },
    { $0.rooms.update(3) { $0.guest = "r1" } }, { $0.rooms = StateTable(Array($0.rooms.prefix(5))) },
    { $0.rooms.updateAll { $0.nights += 1 } },
  ]

  private static func after(_ change: Int) -> Hotel {
    var hotel = Hotel.built()
    changes[change](&hotel)
    return hotel
  }

  @Test("Two slices are equal where their encodings are", arguments: changes.indices, changes.indices)
  func equality(one: Int, other: Int) {
    let (one, other) = (Self.after(one), Self.after(other))
    for index in Hotel.sliceNames.indices {
      #expect(
        one.slice(index, equals: other) == (one.encodedSlice(index) == other.encodedSlice(index)),
        "\(Hotel.sliceNames[index])")
    }
  }

  @Test("Texts that only the composition of a letter tells apart are not equal, in rows of large tables too")
  func composition() {
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    var one = Hotel.built()
    var other = one
    (one.name, other.name) = (composed, decomposed)
    (one.owners[0].name, other.owners[0].name) = (composed, decomposed)
    one.suites.update(1) { $0.guest = composed }
    other.suites.update(1) { $0.guest = decomposed }
    one.rooms.update(60) { $0.guest = composed }
    other.rooms.update(60) { $0.guest = decomposed }
    #expect(one == other)
    let equal = Hotel.sliceNames.indices.filter { one.slice($0, equals: other) }.map { Hotel.sliceNames[$0] }
    expectEqual(equal, ["stars", "owner", "phone", "codes", "secret", "manager"])
  }

  @Test("A copied slice leaves the others as they were", arguments: changes.indices)
  func copying(change: Int) {
    let changed = Self.after(change)
    for index in Hotel.sliceNames.indices {
      var copy = Hotel.built()
      copy.copySlice(index, of: changed)
      for other in Hotel.sliceNames.indices {
        expectEqual(copy.encodedSlice(other), (other == index ? changed : Hotel.built()).encodedSlice(other))
      }
    }
  }

  @Test("A part of a slice is that of the whole tree")
  func parts() {
    let hotel = Hotel.built()
    let tree = hotel.tree()
    let paths =
      tree.paths() + [
        "/rooms/0", "/rooms/3", "/rooms/4", "/rooms/03", "/rooms/601", "/rooms/x", "/suites/4/guest", "/stars/1",
        "/none",
        "/secret", "/owner/none",
      ]
    for path in paths {
      expectEqual(hotel.tree(at: path), path == "/secret" ? .members([]) : tree[path: path], "\(path)")
    }
    for index in Hotel.sliceNames.indices {
      expectEqual(hotel.tree(ofSlice: index), tree.member(named: Hotel.sliceNames[index]) ?? .members([]))
    }
    expectEqual(Hotel().tree(at: "/rooms"), Hotel().tree()[path: "/rooms"])
  }

  @Test("The difference of two slices is that of their trees", arguments: changes.indices, changes.indices)
  func difference(one: Int, other: Int) {
    let (one, other) = (Self.after(one), Self.after(other))
    // A state without a list compares the trees.
    expectEqual(
      StateDiffer().changes(from: one, to: other),
      StateDiffer().changes(from: Plain(hotel: one), to: Plain(hotel: other)))
  }
}

/// The same state, whose slices are compared by the defaults.
private struct Plain: MachineState {
  var hotel: Hotel

  static var sliceNames: [String] { Hotel.sliceNames }
  func encodeSlice(_ index: Int, into writer: inout WireWriter) { hotel.encodeSlice(index, into: &writer) }
  mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
    try hotel.decodeSlice(index, from: &reader)
  }
  func tree() -> StateTree { hotel.tree() }
}
