import AppProtection
import EventSourcing
import Journal

extension Operations {
  /// Opening a store, and looking at the past.
  func opening() -> [Operation] {
    let (few, many) = (max(options.events / 10, 2 * Fixtures.tail), max(options.events, 3 * Fixtures.tail))
    let tail = grouped(Fixtures.tail)
    return [
      open(
        Operation("open-few", "open \(grouped(few)) events, \(tail) behind the checkpoint", .time, limit: 0.001), few),
      open(
        Operation("open-many", "open \(grouped(many)) events, \(tail) behind the checkpoint", .time, limit: 0.001), many
      ),
      stateAt(Operation("state-at-median", "state at a random position, median", .time), many, quantile: 0.5),
      stateAt(
        Operation("state-at-p99", "state at a random position, 99 % are faster", .time, limit: 0.001), many,
        quantile: 0.99),
    ]
  }

  /// How often something that takes a millisecond is done in each repetition: one call alone may meet what others have
  /// left the disk to do.
  var calls: Int { options.isQuick ? 2 : 15 }

  private func open(_ operation: Operation, _ count: Int) -> Operation {
    let (fixtures, calls) = (fixtures, calls)
    return operation.with(.store) {
      let path = try fixtures.policies(count)
      return .quantile(
        0.5,
        of: try (0..<calls).map { _ in
          var store: EventStore<AppProtectionMachine>?
          let sample = try Sample.timing(1) { store = try EventStore<AppProtectionMachine>.open(at: path) }
          guard let store, store.opening.checkpoint ?? store.opening.keyframe != nil else {
            throw Failure("\(path): neither the checkpoint nor a keyframe was used")
          }
          try store.close()
          return sample
        })
    }
  }

  private func stateAt(_ operation: Operation, _ count: Int, quantile: Double) -> Operation {
    let fixtures = fixtures
    // One in a hundred is slower than the answer; fewer are asked about where each takes long.
    let (calls, patience) = options.isQuick ? (3, Int64.max) : (1000, 2_000_000_000)
    return operation.with(.store) {
      let history = try History<AppProtectionMachine>(at: try fixtures.policies(count))
      var random = RandomNumbers(seed: 11)
      let begin = Platform.wallNanoseconds
      var samples: [Sample] = []
      while samples.count < calls, samples.count < 20 || Platform.wallNanoseconds - begin < patience {
        let position = Position.sequence(1 + random.next() % UInt64(count))
        samples.append(try Sample.timing(1) { _ = try history.state(at: position) })
      }
      return .quantile(quantile, of: samples)
    }
  }
}
