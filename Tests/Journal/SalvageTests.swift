import Expectations
import Testing

@testable import Journal

/// Every event that can be read comes out of any pile, under its own number, and what is lost is named.
@Suite("Salvage")
struct SalvageTests {
  @Test("A sound journal comes out as it is, and nothing is lost")
  func soundJournal() throws {
    let sample = try SampleJournal(count: 40)
    let (events, report, files) = try salvaged(sample.files)
    #expect(events.count == 40 && sample.wrong(events) == 0)
    #expect(report.isComplete && report.losses == [] && report.aside == [] && report.salvagedCount == 40)
    #expect(report.knowsEnd)
    #expect(report.source == sampleID && report.identity.id != sampleID)
    expectEqual(report.identity.parent, JournalIdentity.Parent(id: sampleID, sequence: 0, chain: 0))
    #expect(report.files.map(\.kind).count { $0 == .events } >= 3)
    #expect(report.files.allSatisfy { $0.unexplained == [] && $0.note == nil })
    let before = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem).verify()
    let after = try JournalReader(path: "out", fileSystem: MemoryFileSystem(files)).verify()
    #expect(after.lastChain == before.lastChain && report.lastChain == before.lastChain)
    let again = try salvaged(sample.files)
    expectEqual(again.files, files)
  }

  @Test("Whatever bit is flipped, all events but one at most are salvaged, and the lost one is named")
  func everyBit() throws {
    let all = Int.max
    for (count, closing, share, batchesPerBlock) in [
      (7, true, 3, all), (24, true, 37, all), (24, false, 41, all),
      (7, true, 5, 1), (7, false, 7, 1), (24, true, 43, 2),
    ] {
      let sample = try SampleJournal(count: count, closing: closing, batchesPerBlock: batchesPerBlock)
      var failures: [String] = []
      for path in sample.files.keys.sorted() {
        for offset in sample.files[path, default: []].indices {
          for bit in 0..<8 where (offset * 8 + bit) % share == 0 {
            var files = sample.files
            files[path]?[offset] ^= 1 << UInt8(bit)
            for fault in salvageFaults(sample, files, losing: 1) {
              failures.append("\(path) byte \(offset) bit \(bit): \(fault)")
            }
          }
        }
      }
      #expect(failures.isEmpty, "\(failures.count) failures, the first: \(failures.prefix(8))")
    }
  }

  @Test("The bytes of a lost event are named without the anchors around it, which verify")
  func rangeOfDamage() throws {
    let sample = try SampleJournal(count: 7, batchesPerBlock: 1)
    let name = "j/00000000000000000001.seg"
    var cursor = try JournalReader(path: "j", fileSystem: sample.fileSystem).cursor()
    var frames: [UInt64: UInt64] = [:]
    while let item = try cursor.next() {
      if case .event(let event) = item { frames[event.sequence] = event.offset }
    }
    for sequence in UInt64(1)...7 {
      let offset = try #require(frames[sequence])
      var files = sample.files
      files[name]?[Int(offset) + 4] ^= 1
      let report = try salvaged(files).report
      let size = UInt64(16 + sample.payloads[Int(sequence) - 1].count + 7) / 8 * 8
      #expect(report.losses.map(\.events) == [sequence...sequence] && report.losses.map(\.file) == [name])
      expectEqual(report.losses.map(\.byteRange), [offset..<(offset + size)], "event \(sequence)")
    }
  }

  @Test("Events that are lost in two segments are named with the file and the bytes of each")
  func damageInTwoSegments() throws {
    let sample = try SampleJournal(count: 40)
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    var places: [UInt64: (file: String, offset: UInt64)] = [:]
    var cursor = try reader.cursor()
    while let item = try cursor.next() {
      if case .event(let event) = item { places[event.sequence] = (event.file, event.offset) }
    }
    for segment in reader.segments.dropFirst() {
      var files = sample.files
      let lost = [segment.firstSequence - 1, segment.firstSequence]
      for sequence in lost {
        let place = try #require(places[sequence])
        files["j/" + place.file]?[Int(place.offset) + 5] ^= 1
      }
      let losses = try salvaged(files).report.losses
      expectEqual(losses.compactMap(\.events), lost.map { $0...$0 }, "\(losses)")
      for (loss, sequence) in zip(losses, lost) {
        let place = try #require(places[sequence])
        #expect(loss.file == "j/" + place.file && loss.byteRange?.lowerBound == place.offset, "\(loss)")
      }
    }
  }

  @Test("The first event of a fork that is lost is named with its file and its bytes")
  func damagedForkStart() throws {
    let files = MemoryFileSystem()
    let parent = JournalIdentity.Parent(id: .init(bytes: Array(16..<32)) ?? .none, sequence: 4, chain: 7)
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 1, parent: parent, fileSystem: files)
    for number in 5...12 {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: UInt8(number), count: 40), label: 0)
      try journal.append(&batch)
    }
    _ = try journal.writeCheckpoint(sequence: 4, body: [4])
    try journal.close()
    files.edit("j/00000000000000000005.seg") { $0[265] ^= 0x80 }
    let losses = try salvaged(files.files.filter { !$0.key.hasSuffix("LOCK") }).report.losses
    #expect(losses.map(\.events) == [5...5] && losses.map(\.file) == ["j/00000000000000000005.seg"], "\(losses)")
    expectEqual(losses.map(\.byteRange), [224..<280])
  }

  @Test("Cut at any length, a journal gives every event before the cut, and says what is missing")
  func everyLength() throws {
    let sample = try SampleJournal(count: 24)
    for path in sample.files.keys.sorted() {
      for length in stride(from: 0, to: sample.files[path, default: []].count, by: 7) {
        var files = sample.files
        files[path] = Array(files[path, default: []].prefix(length))
        let faults = salvageFaults(sample, files, losing: 24)
        expectEqual(faults, [], "\(path) at \(length)")
      }
    }
  }

  @Test("Renamed, unordered, without the small files, with other bytes around them: the segments give every event")
  func anyPile() throws {
    let sample = try SampleJournal(count: 40)
    let segments = sample.files.filter { $0.key.hasSuffix(".seg") }.sorted { $0.key > $1.key }.map(\.value)
    let noise = (0..<1001).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 &+ $0) }
    var piles: [String: [String: [UInt8]]] = [:]
    var renamed: [String: [UInt8]] = [:]
    for (index, segment) in segments.enumerated() { renamed["p/part \(index)"] = segment }
    piles["renamed"] = renamed
    piles["one file"] = ["p/all": segments.reduce(noise) { $0 + $1 + noise.prefix($1.count % 13) }]
    piles["deep"] = renamed.reduce(into: [:]) { $0["p/a/b/" + $1.key] = noise.prefix(5) + $1.value + noise }
    var wrongNames: [String: [UInt8]] = [:]
    for (index, segment) in segments.enumerated() {
      wrongNames["p/" + SegmentName(firstSequence: UInt64(index + 100), ordinal: 0).text] = segment
    }
    piles["wrong names"] = wrongNames
    piles["headless"] = renamed.mapValues { [UInt8](repeating: 0x41, count: 224) + $0.dropFirst(224) }
    for (name, files) in piles.sorted(by: { $0.key < $1.key }) {
      if name == "headless" {
        let (events, report, _) = try salvaged(files, of: ["p"])
        #expect(events.count == 40 && sample.wrong(events) == 0 && report.source == .none, "\(name)")
        #expect(report.files.allSatisfy { $0.note != nil }, "\(name)")
      } else {
        let (events, report, _) = try salvaged(files, of: ["p"])
        #expect(events.count == 40 && sample.wrong(events) == 0, "\(name)")
        #expect(report.losses == [] && report.source == sampleID, "\(name)")
        #expect(!report.knowsEnd, "\(name)")
      }
    }
  }

  @Test("Two copies with different damage give every event that one of them has")
  func copies() throws {
    let sample = try SampleJournal(count: 40)
    let names = sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    for step in 1...12 {
      var files: [String: [UInt8]] = [:]
      for name in names {
        var (one, other) = (sample.files[name, default: []], sample.files[name, default: []])
        for offset in stride(from: 8 * step, to: one.count, by: 16 * step + 200) { one[offset] ^= 0x10 }
        for offset in stride(from: 8 * step + 120, to: other.count, by: 16 * step + 200) { other[offset] ^= 0x10 }
        files["a/" + name] = one
        files["b/" + name] = other
      }
      let alone = try salvaged(files, of: ["a"])
      #expect(alone.report.lostCount > 0)
      let (events, report, _) = try salvaged(files, of: ["a", "b"])
      let lost = report.losses.compactMap(\.events).flatMap { Array($0) }
      #expect(UInt64(lost.count) <= alone.report.lostCount)
      for (index, payload) in sample.payloads.enumerated() where !lost.contains(UInt64(index + 1)) {
        expectEqual(events[UInt64(index + 1)], payload, "step \(step), event \(index + 1)")
      }
      if step >= 8 { #expect(lost.isEmpty, "step \(step): \(lost)") }
    }
  }

  @Test("A journal in a payload is none of the journal's events, also when the payload's event is damaged")
  func embedded() throws {
    let (sample, other) = try journalInPayload()
    expectEqual(salvageFaults(sample, sample.files, losing: 0), [])
    try expectEqual(Salvage(of: ["j"], fileSystem: sample.fileSystem).journals.map(\.id), [sampleID])

    var files = sample.files
    let name = try #require(files.keys.first { $0.hasSuffix(".seg") })
    let start = try #require(files[name]?.firstRange(of: other.bytes)?.lowerBound)
    files[name]?[start - 30] ^= 1
    let salvage = try Salvage(of: ["j"], fileSystem: MemoryFileSystem(files))
    expectEqual(Set(salvage.journals.map(\.id)), [sampleID, other])
    let report = try salvage.write(journal: sampleID, to: "out")
    expectEqual(report.losses.compactMap(\.events), [5...5])
    expectEqual(report.otherJournals, [SalvageableJournal(id: other, eventCount: 6)])
  }

  @Test("A segment of the same journal in a payload is none of its segments, also when the payload's event is damaged")
  func embeddedCopy() throws {
    let inner = try SampleJournal(count: 12, segmentSize: 1 << 20, embedding: [9, 9, 9])
    let payload = try #require(inner.files.first { $0.key.hasSuffix(".seg") }?.value)
    let sample = try SampleJournal(count: 9, segmentSize: 1 << 20, embedding: payload)
    expectEqual(salvageFaults(sample, sample.files, losing: 0), [])
    let name = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    let start = try #require(sample.files[name]?.firstRange(of: payload)?.lowerBound)
    for place in [start - 10, start + 200, start + payload.count - 3] {
      var files = sample.files
      files[name]?[place] ^= 1
      expectEqual(salvageFaults(sample, files, losing: 1), [], "byte \(place)")
      try expectEqual(salvaged(files).report.losses.compactMap(\.events), [5...5])
    }
  }

  @Test("Events without a payload are lost where no salvage wrote the journal, and nothing speaks of a salvage")
  func withoutPayload() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 9, fileSystem: files)
    var batch = JournalBatch()
    for payload in [[1], [], [], [2], []] as [[UInt8]] {
      try batch.append(payload: payload, label: 0)
      try journal.append(&batch)
    }
    try journal.close()
    for readsBlocks in [true, false] {
      var reader = try JournalReader(path: "j", fileSystem: files)
      reader.readsBlocks = readsBlocks
      let report = try reader.verify()
      let lost = try reader.lostEvents(isAnyWithoutPayload: report.hasEventWithoutPayload)
      #expect(report.findings == [] && report.eventCount == 5)
      expectEqual(lost.map(\.lostEvents), [2...3, 5...5])
      expectEqual(lost.map(\.cause), ["events 2–3 are lost", "event 5 is lost"])
      #expect(lost.allSatisfy { !"\($0)".contains("salvaged") && !$0.isFromSalvage })
    }
    let report = try Salvage(of: ["j"], fileSystem: files).write(to: "s")
    #expect(report.losses.allSatisfy { !$0.cause.contains("salvaged") })
    let copy = try JournalReader(path: "s", fileSystem: files)
    let lost = try copy.lostEvents(isAnyWithoutPayload: copy.verify().hasEventWithoutPayload)
    #expect(lost.allSatisfy { $0.isFromSalvage })
    expectEqual(lost.first?.cause, "events 2–3 were lost before this journal was salvaged")
    // The report knows whether reading is of use.
    let sound = try JournalReader(path: "j", fileSystem: SampleJournal().fileSystem)
    #expect(try !sound.verify().hasEventWithoutPayload && sound.lostEvents(isAnyWithoutPayload: false) == [])
  }

  @Test("That nobody knew the end is kept, until the original's HEAD turns up or the journal goes on")
  func unknownEnd() throws {
    let sample = try SampleJournal(count: 40)
    var (files, head) = (sample.files, [UInt8]())
    head = files.removeValue(forKey: "j/HEAD") ?? []
    func copy(_ files: [String: [UInt8]], to path: String) -> [String: [UInt8]] {
      files.filter { $0.key.hasPrefix("out/") }.reduce(into: [:]) { $0[path + $1.key.dropFirst(3)] = $1.value }
    }
    let (_, report, after) = try salvaged(files)
    #expect(!report.knowsEnd && report.identity.lastKnownOfParent == 40)
    let reader = try JournalReader(path: "out", fileSystem: MemoryFileSystem(after))
    expectEqual(reader.identity, report.identity)
    try expectEqual(
      reader.lostEvents().map { "\($0)" },
      [
        "JOURNAL, byte 76: whether there were events after 40 was not known when this journal was salvaged (nothing that "
          + "was salvaged said how far the original journal reached); salvage the original files again, with their HEAD"
      ])
    let again = try salvaged(copy(after, to: "a"), of: ["a"]).report
    #expect(!again.knowsEnd && again.identity.lastKnownOfParent == 40)
    let known = try salvaged(copy(after, to: "a").merging(["j/HEAD": head]) { $1 }, of: ["a", "j"]).report
    #expect(known.knowsEnd && known.identity.lastKnownOfParent == nil)
    #expect(try salvaged(sample.files).report.identity.lastKnownOfParent == nil)

    let fileSystem = MemoryFileSystem(copy(after, to: "a"))
    let journal = try JournalWriter.open(at: "a", fileSystem: fileSystem)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    try journal.close()
    let continued = try JournalReader(path: "a", fileSystem: fileSystem)
    #expect(try continued.unknownEnd == nil && continued.lostEvents() == [])
    let ended = try salvaged(fileSystem.files, of: ["a"])
    #expect(ended.report.knowsEnd && ended.report.isComplete && ended.report.identity.lastKnownOfParent == nil)
    #expect(try JournalReader(path: "out", fileSystem: MemoryFileSystem(ended.files)).unknownEnd == nil)
  }

  @Test("A HEAD with bytes after its end, or whose first slot is destroyed, says how far the journal reached")
  func changedHead() throws {
    let sample = try SampleJournal(count: 40)
    let head = try #require(sample.files["j/HEAD"])
    let fill = [UInt8](repeating: 0, count: 4096)
    let destroyed = [UInt8](repeating: 0x41, count: 8) + head.dropFirst(8)
    for (name, bytes) in [
      ("8,192 bytes", head + fill + fill.dropFirst(head.count)), ("noise", head + fill + [1, 2, 3]),
      ("first slot", destroyed), ("first slot and 4,672 bytes", destroyed + fill),
    ] {
      let (events, report, files) = try salvaged(sample.files.merging(["j/HEAD": bytes]) { $1 })
      #expect(events.count == 40 && report.isComplete && report.knowsEnd, "\(name)")
      expectEqual(report.files.filter { $0.kind == .head }.map(\.path), ["j/HEAD"], "\(name)")
      #expect(report.files.allSatisfy { $0.unexplained == [] && $0.note == nil }, "\(name)")
      let copy = try JournalReader(path: "out", fileSystem: MemoryFileSystem(files))
      #expect(copy.unknownEnd == nil, "\(name)")
    }
    // A segment after it is searched as well.
    let segments = sample.files.filter { $0.key.hasSuffix(".seg") }.sorted { $0.key < $1.key }.map(\.value)
    let (events, report, _) = try salvaged(["p/all": segments.reduce(head + fill, +)], of: ["p"])
    #expect(events.count == 40 && report.isComplete && report.knowsEnd && report.files.map(\.kind) == [.events])
  }

  @Test("In a journal's directory only HEAD says how far it reached: under another name, it may be an older one")
  func misnamedHead() throws {
    var files = try SampleJournal(count: 40).files
    let removed = files.removeValue(forKey: "j/HEAD")
    let head = try #require(removed)
    let (events, report, _) = try salvaged(files.merging(["j/HEAD.old": head]) { $1 })
    #expect(events.count == 40 && report.isComplete && report.unknownEnd == .noHead)
    #expect(try salvaged(files.merging(["p/found": head]) { $1 }, of: ["j", "p"]).report.knowsEnd)
  }

  @Test("A foreign segment, with or without its header, is not taken for a journal whose HEAD is whole")
  func foreignSegment() throws {
    let sample = try SampleJournal(count: 40, segmentSize: 1 << 20)
    let fileSystem = MemoryFileSystem(sample.files)
    let other = try #require(JournalID(bytes: Array(100..<116)))
    let journal = try JournalWriter.create(at: "k", id: other, createdNanoseconds: 1, fileSystem: fileSystem)
    for value: UInt8 in 1...9 {
      var batch = JournalBatch()
      try batch.append(payload: [value, value], label: 0)
      try journal.append(&batch)
    }
    try journal.close()
    for isHeaderDamaged in [false, true] {
      var files = sample.files
      let name = "00000000000000000001.seg"
      files["j/" + name] = fileSystem.files["k/" + name]
      for path in files.keys where path.hasSuffix(".ckpt") { files[path] = nil }
      if isHeaderDamaged { files["j/" + name]?[100] ^= 1 }
      let error = #expect(throws: JournalError.self) { try salvaged(files) }
      expectEqual(error?.code, .outOfRange)
      let whose = isHeaderDamaged ? "a journal that no file names" : "another one"
      expectEqual(
        error?.message,
        "readers take the directory for journal \(sampleID), of which no event was found, although those up to 40 "
          + "were durable; the events that were found are of \(whose)")
      let chosen = try salvaged(files, journal: isHeaderDamaged ? JournalID.none : other)
      expectEqual(chosen.events.count, 9)
    }
  }

  @Test("Several journals in one pile are told apart, and one has to be chosen")
  func severalJournals() throws {
    let sample = try SampleJournal(count: 9)
    let fileSystem = MemoryFileSystem(sample.files)
    let other = try #require(JournalID(bytes: Array(100..<116)))
    let journal = try JournalWriter.create(at: "k", id: other, createdNanoseconds: 1, fileSystem: fileSystem)
    var batch = JournalBatch()
    for _ in 0..<3 { try batch.append(payload: [9], label: 0) }
    try journal.append(&batch)
    try journal.close()
    let salvage = try Salvage(of: ["k", "j"], fileSystem: fileSystem)
    expectEqual(
      salvage.journals, [SalvageableJournal(id: sampleID, eventCount: 9), SalvageableJournal(id: other, eventCount: 3)])
    #expect {
      try salvage.write(to: "out")
    } throws: {
      "\($0)" == "events of 2 journals were found; choose one of \(sampleID) (9 events), \(other) (3 events)"
    }
    try expectEqual(salvage.write(journal: other, to: "out").salvagedCount, 3)
    #expect {
      try salvage.write(journal: sampleID, to: "out")
    } throws: {
      "\($0)" == "out: the directory is not empty; name one that does not exist yet"
    }
    #expect {
      try salvage.write(journal: JournalID(bytes: [UInt8](repeating: 1, count: 16)), to: "out2")
    } throws: {
      "\($0)".hasPrefix("no event of journal 01010101-")
    }
    #expect {
      try Salvage(of: ["nowhere"]).write(to: "out3")
    } throws: {
      "\($0)" == "nowhere: there is no such file or directory; check the path"
    }
    #expect {
      try Salvage(of: ["n"], fileSystem: MemoryFileSystem(["n/file": [1, 2, 3]])).write(to: "out4")
    } throws: {
      "\($0)" == "no event that can be read was found; add other copies of the files"
    }
  }
}
