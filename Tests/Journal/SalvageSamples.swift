import Expectations
import Testing

@testable import Journal

/// The events of a journal that was salvaged, and the report.
func salvaged(
  _ files: [String: [UInt8]], of inputs: [String] = [SampleJournal.path], journal: JournalID? = nil
) throws -> (events: [UInt64: [UInt8]], report: SalvageReport, files: [String: [UInt8]]) {
  let fileSystem = MemoryFileSystem(files)
  let report = try Salvage(of: inputs, fileSystem: fileSystem).write(journal: journal, to: "out")
  let reader = try JournalReader(path: "out", fileSystem: fileSystem)
  try expectEqual(reader.verify().findings, [])
  var events: [UInt64: [UInt8]] = [:]
  var cursor = try reader.cursor()
  while let item = try cursor.next() {
    if case .event(let event) = item { events[event.sequence] = Array(event.payload) }
  }
  return (events, report, fileSystem.files)
}

/// What a salvage of a changed sample may not do, in words.
func salvageFaults(
  _ sample: SampleJournal, _ files: [String: [UInt8]], of inputs: [String] = [SampleJournal.path], losing limit: Int
) -> [String] {
  var faults: [String] = []
  do {
    let (events, report, _) = try salvaged(files, of: inputs)
    let lost = sample.payloads.indices.filter { index in
      events[UInt64(index + 1)] != sample.payloads[index]
        || report.losses.contains { $0.events?.contains(UInt64(index + 1)) ?? false }
    }
    if lost.count > limit { faults.append("lost \(lost.map { $0 + 1 })") }
    let named = report.losses.compactMap(\.events).flatMap { Array($0) }
    for (sequence, payload) in events where payload != sample.payloads[Int(sequence) - 1] {
      if !named.contains(sequence) || !payload.isEmpty { faults.append("event \(sequence) is wrong") }
    }
    if lost.map({ UInt64($0 + 1) }) != named { faults.append("lost \(lost.map { $0 + 1 }), reported \(named)") }
  } catch {
    faults.append("\(error)")
  }
  return faults
}

extension SegmentHeader {
  /// The header with which a segment's bytes begin, when it verifies.
  static func soundHeader(_ bytes: [UInt8]) -> SegmentHeader? {
    if case .sound(let header) = read(bytes) { header } else { nil }
  }
}

/// A journal of nine events, one of which has a segment of another journal in its payload, and that one's id.
func journalInPayload() throws -> (sample: SampleJournal, other: JournalID) {
  let other = try #require(JournalID(bytes: Array(100..<116)))
  let inner = try SampleJournal(count: 6, segmentSize: 1 << 20)
  let segment = try #require(inner.files.first { $0.key.hasSuffix(".seg") }?.value)
  var header = try #require(SegmentHeader.soundHeader(segment))
  let seed = header.seed
  header.id = other
  let payload = resealed(header.encoded() + segment.dropFirst(224), from: seed, to: header.seed)
  let sample = try SampleJournal(count: 9, segmentSize: 1 << 20, embedding: payload)
  return (sample, other)
}

/// A segment whose frames, which verify under one seed, verify under another.
func resealed(_ segment: [UInt8], from old: UInt32, to new: UInt32) -> [UInt8] {
  var bytes = segment
  var offset = 224
  bytes.withUnsafeMutableBytes { buffer in
    while offset + 16 <= buffer.count, let start = buffer.baseAddress {
      let header = FrameHeader(start + offset)
      guard header.isPlausible, offset + header.size <= buffer.count,
        header.verifiedChain(start + offset, at: UInt64(offset), seed: old) != nil
      else { return }
      _ = FrameHeader.complete(
        start + offset, length: header.payloadLength, position: header.position, previous: header.previous,
        offset: UInt64(offset), seed: new)
      offset += header.size
    }
  }
  return bytes
}
