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
    return verifying("", "128 B", readings) + verifying("-policies", "policy history", policies) + [
      replay(
        Operation("replay", "read and fold, 128 B", .events, goals: [.lmdb: 1]), readings, as: ReadingMachine.self),
      replay(
        Operation(
          "replay-policies", "replay a policy history into its state", .events, goals: [.lmdb: 1], floor: 5e6),
        policies, as: AppProtectionMachine.self),
    ]
  }

  /// Verifying with all processors and with one, each beside one pass in C, and how much the others help.
  private func verifying(_ suffix: String, _ what: String, _ journal: @escaping () throws -> String) -> [Operation] {
    let count = Platform.processorCount
    return [
      verify(
        Operation("verify\(suffix)", "verify with all processors, \(what)", .bytes, goals: [.limit: 0.8]), journal
      ) { try Self.verify(try journal()) },
      verify(
        Operation("verify-one\(suffix)", "verify with one processor, \(what)", .bytes, goals: [.limit: 0.8]), journal
      ) { try Self.verifyWithOneProcessor(try journal()) },
      verify(
        Operation(
          "verify-checksums\(suffix)", "verify with one processor, without SHA-256, \(what)", .bytes,
          goals: [.limit: 0.8]), journal
      ) { try Self.verifyWithOneProcessor(try journal(), .checksums) },
      Operation(
        "verify-scaling\(suffix)", "verify: \(count) processors to one, \(what)", .ratio, floor: count > 1 ? 1.8 : nil
      ).with(.journal) {
        let one = try Self.verifyWithOneProcessor(try journal())
        return try Self.verify(try journal()).ratio(to: one)
      },
    ]
  }

  private func verify(
    _ operation: Operation, _ journal: @escaping () throws -> String, _ measure: @escaping () throws -> Sample
  ) -> Operation {
    operation.with(.journal, measure).with(.limit) {
      let segments = Fixtures.segments(of: try journal())
      return try Sample.timing {
        var sum: UInt32 = 0
        var bytes: UInt64 = 0
        for segment in segments { try Self.check(limits_checksum(segment, &sum, &bytes)) }
        return Double(bytes)
      }
    }
  }

  private static func verify(_ path: String, _ depth: VerificationDepth = .digest) throws -> Sample {
    let reader = try JournalReader(path: path)
    return try Sample.timing {
      let report = try reader.verify(depth)
      guard report.findings.isEmpty else { throw Failure("\(path) is damaged: \(report.findings)") }
      return Double(reader.segments.reduce(0) { $0 + $1.length })
    }
  }

  /// The threads that verifying starts may run on one processor only, too.
  static func verifyWithOneProcessor(
    _ path: String, _ depth: VerificationDepth = .digest
  ) throws -> Sample {
    try check(limits_use_one_processor())
    defer { limits_use_all_processors() }
    return try verify(path, depth)
  }

  /// Folds a whole journal from its first event.
  static func replay<Machine: Decider>(_ journal: String, as machine: Machine.Type) throws -> Sample {
    var history = try History<Machine>(at: journal)
    history.usesCheckpoints = false
    return try Sample.timing { Double(try history.state(at: .end).position.sequence) }
  }

  private func replay<Machine: Decider>(
    _ operation: Operation, _ journal: @escaping () throws -> String, as machine: Machine.Type
  ) -> Operation {
    let fixtures = fixtures
    return
      operation
      .with(.store) { try Self.replay(try journal(), as: machine) }
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
        let count = try fixtures.contents(of: path).count
        let log = try PeerLog(contestant, at: try fixtures.log(contestant, of: path), isDurable: false)
        return try Sample.timing(count) { try log.fold(expecting: count) }
      }
  }
}
