import EventSourcing
import EventSourcingKit

/// The code of the page on subscriptions.
enum SubscriptionExamples {
  private static func mail(_ text: String, key: [UInt8]) async throws {}
  private static func upload(_ entry: Entry) async throws {}

  static func begin(_ store: EventStore<Book>) throws -> Task<Void, any Error> {
    let mails = try EventSubscription(to: store, named: "mails", startingAt: .end)
    let following = Task {
      try await mails.run { delivery in
        if case .withdrawn(let cents) = delivery.event {
          try await mail("\(cents) cents were withdrawn.", key: delivery.idempotencyKey)
        }
      }
    }
    return following
  }

  static func follow(_ mails: EventSubscription<Book>) async throws {
    for try await delivery in mails {
      do {
        try await upload(delivery.event)
      } catch {
        delivery.fail(error)
      }
    }
  }
}
