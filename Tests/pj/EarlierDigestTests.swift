import Expectations
import AppProtection
import EventSourcing
import Journal
import Testing
import WireFormat

@testable import CommandSupport

@Suite("State digests of format 1.0")
struct EarlierDigestTests {
  /// Writes the events of a journal as a program of format 1.0 did: with canonical digests in field 10.
  ///
  /// - Parameter changed: The number of the digest to falsify.
  private func writeEarlier(_ name: String, to path: String, falsifying changed: UInt64? = nil) throws -> UInt64 {
    let journal = try JournalWriter.create(at: path, id: .none, createdNanoseconds: 1)
    var cursor = try History<AppProtectionMachine>(at: Repository.journal(name)).cursor()
    var count: UInt64 = 0
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      var envelope = step.record.envelope
      if envelope.digest != nil {
        count += 1
        let digest = StateDigest(of: try #require(step.after), as: .canonical).combined
        envelope.digest = RecordedDigest(digest.prefix.map { count == changed ? ~$0 : $0 }, as: .canonical)
      }
      var writer = WireWriter()
      envelope.encode(into: &writer)
      var batch = JournalBatch()
      try batch.append(payload: writer.bytes, label: envelope.moment.wallNanoseconds)
      try journal.append(&batch)
    }
    try journal.close()
    return count
  }

  /// The folder with a journal as version 1.0 wrote it.
  private static func fixture(_ name: String) -> String {
    _ = Repository.root
    return "Tests/pj/Journals1.0/\(name)"
  }

  @Test("The journals that version 1.0 wrote open, fold, check, verify and go on", arguments: Repository.journals)
  func fixtures(name: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Self.fixture(name), to: path)
      let verified = try JournalReader(path: path).verify()
      expectEqual(verified.findings.contains(where: \.isDamage), name == "damaged-frame")
      let history = try History<AppProtectionMachine>(at: path)
      let report = try history.check()
      #expect(report.mismatch == nil && report.digestsCompared > 3)
      expectEqual(report.lastSequence, name == "damaged-frame" ? 11 : verified.lastSequence)
      expectEqual(history.digestScheme(at: report.lastSequence), .canonical)
      let state = try history.state(at: .sequence(report.lastSequence)).state
      expectEqual(report.stateDigest, StateDigest(of: state, as: .canonical))
      guard name != "damaged-frame" else { return }

      let store = try EventStore<AppProtectionMachine>.open(at: path)
      expectEqual(store.state, state)
      try store.append(.startProcess(ProcessStart()), at: Moment(wallNanoseconds: 1_800_000_000_000_000_000))
      try store.checkpoint()
      try store.close()
      let later = try History<AppProtectionMachine>(at: path).check()
      #expect(later.mismatch == nil && later.digestsCompared > report.digestsCompared && later.checkpointsCompared == 1)
      expectEqual(later.stateDigest, StateDigest(of: store.state))
    }
  }

  @Test("They are verified as before, and a program that goes on records its own beside them")
  func continued() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/earlier.pj"
      let count = try writeEarlier("torn-tail", to: path)
      let history = try History<AppProtectionMachine>(at: path)
      let earlier = try history.check()
      #expect(earlier.isSound && earlier.digestsCompared == count && count > 3)
      let state = try history.state(at: .end).state
      expectEqual(earlier.stateDigest, StateDigest(of: state, as: .canonical))
      #expect(StateDigest(of: state, as: .canonical) != StateDigest(of: state))
      expectEqual(history.digestScheme(at: earlier.lastSequence), .canonical)
      #expect(ToolRun("state", path, "-j").output.contains("\"digest\":\"\(earlier.stateDigest.combined)\""))

      let store = try EventStore<AppProtectionMachine>.open(at: path)
      try store.append(.endProcess, at: Moment(wallNanoseconds: 1_800_000_000_000_000_000))
      try store.checkpoint()
      try store.close()
      let continued = try History<AppProtectionMachine>(at: path)
      let later = try continued.check()
      #expect(later.isSound && later.digestsCompared == count + 1 && later.checkpointsCompared == 1)
      expectEqual(later.stateDigest, StateDigest(of: store.state))
      expectEqual(continued.digestScheme(at: later.lastSequence), .merkle)
      expectEqual(continued.digestScheme(at: earlier.lastSequence), .canonical)
      #expect(ToolRun("state", path, "-j").output.contains("\"digest\":\"\(later.stateDigest.combined)\""))
      #expect(ToolRun("show", path, "\(later.lastSequence)").output.contains("state digest"))
    }
  }

  @Test("One that does not agree is found")
  func falsified() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/earlier.pj"
      let count = try writeEarlier("torn-tail", to: path, falsifying: 3)
      let report = try History<AppProtectionMachine>(at: path).check()
      #expect(count > 3 && report.digestsCompared == 3 && !report.isSound)
      let state = try History<AppProtectionMachine>(at: path).state(at: .sequence(report.mismatch?.sequence ?? 0)).state
      expectEqual(report.mismatch?.computedDigest, StateDigest(of: state, as: .canonical))
    }
  }
}
