import Expectations
import Testing

@testable import Journal

/// What a program does with versions and features that came after it.
@Suite("Versions and features")
struct FeatureFlagTests {
  /// A header with another value, and its checksum.
  private func change(_ bytes: inout [UInt8], size: Int, at offset: Int, to value: UInt32, bytes count: Int = 4) {
    for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
    let sum = Checksum.crc32(0, bytes[..<(size - 4)])
    for index in 0..<4 { bytes[size - 4 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
  }

  /// The files with a header, the last segment among them, and the sizes of their headers.
  private func headers(_ sample: SampleJournal) -> [(path: String, size: Int)] {
    let segments = sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    return [("j/JOURNAL", 160), (segments[0], 224), (segments[segments.count - 1], 224)]
  }

  @Test(
    "A compatible feature or a newer minor version is read, and nothing is reported",
    arguments: [(16, 0x4001), (10, 7)])
  func compatible(offset: Int, value: UInt32) throws {
    let sample = try SampleJournal(count: 24)
    for (path, size) in headers(sample) {
      var files = sample.files
      change(&files[path, default: []], size: size, at: offset, to: value, bytes: offset == 10 ? 2 : 4)
      let reading = try SampleJournal.read(files)
      #expect(reading.report.findings == [] && reading.prefix.count == 24, "\(path)")
      try JournalWriter.open(at: "j", fileSystem: MemoryFileSystem(files)).close()
    }
  }

  @Test(
    "An incompatible feature or a newer major version is refused by name and file, wherever it stands",
    arguments: [
      (20, 0x10, "the feature of bit 4"), (20, 0x8000_000C, "the features of bits 2, 3 and 31"),
      (8, 2, "format version 2.1"),
    ])
  func incompatible(offset: Int, value: UInt32, name: String) throws {
    let sample = try SampleJournal(count: 24)
    for (path, size) in headers(sample) {
      var files = sample.files
      change(&files[path, default: []], size: size, at: offset, to: value, bytes: offset == 8 ? 2 : 4)
      let before = files
      let fileSystem = MemoryFileSystem(files)
      let expected =
        "\(path.dropFirst(2)), byte 8: the journal needs \(name), which this program does not know; "
        + "read it with a program at least as new as the one that wrote it"
      for attempt in [
        { _ = try JournalReader(path: "j", fileSystem: fileSystem) },
        { _ = try JournalWriter.open(at: "j", fileSystem: fileSystem) },
      ] {
        #expect {
          try attempt()
        } throws: {
          ($0 as? JournalError)?.code == .unsupportedFormat && "\($0)" == expected
        }
      }
      expectEqual(fileSystem.files.filter { !$0.key.hasSuffix("LOCK") }, before)
      // A salvage takes what it knows from the other files, and says what it left.
      let salvage = try Salvage(of: ["j"], fileSystem: fileSystem)
      let report = try salvage.write(to: "out")
      #expect(report.losses.contains { $0.file == path && $0.cause.contains(name) }, "\(path)")
      #expect(!report.isComplete && report.needsNewerProgram)
    }
  }

  /// A closed journal with every small file: a checkpoint, retired events, and keyframes.
  private func journalWithSmallFiles() throws -> MemoryFileSystem {
    let files = try SampleJournal(count: 60).fileSystem
    let journal = try JournalWriter.open(at: "j", fileSystem: files)
    let checkpoint = try journal.writeCheckpoint(sequence: 50, body: [1, 2, 3])
    try journal.retire(before: 51, after: checkpoint)
    var writer = try KeyframeWriter(journal, after: 60) { _ in true }
    try writer.append(sequence: 60, chain: journal.lastChain, body: [4])
    try journal.close()
    return files
  }

  @Test(
    "A newer HEAD, KEPT, checkpoint or KEYFRAMES is unsupported by file, and no writer changes it",
    arguments: [
      ("HEAD", 48, 64), ("HEAD", 560, 64), ("KEPT", 64, 72), ("KEPT", 8, 72), ("00000000000000000050.ckpt", 64, 72),
      ("00000000000000000050.ckpt", 8, 72), ("KEYFRAMES", 68, 80), ("KEYFRAMES", 8, 80),
    ])
  func smallFiles(name: String, offset: Int, size: Int) throws {
    let files = try journalWithSmallFiles()
    let start = offset >= 512 ? 512 : 0
    files.edit("j/" + name) { bytes in
      var record = FixedRecord(size: size)
      record.set(Array(bytes[start..<start + size]), at: 0)
      record.set(UInt16(2), at: offset - start)
      record.seal(seed: name == "HEAD" ? Checksum.crc32(0, sampleID.bytes) : 0)
      bytes.replaceSubrange(start..<start + size, with: record.bytes)
    }
    let before = files.files.filter { !$0.key.hasSuffix("LOCK") }
    func isRefused(_ error: any Error) -> Bool {
      let error = error as? JournalError
      return error?.code == .unsupportedFormat && error?.file == name
        && "\(error.map { "\($0)" } ?? "")".contains("read it with a program at least as new")
    }
    switch name {
    case "KEYFRAMES":
      let journal = try JournalWriter.open(at: "j", fileSystem: files)
      #expect(performing: { _ = try KeyframeWriter(journal, after: 60) { _ in true } }, throws: isRefused)
      try journal.close()
      let reader = try JournalReader(path: "j", fileSystem: files)
      #expect(performing: { _ = try KeyframeReplacement(reader) }, throws: isRefused)
      expectEqual(files.files["j/KEYFRAMES"], before["j/KEYFRAMES"])
    case "HEAD", "KEPT":
      #expect(performing: { _ = try JournalReader(path: "j", fileSystem: files) }, throws: isRefused)
      fallthrough
    default:
      #expect(performing: { _ = try JournalWriter.open(at: "j", fileSystem: files) }, throws: isRefused)
      expectEqual(files.files.filter { !$0.key.hasSuffix("LOCK") }, before)
      if name.hasSuffix(".ckpt") {
        let reader = try JournalReader(path: "j", fileSystem: files)
        #expect(reader.findings.map(\.verdict) == [.unsupportedFormat] && reader.findings.first?.file == name)
      }
      let report = try Salvage(of: ["j"], fileSystem: files).write(to: "out")
      #expect(report.needsNewerProgram)
    }
  }

  @Test("A salvage takes no frame after the header of a later format, and says which events a newer program may find")
  func salvagedSegments() throws {
    let sample = try SampleJournal(count: 40)
    let names = sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    for (index, name) in names.enumerated() {
      for (offset, value) in [(8, UInt32(2)), (20, 1 << 31)] {
        var later = sample.files[name, default: []]
        let header = try #require(SegmentHeader.soundHeader(later))
        change(&later, size: 224, at: offset, to: value, bytes: offset == 8 ? 2 : 4)
        let events = header.firstSequence..<(header.firstSequence + UInt64(try count(sample, name)))
        var others = sample.files
        others[name] = nil
        let before = index > 0 ? sample.files[names[index - 1], default: []] : []
        let after = index + 1 < names.count ? sample.files[names[index + 1], default: []] : []
        for (pile, files) in [
          ("in its place", others.merging([name: later]) { $1 }),
          ("renamed", others.merging(["j/part": later]) { $1 }),
          ("between others", others.merging(["j/part": before + later + after]) { $1 }),
        ] {
          let (found, report, _) = try salvaged(files)
          let place = "\(name), byte \(offset), \(pile)"
          #expect(found.filter { !$1.isEmpty && events.contains($0) }.isEmpty, "\(place)")
          expectEqual(found.count { !$1.isEmpty }, 40 - events.count, "\(place)")
          #expect(report.needsNewerProgram && report.lostCount == UInt64(events.count), "\(place)")
          #expect(
            report.losses.contains {
              $0.needsNewerProgram && $0.cause.contains("which this program does not know")
                && $0.byteRange?.lowerBound == UInt64(pile == "between others" ? before.count : 0)
                && $0.byteRange?.upperBound == UInt64(later.count + (pile == "between others" ? before.count : 0))
            }, "\(place): \(report.losses)")
        }
      }
    }
  }

  private func count(_ sample: SampleJournal, _ name: String) throws -> Int {
    let salvage = try Salvage(of: [name], fileSystem: sample.fileSystem)
    return Int(salvage.journals.first?.eventCount ?? 0)
  }

  @Test("A segment of this format in a payload of a later one counts by itself, and not for what is around it")
  func laterFormatAround() throws {
    let (sample, other) = try journalInPayload()
    let name = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    var files = sample.files
    change(&files[name, default: []], size: 224, at: 8, to: 2, bytes: 2)
    let salvage = try Salvage(of: ["j"], fileSystem: MemoryFileSystem(files))
    expectEqual(salvage.journals, [SalvageableJournal(id: other, eventCount: 6)])
    expectEqual(salvage.files.first { $0.path == name }?.kind, .events)
    let alone = try Salvage(
      of: [name], fileSystem: MemoryFileSystem([name: Array(files[name, default: []].prefix(224))]))
    expectEqual(alone.files.map(\.kind), [.laterFormat])
    #expect {
      try alone.write(to: "out")
    } throws: {
      ($0 as? JournalError)?.code == .unsupportedFormat
    }
  }

  @Test("A header that does not verify keeps nobody from the frames after it, whatever version it names")
  func damagedVersion() throws {
    let sample = try SampleJournal(count: 24)
    for (path, size) in headers(sample) where size == 224 {
      var files = sample.files
      files[path]?[8] = 2
      expectEqual(salvageFaults(sample, files, losing: 0), [], "\(path)")
      #expect(try !salvaged(files).report.needsNewerProgram)
    }
  }

  @Test("A flipped bit in the flags or the version is damage, and not a newer format")
  func flippedBits() throws {
    let sample = try SampleJournal(count: 24)
    for (path, _) in headers(sample) {
      for offset in 8..<24 {
        for bit in 0..<8 {
          var files = sample.files
          files[path]?[offset] ^= 1 << UInt8(bit)
          let report = try SampleJournal.read(files).report
          expectEqual(report.findings.map(\.verdict), [.indexDamaged], "\(path) byte \(offset)")
        }
      }
    }
  }

  @Test("A frame of a later type is skipped when it may be, and refused by name otherwise", arguments: [6, 31, 32, 63])
  func frameTypes(type: UInt8) throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 1, fileSystem: files)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    let chain = journal.lastChain
    try journal.close()
    let seed = Checksum.segmentSeed(sampleID, ordinal: 1)
    files.edit("j/00000000000000000001.seg") { bytes in
      bytes += FrameHeader.encoded(
        FrameType(rawValue: type), payload: [1, 2, 3], sequence: 1, chain: chain, at: UInt64(bytes.count), seed: seed)
    }
    files.edit("j/HEAD") { bytes in
      // Nobody closed a journal that goes on.
      for slot in Format.headSlotOffsets {
        guard var receipt = HeadReceipt(Array(bytes[slot..<slot + 64]), of: sampleID) else { continue }
        receipt.isClean = false
        bytes.replaceSubrange(slot..<slot + 64, with: receipt.encoded(for: sampleID))
      }
    }
    let reader = try JournalReader(path: "j", fileSystem: files)
    if type & 0x20 != 0 {
      try expectEqual(events(reader), [[1]])
      #expect(try reader.verify().isSound)
    } else {
      #expect {
        try events(reader)
      } throws: {
        "\($0)".contains("the journal needs frame of type \(type), which this program does not know")
      }
      try expectEqual(reader.verify().findings.map(\.verdict), [.unsupportedFormat])
    }
  }
}
