import Expectations
import EventSourcing
import Testing
import WireFormat

/// Events with a field of every shape.
private enum Shipment: EventList {
  case sent(parcel: UInt64 = 0, stops: [UInt32] = [], due: Int64? = nil, sender: String? = nil)
  case weighed(parcel: UInt64 = 0, grams: UInt32 = 1, unit: String = "g", tare: Int64 = 0)
  case lost

  static let types = EventTypes<Shipment>("shipping", .lost, .weighed(), .sent())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Shipment {
    switch self {
    case .sent(let parcel, let stops, let due, let sender):
      try list.event(
        1, "parcel.sent",
        .sent(
          parcel: list.field(1, "parcel", parcel, required: true, "which"), stops: list.field(2, "stops", stops),
          due: list.field(3, "due", due, as: .time), sender: list.field(4, "sender", sender, privacy: .account)),
        "A parcel was sent.")
    case .weighed(let parcel, let grams, let unit, let tare):
      try list.event(
        7, "parcel.weighed",
        .weighed(
          parcel: list.field(1, "parcel", parcel), grams: list.field(2, "grams", grams, always: true),
          unit: list.field(3, "unit", unit, always: true), tare: list.field(4, "tare", tare)),
        version: 3, unknownReaders: .ignorable)
    case .lost: list.event(9, "parcel.lost", self)
    }
  }
}

@Suite("An event that lists its types once")
struct EventListTests {
  private static func encoded(_ event: Shipment) -> [UInt8] {
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    return writer.bytes
  }

  private static func decoded(_ type: UInt32, version: UInt32 = 1, _ bytes: [UInt8]) throws(WireError) -> Shipment? {
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      try Shipment.decode(type: type, version: version, body: &reader)
    }
  }

  @Test(
    "An event is read back as it was written",
    arguments: [
      Shipment.sent(parcel: 3, stops: [4, 5, 4], due: 0, sender: ""), .sent(), .weighed(parcel: 1, grams: 0, unit: ""),
      .weighed(tare: -9), .lost,
    ])
  fileprivate func roundTrip(event: Shipment) throws {
    let version = try #require(Shipment.catalog[event.type]).version
    try expectEqual(Self.decoded(event.type, version: version, Self.encoded(event)), event)
  }

  @Test("Values that absence means are left out")
  func defaults() {
    expectEqual(Self.encoded(.sent()), [0x08, 0])
    expectEqual(Self.encoded(.weighed()), [0x10, 1, 0x1A, 1, UInt8(ascii: "g")])
    expectEqual(Self.encoded(.lost), [])
  }

  @Test("Fields are read in any order, and unknown ones are skipped")
  func order() throws {
    let bytes: [UInt8] = [0x10, 4, 0x48, 1, 0x08, 3, 0x10, 5]
    try expectEqual(Self.decoded(1, bytes), .sent(parcel: 3, stops: [4, 5]))
  }

  @Test("A body without a required field is refused")
  func required() {
    #expect(throws: WireError(.missing(field: 1), at: 2)) { try Self.decoded(1, [0x10, 4]) }
  }

  @Test("An event of an earlier version has the values that its type begins with")
  func versions() throws {
    for version: UInt32 in 1...3 {
      try expectEqual(Self.decoded(7, version: version, [0x08, 2]), .weighed(parcel: 2, grams: 1, unit: "g"))
    }
    for (type, version): (UInt32, UInt32) in [(7, 4), (7, 0), (1, 2), (2, 1), (0, 1)] {
      #expect(try Self.decoded(type, version: version, [0x08, 2]) == nil, "type \(type), version \(version)")
    }
  }

  @Test("The catalogue describes every type and field of the list")
  func catalog() throws {
    let entries = Shipment.catalog.entries
    expectEqual(entries.map(\.number), [1, 7, 9])
    expectEqual(entries.map(\.name), ["parcel.sent", "parcel.weighed", "parcel.lost"])
    expectEqual(entries.map(\.version), [1, 3, 1])
    expectEqual(entries.map(\.unknownReaders), [.mustUnderstand, .ignorable, .mustUnderstand])
    expectEqual(entries.map(\.meaning), ["A parcel was sent.", "", ""])
    expectEqual(entries.map(\.body.name), ["ParcelSent", "ParcelWeighed", "ParcelLost"])
    let sent = entries[0].body.fields
    expectEqual(sent.map(\.name), ["parcel", "stops", "due", "sender"])
    expectEqual(sent.map(\.type.name), ["unsigned", "unsigned", "time", "string"])
    expectEqual(sent.map(\.cardinality), [.single, .repeated, .optional, .optional])
    expectEqual(sent.map(\.privacy), [.public, .public, .public, .account])
    expectEqual(sent.map(\.meaning), ["which", "", "", ""])
  }
}
