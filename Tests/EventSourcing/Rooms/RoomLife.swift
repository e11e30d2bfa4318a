import EventSourcing
import Journal
import JournalSimulation
import RoomsDomain

/// What a program with the rooms does on a device, and what must be true of whatever the device holds later.
struct RoomLife {
  static let path = "journal"

  /// What was promised once so many operations were done.
  struct Promise {
    let position: Int
    let last: UInt64
    let confirmed: UInt64
  }

  private(set) var files = RecordingFileSystem()
  private(set) var promises: [Promise] = []
  /// After each event, the first one before any.
  private(set) var states = [StateDigest(of: House())]
  private(set) var demands = [StateDigest(of: Demand.blank)]
  let keys = TestKeys()

  /// Rooms and guests, then bookings and departures in turns.
  static let events: [RoomEvent] = {
    var events: [RoomEvent] = []
    for number: UInt64 in 1...3 {
      events.append(.opened(room: number, beds: number))
      events.append(.registered(guest: number, name: Personal("Guest \(number) of the house")))
    }
    for round: UInt64 in 0..<12 {
      let room = round % 3 + 1
      events.append(.booked(room: room, guest: round % 2 + 1, nights: round + 1))
      events.append(.vacated(room: room))
    }
    return events
  }()

  static var last: UInt64 { UInt64(events.count) }

  var options: StoreOptions {
    var options = StoreOptions()
    options.journal.segmentSizeLimit = 1 << 9
    options.journal.preallocation = 0
    options.sealing = keys.sealing
    return options
  }

  /// Lives once: with a read model in checkpoints, confirmations, and the file `STREAMS`.
  ///
  /// - Parameter plan: The calls that fail. The life ends with the first error, as a program may.
  init(failing plan: FaultPlan? = nil) async throws {
    files.setPlan(plan)
    do { try await live() } catch { if plan == nil { throw error } }
    files.setPlan(nil)
  }

  private mutating func live() async throws {
    let store = try EventStore<House>.create(
      at: Self.path, journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options, fileSystem: files)
    let models = Projections(testing: store)
    _ = try models.add(DemandProjection.self, storage: .checkpoints(every: 4))
    let confirmations = try EventSubscription(testing: store)
    promise(0, 0)
    var demand = Demand.blank
    for (event, number) in zip(Self.events, UInt64(1)...) {
      try store.append(event, at: .seconds(Int64(number)), expecting: try expected(of: event, in: store))
      states.append(StateDigest(of: store.state))
      DemandProjection.fold(event, into: &demand, EventContext(sequence: number, moment: .seconds(1)))
      demands.append(StateDigest(of: demand))
      promise(number, confirmations.health.position)
      if number % 5 == 0 {
        models.catchUp()
        for confirmed in try await confirmations.take(4) { promise(number, confirmed) }
      }
      if number % 12 == 0 { try store.checkpoint() }
    }
    try models.save()
    try store.close()
  }

  private mutating func promise(_ last: UInt64, _ confirmed: UInt64) {
    promises.append(Promise(position: files.position, last: last, confirmed: confirmed))
  }

  private func expected(of event: RoomEvent, in store: EventStore<House>) throws -> ExpectedVersions {
    guard case .booked(let room, _, _) = event else { return [] }
    return .entity(.room(room), at: try store.version(of: .room(room)))
  }

  /// The numbers of the events about a room, up to one.
  static func numbers(of room: UInt64, upTo last: UInt64) -> [UInt64] {
    zip(events, UInt64(1)...).compactMap { event, number in
      switch event {
      case .opened(room, _), .booked(room, _, _), .vacated(room): number <= last ? number : nil
      default: nil
      }
    }
  }

  /// What was promised when the power failed.
  func promise(at position: Int) -> Promise? { promises.last { $0.position <= position } }

  /// What is wrong with a device as a program finds it, in words.
  ///
  /// - Parameters:
  ///   - least: The last event that must be there.
  ///   - confirmed: The event up to which bookings are known to be confirmed.
  ///   - isDamaged: Whether damage may stop the program.
  func breaches(_ image: DiskImage, least: UInt64, confirmed: UInt64, isDamaged: Bool) async -> [String] {
    let files = RecordingFileSystem(image)
    var breaches = historyBreaches(files, isDamaged: isDamaged)
    do {
      let store: EventStore<House>
      do throws(HistoryError) {
        store = try EventStore<House>.open(at: Self.path, options: options, fileSystem: files)
      } catch {
        return isDamaged ? breaches : breaches + ["it does not open: \(error)"]
      }
      let last = store.lastSequence
      guard last >= least, last <= Self.last else { return breaches + ["it ends with event \(last), not \(least)"] }
      if StateDigest(of: store.state) != states[Int(last)] {
        breaches.append("the state after event \(last) is another")
      }
      for room in UInt64(1)...3 {
        do throws(StoreError<Refusal>) {
          let version = try store.version(of: .room(room))
          if version != Self.numbers(of: room, upTo: last).last ?? 0 {
            breaches.append("room \(room) is at version \(version)")
          }
        } catch {
          if !isDamaged { breaches.append("the version of room \(room): \(error)") }
        }
      }
      breaches += try modelBreaches(store, isDamaged)
      breaches += try await confirmationBreaches(store, confirmed, isDamaged)
      try store.append(.opened(room: 100 + last, beds: 1), at: .seconds(100))
      if !isDamaged, try !History<House>(at: Self.path, fileSystem: files).check().isSound {
        breaches.append("it is not sound")
      }
      try store.close()
    } catch {
      breaches.append("\(error)")
    }
    return breaches
  }

  /// What the read model shows that is not what its events add up to. One that is stopped by damage shows an earlier state.
  private func modelBreaches(_ store: EventStore<House>, _ isDamaged: Bool) throws -> [String] {
    let models = Projections(testing: store)
    let demand: ReadModel<DemandProjection>
    do throws(ProjectionError) {
      demand = try models.add(DemandProjection.self, storage: .checkpoints(every: 4))
    } catch {
      return isDamaged && error.code == .events ? [] : ["\(error)"]
    }
    models.catchUp()
    let version = demand.version
    let isComplete = version.sequence == store.lastSequence
    guard isComplete || isDamaged && demand.health.lastError?.code == .events,
      StateDigest(of: version.state) == demands[Int(version.sequence)]
    else { return ["the read model is another: \(demand.health)"] }
    return []
  }

  private func confirmationBreaches(
    _ store: EventStore<House>, _ confirmed: UInt64, _ isDamaged: Bool
  ) async throws -> [String] {
    let confirmations: EventSubscription<House>
    do throws(SubscriptionError) {
      confirmations = try EventSubscription(
        to: store, named: "mails", startingAt: .firstKept, now: { .seconds(7) }, pausing: { _ in })
    } catch {
      return isDamaged && [.damaged, .events].contains(error.code) ? [] : ["\(error)"]
    }
    let position = confirmations.health.position
    if position < confirmed { return ["confirmations are at event \(position), not \(confirmed)"] }
    do {
      let rest = try await confirmations.take(Int(confirmations.health.lag))
      return rest == Array(position..<store.lastSequence).map { $0 + 1 } ? [] : ["it confirms the events \(rest)"]
    } catch let error as SubscriptionError where isDamaged && error.code == .events {
      return []
    }
  }

  /// What a reader shows that is not what happened. One that is stopped by damage shows nothing wrong.
  private func historyBreaches(_ files: RecordingFileSystem, isDamaged: Bool) -> [String] {
    var breaches: [String] = []
    do throws(HistoryError) {
      let history = try History<House>(at: Self.path, fileSystem: files)
      for room in UInt64(1)...3 {
        var shown: [UInt64] = []
        var events = try history.events(of: .room(room))
        let wanted = Self.numbers(of: room, upTo: Self.last)
        do throws(HistoryError) {
          while let record = try events.next() {
            shown.append(record.sequence)
            if record.event != Self.events[Int(record.sequence) - 1] {
              breaches.append("event \(record.sequence) is another")
            }
          }
        } catch {
          if !isDamaged { breaches.append("the events of room \(room): \(error)") }
        }
        if !wanted.starts(with: shown) { breaches.append("room \(room) has the events \(shown)") }
      }
    } catch {
      if !isDamaged { breaches.append("it cannot be read: \(error)") }
    }
    return breaches
  }

  /// What a salvaged copy shows that is not what happened.
  func breachesOfCopy(_ image: DiskImage) -> [String] {
    let files = RecordingFileSystem(image)
    var breaches: [String] = []
    do throws(JournalError) {
      _ = try Salvage(of: [Self.path], fileSystem: files).write(to: "copy", options: options.journal)
    } catch {
      // Where nothing says whose the files are, nothing is written.
      return error.code == .notAJournal ? [] : ["it cannot be salvaged: \(error)"]
    }
    do {
      // What stood beside the original says nothing about the copy.
      try files.write(image.files["\(Self.path)/STREAMS"] ?? [], to: "copy/STREAMS")
      var history = try History<House>(at: "copy", fileSystem: files)
      history.goesBeyondDamage = true
      for room in UInt64(1)...3 {
        var shown: [UInt64] = []
        var events = try history.events(of: .room(room))
        while let record = try events.next() {
          shown.append(record.sequence)
          if record.event != Self.events[Int(record.sequence) - 1] {
            breaches.append("event \(record.sequence) of the copy is another")
          }
        }
        let wanted = Self.numbers(of: room, upTo: Self.last)
        if !Set(shown).isSubset(of: wanted) || shown != shown.sorted() {
          breaches.append("in the copy, room \(room) has the events \(shown)")
        }
      }
    } catch {
      breaches.append("the copy: \(error)")
    }
    return breaches
  }
}

extension RecordingFileSystem {
  fileprivate func write(_ bytes: [UInt8], to path: String) throws {
    let file = try open(path, .replace)
    defer { close(file) }
    try writeAll(file, bytes, at: 0)
  }
}
