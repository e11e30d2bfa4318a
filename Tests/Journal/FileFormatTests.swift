import Expectations
import Testing

@testable import Journal

/// The worked example of the page FileFormat, byte for byte.
@Suite("The file format")
struct FileFormatTests {
  static let identity = """
    8a 50 4a 4a 0d 0a 1a 0a 01 00 01 00 a0 00 00 00
    01 00 00 00 00 00 00 00 00 01 02 03 04 05 06 07
    08 09 0a 0b 0c 0d 0e 0f 00 00 2a 36 fe 9c 97 17
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 84 65 5d a5
    """
  static let segment = """
    8a 50 4a 53 0d 0a 1a 0a 01 00 01 00 e0 00 00 00
    01 00 00 00 00 00 00 00 00 01 02 03 04 05 06 07
    08 09 0a 0b 0c 0d 0e 0f 01 00 00 00 00 00 00 00
    01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 2a 36 fe 9c 97 17 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 4a 65 57 25
    f1 9f 2c 4e 01 00 00 c0 00 00 00 00 05 00 00 01
    48 65 6c 6c 6f 00 00 00 66 0c 24 01 01 00 00 40
    db fc 31 56 48 00 00 02 e0 00 00 00 00 00 00 00
    01 00 00 00 92 d6 bb 90 db fc 31 56 01 00 00 00
    00 ca c4 71 fe 9c 97 17 00 ca c4 71 fe 9c 97 17
    2d 4a b1 9c b0 c5 84 e3 f9 2a 38 64 57 cc 68 2f
    1d 6e 4d b7 58 90 6e c9 0d dc ab 85 ff ba f1 0b
    """
  static let newestSlot = """
    8a 50 4a 48 0d 0a 1a 0a 06 00 00 00 00 00 00 00
    01 00 00 00 00 00 00 00 50 01 00 00 00 00 00 00
    01 00 00 00 00 00 00 00 db fc 31 56 01 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 a0 b0 2d 13
    """

  private func bytes(_ text: String) -> [UInt8] {
    text.split { $0 == " " || $0 == "\n" }.compactMap { UInt8($0, radix: 16) }
  }

  @Test("A journal with one event has the bytes that the page shows")
  func example() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 1_700_000_000_000_000_000, fileSystem: files)
    var batch = JournalBatch()
    try batch.append(payload: Array("Hello".utf8), label: 1_700_000_001_000_000_000)
    try journal.append(&batch)
    try journal.close()
    expectEqual(files.files["j/JOURNAL"], bytes(Self.identity))
    expectEqual(files.files["j/00000000000000000001.seg"], bytes(Self.segment))
    expectEqual(files.files["j/HEAD"].map { Array($0[..<64]) }, bytes(Self.newestSlot))
  }

  @Test("The names of segments are read back, and nothing else is taken for one")
  func names() {
    for name in [SegmentName(firstSequence: 1, ordinal: 0), SegmentName(firstSequence: 1 << 63, ordinal: 12)] {
      expectEqual(SegmentName(name.text), name)
    }
    expectEqual(SegmentName(firstSequence: 5, ordinal: 7).text, "00000000000000000005-0000000007.seg")
    for name in [
      "1.seg", "00000000000000000000.seg", "0000000000000000000+.seg", "99999999999999999999.seg",
      "00000000000000000001.seg.tmp", "00000000000000000001-7.seg", "00000000000000000001-0000000000.seg", ".seg", "",
      "00000000000000000001-00000000007.seg",
    ] {
      #expect(SegmentName(name) == nil, "\(name)")
    }
  }

  @Test("A newer version and an unknown incompatible flag are named, and are not damage", arguments: [8, 20])
  func unsupported(offset: Int) throws {
    for (path, size) in [("j/JOURNAL", 160), ("j/00000000000000000001.seg", 224)] {
      let sample = try SampleJournal(count: 3, segmentSize: 1 << 20)
      let files = sample.fileSystem
      files.edit(path) { bytes in
        var record = FixedRecord(size: size)
        record.set(Array(bytes[..<size]), at: 0)
        record.set(UInt16(offset == 8 ? 2 : 4), at: offset)
        record.seal()
        bytes.replaceSubrange(..<size, with: record.bytes)
      }
      do {
        _ = try JournalReader(path: "j", fileSystem: files)
        Issue.record("the format was not refused")
      } catch {
        expectEqual(error.code, .unsupportedFormat)
        #expect(error.message.contains(offset == 8 ? "format version 2.1" : "the feature of bit 2"))
      }
    }
  }

  @Test("An unknown frame that may be ignored is skipped, another one stops the reader")
  func unknownFrames() throws {
    for (type, isIgnorable) in [(UInt8(0x21), true), (UInt8(9), false)] {
      let sample = try SampleJournal(count: 3, policy: .none, closing: false, segmentSize: 1 << 20)
      let files = sample.fileSystem
      files.edit("j/00000000000000000001.seg") { bytes in
        let seed = Checksum.segmentSeed(sampleID, ordinal: 1)
        bytes += FrameHeader.encoded(
          FrameType(rawValue: type), payload: [1, 2], sequence: 3, chain: lastChain(bytes), at: UInt64(bytes.count),
          seed: seed)
      }
      let reader = try JournalReader(path: "j", fileSystem: files)
      if isIgnorable {
        try expectEqual(events(reader), sample.payloads)
        try expectEqual(reader.verify().findings, [])
      } else {
        do {
          _ = try events(reader)
          Issue.record("the frame was not refused")
        } catch {
          #expect("\(error)".contains("the journal needs frame of type 9"))
        }
      }
    }
  }

  @Test("An anchor that verifies and contradicts its block is found, and costs no event")
  func wrongAnchor() throws {
    for offset in [0, 8, 12, 16, 40] {
      let sample = try SampleJournal(count: 3, segmentSize: 1 << 20)
      let files = sample.fileSystem
      files.edit("j/00000000000000000001.seg") { bytes in
        let start = bytes.count - Format.frameHeaderSize - Format.anchorSize
        var payload = Array(bytes[(start + 16)...])
        payload[offset] ^= 1
        let chain = FrameHeader(bytes.withUnsafeBytes { Array($0[start...]) }).previous
        bytes.replaceSubrange(
          start...,
          with: FrameHeader.encoded(
            .anchor, payload: payload, sequence: 3, chain: chain, at: UInt64(start),
            seed: Checksum.segmentSeed(sampleID, ordinal: 1)))
      }
      let report = try JournalReader(path: "j", fileSystem: files).verify()
      #expect(report.findings.map(\.verdict) == [.indexDamaged] && report.eventCount == 3, "offset \(offset)")
    }
  }

  @Test("An event that was exchanged with a right check breaks the chain after it")
  func exchangedEvent() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 0, fileSystem: files)
    var batch = JournalBatch()
    for payload in [[1], [2], [3]] as [[UInt8]] {
      try batch.append(payload: payload, label: 0)
      try journal.append(&batch)
    }
    try journal.close()
    files.edit("j/00000000000000000001.seg") { bytes in
      let start = Format.segmentHeaderSize + 24
      bytes[start + Format.frameHeaderSize] = 9
      let header = FrameHeader(Array(bytes[start...]))
      let after = Checksum.crc32(header.previous, bytes[(start + 12)..<(start + 17)])
      let check = Checksum.frameCheck(
        seed: Checksum.segmentSeed(sampleID, ordinal: 1), offset: UInt64(start), position: header.position,
        chain: after)
      for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: check >> (8 * UInt32(index))) }
    }
    let reader = try JournalReader(path: "j", fileSystem: files)
    let report = try reader.verify()
    expectEqual(report.findings.first?.verdict, .damaged)
    expectEqual(
      report.findings.first?.cause, "a frame verifies here, but it does not continue the history with event 3")
    #expect(report.lastVerifiedSequence == 2 && !report.isSound)
    try expectEqual(events(reader), [[1], [9]])
    try expectEqual(events(reader, beyondDamage: true), [[1], [9], [3]])
  }

  /// The chain after the last event frame of a segment that holds nothing else.
  private func lastChain(_ bytes: [UInt8]) -> UInt32 {
    var chain: UInt32 = 0
    var place = Format.segmentHeaderSize
    while place < bytes.count {
      let header = FrameHeader(Array(bytes[place...]))
      chain = Checksum.crc32(chain, bytes[(place + 12)..<(place + 16 + header.payloadLength)])
      place += header.size
    }
    return chain
  }
}

extension FrameHeader {
  /// The header at the start of some bytes, sixteen at least.
  fileprivate init(_ bytes: [UInt8]) {
    precondition(bytes.count >= Format.frameHeaderSize)
    self = bytes.withUnsafeBytes { buffer in
      withUnsafePointer(to: buffer.loadUnaligned(as: (UInt64, UInt64).self)) { FrameHeader(UnsafeRawPointer($0)) }
    }
  }
}
