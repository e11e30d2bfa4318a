import AppProtection
import EventSourcing
import Journal
import Limits

extension Operations {
  /// Reading whole histories.
  func reading() -> [Operation] {
    let count = options.events
    let readings: () throws -> String = { [fixtures] in try fixtures.readings(count) }
    let policies: () throws -> String = { [fixtures] in try fixtures.policies(count) }
    return [
      verify(Operation("verify", "verify, 128 B", .bytes, goals: [.limit: 0.8]), readings),
      verify(Operation("verify-policies", "verify, policy history", .bytes, goals: [.limit: 0.8]), policies),
      replay(
        Operation("replay", "read and fold, 128 B", .events, goals: [.lmdb: 1]), readings, as: ReadingMachine.self),
      replay(
        Operation("replay-policies", "replay a policy history into its state", .events, goals: [.lmdb: 1]), policies,
        as: AppProtectionMachine.self),
    ]
  }

  private func verify(_ operation: Operation, _ journal: @escaping () throws -> String) -> Operation {
    operation
      .with(.journal) {
        let path = try journal()
        let reader = try JournalReader(path: path)
        return try Sample.timing {
          let report = try reader.verify()
          guard report.findings.isEmpty else { throw Failure("\(path) is damaged: \(report.findings)") }
          return Double(reader.segments.reduce(0) { $0 + $1.length })
        }
      }
      .with(.limit) {
        let segments = Fixtures.segments(of: try journal())
        return try Sample.timing {
          var sum: UInt32 = 0
          var bytes: UInt64 = 0
          for segment in segments { try Self.check(limits_checksum(segment, &sum, &bytes)) }
          return Double(bytes)
        }
      }
  }

  private func replay<Machine: Decider>(
    _ operation: Operation, _ journal: @escaping () throws -> String, as machine: Machine.Type
  ) -> Operation {
    let fixtures = fixtures
    return
      operation
      .with(.store) {
        var history = try History<Machine>(at: try journal())
        history.usesCheckpoints = false
        return try Sample.timing { Double(try history.state(at: .end).position.sequence) }
      }
      .with(.journal) {
        var cursor = try JournalReader(path: try journal()).cursor()
        return try Sample.timing {
          var count = 0
          var sum: UInt64 = 0
          while let item = try cursor.next() {
            guard case .event(let event) = item else { continue }
            count += 1
            sum &+= UInt64(event.payload.count) + UInt64(event.payload.first ?? 0)
          }
          // The sum is used, so that nobody computes less.
          return sum == 0 ? 0 : Double(count)
        }
      }
      .withPeers { contestant in
        let path = try journal()
        let count = try fixtures.payloads(of: path).count
        let log = try PeerLog(contestant, at: try fixtures.log(contestant, of: path), isDurable: false)
        return try Sample.timing(count) { try log.fold(expecting: count) }
      }
  }
}
