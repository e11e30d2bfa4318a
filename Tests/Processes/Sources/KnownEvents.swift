import Journal
import JournalSimulation

/// Events whose contents follow from their numbers, so that any process can tell whether one is right.
package struct KnownEvents: Sendable {
  let seed: UInt64

  /// The events under a seed.
  package init(seed: UInt64) {
    self.seed = seed
  }

  /// What event `sequence` holds: its number, and up to 200 bytes that look like nothing else.
  package func payload(_ sequence: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed ^ (sequence &* 0xD134_2543_DE82_EF95))
    let count = generator.oneIn(64) ? generator.below(200) : generator.below(40)
    return withUnsafeBytes(of: sequence.littleEndian) { Array($0) }
      + (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  /// Adds the next events after `last` to a batch.
  package func add(_ count: Int, after last: UInt64, to batch: inout JournalBatch) throws(JournalError) {
    for number in last + 1...last + UInt64(count) {
      try batch.append(payload: payload(number), label: Int64(bitPattern: number))
    }
  }

  /// Compares an event with what its number calls for.
  package func check(_ event: JournalEvent, after last: UInt64) throws(ProcessFailure) {
    guard event.sequence == last + 1 else {
      throw ProcessFailure("event \(event.sequence) came after event \(last)")
    }
    guard event.payload.elementsEqual(payload(event.sequence)) else {
      throw ProcessFailure("event \(event.sequence) has other contents than were appended")
    }
  }
}

extension JournalOptions {
  /// Small segments, any sync policy, any space ahead.
  package static func random(_ generator: inout SeededGenerator) -> JournalOptions {
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << (10 + UInt64(generator.below(9)))
    options.preallocation = [0, 1 << 12, 256 << 10][generator.below(3)]
    options.historyDigest = !generator.oneIn(4)
    options.syncPolicy =
      switch generator.below(5) {
      case 0: .everyCommit
      case 1: .group(maximumDelayNanoseconds: 20_000)
      case 2: .interval(nanoseconds: 2_000_000)
      case 3: .interval(nanoseconds: 0)
      default: .none
      }
    return options
  }
}

/// The generator of the simulations, for programs that import this module only.
package typealias SeededGenerator = JournalSimulation.SeededGenerator
