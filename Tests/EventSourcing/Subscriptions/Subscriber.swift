import EventSourcing
import Journal
import Synchronization

/// What fails in these tests.
struct Undeliverable: Error, CustomStringConvertible {
  var description = "no connection"
}

/// What subscribers did, in order.
final class Deliveries: Sendable {
  private let list = Mutex<[UInt64]>([])
  private let failing: Mutex<Set<UInt64>>

  /// - Parameter failing: The events that fail.
  init(failing: Set<UInt64> = []) { self.failing = Mutex(failing) }

  var events: [UInt64] { list.withLock { $0 } }

  func fail(_ events: Set<UInt64>) { failing.withLock { $0 = events } }

  func take(_ event: UInt64) throws {
    list.withLock { $0.append(event) }
    if failing.withLock({ $0.contains(event) }) { throw Undeliverable() }
  }
}

extension EventSubscription {
  /// A subscriber that begins with the first event, at second 7.
  convenience init(
    testing store: EventStore<Domain>, _ name: String = "mails", startingAt start: SubscriptionStart = .firstKept,
    discardingStored: Bool = false, policy: SubscriptionPolicy = SubscriptionPolicy(),
    pausing pause: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) throws {
    try self.init(
      to: store, named: name, startingAt: start, discardingStored: discardingStored, policy: policy,
      now: { .seconds(7) }, pausing: pause)
  }

  /// Another program's.
  convenience init(
    testing history: History<Domain>, _ name: String = "mails", startingAt start: SubscriptionStart = .firstKept
  ) throws {
    try self.init(
      to: history, upTo: .written, named: name, startingAt: start, now: { .seconds(7) }, pausing: { _ in })
  }

  /// Takes the next events and acknowledges each.
  func take(_ count: Int) async throws -> [UInt64] {
    var events: [UInt64] = []
    var loop = makeAsyncIterator()
    for _ in 0..<count {
      guard let delivery = try await loop.next() else { break }
      events.append(delivery.context.sequence)
      try delivery.acknowledge()
    }
    return events
  }

  /// What is known of a delivery, which itself keeps the subscription alive.
  struct Lost: Equatable {
    let sequence: UInt64
    let event: Domain.Event
    let attempt: Int
    let key: [UInt8]
  }

  /// Takes the next event and loses it, as a crash does.
  func lose() async throws -> Lost? {
    var loop = makeAsyncIterator()
    return try await loop.next().map {
      Lost(sequence: $0.context.sequence, event: $0.event, attempt: $0.attempt, key: $0.idempotencyKey)
    }
  }

  /// Takes the next event, and lets it fail.
  ///
  /// - Returns: Which attempt it was.
  func fail(_ error: any Error = Undeliverable()) async throws -> Int? {
    var loop = makeAsyncIterator()
    let delivery = try await loop.next()
    delivery?.fail(error)
    _ = try await loop.next()
    return delivery?.attempt
  }

  /// Follows in a task of its own.
  func following(_ deliveries: Deliveries) -> Task<SubscriptionError?, Never> {
    Task {
      do throws(SubscriptionError) {
        try await run { try deliveries.take($0.context.sequence) }
        return nil
      } catch {
        return error
      }
    }
  }
}
