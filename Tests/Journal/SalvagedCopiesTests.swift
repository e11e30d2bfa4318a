import Expectations
import Testing

@testable import Journal

/// A salvaged journal and further copies of its original give every event that one of them has, and never events of two
/// histories.
@Suite("Salvaged copies")
struct SalvagedCopiesTests {
  private static let count = 24

  /// The sample's files in a folder, with a bit flipped in the payloads of some events.
  private func copy(_ sample: SampleJournal, to folder: String, losing lost: [UInt64]) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (path, bytes) in sample.files { files[folder + path.dropFirst(SampleJournal.path.count)] = bytes }
    var cursor = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem).cursor()
    while let item = try cursor.next() {
      guard case .event(let event) = item, lost.contains(event.sequence) else { continue }
      files["\(folder)/\(event.file)"]?[Int(event.offset) + 16] ^= 1
    }
    return files
  }

  private func place(of sequence: UInt64, in sample: SampleJournal) throws -> (file: String, offset: UInt64)? {
    var cursor = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem).cursor()
    while let item = try cursor.next() {
      if case .event(let event) = item, event.sequence == sequence { return (event.file, event.offset) }
    }
    return nil
  }

  /// The files of a journal that was salvaged from these, in a folder.
  private func salvage(_ files: [String: [UInt8]], to folder: String) throws -> [String: [UInt8]] {
    let fileSystem = MemoryFileSystem(files)
    _ = try Salvage(
      of: Set(files.keys.compactMap { $0.split(separator: "/").first.map(String.init) }).sorted(),
      fileSystem: fileSystem
    )
    .write(to: folder)
    return fileSystem.files.filter { $0.key.hasPrefix(folder + "/") }
  }

  private func expectWhole(_ sample: SampleJournal, _ files: [String: [UInt8]], of inputs: [String]) throws {
    let (events, report, _) = try salvaged(files, of: inputs)
    #expect(
      report.isComplete && report.losses == [] && report.aside == [] && report.source == sampleID, "\(report.losses)")
    #expect(events.count == sample.payloads.count && sample.wrong(events) == 0)
    let original = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem).verify()
    expectEqual(report.lastChain, original.lastChain)
  }

  @Test("What two checksums over the same bytes differ by tells what their starts differ by, and the other way round")
  func differences() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    for count in [0, 1, 4, 20, 299, 300] {
      let (one, other): (UInt32, UInt32) = (0x1234_5678, 0xFEDC_BA98)
      let difference = Checksum.crc32(one, bytes.prefix(count)) ^ Checksum.crc32(other, bytes.prefix(count))
      expectEqual(Checksum.difference(one ^ other, after: UInt64(count)), difference)
      expectEqual(Checksum.difference(difference, before: UInt64(count)), one ^ other)
      expectEqual(Checksum.difference(difference, before: UInt64(count) + 7 * UInt64(UInt32.max)), one ^ other)
    }
    for count: UInt64 in [1 << 31, 1 << 40, UInt64(UInt32.max), .max] {
      expectEqual(Checksum.difference(Checksum.difference(0xABCD, after: count), before: count), 0xABCD)
    }
  }

  @Test("A salvaged journal and another damaged copy of its original give every event, whichever they lack")
  func withCopy() throws {
    let sample = try SampleJournal(count: Self.count)
    for lost in 1...UInt64(Self.count) {
      let first = try salvage(copy(sample, to: "a", losing: [lost]), to: "s")
      for other in stride(from: lost % 3 + 1, through: UInt64(Self.count), by: 3) where other != lost {
        let files = first.merging(try copy(sample, to: "b", losing: [other])) { $1 }
        try expectWhole(sample, files, of: ["s", "b"])
      }
    }
  }

  @Test("Two salvaged journals give every event without their original, and so does what was salvaged from both")
  func withEachOther() throws {
    let sample = try SampleJournal(count: Self.count)
    for (one, other): ([UInt64], [UInt64]) in [
      ([3], [11]), ([1], [24]), ([24], [1]), ([5, 6, 7, 15], [9, 20]), ([2, 8, 14, 20], [5, 11, 17, 23]),
      ([4, 5, 6, 7, 8, 9], [12, 13, 14]), ([1, 2, 3], [22, 23, 24]),
    ] {
      var files = try salvage(copy(sample, to: "a", losing: one), to: "s")
      files.merge(try salvage(copy(sample, to: "b", losing: other), to: "t")) { $1 }
      try expectWhole(sample, files, of: ["s", "t"])
      let third = try salvage(files, to: "u")
      #expect(third.keys.contains("u/JOURNAL"))
      try expectWhole(sample, third.merging(try copy(sample, to: "a", losing: one)) { $1 }, of: ["u", "a"])
    }
  }

  @Test("Copies that have no event in common are joined where the chain values at two places prove it")
  func nothingInCommon() throws {
    let sample = try SampleJournal(count: Self.count)
    let salvaged = try salvage(copy(sample, to: "a", losing: [1, 2, 9, 10, 11]), to: "s")
    let complement = try copy(sample, to: "b", losing: Array(3...8) + Array(12...24))
    try expectWhole(sample, salvaged.merging(complement) { $1 }, of: ["s", "b"])
  }

  @Test("Alone, a salvaged journal gives what it has under its original's name, and what it lacks stays lost")
  func alone() throws {
    let sample = try SampleJournal(count: Self.count)
    let files = try salvage(copy(sample, to: "a", losing: [7, 15]), to: "s")
    let reader = try JournalReader(path: "s", fileSystem: MemoryFileSystem(files))
    #expect(reader.identity.isSalvaged && reader.identity.id != sampleID)
    let (events, report, _) = try salvaged(files, of: ["s"])
    #expect(report.source == sampleID && report.identity.parent?.id == sampleID)
    #expect(report.losses.compactMap(\.events) == [7...7, 15...15] && report.salvagedCount == 22)
    #expect(events[7] == [] && events[15] == [] && events[16] == sample.payloads[15])
    // The name of the salvaged journal itself will do as well.
    try expectEqual(salvaged(files, of: ["s"], journal: reader.identity.id).report.source, sampleID)
  }

  /// A journal that was salvaged without HEAD and its last events, and continued, with its first event after those.
  private func continued(_ sample: SampleJournal, by count: UInt8) throws -> (files: [String: [UInt8]], begin: UInt64) {
    // Nothing says that there were events after the last one, or the new journal would go on after those.
    var damaged = try copy(sample, to: "a", losing: [7]).filter {
      $0.key.hasSuffix(".seg") || $0.key.hasSuffix("JOURNAL")
    }
    let cut = try #require(try place(of: 23, in: sample))
    damaged["a/\(cut.file)"]?.removeSubrange(Int(cut.offset)...)
    let fileSystem = MemoryFileSystem(try salvage(damaged, to: "s"))
    let journal = try JournalWriter.open(at: "s", fileSystem: fileSystem)
    let begin = journal.lastSequence + 1
    for value in 1...count {
      var batch = JournalBatch()
      try batch.append(payload: [200, value], label: 0)
      try journal.append(&batch)
    }
    try journal.close()
    return (fileSystem.files, begin)
  }

  @Test("A journal that goes on after what was salvaged is another history from there on")
  func continued() throws {
    let sample = try SampleJournal(count: Self.count)
    let (continued, begin) = try continued(sample, by: 5)
    let files = continued.merging(try copy(sample, to: "b", losing: [3])) { $1 }
    let (events, report, _) = try salvaged(files, of: ["s", "b"])
    try #require(begin <= 24)
    expectEqual(report.events, 1...(begin + 4))
    #expect(events[7] == sample.payloads[6] && events[3] == sample.payloads[2])
    #expect(events[begin] == [200, 1] && !report.isComplete)
    #expect(report.aside.map(\.reason) == [.otherHistory] && report.aside.map(\.events) == [begin...24])
  }

  @Test(
    "A continued journal's HEAD says how far its own events reach, and nothing of its original's",
    arguments: [2, 5] as [UInt8])
  func continuedEnd(count: UInt8) throws {
    let sample = try SampleJournal(count: Self.count)
    let (continued, begin) = try continued(sample, by: count)
    #expect(try salvaged(continued, of: ["s"]).report.knowsEnd)
    let files = continued.merging(try copy(sample, to: "b", losing: [3]).filter { $0.key != "b/HEAD" }) { $1 }
    let report = try salvaged(files, of: ["s", "b"]).report
    // The longer of the two histories is taken.
    #expect(report.events == 1...max(begin + UInt64(count) - 1, 24) && report.knowsEnd == (count == 5))
  }

  @Test("Events that are lost at the end are marked too, and come back from another copy")
  func lostEnd() throws {
    let sample = try SampleJournal(count: Self.count)
    let files = try salvage(copy(sample, to: "a", losing: [23, 24]), to: "s")
    let reader = try JournalReader(path: "s", fileSystem: MemoryFileSystem(files))
    try expectEqual(reader.verify().lastSequence, 24)
    let (_, again, _) = try salvaged(files, of: ["s"])
    #expect(again.losses.compactMap(\.events) == [23...24] && !again.isComplete)
    let both = files.merging(try copy(sample, to: "b", losing: [3])) { $1 }
    let (events, report, _) = try salvaged(both, of: ["s", "b"])
    #expect(events[24] == sample.payloads[23] && events[3] == sample.payloads[2] && report.isComplete)
  }

  /// Journals of one identity that part after event 8.
  private func parted() throws -> (one: SampleJournal, other: SampleJournal) {
    let one = try SampleJournal(count: Self.count)
    let fileSystem = MemoryFileSystem()
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    var other = one
    other.payloads = one.payloads.enumerated().map { $0 < 8 ? $1 : $1 + [77] }
    let journal = try JournalWriter.create(
      at: SampleJournal.path, id: sampleID, createdNanoseconds: 99, options: options, fileSystem: fileSystem)
    for payload in other.payloads {
      var batch = JournalBatch()
      try batch.append(payload: payload, label: 0)
      try journal.append(&batch)
    }
    try journal.close()
    other.files = fileSystem.files
    other.files["j/LOCK"] = nil
    return (one, other)
  }

  @Test("Events of two histories are never joined, wherever the salvaged journal lost some", arguments: 1...23)
  func contradiction(lost: UInt64) throws {
    let (one, other) = try parted()
    for length: UInt64 in 1...2 {
      let salvagedFiles = try salvage(copy(one, to: "a", losing: Array(lost..<(lost + length))), to: "s")
      for missing: UInt64 in [2, 9, 13, 20] {
        let files = salvagedFiles.merging(try copy(other, to: "b", losing: [missing, missing + 1])) { $1 }
        let fileSystem = MemoryFileSystem(files)
        let salvage = try Salvage(of: ["s", "b"], fileSystem: fileSystem)
        for (number, journal) in salvage.journals.enumerated() {
          _ = try salvage.write(journal: journal.id, to: "out\(number)")
          var histories: Set<Int> = []
          var cursor = try JournalReader(path: "out\(number)", fileSystem: fileSystem).cursor()
          while let item = try cursor.next() {
            guard case .event(let event) = item, event.sequence > 8, !event.payload.isEmpty else { continue }
            let index = Int(event.sequence) - 1
            if Array(event.payload) == one.payloads[index] { histories.insert(1) }
            if Array(event.payload) == other.payloads[index] { histories.insert(2) }
          }
          expectEqual(histories.count, 1, "lost \(lost), \(missing), journal \(journal)")
        }
      }
    }
  }

  /// The files of a journal that say nothing of what follows an event.
  private func cut(_ files: [String: [UInt8]], _ folder: String, behind last: UInt64) throws -> [String: [UInt8]] {
    var cursor = try JournalReader(path: folder, fileSystem: MemoryFileSystem(files)).cursor()
    while let item = try cursor.next() {
      guard case .event(let event) = item, event.sequence == last + 1 else { continue }
      var result = files
      result["\(folder)/\(event.file)"]?.removeSubrange(Int(event.offset)...)
      return result.filter { path, _ in
        path.hasSuffix("/JOURNAL") || path.hasSuffix(".seg") && path <= "\(folder)/\(event.file)"
      }
    }
    return [:]
  }

  @Test("The last events of a salvaged journal go on from a lost one that another copy has, without further evidence")
  func oneWitness() throws {
    let sample = try SampleJournal(count: Self.count)
    let salvagedFiles = try cut(salvage(copy(sample, to: "a", losing: [10]), to: "s"), "s", behind: 16)
    let original = try cut(copy(sample, to: "b", losing: []), "b", behind: 10)
    let (events, report, _) = try salvaged(salvagedFiles.merging(original) { $1 }, of: ["s", "b"])
    #expect(events.count == 16 && events.allSatisfy { $1 == sample.payloads[Int($0) - 1] } && report.aside == [])
  }

  @Test("The last events of a salvaged journal do not go on from those of another history", arguments: [11, 13])
  func oneWitnessOfOther(lost: UInt64) throws {
    let (one, other) = try parted()
    let salvagedFiles = try cut(salvage(copy(one, to: "a", losing: [lost]), to: "s"), "s", behind: 15)
    let original = try cut(copy(other, to: "b", losing: []), "b", behind: lost)
    let events = try salvaged(salvagedFiles.merging(original) { $1 }, of: ["s", "b"]).events
    let histories = Set(
      events.compactMap { number, payload in
        number <= 8 || payload.isEmpty ? nil : payload == one.payloads[Int(number) - 1]
      })
    #expect(histories.count == 1 && events.count > 8, "\(events.keys.sorted())")
  }

  @Test("A salvaged journal of another history is told from the others, which are salvaged without it")
  func stranger() throws {
    let (one, other) = try parted()
    var files = try salvage(copy(one, to: "a", losing: [11]), to: "s")
    let id = try JournalReader(path: "s", fileSystem: MemoryFileSystem(files)).identity.id
    files.merge(try copy(other, to: "b", losing: [2])) { $1 }
    #expect {
      try salvaged(files, of: ["s", "b"])
    } throws: {
      "\($0)" == "events of 2 journals were found; choose one of \(sampleID) (23 events), \(id) (23 events)"
    }
    let (events, report, _) = try salvaged(files, of: ["s", "b"], journal: id)
    #expect(report.source == id && report.losses.compactMap(\.events) == [11...11])
    expectEqual(one.wrong(events.filter { $0.key != 11 }), 0)
  }

  @Test("A fork is no copy of its parent, also when it holds the same events")
  func fork() throws {
    let sample = try SampleJournal(count: Self.count)
    let fileSystem = sample.fileSystem
    let parent = try JournalReader(path: "j", fileSystem: fileSystem)
    let id = try #require(JournalID(bytes: Array(100..<116)))
    let fork = try JournalWriter.fork(
      from: parent, at: 10, to: "k", id: id, createdNanoseconds: 5, fileSystem: fileSystem)
    for payload in sample.payloads[10...] {
      var batch = JournalBatch()
      try batch.append(payload: payload, label: 0)
      try fork.append(&batch)
    }
    try fork.close()
    let salvage = try Salvage(of: ["j", "k"], fileSystem: fileSystem)
    expectEqual(salvage.journals.map(\.id), [sampleID, id])
    let report = try salvage.write(journal: id, to: "s")
    #expect(report.events == 11...24 && report.isComplete && report.identity.parent?.id == id)
    // And what was salvaged of the fork is a copy of the fork.
    let again = try Salvage(of: ["k", "s"], fileSystem: fileSystem).write(to: "t")
    #expect(again.source == id && again.isComplete && again.events == 11...24)
  }
}
