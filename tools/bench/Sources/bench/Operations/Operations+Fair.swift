import AppProtection
import EventSourcing
import Journal
import Limits

extension Operations {
  /// The typed store beside what its user would write on another engine: the same commands decided, the same values
  /// encoded, decoded and folded. See ``OwnStore``.
  func fair() -> [Operation] {
    let single = options.isQuick ? 1_000 : min(options.events, 200_000)
    let every: [Contestant: Double] = [.sqlite: 1, .lmdb: 1, .leveldb: 1, .rocksdb: 1]
    let count = options.events
    let fixtures = fixtures
    return [
      appendReadings(
        Operation(
          "fair-append-1", "the same work: append 128 B, one a commit", .events,
          goals: [.leveldb: 1, .sqlite: 2]), groups: single, of: 1),
      appendReadings(
        Operation(
          "fair-append-1000", "the same work: append 128 B, 1000 a commit", .events, goals: every),
        groups: max(1, options.events / 1000), of: 1000),
      appendPolicyHistory(
        Operation(
          "fair-append-policies", "the same work: append a policy history, one command a commit", .events,
          goals: [.leveldb: 1, .sqlite: 2]), single),
      replayFairly(
        Operation("fair-replay", "the same work: read and fold, 128 B", .events, goals: every),
        { try fixtures.readings(count) }, as: ReadingMachine.self),
      replayFairly(
        Operation("fair-replay-policies", "the same work: replay a policy history", .events, goals: every),
        { try fixtures.policies(count) }, as: AppProtectionMachine.self),
      verifyFairly(
        Operation(
          "fair-verify", "verify with one processor, beside SHA-256 and CRC-32 in C", .bytes, goals: [.limit: 0.9])
      ) { try fixtures.policies(count) },
    ]
  }

  private func appendReadings(_ operation: Operation, groups: Int, of size: Int) -> Operation {
    appendFairly(operation, as: ReadingMachine.self) { append in
      for index in 0..<groups {
        _ = try append(.init(count: size), Moment(wallNanoseconds: Histories.start + Int64(index)))
      }
      return groups * size
    }
  }

  private func appendPolicyHistory(_ operation: Operation, _ count: Int) -> Operation {
    let policies = options.policies
    return appendFairly(operation, as: AppProtectionMachine.self) { append in
      var history = try PolicyHistory(policiesOf: policies)
      var last: UInt64 = 0
      while last < UInt64(count) {
        let command = history.next()
        last = try append(command, history.moment)
      }
      return Int(last)
    }
  }

  /// - Parameter script: Gives the commands to its argument, and returns the number of events.
  private func appendFairly<Machine: Decider>(
    _ operation: Operation, as machine: Machine.Type,
    _ script: @escaping ((Machine.Command, Moment) throws -> UInt64) throws -> Int
  ) -> Operation {
    let fixtures = fixtures
    return
      operation
      .with(.store) {
        try fixtures.withFreshPath { path in
          let store = try EventStore<Machine>.create(
            at: path, journalID: Fixtures.journalID(7), createdNanoseconds: Histories.start, options: Fixtures.unsynced)
          let sample = try Sample.timing { Double(try script { try store.append($0, at: $1).after.sequence }) }
          try store.close()
          return sample
        }
      }
      .withPeers { contestant in
        try fixtures.withFreshPath { path in
          try Platform.createDirectory(path)
          let log = try PeerLog(contestant, at: path, isDurable: false)
          var store = OwnStore<Machine>()
          return try Sample.timing { Double(try script { try store.append($0, at: $1, to: log) }) }
        }
      }
  }

  private func replayFairly<Machine: Decider>(
    _ operation: Operation, _ journal: @escaping () throws -> String, as machine: Machine.Type
  ) -> Operation {
    let fixtures = fixtures
    return
      operation
      .with(.store) { try Self.replay(try journal(), as: machine) }
      .withPeers { contestant in
        let path = try journal()
        let count = try fixtures.contents(of: path).count
        let log = try PeerLog(contestant, at: try fixtures.log(contestant, of: path), isDurable: false)
        var store = OwnStore<Machine>()
        let sample = try Sample.timing { Double(try store.replay(log)) }
        let expected = try History<Machine>(at: path).state(at: .end).state
        guard Int(sample.amount) == count, StateDigest(of: store.state) == StateDigest(of: expected) else {
          throw Failure("\(contestant.title): the state differs from the typed store's")
        }
        return sample
      }
  }

  private func verifyFairly(_ operation: Operation, _ journal: @escaping () throws -> String) -> Operation {
    operation
      .with(.journal) { try Self.verifyWithOneProcessor(try journal()) }
      .with(.limit) {
        let segments = Fixtures.segments(of: try journal())
        return try Sample.timing {
          var sum: UInt32 = 0
          var bytes: UInt64 = 0
          for segment in segments { try Self.check(limits_digest(segment, &sum, &bytes)) }
          return Double(bytes)
        }
      }
  }
}
