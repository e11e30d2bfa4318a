import Expectations
import Testing

@testable import Journal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is left of a journal, or is not what its name says, is neither replaced nor written through.
@Suite("Files that a writer leaves alone")
struct LeftFilesTests {
  private func create(_ files: MemoryFileSystem) throws -> JournalWriter {
    try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 9, fileSystem: files)
  }

  @Test(
    "No journal is created over what is left of one",
    arguments: ["HEAD", "KEPT", "KEYFRAMES", "00000000000000000007.ckpt"], [true, false])
  func evidence(name: String, hasLock: Bool) throws {
    var left: [String: [UInt8]] = ["j/" + name: [1, 2, 3], "j/notes.txt": []]
    if hasLock { left["j/LOCK"] = [] }
    let files = MemoryFileSystem(left)
    let before = files.files
    #expect {
      _ = try create(files)
    } throws: {
      ($0 as? JournalError)?.code == .damaged && "\($0)".hasPrefix("\(name): it is left of a journal")
    }
    expectEqual(files.files, before)
  }

  @Test("What a creation left that did not get as far as JOURNAL is not in the way of the next one")
  func interrupted() throws {
    let files = MemoryFileSystem(["j/LOCK": [], "j/JOURNAL.tmp": [1], "j/HEAD.tmp": [1], "j/notes.txt": [2]])
    try create(files).close()
    try expectEqual(JournalReader(path: "j", fileSystem: files).verify().findings, [])
  }

  @Test("A journal that is refused gets no lock file", arguments: [true, false])
  func refused(creates: Bool) throws {
    var files = try SampleJournal(count: 3).files
    files["j/LOCK"] = nil
    if !creates {
      var page = FixedRecord(size: Keyframe.headerSize)
      page.set(Format.keyframesMagic, at: 0)
      page.set(Format.majorVersion + 1, at: 8)
      page.set(UInt32(Keyframe.pageSize), at: 12)
      page.set(sampleID.bytes, at: 16)
      page.seal()
      files["j/KEYFRAMES"] = page.bytes + [UInt8](repeating: 0, count: Keyframe.pageSize - Keyframe.headerSize)
    }
    let sample = MemoryFileSystem(files)
    let before = sample.files
    let reader = try JournalReader(path: "j", fileSystem: sample)
    #expect(throws: JournalError.self) {
      if creates { _ = try create(sample) } else { _ = try KeyframeReplacement(reader) }
    }
    expectEqual(sample.files, before)
  }

  @Test("No mode that writes follows a link", arguments: [OpenMode.update, .createOrUpdate, .replace])
  func links(mode: OpenMode) throws {
    try withTemporaryDirectory { path in
      let files = PosixFileSystem()
      files.close(try files.open(path + "/target", .replace))
      try #require(symlink(path + "/target", path + "/link") == 0)
      #expect(throws: FileSystemError.self) { files.close(try files.open(path + "/link", mode)) }
      files.close(try files.open(path + "/link", .read))
      files.close(try files.open(path + "/target", mode))
    }
  }

  @Test("A checkpoint that states more than 1 GiB is not read")
  func longCheckpoint() throws {
    let files = try SampleJournal(count: 9).fileSystem
    let reader = try JournalReader(path: "j", fileSystem: files)
    var checkpoint = try #require(reader.checkpoints().first)
    for (length, isRead) in [(UInt64(Format.maximumCheckpointLength), true), (1 << 30 + 1, false), (8 << 30, false)] {
      checkpoint.bodyLength = length
      let header = checkpoint.header(for: sampleID)
      files.edit("j/" + checkpoint.file) { $0 = header }
      let again = try JournalReader(path: "j", fileSystem: files)
      expectEqual(again.checkpoints().map(\.bodyLength), isRead ? [length] : [], "\(length)")
      expectEqual(again.findings.map(\.file), isRead ? [] : [checkpoint.file], "\(length)")
    }
  }

  @Test("No event gets a number with which HEAD and later headers would not verify")
  func lastNumber() throws {
    let files = MemoryFileSystem()
    let start = Format.numberLimit - 4
    var journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9,
      parent: JournalIdentity.Parent(id: sampleID, sequence: start, chain: 7), fileSystem: files)
    func append(_ count: Int) throws {
      var batch = JournalBatch()
      for _ in 0..<count { try batch.append(payload: [1], label: 0) }
      try journal.append(&batch)
    }
    try append(2)
    #expect {
      try append(2)
    } throws: {
      ($0 as? JournalError)?.code == .tooLarge
    }
    try append(1)
    #expect(throws: JournalError.self) { try append(1) }
    expectEqual(journal.lastSequence, Format.numberLimit - 1)
    try journal.writeCheckpoint(sequence: journal.lastSequence, body: [1])
    try journal.close()
    journal = try JournalWriter.open(at: "j", fileSystem: files)
    #expect(journal.recovery.wasClosed && journal.lastSequence == Format.numberLimit - 1)
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(try reader.verify().findings == [] && reader.checkpoints().count == 1)
  }
}
