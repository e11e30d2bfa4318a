import EventSourcing

/// Rooms that are opened, guests who are registered, and then bookings and departures in random rooms. The same in every run.
struct RoomHistory {
  let rooms: Int
  private var random = RandomNumbers(seed: 17)
  private var isTaken: [Bool]
  private var count = 0

  init(rooms: Int) {
    self.rooms = rooms
    isTaken = [Bool](repeating: false, count: rooms + 1)
  }

  /// The numbers of the commands that come before the first booking.
  var preparation: Range<Int> { 0..<(2 * rooms) }

  /// The time of the latest command.
  var moment: Moment { Moment(wallNanoseconds: Histories.start + Int64(count)) }

  mutating func next() -> RoomEvent {
    let index = count
    count += 1
    if index < rooms { return .opened(room: UInt64(index + 1), beds: 2) }
    if index < 2 * rooms {
      let guest = UInt64(index - rooms + 1)
      return .registered(guest: guest, name: Personal("Guest \(guest)"))
    }
    let room = Int(random.next() % UInt64(rooms)) + 1
    isTaken[room].toggle()
    guard isTaken[room] else { return .vacated(room: UInt64(room)) }
    return .booked(
      room: UInt64(room), guest: random.next() % UInt64(rooms) + 1, nights: 1 + random.next() % 14)
  }
}
