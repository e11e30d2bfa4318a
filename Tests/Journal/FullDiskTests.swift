import Expectations
import Synchronization
import Testing

@testable import Journal

/// A journal that was not closed is opened on a device without room for another file.
@Suite("Opening on a full disk")
struct FullDiskTests {
  static let path = SampleJournal.path
  static let first = "j/00000000000000000001.seg"

  /// A journal that a process left in the middle: everything up to an event is durable, and later ones may be.
  private func sample(durable: Int, count: Int) throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.syncPolicy = .none
    options.preallocation = 0
    let journal = try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
    try append(0..<durable, to: journal)
    try journal.sync()
    try append(durable..<count, to: journal)
    return files
  }

  private func append(_ numbers: Range<Int>, to journal: JournalWriter) throws {
    for number in numbers {
      var batch = JournalBatch()
      try batch.append(payload: SampleJournal.payload(number), label: 5)
      try journal.append(&batch)
    }
  }

  /// Nothing can be written to a file that is to be put in place, and nothing at all to one with the name.
  private func fill(_ files: MemoryFileSystem, besides name: String = "none") {
    files.setFault { operation, path, _ in
      operation == "write" && (path.hasSuffix(".tmp") || path.hasSuffix(name)) ? .error(OperatingSystem.noSpace) : nil
    }
  }

  @Test("An append without room names the segment, and the folder whose device is full")
  func place() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: Self.path, id: sampleID, createdNanoseconds: 1, fileSystem: files)
    fill(files, besides: ".seg")
    let error = #expect(throws: JournalError.self) { try append(0..<1, to: journal) }
    expectEqual(error?.code, .noSpace)
    expectEqual(error?.file, "00000000000000000001.seg")
    expectEqual(error?.message, "there is no room for more in j (write: no space left on the device)")
  }

  @Test("What is not known to be durable is written again in its place, and the writer goes on there")
  func inPlace() throws {
    let files = try sample(durable: 3, count: 8)
    let end = files.files[Self.first]?.count
    fill(files, besides: "LOCK")
    files.forgetCalls()
    let journal = try JournalWriter.open(at: Self.path, fileSystem: files)
    #expect(journal.durableSequence == 8 && !journal.recovery.beganSegment)
    let calls = files.calls
    let write = try #require(calls.lastIndex(of: "write 00000000000000000001.seg"))
    #expect(calls[write...].contains("sync 00000000000000000001.seg"), "\(calls)")
    expectEqual(files.files[Self.first]?.count, end)
    try append(8..<10, to: journal)
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    let report = try reader.verify()
    #expect(report.findings == [] && report.wasClosed && reader.segments.count == 1)
    try expectEqual(events(reader), (0..<10).map { SampleJournal.payload($0) })
  }

  @Test("What reads back as something else is not called durable")
  func dropped() throws {
    let files = try sample(durable: 3, count: 8)
    fill(files)
    // As where the system drops from its cache what it could not write, after the journal was read the first time.
    files.beforeSyncs { count in
      if count == 1 { files.edit(Self.first) { bytes in bytes[bytes.count - 1] ^= 1 } }
    }
    do {
      _ = try JournalWriter.open(at: Self.path, fileSystem: files)
      Issue.record("it was called durable")
    } catch {
      #expect(error.code == .inputOutput && error.message == "what was written cannot be read back", "\(error)")
    }
  }

  @Test("A torn end stays where it is, and the next segment is begun when there is room")
  func torn() throws {
    let files = try sample(durable: 8, count: 8)
    files.edit(Self.first) { $0 += [1, 2, 3] }
    fill(files)
    let journal = try JournalWriter.open(at: Self.path, fileSystem: files)
    #expect(journal.lastSequence == 8 && journal.durableSequence == 8 && !journal.recovery.beganSegment)
    var batch = JournalBatch()
    try batch.append(payload: [7], label: 0)
    do {
      try journal.append(&batch)
      Issue.record("there was room")
    } catch {
      expectEqual(error.code, .noSpace)
    }
    files.setFault(nil)
    try append(8..<9, to: journal)
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    let report = try reader.verify()
    #expect(report.findings.map(\.verdict) == [.torn(.garbage)] && report.wasClosed, "\(report.findings)")
    try expectEqual(events(reader), (0..<9).map { SampleJournal.payload($0) })
  }

  @Test("A checkpoint that was written before there was room for a segment is overruled where its events are given up")
  func overruledCheckpoint() throws {
    let files = try sample(durable: 8, count: 8)
    let end = try #require(files.files[Self.first]?.count)
    files.edit(Self.first) { $0 += [1, 2, 3] }
    fill(files)
    do {
      let journal = try JournalWriter.open(at: Self.path, fileSystem: files)
      files.setFault(nil)
      try journal.writeCheckpoint(sequence: 8, body: [1])
    }
    files.edit(Self.first) { $0.removeLast($0.count - end + 8) }
    #expect(throws: JournalError.self) { try JournalWriter.open(at: Self.path, fileSystem: files) }
    let journal = try JournalWriter.open(at: Self.path, onDamage: .continueAfterVerifiedPrefix, fileSystem: files)
    #expect(journal.recovery.beganSegment && journal.lastSequence == 7)
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    expectEqual(reader.checkpoints().map { reader.isOverruled($0) }, [true])
    // What was given up is said once, and not again as an end that is missing.
    let findings = try reader.verify().findings
    #expect(findings.map(\.verdict) == [.damaged] && findings.first?.file.hasSuffix(".seg") == true, "\(findings)")
    try JournalWriter.open(at: Self.path, fileSystem: files).close()
  }

  @Test("A journal that was opened without room, and closed again, is opened as it was")
  func closedWithoutRoom() throws {
    let sample = try SampleJournal(count: 12, segmentSize: 1 << 20)
    let files = sample.fileSystem
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    files.edit(path) { $0 += [1, 2, 3] }
    fill(files)
    try JournalWriter.open(at: Self.path, fileSystem: files).close()
    files.setFault(nil)
    let journal = try JournalWriter.open(at: Self.path, fileSystem: files)
    #expect(journal.lastSequence == 12 && !journal.recovery.wasClosed)
    try journal.close()
    try expectEqual(events(JournalReader(path: Self.path, fileSystem: files)), sample.payloads)
  }

  @Test("Where not even that can be written, opening says how much room it needs, and reading goes on")
  func noRoomAtAll() throws {
    let files = try sample(durable: 3, count: 8)
    fill(files, besides: ".seg")
    let before = files.files[Self.first]
    do {
      _ = try JournalWriter.open(at: Self.path, fileSystem: files)
      Issue.record("there was room")
    } catch {
      let tail = (3..<8).reduce(0) { $0 + (16 + SampleJournal.payload($1).count + 7) / 8 * 8 }
      expectEqual(
        "\(error)",
        "00000000000000000001.seg, byte \((before?.count ?? 0) - tail): there is no room to open the journal"
          + " for writing: \(224 + tail) bytes may have to be written to another segment; free some space, for which"
          + " KEYFRAMES may be deleted, and open it again; it can be read as it is meanwhile")
      expectEqual(error.code, .noSpace)
    }
    expectEqual(files.files[Self.first], before)
    try expectEqual(events(JournalReader(path: Self.path, fileSystem: files)).count, 8)
    files.setFault(nil)
    try expectEqual(JournalWriter.open(at: Self.path, fileSystem: files).durableSequence, 8)
  }

  @Test("A segment that has its name already counts, although its directory could not be synced for lack of room")
  func renamed() throws {
    let files = try sample(durable: 3, count: 8)
    let renames = Mutex(0)
    files.setFault { operation, path, _ in
      if operation == "rename", path.hasSuffix(".seg") { renames.withLock { $0 += 1 } }
      return operation == "syncDirectory" && renames.withLock { $0 } > 0 ? .error(OperatingSystem.noSpace) : nil
    }
    #expect(throws: JournalError.self) { _ = try JournalWriter.open(at: Self.path, fileSystem: files) }
    files.setFault(nil)
    let journal = try JournalWriter.open(at: Self.path, fileSystem: files)
    try append(8..<9, to: journal)
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    // What the second one holds is written again: HEAD does not say yet that it is durable.
    expectEqual(reader.segments.map(\.firstSequence), [1, 4, 4])
    #expect(try reader.verify().findings.allSatisfy { !$0.isDamage })
    try expectEqual(events(reader), (0..<9).map { SampleJournal.payload($0) })
  }
}
