import EventSourcing
import EventSourcingKit
import Synchronization

extension Operations {
  /// The rooms of the page of that name, as an app's own domain: entities, read models and a subscription.
  func rooms() -> [Operation] {
    let few = 10
    let many = options.isQuick ? 1_000 : 100_000
    return [
      appendRooms(few), appendRooms(many), scaleAppends(few, many), replayRooms(many), readRoom(many), foldRoom(many),
      projectInMemory(many), projectFour(many), projectIntoSink(many), subscriptionLatency(),
    ]
  }

  private var commands: Int { options.isQuick ? 1_000 : 50_000 }

  /// Appends bookings and departures, each of which expects its room's version.
  private func appendRooms(_ rooms: Int) -> Operation {
    let (fixtures, commands) = (fixtures, commands)
    return Operation(
      "rooms-append-\(rooms)", "rooms: append, expecting a version, \(grouped(rooms)) rooms", .events,
      goals: [.sqlite: 1]
    )
    .with(.store) { try Self.appendRooms(rooms, commands, fixtures) }
    .with(.sqlite) {
      try fixtures.withFreshPath { path in
        try Platform.createDirectory(path)
        let database = try RoomDatabase(at: "\(path)/rooms.sqlite")
        var (store, history) = (OwnStore<House>(), RoomHistory(rooms: rooms))
        func append(_ command: RoomEvent, expecting version: UInt64?) throws {
          try store.append(command, at: history.moment) { number, events, bytes, _ in
            if let version, try database.version(ofRoom: events[0].room) != version {
              throw Failure("room \(events[0].room) has changed")
            }
            try database.append(number, events[0], bytes)
          }
        }
        try database.transaction {
          for _ in history.preparation { try append(history.next(), expecting: nil) }
        }
        return try Sample.timing(commands) {
          for _ in 0..<commands {
            let command = history.next()
            try database.transaction { try append(command, expecting: try database.version(ofRoom: command.room)) }
          }
        }
      }
    }
  }

  private static func appendRooms(_ rooms: Int, _ commands: Int, _ fixtures: Fixtures) throws -> Sample {
    try fixtures.withFreshPath { path in
      let store = try EventStore<House>.create(
        at: path, journalID: Fixtures.journalID(8), createdNanoseconds: Histories.start, options: Fixtures.unsynced)
      var history = RoomHistory(rooms: rooms)
      for _ in history.preparation { try store.append(history.next(), at: history.moment) }
      _ = try store.version(of: Entity("room", 1))
      let sample = try Sample.timing(commands) {
        for _ in 0..<commands {
          let command = history.next()
          let room = Entity("room", command.room)
          try store.append(command, at: history.moment, expecting: .entity(room, at: try store.version(of: room)))
        }
      }
      try store.close()
      return sample
    }
  }

  private func scaleAppends(_ few: Int, _ many: Int) -> Operation {
    let (fixtures, commands) = (fixtures, commands)
    return Operation(
      "rooms-append-ratio", "rooms: append, \(grouped(many)) rooms to \(few)", .ratio, floor: 0.67
    ).with(.store) {
      let one = try Self.appendRooms(few, commands, fixtures)
      return try Self.appendRooms(many, commands, fixtures).ratio(to: one)
    }
  }

  private func replayRooms(_ rooms: Int) -> Operation {
    let fixtures = fixtures
    return Operation(
      "rooms-replay", "rooms: replay into the state, \(grouped(rooms)) rooms", .events, goals: [.sqlite: 1]
    )
    .with(.store) { try Self.replay(try fixtures.rooms(rooms), as: House.self) }
    .with(.sqlite) {
      let database = try RoomDatabase(at: "\(try fixtures.roomDatabase(rooms))/rooms.sqlite")
      var (store, count) = (OwnStore<House>(), 0)
      let sample = try Sample.timing {
        try database.forEachEvent(ofRoom: nil) { number, bytes in
          try store.take(number, bytes)
          count += 1
        }
        return Double(count)
      }
      let expected = try History<House>(at: try fixtures.rooms(rooms)).state(at: .end).state
      guard StateDigest(of: store.state) == StateDigest(of: expected) else {
        throw Failure("the state differs from the typed store's")
      }
      return sample
    }
  }

  private var reads: Int { options.isQuick ? 20 : 20_000 }

  /// Reads the events of single rooms.
  private func readRoom(_ rooms: Int) -> Operation {
    let (fixtures, reads) = (fixtures, reads)
    return Operation(
      "rooms-events-of", "rooms: the events of one of \(grouped(rooms))", .events, goals: [.sqlite: 1]
    )
    .with(.store) {
      let history = try History<House>(at: try fixtures.rooms(rooms))
      return try Self.timing(reads, of: rooms) { room in
        var events = try history.events(of: Entity("room", room))
        var count = 0
        while try events.next() != nil { count += 1 }
        guard count > 0 else { throw Failure("room \(room) has no events") }
      }
    }
    .with(.sqlite) { try Self.foldInSQLite(reads, of: rooms, fixtures) }
  }

  /// Folds the events of single rooms.
  private func foldRoom(_ rooms: Int) -> Operation {
    let (fixtures, reads) = (fixtures, reads)
    return Operation(
      "rooms-state-of", "rooms: the state of one of \(grouped(rooms))", .events, goals: [.sqlite: 1]
    )
    .with(.store) {
      let history = try History<House>(at: try fixtures.rooms(rooms))
      return try Self.timing(reads, of: rooms) { room in
        guard try history.state(of: Entity("room", room)).state.rooms.count == 1 else {
          throw Failure("room \(room) has no state")
        }
      }
    }
    .with(.sqlite) { try Self.foldInSQLite(reads, of: rooms, fixtures) }
  }

  private static func timing(_ reads: Int, of rooms: Int, _ body: (UInt64) throws -> Void) throws -> Sample {
    var random = RandomNumbers(seed: 23)
    return try Sample.timing(reads) {
      for _ in 0..<reads { try body(random.next() % UInt64(rooms) + 1) }
    }
  }

  private static func foldInSQLite(_ reads: Int, of rooms: Int, _ fixtures: Fixtures) throws -> Sample {
    let database = try RoomDatabase(at: "\(try fixtures.roomDatabase(rooms))/rooms.sqlite")
    return try timing(reads, of: rooms) { room in
      var store = OwnStore<House>()
      try database.forEachEvent(ofRoom: room) { number, bytes in try store.take(number, bytes) }
      guard store.state.rooms.count == 1 else { throw Failure("room \(room) has no state") }
    }
  }

  /// A read model in memory whose fold is that of the domain, beside a replay.
  private func projectInMemory(_ rooms: Int) -> Operation {
    let fixtures = fixtures
    return Operation(
      "rooms-projection-ratio", "rooms: a read model in memory, to the same fold by a history", .ratio, floor: 0.8
    ).with(.store) {
      let path = try fixtures.rooms(rooms)
      let replay = try Self.replay(path, as: House.self)
      return try Self.project(path) { _ = try $0.add(HouseProjection.self) }.ratio(to: replay)
    }
  }

  private func projectFour(_ rooms: Int) -> Operation {
    let fixtures = fixtures
    return Operation("rooms-projections-ratio", "rooms: four read models in one pass, to one", .ratio, floor: 0.5)
      .with(.store) {
        let path = try fixtures.rooms(rooms)
        let one = try Self.project(path) { _ = try $0.add(DemandProjection.self) }
        return try Self.project(path) { models in
          _ = try models.add(DemandProjection.self)
          _ = try models.add(SecondDemand.self)
          _ = try models.add(ThirdDemand.self)
          _ = try models.add(FourthDemand.self)
        }.ratio(to: one)
      }
  }

  /// Times how long the read models of a store take for all its events.
  private static func project(_ path: String, _ add: (Projections<House>) throws -> Void) throws -> Sample {
    let store = try EventStore<House>.open(at: path, options: Fixtures.unsynced)
    let models = Projections(store)
    try add(models)
    let sample = Sample.timing {
      models.catchUp()
      return Double(store.lastSequence)
    }
    for health in models.health {
      guard health.lag == 0 else { throw Failure("\(health.name) is behind: \(String(describing: health.lastError))") }
    }
    try store.close()
    return sample
  }

  private func projectIntoSink(_ rooms: Int) -> Operation {
    let fixtures = fixtures
    return Operation(
      "rooms-sink-ratio", "rooms: a read model in SQLite, to a loop that inserts 1,024 rows a transaction", .ratio,
      floor: 0.8
    ).with(.store) {
      let path = try fixtures.rooms(rooms)
      let bookings = try Self.bookings(in: path)
      let plain = try fixtures.withFreshPath { folder in
        try Platform.createDirectory(folder)
        let database = try RoomDatabase(at: "\(folder)/rooms.sqlite")
        return try Sample.timing(bookings.count) {
          for start in stride(from: 0, to: bookings.count, by: 1024) {
            try database.transaction {
              for booking in bookings[start..<min(start + 1024, bookings.count)] { try database.insert(booking) }
            }
          }
        }
      }
      var projected = try fixtures.withFreshPath { folder in
        try Platform.createDirectory(folder)
        let database = try RoomDatabase(at: "\(folder)/rooms.sqlite")
        return try Self.project(path) { _ = try $0.add(BookingProjection.self, into: BookingSink(database: database)) }
      }
      projected.amount = Double(bookings.count)
      return projected.ratio(to: plain)
    }
  }

  private static func bookings(in path: String) throws -> [Booking] {
    var events = try History<House>(at: path).events()
    var bookings: [Booking] = []
    while let item = try events.next() {
      if case .event(let step) = item, case .booked(let room, let guest, let nights)? = step.record.event {
        bookings.append(Booking(number: step.record.sequence, room: room, guest: guest, nights: nights))
      }
    }
    return bookings
  }

  /// From the beginning of an append until a subscriber has the event.
  private func subscriptionLatency() -> Operation {
    let (fixtures, calls) = (fixtures, options.isQuick ? 5 : 200)
    return Operation("rooms-subscription", "rooms: append until a subscriber has the event", .time).with(.store) {
      try fixtures.withFreshPath { path in
        let store = try EventStore<House>.create(
          at: path, journalID: Fixtures.journalID(9), createdNanoseconds: Histories.start, options: Fixtures.unsynced)
        let samples = Mutex<[Sample]>([])
        try Platform.waitForTask {
          let subscription = try EventSubscription(to: store, named: "bench", startingAt: .end)
          let (arrivals, arrived) = AsyncStream<Int64>.makeStream()
          let following = Task { try await subscription.run { _ in arrived.yield(Platform.wallNanoseconds) } }
          var iterator = arrivals.makeAsyncIterator()
          for room in 1...UInt64(calls) {
            let begin = Platform.wallNanoseconds
            try store.append(.opened(room: room, beds: 2), at: Moment(wallNanoseconds: begin))
            let end = await iterator.next() ?? begin
            let seconds = Double(end - begin) / 1e9
            samples.withLock { $0.append(Sample(1, wallSeconds: seconds, processorSeconds: seconds)) }
            // Until it is acknowledged, the next one waits for a sync.
            while subscription.health.lag > 0 { await Task.yield() }
          }
          try store.close()
          try await following.value
        }
        return .quantile(0.5, of: samples.withLock { $0 })
      }
    }
  }
}

extension RoomEvent {
  /// The room that a booking or a departure is about.
  fileprivate var room: UInt64 {
    switch self {
    case .opened(let room, _), .booked(let room, _, _), .vacated(let room): room
    case .registered: 0
    }
  }
}

/// A read model that folds as the domain does.
private enum HouseProjection: Projection {
  typealias Domain = House
  static let name = "house"

  static func fold(_ event: RoomEvent, into house: inout House, _ context: EventContext) {
    House.reduce(into: &house, event, context)
  }
}

/// ``DemandProjection`` under other names.
private protocol AnotherDemand: Projection where Domain == House, State == Demand {}

extension AnotherDemand {
  static func fold(_ event: RoomEvent, into demand: inout Demand, _ context: EventContext) {
    DemandProjection.fold(event, into: &demand, context)
  }
}

private enum SecondDemand: AnotherDemand {
  static let name = "demand-2"
}

private enum ThirdDemand: AnotherDemand {
  static let name = "demand-3"
}

private enum FourthDemand: AnotherDemand {
  static let name = "demand-4"
}
