import EventSourcing
import EventSourcingKit
import Expectations
import Foundation
import Testing

private enum Tick: EventList {
  case ticked

  static let types = EventTypes<Tick>("count", .ticked)

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Tick { list.event(1, "clock.ticked", self) }
}

private struct Count: Aggregate {
  var count: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "count", &count) }
  mutating func apply(_ tick: Tick, _ context: EventContext) { count += 1 }
}

/// Fails until the event it is at was tried three times.
private enum Hesitating: Projection {
  typealias Domain = Count
  static let name = "hesitating"

  struct Doubt: Error {}

  nonisolated(unsafe) static var tries = 0

  static func fold(_ tick: Tick, into count: inout Count, _ context: EventContext) throws {
    tries += 1
    guard tries > 2 else { throw Doubt() }
    count.count += 1
  }
}

@Suite("Read models with the system's time")
struct FollowingTests {
  @Test("One that fails is tried again after each pause, without another event")
  func retrying() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "following-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try EventStore<Count>.open(at: folder.appending(path: "journal").path, create: true)
    let start = Moment.now()
    try store.append(.ticked, at: start)
    let projections = Projections(store)
    let model = try projections.add(Hesitating.self)
    projections.catchUp()
    let since = try #require(model.health.failingSince)
    #expect(since.uptimeNanoseconds >= start.uptimeNanoseconds)
    let following = Task { await projections.follow(retryingEvery: .milliseconds(1)) }
    while model.health.lag != 0 { await Task.yield() }
    expectEqual(model.state.count, 1)
    try store.close()
    await following.value
  }
}

@Suite("Subscriptions with the system's time")
struct SubscriptionTests {
  private struct Busy: Error {}

  @Test("An event that fails is tried again after pauses, in the program that writes and in another")
  func retrying() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "subscription-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try EventStore<Count>.open(at: folder.appending(path: "journal").path, create: true)
    let start = Moment.now()
    for _ in 1...2 { try store.append(.ticked, at: start) }
    let history = try History<Count>(at: folder.appending(path: "journal").path)
    for subscription in [
      try EventSubscription(to: store, named: "here", startingAt: .firstKept, retryingAfter: .milliseconds(1)),
      try EventSubscription(to: history, named: "there", startingAt: .firstKept, retryingAfter: .milliseconds(1)),
    ] {
      var attempts: [Int] = []
      for try await delivery in subscription {
        attempts.append(delivery.attempt)
        guard delivery.context.sequence == 1 else { break }
        if delivery.attempt < 4 { delivery.fail(Busy()) }
        if delivery.attempt == 3 {
          let since = try #require(subscription.health.failingSince)
          #expect(since.uptimeNanoseconds >= start.uptimeNanoseconds)
        }
      }
      expectEqual(attempts, [1, 2, 3, 4, 1])
    }
    try store.close()
  }
}
