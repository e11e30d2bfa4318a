import Expectations
import EventSourcing
import Testing

@testable import Journal

/// Histories whose files say that a later program wrote them.
@Suite("Versions and features of histories")
struct FeatureFlagTests {
  /// The story, closed, with a checkpoint, and with other bytes in one header.
  private func journal(_ name: String, at offset: Int, _ value: UInt32) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) {
      $0.journal.syncPolicy = .everyCommit
      $0.keyframeInterval = 4
    }
    try store.tell()
    try store.checkpoint()
    try store.close()
    var bytes = try journal.contents(name)
    let size = name == Format.identityName ? Format.identitySize : Format.segmentHeaderSize
    for index in 0..<4 { bytes[offset + index] |= UInt8(truncatingIfNeeded: value >> (8 * index)) }
    let sum = Checksum.crc32(0, bytes[..<(size - 4)])
    for index in 0..<4 { bytes[size - 4 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
    try journal.write(bytes, to: name)
    return journal
  }

  private static let headers = ["JOURNAL", "00000000000000000001.seg"]

  @Test("An unknown compatible feature does not affect states, checks or stores", arguments: headers)
  func compatible(name: String) throws {
    let journal = try journal(name, at: 16, 0x8000_4000)
    let history = try journal.history(Ledger.self)
    let states = try statesFromNothing(history)
    expectEqual(states.count, Int(storyLength) + 1)
    for (sequence, state) in states.enumerated() {
      try expectEqual(history.state(at: .sequence(UInt64(sequence))).state, state)
    }
    let report = try history.check()
    #expect(report.isSound && report.checkpointsCompared == 1 && report.keyframesCompared > 0)
    let store = try journal.open(Ledger.self)
    expectEqual(store.state, states.last)
    try store.append(.note(["on"]), at: .seconds(900))
    try store.close()
    try expectEqual(journal.history(Ledger.self).reader.verify().findings, [])
  }

  @Test("An unknown incompatible feature is refused by name, and nothing is written", arguments: headers)
  func incompatible(name: String) throws {
    let journal = try journal(name, at: 20, 1 << 9)
    let files = journal.files
    let before = try files.map { try journal.contents($0) }
    let reason =
      "\(name), byte 8: the journal needs the feature of bit 9, which this program does not know; "
      + "read it with a program at least as new as the one that wrote it"
    for attempt in [{ _ = try journal.history(Ledger.self) }, { _ = try journal.open(Ledger.self) }] {
      #expect {
        try attempt()
      } throws: {
        "\($0)" == reason
      }
    }
    let after = try files.map { try journal.contents($0) }
    #expect(journal.files == files && after == before)
  }
}
