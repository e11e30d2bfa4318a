import Expectations
import Testing

@testable import Journal

@Suite("The writer")
struct WriterTests {
  static let path = SampleJournal.path

  private func create(
    _ files: MemoryFileSystem, _ policy: SyncPolicy = .everyCommit, segmentSize: UInt64 = 1 << 20,
    preallocation: UInt64 = 0
  ) throws -> JournalWriter {
    var options = JournalOptions()
    options.syncPolicy = policy
    options.segmentSizeLimit = segmentSize
    options.preallocation = preallocation
    return try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
  }

  private func append(_ journal: JournalWriter, _ payload: [UInt8] = [1, 2, 3]) throws(JournalError) {
    var batch = JournalBatch()
    try batch.append(payload: payload, label: 5)
    try journal.append(&batch)
  }

  /// The durable position that each batch or mark of the last segment shows: events, in order.
  private func marks(_ files: MemoryFileSystem) throws -> [UInt64] {
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    let walker = HistoryWalker(reader.directory, reader.catalog, beyondDamage: false, readsBlocks: false)
    var marks: [UInt64] = []
    while true {
      switch try walker.next() {
      case .events(let run, _): if run.isDurableBefore { marks.append(run.firstSequence - 1) }
      case .record(let record):
        if record.type == .mark, let mark = Mark(try walker.payload(of: record)) { marks.append(mark.durableSequence) }
      case .segment, .finding: break
      case .end: return marks
      }
    }
  }

  @Test(
    "The durable mark in the frames advances under every policy",
    arguments: [
      SyncPolicy.everyCommit, .group(maximumDelayNanoseconds: 5), .interval(nanoseconds: 10), .none,
    ])
  func marksAdvance(policy: SyncPolicy) throws {
    let files = MemoryFileSystem()
    let journal = try create(files, policy)
    for index in 1...12 {
      files.advance(nanoseconds: 4)
      try append(journal)
      if policy == .none, index % 5 == 0 { try journal.sync() }
    }
    let shown = try marks(files)
    expectEqual(shown, shown.sorted())
    #expect((shown.last ?? 0) >= 9, "\(shown)")
    switch policy {
    case .everyCommit, .group: expectEqual(shown, Array(0...11))
    case .interval: #expect(shown == [0, 1, 4, 7, 10] || shown.count >= 4, "\(shown)")
    default: expectEqual(shown, [0, 5, 10])
    }
  }

  @Test("A sync that others overtook is shown by a mark of its own")
  func overtakenSync() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .none)
    for _ in 0..<3 { try append(journal) }
    // As when a thread syncs what was written before, while another one writes more.
    journal.core.withLock { core in
      core.segment?.durableEnd = 224 + 24
      core.durableSequence = 1
    }
    try append(journal)
    try expectEqual(marks(files), [0, 1])
    try journal.close()
    try expectEqual(JournalReader(path: Self.path, fileSystem: files).verify().findings, [])
  }

  @Test("A full segment is sealed, the next continues it, and the events are all there")
  func rotation() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .none, segmentSize: 1 << 10, preallocation: 1 << 12)
    for index in 0..<100 { try append(journal, SampleJournal.payload(index)) }
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    #expect(reader.segments.count > 4)
    #expect(reader.segments.dropFirst().allSatisfy { $0.predecessorEnd == .sealed })
    try expectEqual(events(reader), (0..<100).map { SampleJournal.payload($0) })
    let report = try reader.verify()
    #expect(report.findings == [] && report.eventCount == 100 && report.wasClosed)
    for sequence in 0...101 {
      var cursor = try reader.cursor(after: UInt64(sequence))
      var first: UInt64?
      if case .event(let event)? = try cursor.next() { first = event.sequence }
      expectEqual(first, sequence < 100 ? UInt64(sequence) + 1 : nil)
    }
  }

  @Test("A batch is one or nothing, and an expected position that is wrong changes nothing")
  func expectations() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(journal)
    var batch = JournalBatch()
    #expect(throws: JournalError.self) { try journal.append(&batch) }
    try batch.append(payload: [1], label: 0)
    do {
      try journal.append(&batch, expecting: 0)
      Issue.record("the conflict was not noticed")
    } catch {
      expectEqual(error.code, .conflict)
      expectEqual(
        error.description,
        "j, event 1: the journal ends with event 1, and 0 was expected; read what was appended, decide again, and append"
      )
    }
    expectEqual(journal.lastSequence, 1)
    let count = batch.count
    expectEqual(count, 1, "the batch keeps its events when the append fails")
    #expect(throws: JournalError.self) {
      try batch.append(payload: [UInt8](repeating: 0, count: Format.maximumPayloadLength + 1), label: 0)
    }
  }

  @Test("There is one writer, and the others are told who")
  func lock() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    do {
      _ = try JournalWriter.open(at: Self.path, fileSystem: files)
      Issue.record("a second writer was let in")
    } catch {
      expectEqual(error.code, .locked)
      expectEqual(
        error.description, "j: this process has the journal open for writing; close it there, or open it for reading")
    }
    try journal.close()
    try JournalWriter.open(at: Self.path, fileSystem: files).close()
    #expect(throws: JournalError.self) { try append(journal) }
    let held = try files.open("j/LOCK", .createOrUpdate)
    #expect(try files.lock(held))
    do {
      _ = try JournalWriter.open(at: Self.path, fileSystem: files)
      Issue.record("a second writer was let in")
    } catch {
      expectEqual(error.message, "process 42 has the journal open for writing")
    }
  }

  @Test("The lock's file holds its owner's number alone, and is written over where it is as long")
  func lockFile() throws {
    let files = MemoryFileSystem(["j/LOCK": Array("1234567\n".utf8)])
    try create(files).close()
    expectEqual(files.files["j/LOCK"], Array("42\n".utf8))
    files.forgetCalls()
    try JournalWriter.open(at: Self.path, fileSystem: files).close()
    expectEqual(files.files["j/LOCK"], Array("42\n".utf8))
    #expect(!files.calls.contains("setSize LOCK"), "\(files.calls)")
    files.setFault { operation, path, _ in
      operation == "write" && path.hasSuffix("LOCK") ? .error(OperatingSystem.noSpace) : nil
    }
    // Who finds no room for its number leaves none, and nobody waits for one.
    try JournalWriter.open(at: Self.path, fileSystem: files).close()
    expectEqual(files.files["j/LOCK"], [])
    let held = try files.open("j/LOCK", .update)
    #expect(try files.lock(held))
    do {
      _ = try JournalWriter.open(at: Self.path, fileSystem: files)
      Issue.record("a second writer was let in")
    } catch {
      expectEqual(error.message, "another process has the journal open for writing")
    }
    expectEqual(files.pauses, 0)
  }

  @Test("When the device is full the batch is not in the history, and the journal stays usable", arguments: [0, 1, 20])
  func noSpace(taken: Int) throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(journal)
    let calls = FaultOnce(files, taken: taken)
    do {
      try append(journal)
      Issue.record("the full device was not noticed")
    } catch {
      expectEqual(error.code, .noSpace)
    }
    calls.stop()
    expectEqual(journal.lastSequence, 1)
    try append(journal, [9])
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    try expectEqual(events(reader), [[1, 2, 3], [9]])
    try expectEqual(reader.verify().findings, [])
  }

  @Test("When not even a fresh segment can be begun, whether the batch is in the history is said to be unknown")
  func unsettledRefusal() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(journal)
    let start = files.calls.count
    files.setFault { operation, path, count in
      if path.hasSuffix(".seg"), operation == "write", count == start + 1 { return .short(10) }
      return ["write", "setSize", "rename"].contains(operation) ? .error(OperatingSystem.deviceError) : nil
    }
    for text in [
      "00000000000000000001.seg, byte \(224 + 24): a batch could be neither finished nor cut off, and no other segment be begun",
      "00000000000000000001.seg, byte \(224 + 24): a batch could be neither finished nor cut off",
    ] {
      let error = #expect(throws: JournalError.self) { try append(journal) }
      #expect(error?.code == .poisoned && error.map { "\($0)".hasPrefix(text) } == true, "\(String(describing: error))")
      files.setFault(nil)
    }
    #expect(!journal.isUsable)
  }

  @Test("When a write can neither finish nor be taken back, the writer goes on in a fresh segment")
  func spoiledSegment() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(journal)
    let calls = FaultOnce(files, taken: 10, alsoTruncation: true)
    #expect(throws: JournalError.self) { try append(journal) }
    calls.stop()
    try append(journal, [9])
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    expectEqual(reader.segments.last?.predecessorEnd, .torn)
    try expectEqual(events(reader), [[1, 2, 3], [9]])
    #expect(try reader.verify().isSound)
  }

  @Test("A failed sync moves what was not durable to a fresh segment, and the append succeeds there")
  func failedSync() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .none)
    for index in 0..<5 { try append(journal, SampleJournal.payload(index)) }
    try journal.sync()
    for index in 5..<9 { try append(journal, SampleJournal.payload(index)) }
    files.setFault { operation, path, _ in
      operation == "sync" && path == "j/00000000000000000001.seg" ? .error(OperatingSystem.deviceError) : nil
    }
    try journal.sync()
    expectEqual(journal.durableSequence, 9)
    try append(journal, SampleJournal.payload(9))
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    expectEqual(reader.segments.map(\.firstSequence), [1, 6])
    expectEqual(reader.segments.last?.predecessorEnd, .syncFailed)
    try expectEqual(events(reader), (0..<10).map { SampleJournal.payload($0) })
    #expect(try reader.verify().isSound)
  }

  @Test("When the fresh segment cannot be synced either, the writer promises nothing more")
  func poisoned() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(journal)
    files.setFault { operation, _, _ in operation == "sync" ? .error(OperatingSystem.deviceError) : nil }
    for _ in 0..<2 {
      do {
        try append(journal)
        Issue.record("the failure was not noticed")
      } catch {
        #expect(error.code == .poisoned && error.errorNumber == OperatingSystem.deviceError)
      }
    }
    expectEqual(journal.durableSequence, 1)
    #expect(throws: JournalError.self) { try journal.close() }
    files.setFault(nil)
    let again = try JournalWriter.open(at: Self.path, fileSystem: files)
    #expect(again.lastSequence >= 1)
    try again.close()
    #expect(try JournalReader(path: Self.path, fileSystem: files).verify().isSound)
  }

  @Test("A damaged journal is not opened for writing unless the owner gives up what is lost")
  func damaged() throws {
    let sample = try SampleJournal(count: 10, segmentSize: 1 << 20)
    let files = sample.fileSystem
    files.edit("j/00000000000000000001.seg") { $0[300] ^= 1 }
    do {
      _ = try JournalWriter.open(at: Self.path, fileSystem: files)
      Issue.record("the damage was not noticed")
    } catch {
      #expect(error.code == .damaged && error.file == "00000000000000000001.seg")
    }
    let before = files.files["j/00000000000000000001.seg"]
    let journal = try JournalWriter.open(at: Self.path, onDamage: .continueAfterVerifiedPrefix, fileSystem: files)
    let kept = journal.lastSequence
    #expect(kept > 0 && kept < 10)
    try append(journal)
    try journal.close()
    expectEqual(files.files["j/00000000000000000001.seg"], before, "the damaged bytes stay")
    let report = try JournalReader(path: Self.path, fileSystem: files).verify()
    #expect(!report.isSound && report.lastSequence == kept + 1)
    try JournalWriter.open(at: Self.path, fileSystem: files).close()
  }

  @Test("Every call may fail with every error: no trap, no lie, and what was acknowledged is there afterwards")
  func everyCallFails() throws {
    // Without space ahead, of which every opening would fill megabytes.
    var options = JournalOptions()
    options.preallocation = 0
    for code in [OperatingSystem.deviceError, OperatingSystem.noSpace] {
      var number = 0
      var wasHit = true
      while wasHit {
        number += 1
        let files = MemoryFileSystem()
        let target = number
        files.setFault { _, _, count in count == target ? .error(code) : nil }
        var acknowledged: [[UInt8]] = []
        var attempted: [[UInt8]] = []
        if let journal = try? create(files, segmentSize: 1 << 10) {
          for index in 0..<30 {
            let payload = SampleJournal.payload(index) + [UInt8(index)]
            attempted.append(payload)
            if (try? append(journal, payload)) != nil { acknowledged.append(payload) }
          }
          try? journal.close()
        }
        wasHit = files.calls.count >= target
        files.setFault(nil)
        guard let reader = try? JournalReader(path: Self.path, fileSystem: files) else {
          #expect(acknowledged.isEmpty)
          continue
        }
        let served = try events(reader)
        // A journal that was not finished being created looks like one of which all is lost.
        let isCreated = !reader.segments.isEmpty || files.files.keys.contains("\(Self.path)/HEAD")
        #expect(try reader.verify().isSound == isCreated && (isCreated || acknowledged.isEmpty), "call \(number)")
        expectEqual(served.filter { acknowledged.contains($0) }, acknowledged, "call \(number)")
        #expect(served.allSatisfy { attempted.contains($0) }, "call \(number)")
        let again = try JournalWriter.open(at: Self.path, options: options, fileSystem: files)
        expectEqual(again.lastSequence, UInt64(served.count), "call \(number)")
      }
      #expect(number > 100)
    }
  }

  @Test("Checkpoints are read back, and prove what was durable")
  func checkpoints() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .none)
    for index in 0..<5 { try append(journal, SampleJournal.payload(index)) }
    let old = try journal.writeCheckpoint(sequence: 3, body: [1, 2])
    let new = try journal.writeCheckpoint(sequence: 5, body: [])
    expectEqual(journal.durableSequence, 5)
    #expect(throws: JournalError.self) { try journal.writeCheckpoint(sequence: 6, body: []) }
    #expect(old.chain != new.chain && new.chain == journal.lastChain)
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    expectEqual(reader.checkpoints().map(\.sequence), [5, 3])
    try expectEqual(reader.body(of: old), [1, 2])
    try expectEqual(reader.verify().findings, [])
  }
}

/// Lets the first write to a segment take some bytes, and every later one nothing.
final class FaultOnce: Sendable {
  let files: MemoryFileSystem

  init(_ files: MemoryFileSystem, taken: Int, alsoTruncation: Bool = false) {
    self.files = files
    let start = files.calls.count
    files.setFault { operation, path, count in
      guard path.hasSuffix(".seg") else { return nil }
      if operation == "setSize" && alsoTruncation { return .error(OperatingSystem.deviceError) }
      guard operation == "write" else { return nil }
      return taken > 0 && count == start + 1 ? .short(taken) : .error(OperatingSystem.noSpace)
    }
  }

  func stop() { files.setFault(nil) }
}
