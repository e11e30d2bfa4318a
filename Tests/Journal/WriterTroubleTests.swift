import Expectations
import Synchronization
import Testing

@testable import Journal

/// Failures of the device that come together, or while the journal is closed or taken over.
@Suite("A writer in trouble")
struct WriterTroubleTests {
  static let path = SampleJournal.path
  static let first = "j/00000000000000000001.seg"

  private func create(
    _ files: MemoryFileSystem, policy: SyncPolicy = .none, preallocation: UInt64 = 0
  ) throws -> JournalWriter {
    var options = JournalOptions()
    options.syncPolicy = policy
    options.preallocation = preallocation
    return try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
  }

  private func append(_ numbers: Range<Int>, to journal: JournalWriter) throws {
    for number in numbers {
      var batch = JournalBatch()
      try batch.append(payload: SampleJournal.payload(number), label: 5)
      try journal.append(&batch)
    }
  }

  private func expect(
    _ count: Int, in files: MemoryFileSystem, wasClosed: Bool, damagedHeaders: Int = 0
  ) throws {
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    try expectEqual(events(reader), (0..<count).map { SampleJournal.payload($0) })
    let report = try reader.verify()
    expectEqual(report.wasClosed, wasClosed, "\(report.findings)")
    #expect(report.findings.allSatisfy { $0.lostEvents == nil }, "\(report.findings)")
    let damaged = report.findings.filter(\.isDamage)
    expectEqual(damaged.map(\.verdict), Array(repeating: .indexDamaged, count: damagedHeaders), "\(damaged)")
  }

  @Test(
    "What a failed write may have left behind is cut off on closing, or the journal was not closed",
    arguments: [true, false])
  func closingSpoiled(canCut: Bool) throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(0..<5, to: journal)
    refuse(taking: 0, on: files)
    #expect(throws: JournalError.self) { try append(5..<6, to: journal) }
    if canCut {
      files.setFault(nil)
      try journal.close()
    } else {
      #expect(throws: JournalError.self) { try journal.close() }
      files.setFault(nil)
    }
    try expect(5, in: files, wasClosed: canCut)
    try expectEqual(JournalWriter.open(at: Self.path, fileSystem: files).lastSequence, 5)
  }

  @Test("What a failed write left behind and nobody could cut off is not in the way of the segment after it")
  func closingBehindSpoiled() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(0..<5, to: journal)
    refuse(taking: 20, on: files)
    #expect(throws: JournalError.self) { try append(5..<6, to: journal) }
    try journal.close()
    files.setFault(nil)
    try expect(5, in: files, wasClosed: true)
    let findings = try JournalReader(path: Self.path, fileSystem: files).verify().findings
    expectEqual(findings.map(\.verdict), [.torn(.garbage)], "\(findings)")
    try expectEqual(JournalWriter.open(at: Self.path, fileSystem: files).lastSequence, 5)
  }

  /// Has the first segment take so much of the next write, nothing of later ones, and cut nothing off.
  private func refuse(taking count: Int, on files: MemoryFileSystem) {
    let start = files.calls.count
    files.setFault { operation, path, number in
      guard path == Self.first else { return nil }
      if operation == "setSize" { return .error(OperatingSystem.deviceError) }
      guard operation == "write" else { return nil }
      return count > 0 && number == start + 1 ? .short(count) : .error(OperatingSystem.noSpace)
    }
  }

  @Test("The segment that takes the last one's place while the journal is closed is closed as well")
  func closingRescued() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, preallocation: 1 << 12)
    try append(0..<5, to: journal)
    files.setFault { operation, path, _ in
      operation == "sync" && path == Self.first ? .error(OperatingSystem.deviceError) : nil
    }
    try journal.close()
    files.setFault(nil)
    try expect(5, in: files, wasClosed: true)
    let fresh = try #require(files.files["j/00000000000000000001-0000000002.seg"])
    #expect(fresh.count < 1 << 12, "the space ahead was not given back")
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    let walker = HistoryWalker(reader.directory, reader.catalog, from: 1, beyondDamage: false)
    var anchors = 0
    walk: while true {
      switch try walker.next() {
      case .record(let record): if record.type == .anchor { anchors += 1 }
      case .end: break walk
      default: break
      }
    }
    expectEqual(anchors, 1)
  }

  @Test("A device on which no segment can be synced that is in place ends the closing with an error, and loses nothing")
  func closingNeverEnds() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(0..<5, to: journal)
    files.setFault { operation, path, _ in
      operation == "sync" && path.hasSuffix(".seg") ? .error(OperatingSystem.deviceError) : nil
    }
    do {
      try journal.close()
      Issue.record("the failing device was not noticed")
    } catch {
      expectEqual(
        error.message, "the device failed to sync one segment after another; every event is durable in the last one")
    }
    files.setFault(nil)
    try expect(5, in: files, wasClosed: false)
  }

  @Test("A failed sync is not trusted later where the segment's header is damaged too", arguments: [0, 5])
  func damagedHeader(durable: Int) throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(0..<durable, to: journal)
    try journal.sync()
    try append(durable..<9, to: journal)
    files.setFault { operation, _, _ in operation == "sync" ? .error(OperatingSystem.deviceError) : nil }
    #expect(throws: JournalError.self) { try journal.sync() }
    #expect(throws: JournalError.self) { try journal.close() }
    files.setFault(nil)
    files.edit(Self.first) { $0[82] ^= 1 }
    files.forgetCalls()
    let again = try JournalWriter.open(at: Self.path, fileSystem: files)
    #expect(again.lastSequence == 9 && !files.calls.contains("sync 00000000000000000001.seg"), "\(files.calls)")
    try append(9..<10, to: again)
    try again.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    expectEqual(reader.segments.last?.predecessorEnd, .syncFailed)
    expectEqual(reader.segments.map(\.firstSequence), [1, UInt64(durable) + 1])
    try expect(10, in: files, wasClosed: true, damagedHeaders: 1)
  }

  @Test("A closed journal is not opened where HEAD cannot say so: a later loss would not count as one")
  func unnotedOpening() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(0..<5, to: journal)
    try journal.close()
    files.setFault { operation, path, _ in
      operation == "write" && path == "j/HEAD" ? .error(OperatingSystem.deviceError) : nil
    }
    do {
      _ = try JournalWriter.open(at: Self.path, fileSystem: files)
      Issue.record("it was opened")
    } catch {
      #expect(error.code == .inputOutput && error.file == "HEAD")
    }
    files.setFault(nil)
    try expect(5, in: files, wasClosed: true)
    // One that was not closed knows less than is true all the time.
    do { _ = try JournalWriter.open(at: Self.path, fileSystem: files) }
    files.setFault { operation, path, _ in
      operation == "write" && path == "j/HEAD" ? .error(OperatingSystem.deviceError) : nil
    }
    try append(5..<6, to: try JournalWriter.open(at: Self.path, fileSystem: files))
    files.setFault(nil)
    try expect(6, in: files, wasClosed: false)
  }

  @Test("No checkpoint is put in place once others may write")
  func checkpointWhileClosing() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, policy: .group(maximumDelayNanoseconds: 5))
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 5)
    _ = try journal.write(&batch)
    // Somebody else closes the journal while the events of the checkpoint are made durable.
    files.onPauses { [weak journal] count in if count == 1 { try? journal?.close() } }
    do {
      try journal.writeCheckpoint(sequence: 1, body: [1])
      Issue.record("the closing was not noticed")
    } catch {
      expectEqual(error.code, .closed)
    }
    #expect(files.files.keys.allSatisfy { !$0.contains(".ckpt") } && journal.durableSequence == 1)
  }

  @Test("The labels of events that were taken out again are not in the batch's range")
  func labels() throws {
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 5)
    batch.endBatch()
    try batch.append(payload: [2], label: 900)
    batch.removeUnended()
    #expect(batch.labels == LabelRange(minimum: 5, maximum: 5) && batch.count == 1)
    var other = JournalBatch()
    try other.append(payload: [3], label: 7)
    other.endBatch()
    try other.append(payload: [4], label: -3)
    try batch.append(other)
    batch.removeUnended()
    #expect(batch.labels == LabelRange(minimum: 5, maximum: 7) && batch.count == 2)
    var alone = JournalBatch()
    try alone.append(payload: [1], label: 5)
    alone.removeUnended()
    #expect(alone.labels == .empty && alone.isEmpty)
  }

  @Test(
    "A segment is moved to another name and back, whatever its name is and whichever others are taken",
    arguments: [
      (0, [], 1), (0, [1], 1 + 1 << 40), (1, [], 0), (1, [0], 1 + 1 << 40), (1 + 1 << 40, [], 0),
      (1 + 1 << 40, [0], 1), (1 + 1 << 40, [0, 1], 1 + 2 << 40), (0, [1, 1 + 1 << 40], 1 + 2 << 40),
    ] as [(UInt64, [UInt64], UInt64)])
  func entering(ordinal: UInt64, others: [UInt64], expected: UInt64) throws {
    func name(_ ordinal: UInt64) -> String { SegmentName(firstSequence: 1, ordinal: ordinal).text }
    let sample = try SampleJournal(count: 3, segmentSize: 1 << 20)
    let files = sample.fileSystem
    if ordinal > 0 { try files.rename("j/" + name(0), to: "j/" + name(ordinal)) }
    let directory = JournalDirectory(path: "j", fileSystem: files)
    let entry = try #require(JournalCatalog(directory).segments.first)
    #expect(entry.file == name(ordinal) && entry.header.ordinal == 1)
    files.forgetCalls()
    try directory.enterAgain(entry, besides: Set((others + [ordinal]).map(name)))
    expectEqual(files.calls, ["rename " + name(expected), "rename " + name(ordinal), "syncDirectory j"])
    #expect(files.files["j/" + name(ordinal)] != nil)
  }
}
