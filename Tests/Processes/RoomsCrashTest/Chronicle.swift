import EventSourcing
import Journal
import ProcessTesting
import RoomsDomain

/// All that has happened in a house, as its conductor has seen it, whatever of it has been retired since.
struct Chronicle {
  /// The journal's chain after each event, and after none.
  private var chains: [UInt32] = [0]
  private var house = House()
  /// The read model after each event, and after none.
  private var demand = Demand.blank
  private var demands = [StateDigest(of: Demand.blank)]
  /// The events about each entity.
  private(set) var streams: [Entity: [UInt64]] = [:]
  /// The event of each order.
  private(set) var sequences: [Order: UInt64] = [:]

  var last: UInt64 { UInt64(chains.count - 1) }

  /// Compares the events that a history keeps with those seen, and adds those after them.
  ///
  /// - Parameter orders: What was sent.
  mutating func follow(_ history: History<House>, _ orders: Set<Order>) throws {
    var next = history.firstSequence
    guard next <= last + 1 else { throw ProcessFailure("events \(last + 1) to \(next - 1) are gone") }
    var cursor = try history.events()
    while let item = try cursor.next() {
      let step: HistoryStep<House>
      switch item {
      case .event(let found): step = found
      case .finding(let finding):
        // What a killed process leaves unfinished.
        guard case .torn = finding.verdict else { throw ProcessFailure("the events are not sound: \(finding)") }
        continue
      }
      guard step.record.sequence == next else {
        throw ProcessFailure("in place of event \(next), the journal has event \(step.record.sequence)")
      }
      if next <= last {
        guard step.record.chain == chains[Int(next)] else { throw ProcessFailure("event \(next) has become another") }
      } else {
        try add(step.record, orders)
      }
      next += 1
    }
    guard next == last + 1 else { throw ProcessFailure("events \(next) to \(last) are lost") }
  }

  private mutating func add(_ record: RecordedEvent<RoomEvent>, _ orders: Set<Order>) throws(ProcessFailure) {
    guard let event = record.event, let order = record.envelope.attributes.flatMap({ Order($0.stream) }),
      orders.contains(order), event.type == order.event.type
    else { throw ProcessFailure("event \(record.sequence) follows from no order") }
    if let earlier = sequences.updateValue(record.sequence, forKey: order) {
      throw ProcessFailure("order \(order.text) led to events \(earlier) and \(record.sequence)")
    }
    // Names are sealed in the journal. What the other events say follows from the order.
    guard order.kind == .register || event == order.event else {
      throw ProcessFailure("event \(record.sequence) does not say what was ordered: \(order.text)")
    }
    let context = EventContext(sequence: record.sequence, moment: record.envelope.moment)
    house.apply(event, context)
    DemandProjection.fold(event, into: &demand, context)
    chains.append(record.chain)
    demands.append(StateDigest(of: demand))
    for entity in order.entities { streams[entity, default: []].append(record.sequence) }
  }

  /// Compares what an opened store says with what has happened.
  func check(_ desk: Desk, _ history: History<House>, saved: UInt64) throws {
    guard desk.store.lastSequence == last, StateDigest(of: desk.store.state) == StateDigest(of: house) else {
      throw ProcessFailure("the state after event \(desk.store.lastSequence) is not what the \(last) events add up to")
    }
    for guest in desk.store.state.guests where !guest.$name.isReadable || guest.name != Order.name(of: guest.number) {
      throw ProcessFailure("guest \(guest.number) is called \(guest.name)")
    }
    try checkDemand(desk.demand, atLeast: saved)
    try desk.catchUp()
    try checkDemand(desk.demand, atLeast: last)
    for (entity, sequences) in streams {
      let version = try desk.store.version(of: entity)
      guard version == sequences.last else {
        throw ProcessFailure("\(entity) is at version \(version), and its events are \(sequences)")
      }
      let found = try history.numbers(of: entity)
      guard found == sequences.filter({ $0 >= history.firstSequence }) else {
        throw ProcessFailure("\(entity) has the events \(sequences), and STREAMS leads to \(found)")
      }
    }
  }

  /// Compares what a history that was opened before says of the entities.
  func check(kept history: History<House>) throws {
    for (entity, sequences) in streams {
      let found = try history.numbers(of: entity)
      guard found == sequences.filter({ $0 >= history.firstSequence }) else {
        throw ProcessFailure("\(entity) has the events \(sequences), and a history opened earlier finds \(found)")
      }
    }
  }

  private func checkDemand(_ model: ReadModel<DemandProjection>, atLeast position: UInt64) throws(ProcessFailure) {
    let version = model.version
    guard (position...last).contains(version.sequence) else {
      throw ProcessFailure("the read model was saved at event \(position), and is at event \(version.sequence)")
    }
    guard StateDigest(of: version.state) == demands[Int(version.sequence)] else {
      throw ProcessFailure("the read model is not what the first \(version.sequence) events add up to")
    }
  }
}

extension History<House> {
  /// The events that are about an entity.
  func numbers(of entity: Entity) throws -> [UInt64] {
    var numbers: [UInt64] = []
    var events = try events(of: entity)
    while let record = try events.next() { numbers.append(record.sequence) }
    return numbers
  }
}
