import EventSourcing

package struct Room: TableRow, FieldTree {
  package var number: UInt64 = 0
  package var beds: UInt64 = 0
  package var guest: UInt64?

  package var key: UInt64 { number }
  package static var blank: Room { Room() }

  package static func visit<V: FieldVisitor>(_ room: inout Room, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &room.number, required: true)
    try field(2, "beds", &room.beds)
    try field(3, "guest", &room.guest)
  }
}

package struct Guest: TableRow, FieldTree {
  package var number: UInt64 = 0
  @Personal package var name = ""

  package var key: UInt64 { number }
  package static var blank: Guest { Guest() }

  package static func visit<V: FieldVisitor>(_ guest: inout Guest, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &guest.number, required: true)
    try field(2, "name", &guest.$name, privacy: .account)
  }
}

package struct House: Aggregate {
  package var rooms = StateTable<Room>()
  package var guests = StateTable<Guest>()

  package init() {}

  package mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "rooms", &rooms)
    try field(2, "guests", &guests)
  }

  package mutating func apply(_ event: RoomEvent, _ context: EventContext) {
    switch event {
    case .opened(let room, let beds): rooms.set(Room(number: room, beds: beds))
    case .registered(let number, let name):
      var guest = Guest(number: number)
      guest.$name = name
      guests.set(guest)
    case .booked(let room, let guest, _): rooms.update(room) { $0.guest = guest }
    case .vacated(let room): rooms.update(room) { $0.guest = nil }
    }
  }

  package func check(_ event: RoomEvent) throws(Refusal) {
    switch event {
    case .opened(let room, _):
      if rooms[key: room] != nil { throw Refusal("room \(room) is open already") }
    case .registered(let guest, _):
      if guest == 0 || guests[key: guest] != nil { throw Refusal("the number \(guest) is not free") }
    case .booked(let number, let guest, _):
      guard let room = rooms[key: number] else { throw Refusal("there is no room \(number)") }
      guard guests[key: guest] != nil else { throw Refusal("there is no guest \(guest)") }
      if let other = room.guest { throw Refusal("guest \(other) has room \(number)") }
    case .vacated(let number):
      if rooms[key: number]?.guest == nil { throw Refusal("room \(number) is free") }
    }
  }
}

// The rules answer no questions.
extension House: QuestionDomain {}
