import EventSourcing

package enum RoomEvent: EventList {
  case opened(room: UInt64 = 0, beds: UInt64 = 0)
  case registered(guest: UInt64 = 0, name: Personal<String> = "")
  case booked(room: UInt64 = 0, guest: UInt64 = 0, nights: UInt64 = 0)
  case vacated(room: UInt64 = 0)

  package static let types = EventTypes<RoomEvent>("room-booking", .opened(), .registered(), .booked(), .vacated())
    .keyed("room", by: ["room.opened": "room", "room.booked": "room", "room.vacated": "room"])
    .keyed("guest", by: ["guest.registered": "guest", "room.booked": "guest"])

  package func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> RoomEvent {
    switch self {
    case .opened(let room, let beds):
      try list.event(1, "room.opened", .opened(room: list.field(1, "room", room), beds: list.field(2, "beds", beds)))
    case .registered(let guest, let name):
      try list.event(
        2, "guest.registered",
        .registered(guest: list.field(1, "guest", guest), name: list.field(2, "name", name, privacy: .account)))
    case .booked(let room, let guest, let nights):
      try list.event(
        3, "room.booked",
        .booked(
          room: list.field(1, "room", room), guest: list.field(2, "guest", guest),
          nights: list.field(3, "nights", nights)))
    case .vacated(let room): try list.event(4, "room.vacated", .vacated(room: list.field(1, "room", room)))
    }
  }

  package var sealingAccount: UInt64 {
    if case .registered(let guest, _) = self { guest } else { 0 }
  }
}

extension Entity {
  package static func room(_ number: UInt64) -> Entity { Entity("room", number) }
  package static func guest(_ number: UInt64) -> Entity { Entity("guest", number) }
}
