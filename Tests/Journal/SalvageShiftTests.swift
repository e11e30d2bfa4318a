import Expectations
import Testing

@testable import Journal

/// Bytes that are missing, were inserted, or stand elsewhere cost the events that they cut, and no other.
@Suite("Salvage of shifted frames")
struct SalvageShiftTests {
  /// A sample with the place of each event.
  struct Sample {
    let journal: SampleJournal
    let places: [(path: String, range: Range<Int>)]

    init(_ journal: SampleJournal) throws {
      self.journal = journal
      var cursor = try JournalReader(path: SampleJournal.path, fileSystem: journal.fileSystem).cursor()
      var places: [(path: String, range: Range<Int>)] = []
      while let item = try cursor.next() {
        guard case .event(let event) = item else { continue }
        let size = (Format.frameHeaderSize + event.payload.count + 7) & ~7
        places.append((SampleJournal.path + "/" + event.file, Int(event.offset)..<Int(event.offset) + size))
      }
      self.places = places
    }

    var segments: [String] { journal.files.keys.filter { $0.hasSuffix(".seg") }.sorted() }

    /// The events of which some bytes are missing, or between the bytes of which others were inserted.
    func cut(_ path: String, _ range: Range<Int>) -> Set<UInt64> {
      let cut = places.indices.filter { index in
        let place = places[index].range
        return places[index].path == path
          && (range.isEmpty ? place.dropFirst().contains(range.lowerBound) : place.overlaps(range))
      }
      return Set(cut.map { UInt64($0 + 1) })
    }

    /// What is wrong with the salvage of a sample of which these bytes are not whole.
    func faults(_ files: [String: [UInt8]], cutting path: String, _ range: Range<Int>) -> [String] {
      let cut = cut(path, range)
      // One event alone, after which no frame stands, proves nothing.
      if places.count - cut.count < 2 { return [] }
      let isAlone = cut.contains(UInt64(places.count - 1)) && !cut.contains(UInt64(places.count))
      return salvageFaults(journal, files, losing: cut.count + (isAlone ? 1 : 0))
    }
  }

  /// Faults with the offsets at which they occur.
  struct Failures {
    private var places: [String: [Int]] = [:]

    mutating func note(_ fault: String, at offset: Int) { places[fault, default: []].append(offset) }

    var text: String {
      places.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.count) times, first at \($0.value[0])\n" }.joined()
    }
  }

  /// Journals in every form: in several segments and in one, closed and not, with a few anchors and with one after each
  /// batch.
  static let samples = Result {
    try [
      SampleJournal(count: 24, segmentSize: 700), SampleJournal(count: 14, closing: false),
      SampleJournal(count: 9, batchesPerBlock: 1), SampleJournal(count: 12, closing: false, preallocation: 4096),
    ].map { try Sample($0) }
  }

  static let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 &+ $0 >> 3) }

  @Test("Inserted bytes cost the event that they cut, or the last two", arguments: [1, 5, 8, 64, 517, 4096])
  func inserted(count: Int) throws {
    var failures = Failures()
    for (number, sample) in try Self.samples.get().enumerated() {
      for path in sample.segments {
        let bytes = sample.journal.files[path, default: []]
        for (index, offset) in stride(from: count % 17, through: bytes.count, by: 17).enumerated() {
          // Noise, zeros, and frames of the same file where its header says of which segment they are.
          let frames = offset < 224 ? Self.noise : Array(bytes.dropFirst(224))
          let content = index % 3 == 0 ? Self.noise : index % 3 == 1 ? [UInt8](repeating: 0, count: count) : frames
          var files = sample.journal.files
          files[path]?.insert(contentsOf: (content + Self.noise).prefix(count), at: offset)
          for fault in sample.faults(files, cutting: path, offset..<offset) {
            failures.note("sample \(number), \(path), content \(index % 3): \(fault)", at: offset)
          }
        }
      }
    }
    expectEqual(failures.text, "")
  }

  @Test("Missing bytes cost the events that they cut, and no other but the last", arguments: [1, 5, 8, 64, 517])
  func missing(count: Int) throws {
    var failures = Failures()
    for (number, sample) in try Self.samples.get().enumerated() {
      for path in sample.segments {
        let bytes = sample.journal.files[path, default: []]
        for offset in stride(from: count % 17, to: bytes.count, by: 17) {
          let range = offset..<min(offset + count, bytes.count)
          var files = sample.journal.files
          files[path]?.removeSubrange(range)
          for fault in sample.faults(files, cutting: path, range) {
            failures.note("sample \(number), \(path): \(fault)", at: offset)
          }
        }
      }
    }
    expectEqual(failures.text, "")
  }

  @Test("Moved bytes cost no event that a reader shows, and of the others few", arguments: [8, 64, 200])
  func moved(count: Int) throws {
    var failures = Failures()
    for (number, sample) in try Self.samples.get().enumerated() {
      // What is left of earlier losses is kept, too.
      for files in [sample.journal.files, try Self.salvagedBefore(sample)] {
        let isCopy = files.keys.contains { $0.hasPrefix("copy/") }
        let folder = isCopy ? "copy" : SampleJournal.path
        let before = try Self.shown(files, folder)
        for path in files.keys.filter({ $0.hasSuffix(".seg") }).sorted() {
          let bytes = files[path, default: []]
          for from in stride(from: 224, to: bytes.count - count, by: isCopy ? 136 : 88) {
            for to in stride(from: 224, to: bytes.count - count, by: isCopy ? 232 : 176) where from != to {
              var moved = files
              moved[path]?.removeSubrange(from..<from + count)
              moved[path]?.insert(contentsOf: bytes[from..<from + count], at: to)
              let shown = try Self.shown(moved, folder)
              let found = try salvaged(moved, of: [folder]).events.filter { !$0.value.isEmpty }
              for (sequence, payload) in found where before[sequence] != payload {
                failures.note("sample \(number), \(path): event \(sequence) is wrong", at: from)
              }
              for sequence in shown.keys where found[sequence] == nil {
                failures.note("sample \(number), \(path): event \(sequence) is shown and lost", at: from)
              }
              // Both ends of the run cut one, the place to which it moved a third, and one may stand alone between two.
              if before.count - found.count > 4 + count / 24 {
                failures.note("sample \(number), \(path): \(before.count - found.count) lost", at: from)
              }
            }
          }
        }
      }
    }
    expectEqual(failures.text, "")
  }

  /// A copy with events that keep the places of two lost ones.
  private static func salvagedBefore(_ sample: Sample) throws -> [String: [UInt8]] {
    var files = sample.journal.files
    for index in [3, 7] {
      let (path, range) = sample.places[index]
      files[path]?[range.lowerBound + 1] ^= 1
    }
    return try salvaged(files).files.filter { $0.key.hasPrefix("out/") && !$0.key.hasSuffix("LOCK") }
      .reduce(into: [:]) { $0["copy" + $1.key.dropFirst(3)] = $1.value }
  }

  private static func shown(_ files: [String: [UInt8]], _ path: String) throws -> [UInt64: [UInt8]] {
    var events: [UInt64: [UInt8]] = [:]
    var cursor = try JournalReader(path: path, fileSystem: MemoryFileSystem(files)).cursor(beyondDamage: true)
    while let item = try cursor.next() {
      if case .event(let event) = item, !event.payload.isEmpty { events[event.sequence] = Array(event.payload) }
    }
    return events
  }

  @Test("No flipped bit is taken for a shift")
  func flips() throws {
    for sample in try Self.samples.get().suffix(2) {
      let path = try #require(sample.segments.last)
      let bytes = sample.journal.files[path, default: []]
      for bit in bytes.indices.flatMap({ [$0 * 8 + $0 % 8, $0 * 8 + ($0 + 4) % 8] }) {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        let fileSystem = MemoryFileSystem([path: changed])
        let file = try fileSystem.open(path, .read)
        let scanner = PileScanner(
          file: 0, window: FileWindow(fileSystem: fileSystem, file: file, name: path),
          ahead: FileWindow(fileSystem: fileSystem, file: file, name: path), length: UInt64(changed.count), nameHint: 1,
          presuming: [], room: (100, 100))
        _ = try scanner.scan()
        #expect(!scanner.traces.contains { $0.shift != 0 }, "bit \(bit)")
      }
    }
  }

  /// Checksums are linear: a bit of an event and the offset of its frame may change, and the check stay right.
  @Test("A flipped bit that cancels the distance of the frames before it makes no event of what was none")
  func flipsThatCancel() throws {
    var tried = 0
    for sample in try [Sample(SampleJournal(count: 40, segmentSize: 1 << 20)), Sample(SampleJournal(count: 14))] {
      let path = try #require(sample.segments.first)
      let bytes = sample.journal.files[path, default: []]
      let seed = try #require(SegmentHeader.soundHeader(bytes)?.seed)
      for place in sample.places.filter({ $0.path == path }).dropFirst(6).map(\.range) {
        for bit in (place.lowerBound + 16) * 8..<place.upperBound * 8 {
          var changed = bytes
          changed[bit / 8] ^= 1 << UInt8(bit % 8)
          let header = try #require(
            changed.withUnsafeBytes { bytes in bytes.baseAddress.map { FrameHeader($0 + place.lowerBound) } })
          let end = place.lowerBound + Format.frameHeaderSize + header.payloadLength
          guard bit / 8 < end else { continue }
          let chain = Checksum.crc32(header.previous, changed[place.lowerBound + 12..<end])
          let written = Checksum.offset(ofCheck: header.check, seed: seed, position: header.position, chain: chain)
          // The distance that this bit cancels.
          guard let written = Int(exactly: written), written < 1 << 20, written % 8 == 0 else { continue }
          let shift = written - place.lowerBound
          for (variant, files) in Self.shifting(changed, by: shift, upTo: place.lowerBound, in: sample, path)
            .enumerated()
          {
            tried += 1
            let found = try salvaged(files).events
            expectEqual(
              sample.journal.wrong(found.filter { !$0.value.isEmpty }), 0,
              "bit \(bit) at \(place), \(shift), \(variant)")
          }
        }
      }
    }
    #expect(tried > 20)
  }

  /// Bytes before a place that stand some bytes earlier or later than they were written, all after it in place; and
  /// bytes before it in place, all after it shifted the other way.
  private static func shifting(
    _ bytes: [UInt8], by shift: Int, upTo end: Int, in sample: Sample, _ path: String
  ) -> [[String: [UInt8]]] {
    guard abs(shift) < end - 300 else { return [] }
    let start = sample.places[1].range.lowerBound
    let junk = Array(noise.prefix(abs(shift)))
    var one = bytes
    var other = bytes
    if shift > 0 {
      one.removeSubrange(start..<start + shift)
      one.insert(contentsOf: junk, at: end - shift)
      other.insert(contentsOf: junk, at: start)
    } else {
      one.insert(contentsOf: junk, at: start)
      one.removeSubrange(end..<end - shift)
      other.removeSubrange(start..<start - shift)
    }
    return [one, other].map { changed in
      var files = sample.journal.files
      files[path] = changed
      return files
    }
  }

  @Test("The catalogue of a domain is found where it stands", arguments: [-60, -3, 3, 60])
  func catalog(shift: Int) throws {
    let fileSystem = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9,
      options: DomainTests.options(DomainTests.domain(), segmentSize: 1 << 20), fileSystem: fileSystem)
    try DomainTests.append(1...9, to: journal)
    try journal.close()
    let files = DomainTests.contents(fileSystem)
    let path = try #require(files.keys.first { $0.hasSuffix(".seg") })
    for offset in [10, 40] {
      var changed = files
      if shift < 0 {
        changed[path]?.removeSubrange(offset..<offset - shift)
      } else {
        changed[path]?.insert(contentsOf: [UInt8](repeating: 7, count: shift), at: offset)
      }
      let (events, report, out) = try salvaged(changed)
      #expect(events.count == 9 && report.losses == [] && !report.lacksCatalog, "\(shift) at \(offset)")
      let copy = try JournalReader(path: "out", fileSystem: MemoryFileSystem(out))
      try expectEqual(copy.catalog(at: 1), DomainTests.domain().catalog, "\(shift) at \(offset)")
    }
  }

  @Test("Events whose segment nothing names belong to the journal whose HEAD has their chain value")
  func receipt() throws {
    let sample = try Sample(SampleJournal(count: 14))
    let path = try #require(sample.segments.last)
    var bytes = sample.journal.files[path, default: []]
    // Neither the header nor the first event is left, and nothing stands where it stood.
    bytes.removeSubrange(0..<sample.places[13].range.lowerBound - 160)
    let small = sample.journal.files.filter { !$0.key.hasSuffix(".seg") && !$0.key.hasSuffix(".ckpt") }
    let report = try Salvage(of: ["j", "p"], fileSystem: MemoryFileSystem(small.merging(["p/part": bytes]) { $1 }))
      .write(to: "out")
    #expect(report.source == sampleID && report.salvagedCount > 2 && report.events.upperBound == 14)
  }

  @Test("What was salvaged as events of an unknown journal is joined with the journal that its chain continues")
  func joined() throws {
    let sample = try Sample(SampleJournal(count: 24, segmentSize: 700))
    let first = try #require(sample.segments.first)
    func copy(_ files: [String: [UInt8]], _ inputs: [String], to path: String) throws -> [String: [UInt8]] {
      try salvaged(files, of: inputs).files.filter { $0.key.hasPrefix("out/") && !$0.key.hasSuffix("LOCK") }
        .reduce(into: [:]) { $0[path + $1.key.dropFirst(3)] = $1.value }
    }
    var beginning = sample.journal.files.filter { !$0.key.hasSuffix(".seg") && !$0.key.hasSuffix(".ckpt") }
    beginning["j/HEAD"] = nil
    beginning[first] = sample.journal.files[first]
    // Nothing names the journal of the rest.
    var rest: [String: [UInt8]] = [:]
    for (index, path) in sample.segments.dropFirst().enumerated() {
      rest["p/\(index)"] = [UInt8](repeating: 0x41, count: 224) + sample.journal.files[path, default: []].dropFirst(224)
    }
    let pieces = try copy(beginning, ["j"], to: "a").merging(copy(rest, ["p"], to: "b")) { $1 }
    for inputs in [["a", "b"], ["b", "a"]] {
      let (events, report, _) = try salvaged(pieces, of: inputs)
      #expect(report.source == sampleID && events.count == 24 && sample.journal.wrong(events) == 0)
    }
    // Without the last event before them, the receipt of the journal names their end.
    let end = try #require(sample.places.last { $0.path == first }).range.lowerBound
    beginning[first]?[end + 5] ^= 1
    let apart = try copy(beginning, ["j"], to: "a").merging(copy(rest, ["p"], to: "b")) { $1 }
    #expect(throws: JournalError.self) { try salvaged(apart, of: ["a", "b"]) }
    let head = ["j/HEAD": sample.journal.files["j/HEAD", default: []]]
    let (events, report, _) = try salvaged(apart.merging(head) { $1 }, of: ["a", "b", "j"])
    #expect(report.source == sampleID && events.count == 24)
    expectEqual(report.losses.compactMap(\.events).count, 1, "\(report.losses)")
  }
}
