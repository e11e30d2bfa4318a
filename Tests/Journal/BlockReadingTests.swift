import Expectations
import Testing

@testable import Journal

/// Blocks that are verified as a whole say the same as their frames one by one.
@Suite("Reading blocks")
struct BlockReadingTests {
  /// How a sample is written: so many events to a batch, and a sync after so many batches, which leaves marks.
  struct Shape: CustomTestStringConvertible, Sendable {
    var events: Int
    var batch: Int
    var payload: Int
    var syncEvery = Int.max
    var segmentSize: UInt64 = 64 << 20
    /// How many of the blocks are small enough to be verified as a whole; `nil` for all of them.
    var blocks: Int?

    var testDescription: String { "\(events) events of \(payload) bytes by \(batch), syncs by \(syncEvery)" }
  }

  static let shapes = [
    Shape(events: 1, batch: 1, payload: 0),
    Shape(events: 3000, batch: 1, payload: 20),
    Shape(events: 3000, batch: 7, payload: 33, syncEvery: 10),
    Shape(events: 3000, batch: 1000, payload: 130),
    Shape(events: 2500, batch: 3, payload: 50, syncEvery: 5, segmentSize: 32 << 10),
    Shape(events: 1100, batch: 1, payload: 1500, blocks: 1),
  ]

  private func write(_ shape: Shape) throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.syncPolicy = .none
    options.segmentSizeLimit = shape.segmentSize
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
    var batch = JournalBatch()
    var written = 0
    var batches = 0
    while written < shape.events {
      for _ in 0..<min(shape.batch, shape.events - written) {
        let payload = (0..<shape.payload).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ written) }
        try batch.append(payload: payload, label: Int64(written))
        written += 1
      }
      try journal.append(&batch)
      batches += 1
      if batches % shape.syncEvery == 0 { try journal.sync() }
    }
    try journal.close()
    return files
  }

  /// Every frame in order, and where the walk ended.
  private struct Walk: Equatable {
    var frames: [[UInt8]] = []
    var events = 0
    var anchors = 0
    var findings: [Finding] = []
    var sequence: UInt64 = 0
    var chain: UInt32 = 0
    var blocks = 0
    var hasGaps = false
  }

  private func walk(_ files: MemoryFileSystem, byBlocks: Bool) throws -> Walk {
    let reader = try JournalReader(path: "j", fileSystem: files)
    let walker = HistoryWalker(reader.directory, reader.catalog, beyondDamage: true, readsBlocks: byBlocks)
    var walk = Walk()
    reading: while true {
      switch try walker.next() {
      case .segment: break
      case .finding(let finding): walk.findings.append(finding)
      case .record(let record):
        if record.type == .anchor { walk.anchors += 1 }
        if record.type != .mark { break }
        let size = Int(record.end - record.offset)
        let frame = try walker.scanner?.window.copy(at: record.offset, size)
        walk.frames.append(try #require(frame))
      case .events(let run, let isWhole):
        if !isWhole || run.firstSequence != walk.sequence + 1 { walk.hasGaps = true }
        if run.blockChecksum != nil { walk.blocks += 1 }
        let bytes = try walker.bytes(of: run)
        var place = 0
        while let start = bytes.baseAddress, place < bytes.count {
          let header = FrameHeader(start + place)
          if header.type == .event { walk.events += 1 }
          walk.frames.append(Array(bytes[place..<(place + header.size)]))
          place += header.size
        }
        walk.sequence = run.lastSequence
        walk.chain = run.chainAfter
      case .end: break reading
      }
    }
    return walk
  }

  @Test("A journal says the same by blocks as by frames, marks between batches included", arguments: shapes)
  func sameEvents(shape: Shape) throws {
    let files = try write(shape)
    var one = try walk(files, byBlocks: true)
    let other = try walk(files, byBlocks: false)
    #expect(one.blocks == shape.blocks ?? one.anchors && other.blocks == 0)
    one.blocks = 0
    expectEqual(one, other)
    #expect(one.events == shape.events && one.findings == [] && !one.hasGaps)
    try expectEqual(JournalReader(path: "j", fileSystem: files).verify().findings, [])
    try expectEqual(JournalWriter.open(at: "j", fileSystem: files).lastChain, other.chain)
  }

  @Test("A cursor that begins anywhere in a block serves the same events, numbers, chains and places")
  func cursors() throws {
    let files = try write(Self.shapes[2])
    let reader = try JournalReader(path: "j", fileSystem: files)
    func served(after sequence: UInt64) throws -> [String] {
      var cursor = try reader.cursor(after: sequence)
      var result: [String] = []
      while let item = try cursor.next() {
        guard case .event(let event) = item else { continue }
        result.append("\(event.sequence) \(event.chain) \(event.offset) \(Array(event.payload))")
      }
      return result
    }
    let all = try served(after: 0)
    expectEqual(all.count, 3000)
    for start in [1, 6, 7, 8, 1021, 1022, 1023, 1024, 1029, 2047, 2900, 2999] {
      try expectEqual(served(after: UInt64(start)), Array(all[start...]), "after \(start)")
    }
  }

  @Test("A byte that changes anywhere in a block is found at its frame, and costs no other event")
  func changes() throws {
    let files = try write(Self.shapes[2]).files
    let path = "j/00000000000000000001.seg"
    let count = try #require(files[path]).count
    for offset in stride(from: 128, to: count, by: 997) {
      var changed = files
      changed[path]?[offset] ^= 0x40
      let walk = try walk(MemoryFileSystem(changed), byBlocks: true)
      #expect(walk.events >= 2999 && walk.findings.count == 1, "byte \(offset)")
      #expect(walk.findings.allSatisfy { $0.byteRange.contains(UInt64(offset)) }, "byte \(offset)")
    }
  }
}
