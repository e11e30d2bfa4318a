import AppProtection
import Testing

@testable import AppProtectionKit

@Suite("The outbox")
struct OutboxTests {
  private static func delivery(at event: UInt64, _ number: UInt32 = 1) -> Outbox.Delivery {
    Outbox.Delivery(callback: .allowedAccountsDidChange, place: (event, number))
  }

  @Test("Callbacks come in the order of their events, those of earlier processes first")
  func order() {
    var outbox = Outbox()
    outbox.insert([Self.delivery(at: 7)])
    outbox.add(untold: [Self.delivery(at: 3), Self.delivery(at: 3, 2)])
    outbox.insert([Self.delivery(at: 8)])
    #expect(outbox.isOverdue)
    var told: [UInt64] = []
    while outbox.removeFirst() != nil { if let place = outbox.made() { told.append(place.event) } }
    #expect(told == [3, 3, 8])
    #expect(!outbox.isOverdue)
  }

  @Test("A callback of an event before the last one stops the program")
  func disorder() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var outbox = Outbox()
      outbox.insert([Outbox.Delivery(callback: .allowedAccountsDidChange, place: (event: 5, number: 1))])
      outbox.insert([Outbox.Delivery(callback: .allowedAccountsDidChange, place: (event: 4, number: 1))])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("callbacks are not in the order of their events"))
  }
}
