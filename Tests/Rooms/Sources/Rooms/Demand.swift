import EventSourcing
import EventSourcingKit

package struct Demand: FieldTree, MachineState {
  package struct Room: TableRow, FieldTree {
    package var number: UInt64 = 0
    package var nights: UInt64 = 0

    package var key: UInt64 { number }
    package static var blank: Room { Room() }

    package static func visit<V: FieldVisitor>(_ room: inout Room, _ field: inout V) throws(V.Failure) {
      try field(1, "number", &room.number, required: true)
      try field(2, "nights", &room.nights)
    }
  }

  package var rooms = StateTable<Room>()

  package static var blank: Demand { Demand() }

  package static func visit<V: FieldVisitor>(_ demand: inout Demand, _ field: inout V) throws(V.Failure) {
    try field(1, "rooms", &demand.rooms)
  }
}

package enum DemandProjection: Projection {
  package typealias Domain = House
  package static let name = "demand"

  package static func fold(_ event: RoomEvent, into demand: inout Demand, _ context: EventContext) {
    guard case .booked(let room, _, let nights) = event else { return }
    let earlier = demand.rooms[key: room]?.nights ?? 0
    demand.rooms.set(Demand.Room(number: room, nights: earlier &+ nights))
  }
}
