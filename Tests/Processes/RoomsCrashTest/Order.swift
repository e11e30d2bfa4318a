import EventSourcing
import RoomsDomain

/// A command whose event follows from its text.
struct Order: Hashable {
  enum Kind: String { case open, register, book, vacate }

  /// Tells it from every other command for the house.
  let number: UInt64
  let kind: Kind
  let room: UInt64
  let guest: UInt64

  /// What makes sense for a room and a guest.
  init(_ number: UInt64, room: UInt64, guest: UInt64, in house: House) {
    kind =
      if house.rooms[key: room] == nil {
        .open
      } else if house.guests[key: guest] == nil {
        .register
      } else if house.rooms[key: room]?.guest == nil {
        .book
      } else {
        .vacate
      }
    (self.number, self.room, self.guest) = (number, room, guest)
  }

  init?(_ text: some StringProtocol) {
    let words = text.split(separator: ":").map { String($0) }
    guard words.count == 4, let number = UInt64(words[0]), let kind = Kind(rawValue: words[1]),
      let room = UInt64(words[2]), let guest = UInt64(words[3])
    else { return nil }
    (self.number, self.kind, self.room, self.guest) = (number, kind, room, guest)
  }

  var text: String { "\(number):\(kind):\(room):\(guest)" }

  var key: [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  static func name(of guest: UInt64) -> String { "Guest \(guest) of the house" }

  var event: RoomEvent {
    switch kind {
    case .open: .opened(room: room, beds: number)
    case .register: .registered(guest: guest, name: Personal(Self.name(of: guest)))
    case .book: .booked(room: room, guest: guest, nights: number)
    case .vacate: .vacated(room: room)
    }
  }

  /// What the event is about.
  var entities: [Entity] {
    switch kind {
    case .open, .vacate: [.room(room)]
    case .register: [.guest(guest)]
    case .book: [.room(room), .guest(guest)]
    }
  }
}
