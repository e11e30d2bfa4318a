import Expectations
import EventSourcing
import Testing
import WireFormat

/// A message with a field of every shape.
private struct Parcel: FieldList {
  var owner: UInt64
  var isFragile = false
  var weight: UInt32 = 1
  var balance: Int64 = 0
  var label = ""
  var sender: String?
  var due: Int64?
  var stops: [UInt32] = []
  var lid = Lid()
  var spare: Lid?
  var cause: UInt64 = 0
  var door: UInt32 = 4
  var seals: [Lid] = []

  struct Lid: FieldList {
    var width: UInt32 = 0

    static var blank: Self { Self() }

    static func visit<V: FieldVisitor>(_ lid: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "width", &lid.width, "how wide it is")
    }
  }

  static var blank: Self { Self(owner: 0) }

  static func visit<V: FieldVisitor>(_ parcel: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "owner", &parcel.owner, required: true, shown: false, "whose it is")
    try field(2, "isFragile", &parcel.isFragile, "whether it breaks")
    try field(3, "weight", &parcel.weight, unless: 1, "how heavy it is; absent: 1")
    try field(4, "balance", &parcel.balance, "what is owed")
    try field(5, "label", &parcel.label, privacy: .account, "what it says")
    try field(6, "sender", &parcel.sender, privacy: .secret, "who sent it")
    try field(7, "due", &parcel.due, as: .time, "when it is due")
    field.shown("isDue", .value(.bool(parcel.due != nil)))
    try field(8, "stops", &parcel.stops, "where it stops, rising", inOrder: { $0 < $1 })
    // Zero is a door too.
    try field(9, "door", &parcel.door, always: true, "at which door it is left; absent: 4")
    try field(16, "lid", &parcel.lid, "its lid")
    try field(17, "spare", &parcel.spare, "another lid")
    try field(18, "seals", &parcel.seals, "what covers it, from the inside")
    try field(2047, "cause", &parcel.cause, as: .sequence, "the event that sent it")
  }
}

@Suite("A message that lists its fields once")
struct FieldListTests {
  private static let full = Parcel(
    owner: 7, isFragile: true, weight: 0, balance: -3, label: "text", sender: "", due: 0, stops: [1, 2, 300],
    lid: Parcel.Lid(width: 4), spare: Parcel.Lid(), cause: 9, door: 0)

  private static func encoded(_ parcel: Parcel) -> [UInt8] {
    var writer = WireWriter()
    parcel.encode(into: &writer)
    return writer.bytes
  }

  private static func decoded(_ bytes: [UInt8]) throws(WireError) -> Parcel {
    try WireReader.decode(bytes) { (reader) throws(WireError) in try Parcel(from: &reader) }
  }

  /// The fields of a message with their tags.
  private static func fields(_ bytes: [UInt8]) throws(WireError) -> [[UInt8]] {
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      var fields: [[UInt8]] = []
      while let field = try reader.nextField() { fields.append(try reader.skipCopying(field)) }
      return fields
    }
  }

  @Test("Fields are written in their order, and defaults are left out")
  func writing() {
    expectEqual(
      Self.encoded(Self.full),
      [
        0x08, 7, 0x10, 1, 0x18, 0, 0x20, 5, 0x2a, 4, 0x74, 0x65, 0x78, 0x74, 0x32, 0, 0x39, 0, 0, 0, 0, 0, 0, 0, 0,
        0x40, 1, 0x40, 2, 0x40, 0xac, 2, 0x48, 0, 0x82, 1, 2, 0x08, 4, 0x8a, 1, 0, 0xf8, 0x7f, 9,
      ])
    // A required field, an embedded message and a field whose absence is no zero are written whatever they hold.
    expectEqual(Self.encoded(.blank), [0x08, 0, 0x48, 4, 0x82, 1, 0])
  }

  @Test("Fields are read in any order, between fields that are not known")
  func anyOrder() throws {
    let fields = try Self.fields(Self.encoded(Self.full))
    expectEqual(fields.count, 14)
    // A later program's fields, with a short and a long number.
    let unknown: [[UInt8]] = [[0x78, 1], [0xfa, 0xff, 0x7f, 1, 0]]
    var random = SeededGenerator(seed: 3)
    for round in 0..<200 {
      var order = fields + unknown
      order.shuffle(using: &random)
      // The elements of a repeated field keep their order.
      let stops = fields.filter { $0[0] == 0x40 }
      var next = stops.makeIterator()
      order = order.map { $0[0] == 0x40 ? next.next() ?? $0 : $0 }
      try expectEqual(Self.decoded(order.flatMap { $0 }), Self.full, "round \(round)")
    }
  }

  @Test("Of a field that occurs once the last occurrence counts")
  func lastCounts() throws {
    let again: [UInt8] = Self.encoded(Self.full) + [0x08, 8, 0x10, 0, 0x82, 1, 2, 0x08, 5]
    let parcel = try Self.decoded(again)
    #expect(parcel.owner == 8 && !parcel.isFragile && parcel.lid.width == 5)
  }

  @Test(
    "What is wrong with the bytes is said with its place",
    arguments: [
      ([], WireError(.missing(field: 1), at: 0)),
      ([0x10, 1], WireError(.missing(field: 1), at: 2)),
      ([0x08, 1, 0x12, 0], WireError(.wrongWireType(field: 2), at: 2)),
      ([0x08, 1, 0x18, 0x80, 0x80, 0x80, 0x80, 0x10], WireError(.outOfRange(field: 3), at: 2)),
      ([0x08, 1, 0x40, 2, 0x40, 1], WireError(.outOfRange(field: 8), at: 4)),
      ([0x40, 2, 0x08, 1, 0x40, 1], WireError(.outOfRange(field: 8), at: 4)),
      ([0x08, 1, 0x0b], WireError(.unknownWireType(3), at: 2)),
      ([0x08, 1, 0x82], WireError(.truncated, at: 2)),
      ([0x08, 1, 0x2a, 9, 0], WireError(.truncated, at: 2)),
    ])
  func errors(bytes: [UInt8], error: WireError) {
    #expect(throws: error) { try Self.decoded(bytes) }
  }

  @Test("Any bytes are read in time that rises with their number, and what is read is written the same")
  func anyBytes() {
    var random = SeededGenerator(seed: 5)
    let full = Self.encoded(Self.full)
    for _ in 0..<2_000 {
      var bytes = full
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: bytes.indices, using: &random))
      guard let parcel = try? Self.decoded(bytes) else { continue }
      #expect((try? Self.decoded(Self.encoded(parcel))) == parcel, "\(bytes)")
    }
  }

  @Test("The schema has every field with its type, its class and its meaning")
  func schema() {
    let descriptor = Parcel.descriptor
    expectEqual(descriptor.name, "Parcel")
    expectEqual(descriptor.fields.map(\.number), [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 2047])
    expectEqual(
      descriptor.fields.map(\.type.name),
      [
        "unsigned", "bool", "unsigned", "signed", "string", "string", "time", "unsigned", "unsigned", "Lid", "Lid",
        "Lid", "sequence",
      ])
    expectEqual(
      descriptor.fields.map(\.cardinality),
      [
        .single, .single, .optional, .single, .single, .optional, .optional, .repeated, .single, .single, .optional,
        .repeated, .single,
      ])
    expectEqual(descriptor.fields.filter { $0.privacy != .public }.map(\.name), ["label", "sender"])
    #expect(descriptor.fields.allSatisfy { !$0.meaning.isEmpty })
  }

  @Test("The tree has every field that is shown, and what follows from them")
  func tree() {
    let lid = StateTree.members([.init("width", .integer(4))])
    expectEqual(
      Self.full.tree(),
      .members([
        .init("isFragile", .bool(true)), .init("weight", .integer(0)), .init("balance", .integer(-3)),
        .init("label", .personal("text", .account)), .init("sender", .personal("", .secret)), .init("due", .time(0)),
        .init("isDue", .bool(true)), .init("stops", .list([.integer(1), .integer(2), .integer(300)])),
        .init("door", .integer(0)), .init("lid", lid), .init("spare", .members([.init("width", .integer(0))])),
        .init("seals", .value(.unset)), .init("cause", .sequence(9)),
      ]))
    expectEqual(Parcel.blank.tree()[path: "/label"], .value(.unset))
    expectEqual(Parcel.blank.tree()[path: "/cause"], .value(.unset))
    expectEqual(Parcel.blank.tree()[path: "/stops"], .value(.unset))
  }

  @Test("Repeated messages are members of the tree, named by their places")
  func repeatedMessages() {
    let parcel = Parcel(owner: 7, seals: [Parcel.Lid(width: 3), Parcel.Lid()])
    expectEqual(
      parcel.tree()[path: "/seals"],
      .members([
        .init("1", .members([.init("width", .integer(3))])), .init("2", .members([.init("width", .integer(0))])),
      ]))
  }
}
