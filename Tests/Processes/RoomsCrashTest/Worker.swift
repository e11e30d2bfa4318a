import EventSourcing
import EventSourcingKit
import Journal
import ProcessTesting
import RoomsDomain

/// A process that works at the desk until it is killed. It says what it begins and what it was promised.
///
/// Lines: `open LAST CONFIRMED`, `sending ORDER`, `appended NUMBER SEQUENCE`, `refused`, `saved SEQUENCE`, `delivered SEQUENCE`,
/// `confirmed SEQUENCE`, `retired FIRST`, `failure SENTENCE`.
struct Worker {
  private let premises: Premises
  private var generator: SeededGenerator
  private var next: UInt64
  /// An order whose sender died before it was answered.
  private var pending: Order?
  /// Opened at an earlier desk; another one, once events that it has were retired.
  private var kept: History<House>?
  /// The last event when the process began: what it may retire, as its starter has seen it.
  private var seen: UInt64?

  /// - Parameter next: The number of its first order.
  init(in folder: String, seed: UInt64, next: UInt64, repeating pending: Order?) {
    premises = Premises(folder: folder)
    generator = SeededGenerator(seed: seed)
    self.next = next
    self.pending = pending
  }

  mutating func run() async throws {
    while true {
      let desk = try premises.open(.random(&generator))
      Platform.tell("open \(desk.store.lastSequence) \(desk.mails.health.position)")
      seen = seen ?? desk.store.lastSequence
      if let pending { try send(pending, to: desk) }
      pending = nil
      for _ in 0..<(20 + generator.below(200)) { try await step(desk) }
      try desk.store.close()
    }
  }

  private mutating func step(_ desk: Desk) async throws {
    switch generator.below(40) {
    case 0: try desk.store.checkpoint()
    case 1: try retire(desk)
    case 2...3:
      try desk.catchUp()
      try desk.models.save()
      Platform.tell("saved \(desk.demand.version.sequence)")
    case 4...10: try await confirm(desk.mails)
    case 11: try sendTooLate(desk)
    case 12: try compare()
    default: try send(order(desk), to: desk)
    }
  }

  private mutating func order(_ desk: Desk) -> Order {
    defer { next += 1 }
    return Order(
      next, room: UInt64(1 + generator.below(12)), guest: UInt64(1 + generator.below(6)), in: desk.store.state)
  }

  private func send(_ order: Order, to desk: Desk) throws {
    Platform.tell("sending \(order.text)")
    let expected = try order.entities.map { ExpectedVersions.entity($0, at: try desk.store.version(of: $0)) }
    let result = try desk.store.append(
      order.event, at: .now(), expecting: ExpectedVersions(expected), idempotencyKey: order.key,
      attributes: CommandAttributes(stream: order.text))
    guard result.events.count == 1, let event = result.events.first else {
      throw ProcessFailure("order \(order.text) led to \(result.events.count) events")
    }
    Platform.tell("appended \(order.number) \(event.sequence)")
  }

  /// Sends an order that another one has come before.
  private mutating func sendTooLate(_ desk: Desk) throws {
    let order = order(desk)
    let entity = order.entities[0]
    let version = try desk.store.version(of: entity)
    do throws(StoreError<Refusal>) {
      try desk.store.append(
        order.event, at: .now(), expecting: .entity(entity, at: version == 0 ? 1 : version - 1),
        idempotencyKey: order.key)
    } catch {
      guard case .entityConflict(entity, _, found: version) = error else { throw error }
      Platform.tell("refused")
      return
    }
    throw ProcessFailure("an order that expected another version of \(entity) than \(version) was not refused")
  }

  /// Asks a history that was opened before, and one that is opened now.
  private mutating func compare() throws {
    let history = try History<House>(at: premises.journal)
    let kept = self.kept.flatMap { $0.firstSequence == history.firstSequence ? $0 : nil } ?? history
    self.kept = kept
    let entity =
      generator.oneIn(3) ? Entity.guest(UInt64(1 + generator.below(6))) : .room(UInt64(1 + generator.below(12)))
    let (found, expected) = (try kept.numbers(of: entity), try history.numbers(of: entity))
    guard found == expected else {
      throw ProcessFailure("\(entity) has the events \(expected), and a history opened earlier finds \(found)")
    }
  }

  private mutating func confirm(_ mails: EventSubscription<House>) async throws {
    var loop = mails.makeAsyncIterator()
    for _ in 0..<min(mails.health.lag, UInt64(1 + generator.below(12))) {
      guard let delivery = try await loop.next() else { return }
      Platform.tell("delivered \(delivery.context.sequence)")
      // The loop is left in the middle of its work.
      if generator.oneIn(10) { return }
      try delivery.acknowledge()
      Platform.tell("confirmed \(delivery.context.sequence)")
    }
  }

  private mutating func retire(_ desk: Desk) throws {
    let last = min(seen ?? 0, desk.mails.health.position)
    guard last > 40 else { return }
    try desk.store.checkpoint()
    let first = try desk.store.retire(before: last - UInt64(generator.below(40)))
    Platform.tell("retired \(first)")
  }
}
