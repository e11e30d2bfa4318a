import EventSourcing
import EventSourcingTesting
import Rooms
import Testing

@Suite("The rules of the house")
struct HouseTests {
  static let ada = RoomEvent.registered(guest: 1, name: "Ada")

  @Test("A room is booked by one guest at a time")
  func booked() throws {
    try given(House.self, .opened(room: 3, beds: 2), Self.ada)
      .when(.booked(room: 3, guest: 1, nights: 2))
      .then(.booked(room: 3, guest: 1, nights: 2)) { $0.rooms.update(3) { $0.guest = 1 } }
      .when(.booked(room: 3, guest: 1, nights: 1)).then(Refusal("guest 1 has room 3"))
      .when(.vacated(room: 3)).then(.vacated(room: 3))
      .when(.vacated(room: 3)).then(Refusal("room 3 is free"))
  }

  @Test("A booking that was acknowledged survives a power cut")
  func powerCut() throws {
    let (disk, clock) = (MemoryDisk(), TestClock())
    let store = try disk.store(of: House.self)
    try store.append(.opened(room: 3, beds: 2), at: clock.now)
    try store.append(Self.ada, at: clock.now)
    try store.append(.booked(room: 3, guest: 1, nights: 2), at: clock.now)
    disk.cutPower()
    disk.restorePower()
    #expect(try disk.store(of: House.self).state.rooms[key: 3]?.guest == 1)
    #expect(try disk.history(of: House.self).check().isSound)
  }
}
