import Expectations
import AppProtection
import Testing

@testable import Forensics

@Suite("What is kept of the events that set a value")
struct BlameRecordTests {
  @Test("The newest events are kept, newest first, whatever the limit", arguments: [0, 1, 3, 7, 20, 80_000])
  func ring(limit: Int) {
    // An array that moved its elements at each event would take minutes for the longest.
    let count: UInt64 = limit > 100 ? 200_000 : 17
    var record = BlameTrace<AppProtectionMachine>.Record()
    for sequence in 1...count {
      record.add(
        Blame<AppProtectionMachine>.Write(sequence: sequence, type: "", wallNanoseconds: 0, before: nil, after: nil),
        limit: limit)
    }
    expectEqual(record.count, count)
    expectEqual(record.newestFirst.map(\.sequence), (1...count).reversed().prefix(limit).map { $0 })
  }
}
