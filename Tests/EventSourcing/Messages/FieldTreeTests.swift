import Expectations
import Testing

@testable import EventSourcing

/// A message that is compared field by field.
private struct House: FieldTree {
  var name = ""
  var floors: UInt32 = 1
  var built: Int64?
  var rooms: [UInt32] = []
  var roof = Roof()
  var garage: Roof?
  /// With a list of fields that depends on its values.
  var shed = Shed()

  struct Roof: FieldTree {
    var color = ""
    var slope: Int64 = 0

    static var blank: Self { Self() }

    static func visit<V: FieldVisitor>(_ roof: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "color", &roof.color)
      try field(2, "slope", &roof.slope)
      field.shown("isFlat", .value(.bool(roof.slope == 0)))
    }
  }

  struct Shed: FieldTree {
    var isOpen = false
    var width: UInt32 = 0

    static var blank: Self { Self() }

    static func visit<V: FieldVisitor>(_ shed: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "isOpen", &shed.isOpen)
      if shed.isOpen { try field(2, "width", &shed.width) }
    }
  }

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ house: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &house.name, privacy: .account)
    try field(2, "floors", &house.floors)
    try field(3, "built", &house.built, as: .time)
    try field(4, "rooms", &house.rooms)
    try field(5, "roof", &house.roof)
    try field(6, "garage", &house.garage)
    try field(7, "shed", &house.shed)
    field.shown(8, "cover", part: house.roof)
  }

  static let all: [House] = [
    House(), House(name: "x"), House(floors: 2, built: 5), House(built: 6, rooms: [1]), House(rooms: [1, 2]),
    House(roof: Roof(color: "red")), House(roof: Roof(color: "red", slope: 3), garage: Roof()),
    House(garage: Roof(slope: 1)), House(shed: Shed(isOpen: true)), House(shed: Shed(isOpen: true, width: 2)),
  ]
}

/// A state of one house.
private struct Street: MachineState, FieldList {
  var house = House()

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ street: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "house", &street.house)
  }

  func compareSlice(_ index: Int, with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    house.compare(with: later.house, at: place, differ)
  }
}

@Suite("Messages that are compared field by field")
struct FieldTreeTests {
  @Test("Comparing field by field gives what comparing trees gives")
  func differences() {
    let differ = StateDiffer()
    for one in House.all {
      for other in House.all {
        let expected = StateDiff(from: Street(house: one).tree(), to: Street(house: other).tree())
        expectEqual(differ.changes(from: Street(house: one), to: Street(house: other)), expected)
      }
    }
  }

  @Test("However many values are compared at once, each is found as what it is", arguments: [0, 1, 64, 65, 1000])
  func manyValues(count: Int) {
    let values = ValueStack()
    for _ in 0..<2 {
      for number in 0..<count { number.isMultiple(of: 2) ? values.push(number) : values.push("number \(number)") }
      expectEqual(values.count, count)
      for number in 0..<count where number.isMultiple(of: 2) {
        expectEqual(values.place(number, of: Int.self)?.pointee, number)
        #expect(values.place(number, of: String.self) == nil)
      }
      for number in 0..<count where !number.isMultiple(of: 2) {
        expectEqual(values.place(number, of: String.self)?.pointee, "number \(number)")
      }
      #expect(values.place(count, of: Int.self) == nil)
      values.removeAll(from: count / 2)
      expectEqual(values.count, count / 2)
      values.removeAll(from: 0)
    }
  }

  @Test("A part of the tree is found without the others")
  func parts() {
    let paths = [
      "", "name", "floors", "built", "rooms", "roof", "roof/color", "garage", "garage/slope", "shed/width",
      "cover/isFlat", "nothing", "name/nothing",
    ]
    for house in House.all {
      for path in paths {
        expectEqual(house.part(at: StateTree.components(of: path)[...]), house.tree()[path: path], "\(path)")
      }
    }
  }
}
