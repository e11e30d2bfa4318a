import EventSourcing

/// What happens in a house with rooms.
package enum RoomEvent: EventList {
  case opened(room: UInt64 = 0, name: String = "")
  case booked(room: UInt64 = 0, guest: String = "")
  case freed(room: UInt64 = 0)

  package static let types = EventTypes<RoomEvent>("rooms", .opened(), .booked(), .freed())

  package func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> RoomEvent {
    switch self {
    case .opened(let room, let name):
      try list.event(
        1, "room.opened", .opened(room: list.field(1, "room", room), name: list.field(2, "name", name)))
    case .booked(let room, let guest):
      try list.event(
        2, "room.booked",
        .booked(room: list.field(1, "room", room), guest: list.field(2, "guest", guest, privacy: .account)))
    case .freed(let room): try list.event(3, "room.freed", .freed(room: list.field(1, "room", room)))
    }
  }
}

/// A room, and who has it.
package struct Room: TableRow, FieldTree {
  package var number: UInt64 = 0
  package var name = ""
  package var guest = ""
  package var bookings: UInt64 = 0

  package var key: UInt64 { number }
  package static var blank: Room { Room() }

  package static func visit<V: FieldVisitor>(_ room: inout Room, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &room.number, required: true)
    try field(2, "name", &room.name)
    try field(3, "guest", &room.guest, privacy: .account)
    try field(4, "bookings", &room.bookings)
  }
}

/// The house.
package struct House: Aggregate {
  package var rooms = StateTable<Room>()
  package var free: UInt64 = 0

  package init() {}

  package mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "rooms", &rooms)
    try field(2, "free", &free)
  }

  package mutating func apply(_ event: RoomEvent, _ context: EventContext) {
    switch event {
    case .opened(let number, let name):
      rooms.set(Room(number: number, name: name))
      free += 1
    case .booked(let number, let guest):
      rooms.update(number) {
        $0.guest = guest
        $0.bookings += 1
      }
      free -= min(free, 1)
    case .freed(let number):
      rooms.update(number) { $0.guest = "" }
      free += 1
    }
  }

  package func check(_ event: RoomEvent) throws(Refusal) {
    guard case .booked(let number, _) = event, rooms[key: number]?.guest != "" else { return }
    throw Refusal("room \(number) is not free")
  }
}
