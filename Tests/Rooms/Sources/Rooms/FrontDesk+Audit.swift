import EventSourcing
import EventSourcingKit

extension FrontDesk {
  package func demand(ledger: TextFile) throws -> Demand {
    let models = Projections(store)
    let demand = try models.add(DemandProjection.self, storage: .checkpoints())
    _ = try models.add(LedgerProjection.self, into: ledger)
    for health in models.catchUp() {
      if let error = health.lastError { throw error }
    }
    try models.save()
    return demand.state
  }

  package func confirmBookings(send: (_ text: String, _ key: [UInt8]) async throws -> Void) async throws {
    let confirmations = try EventSubscription(to: store, named: "confirmations", startingAt: .firstKept)
    try await confirmations.runDue { delivery in
      guard case .booked(let room, let guest, let nights) = delivery.event else { return }
      try await send("To \(name(of: guest)): room \(room), nights: \(nights)", delivery.idempotencyKey)
    }
  }
}
