import Expectations
import Testing

@testable import AppProtection
@testable import EventSourcing

@Suite("The sealing of events")
struct EventSealingTests {
  /// Those of an erased person: what is sealed gets a key that is not kept.
  private struct NoKeys: SealingKeys {
    func key(of account: UInt64) -> SealingKey? { nil }
    func keyForSealing(_ account: UInt64) -> SealingKey? { nil }
  }

  /// Seals whatever the payload has, and returns whether it says that it has something.
  private struct Search: PayloadVisitor {
    func event<Payload: EventPayload>(
      _ payload: Payload, _ event: (Payload) -> AppProtectionEvent, _ pass: inout PersonalPass
    ) throws(SealingError) -> Bool {
      var payload = payload
      try payload.passPersonal(to: &pass)
      return Payload.isPersonal
    }
  }

  @Test("A payload with personal fields says so, and names the account that seals them", arguments: EventSamples.all)
  func personalFields(event: AppProtectionEvent) throws {
    let sealing = Sealing(keys: NoKeys()) { Array(repeating: 7, count: $0) }
    var pass = PersonalPass(sealing: sealing, domain: AppProtectionEvent.domain, account: 1)
    let isPersonal = try event.visit(Search(), &pass)
    expectEqual(isPersonal, pass.sealedCount > 0)
    expectEqual(isPersonal, event.sealingAccount != 0)
  }
}
