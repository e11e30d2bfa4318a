@testable import EventSourcing

extension GUID {
  /// A guest's number in the books of a chain of inns.
  init(_ number: UInt8) { self.init(high: 0, low: UInt64(number)) }
}

extension Entity {
  static func room(_ number: UInt64) -> Entity { Entity("room", number) }
  static func guest(_ id: GUID) -> Entity { Entity("guest", id) }
}

typealias InnTypes = EventTypes<InnEvent>

/// What happens in an inn: rooms by number, guests by GUID.
enum InnEvent: EventList {
  case opened(room: UInt64 = 0)
  case booked(room: UInt64 = 0, guest: GUID? = nil)
  case moved(from: UInt64 = 0, to: UInt64 = 0)
  case cleaned(rooms: [UInt64] = [])
  case noted(text: String = "")

  static let types = InnTypes("inn", .opened(), .booked(), .moved(), .cleaned(), .noted())
    .keyed("room", by: ["room.opened": "room", "room.booked": "room", "guest.moved": "from", "guest.moved": "to"])
    .keyed("room", by: ["rooms.cleaned": "rooms"])
    .keyed("guest", by: ["room.booked": "guest"])

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> InnEvent {
    switch self {
    case .opened(let room): try list.event(1, "room.opened", .opened(room: list.field(1, "room", room)))
    case .booked(let room, let guest):
      try list.event(
        2, "room.booked", .booked(room: list.field(1, "room", room), guest: list.field(2, "guest", guest)))
    case .moved(let from, let to):
      try list.event(3, "guest.moved", .moved(from: list.field(1, "from", from), to: list.field(2, "to", to)))
    case .cleaned(let rooms): try list.event(4, "rooms.cleaned", .cleaned(rooms: list.field(1, "rooms", rooms)))
    case .noted(let text): try list.event(5, "text.noted", .noted(text: list.field(1, "text", text)))
    }
  }

  /// What the event is about, found without the store's help.
  var entities: Set<Entity> {
    switch self {
    case .opened(let room): [.room(room)]
    case .booked(let room, let guest): Set([.room(room)] + (guest.map { [.guest($0)] } ?? []))
    case .moved(let from, let to): [.room(from), .room(to)]
    case .cleaned(let rooms): Set(rooms.map { .room($0) })
    case .noted: []
    }
  }
}

/// How often each room was booked. Commands are lists of events.
struct Inn: MachineState, FieldTree, Equatable {
  struct Room: TableRow, FieldTree {
    var key: UInt64 = 0
    var bookings: UInt64 = 0

    static var blank: Room { Room() }
    static func visit<V: FieldVisitor>(_ room: inout Room, _ field: inout V) throws(V.Failure) {
      try field(1, "key", &room.key, required: true, shown: false)
      try field(2, "bookings", &room.bookings)
    }
  }

  var rooms = StateTable<Room>()

  static var blank: Inn { Inn() }
  static func visit<V: FieldVisitor>(_ inn: inout Inn, _ field: inout V) throws(V.Failure) {
    try field(1, "rooms", &inn.rooms)
  }
}

enum InnMachine: Decider {
  typealias State = Inn
  typealias Event = InnEvent

  enum Rejection: Error, Equatable, CustomStringConvertible {
    case full
    var description: String { "the inn is full" }
  }

  static func reduce(into inn: inout Inn, _ event: InnEvent, _ context: EventContext) {
    guard case .booked(let room, _) = event else { return }
    inn.rooms.set(Inn.Room(key: room, bookings: (inn.rooms[key: room]?.bookings ?? 0) + 1))
  }

  static func decide(
    _ command: [InnEvent], in state: Inn, at next: EventContext, explanation: inout Explanation
  ) throws(Rejection) -> DecidedEvents<InnMachine> {
    if command.count > 100 { throw .full }
    return DecidedEvents(command, in: state, at: next)
  }
}

extension EventStore where Machine == InnMachine {
  /// Appends events as one command, a second after the last.
  @discardableResult
  func add(
    _ events: InnEvent..., expecting versions: ExpectedVersions = []
  ) throws(StoreError<InnMachine.Rejection>) -> AppendResult<InnMachine> {
    try append(events, at: .seconds(Int64(lastSequence) + 1), expecting: versions)
  }
}
