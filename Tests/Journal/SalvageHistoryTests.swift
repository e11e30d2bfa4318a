import Expectations
import Testing

@testable import Journal

/// What a salvage makes of missing stretches, of forks, and of files that were made to confuse it.
@Suite("Salvaged histories")
struct SalvageHistoryTests {
  @Test("Where a segment is missing, events without a payload keep the numbers of those after it")
  func missingSegment() throws {
    let sample = try SampleJournal(count: 40)
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    let missing = try #require(reader.segments.dropFirst().first)
    let next = try #require(reader.segments.dropFirst(2).first)
    var files = sample.files
    files[SampleJournal.path + "/" + missing.file] = nil
    let (events, report, _) = try salvaged(files)
    let lost = missing.firstSequence...(next.firstSequence - 1)
    #expect(report.losses.map(\.events) == [lost] && report.lostCount == UInt64(lost.count) && !report.isComplete)
    #expect(report.losses.first?.certainty == .byNumbers && report.losses.first?.file == nil)
    #expect(report.salvagedCount == 40 - report.lostCount && events.count == 40)
    for (index, payload) in sample.payloads.enumerated() {
      expectEqual(events[UInt64(index + 1)], lost.contains(UInt64(index + 1)) ? [] : payload)
    }
  }

  @Test("Without its first segments a journal becomes a fork, with the checkpoints that tell the state before it")
  func missingStart() throws {
    let sample = try SampleJournal(count: 40)
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    let first = try #require(reader.segments.dropFirst().first)
    var files = sample.files
    files[SampleJournal.path + "/" + reader.segments[0].file] = nil
    let (events, report, out) = try salvaged(files)
    #expect(events.keys.min() == first.firstSequence && sample.wrong(events) == 0)
    expectEqual(
      report.identity.parent,
      JournalIdentity.Parent(id: sampleID, sequence: first.firstSequence - 1, chain: first.chainIn))
    expectEqual(report.losses.map(\.events), [1...(first.firstSequence - 1)])
    let kept = reader.checkpoints().map(\.sequence).filter { $0 >= first.firstSequence - 1 }.sorted()
    #expect(!kept.isEmpty && report.checkpoints == kept)
    let copy = try JournalReader(path: "out", fileSystem: MemoryFileSystem(out))
    let checkpoint = try #require(copy.checkpoints().first)
    try expectEqual(copy.body(of: checkpoint), [7, 8])
    #expect(reader.checkpoints().contains { $0.sequence == checkpoint.sequence && $0.chain == checkpoint.chain })
  }

  @Test("Events that the journal's owner gave up stay given up, and are listed")
  func givenUp() throws {
    let fileSystem = MemoryFileSystem()
    func append(_ journal: JournalWriter, _ values: [UInt8]) throws {
      for value in values {
        var batch = JournalBatch()
        try batch.append(payload: [value, value], label: 0)
        try journal.append(&batch)
      }
    }
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 1, fileSystem: fileSystem)
    try append(journal, [1, 2, 3, 4, 5, 6, 7, 8])
    try journal.close()
    fileSystem.edit("j/00000000000000000001.seg") { $0[224 + 24 * 2 + 17] ^= 1 }
    let owner = try JournalWriter.open(at: "j", onDamage: .continueAfterVerifiedPrefix, fileSystem: fileSystem)
    try append(owner, [33, 34])
    try owner.close()
    let report = try Salvage(of: ["j"], fileSystem: fileSystem).write(to: "out")
    #expect(report.events == 1...4 && report.losses == [])
    #expect(!report.isComplete, "nothing was written in the places of 5 to 8")
    expectEqual(report.aside.map(\.events), [4...8])
    #expect(report.aside.allSatisfy { $0.reason == .givenUp })
    try expectEqual(
      events(JournalReader(path: "out", fileSystem: fileSystem)), [[1, 1], [2, 2], [33, 33], [34, 34]])
  }

  @Test("Of two histories the one with more events is kept, and the other is listed")
  func otherHistory() throws {
    var files: [String: [UInt8]] = [:]
    for (folder, count) in [("a", 3), ("b", 7)] {
      let fileSystem = MemoryFileSystem()
      let journal = try JournalWriter.create(at: folder, id: sampleID, createdNanoseconds: 1, fileSystem: fileSystem)
      for number in 1...(5 + count) {
        var batch = JournalBatch()
        try batch.append(payload: number <= 5 ? [1] : Array(folder.utf8), label: 0)
        try journal.append(&batch)
      }
      try journal.close()
      files.merge(fileSystem.files) { $1 }
    }
    let fileSystem = MemoryFileSystem(files)
    let report = try Salvage(of: ["a", "b"], fileSystem: fileSystem).write(to: "out")
    #expect(report.events == 1...12 && report.losses == [] && !report.isComplete)
    expectEqual(report.aside.map(\.events), [6...8])
    #expect(report.aside.allSatisfy { $0.reason == .otherHistory && $0.file.hasPrefix("a/") })
    try expectEqual(
      events(JournalReader(path: "out", fileSystem: fileSystem)).suffix(7), [[UInt8]](repeating: [98], count: 7))
  }

  @Test("Two histories that part are never joined over a gap, also when that would give more events")
  func contradiction() throws {
    var pile: [String: [UInt8]] = [:]
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    // The second history has longer events, so that its second segment begins before the other's first one ends.
    for (folder, length, segment) in [("a", 1, 0), ("b", 16, 1)] {
      let fileSystem = MemoryFileSystem()
      let journal = try JournalWriter.create(
        at: folder, id: sampleID, createdNanoseconds: 1, options: options, fileSystem: fileSystem)
      for number in 1...60 {
        var batch = JournalBatch()
        try batch.append(payload: number <= 5 ? [1] : [UInt8](repeating: 2, count: length), label: 0)
        try journal.append(&batch)
      }
      try journal.close()
      let segments = try JournalReader(path: folder, fileSystem: fileSystem).segments
      pile["p/" + folder] = fileSystem.files[folder + "/" + segments[segment].file]
    }
    let one = try salvaged(pile, of: ["p/a"]).report
    let other = try salvaged(pile, of: ["p/b"]).report
    let parting = other.events.lowerBound
    #expect(parting < one.events.upperBound && one.events.upperBound < other.events.upperBound)
    #expect(one.salvagedCount > other.salvagedCount)
    let (_, report, _) = try salvaged(pile, of: ["p"])
    #expect(report.events == one.events && report.lastChain == one.lastChain && !report.isComplete)
    #expect(report.aside.map(\.events) == [other.events] && report.leftOutCount == other.salvagedCount)
    expectEqual(report.aside.map(\.reason), [.otherHistory])
  }

  @Test("A batch that was never completed is no part of the history")
  func unfinishedBatch() throws {
    let fileSystem = MemoryFileSystem()
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 1, fileSystem: fileSystem)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    for value: UInt8 in 2...4 { try batch.append(payload: [value], label: 0) }
    let place = fileSystem.files["j/HEAD"]
    try journal.append(&batch)
    var files = fileSystem.files
    // As if the last batch had been torn before it was acknowledged.
    files["j/HEAD"] = place
    files["j/00000000000000000001.seg"] = Array(files["j/00000000000000000001.seg", default: []].prefix(224 + 24 * 3))
    let (events, report, _) = try salvaged(files)
    #expect(events == [1: [1]] && report.losses == [] && report.isComplete)
    #expect(report.aside.map(\.reason) == [.unfinishedBatch] && report.aside.map(\.events) == [2...3])
  }

  @Test("Events too far behind the others are not joined to them")
  func tooFar() throws {
    let fileSystem = MemoryFileSystem()
    let parent = JournalIdentity.Parent(id: sampleID, sequence: SalvageRoute.maximumGap + 3, chain: 5)
    for (folder, from, count) in [("a", nil, 2), ("b", parent, 5)] {
      let journal = try JournalWriter.create(
        at: folder, id: sampleID, createdNanoseconds: 1, parent: from, fileSystem: fileSystem)
      var batch = JournalBatch()
      for _ in 0..<count { try batch.append(payload: [1], label: 0) }
      try journal.append(&batch)
      try journal.close()
    }
    let report = try Salvage(of: ["a", "b"], fileSystem: fileSystem).write(to: "out")
    #expect(report.events.lowerBound == parent.sequence + 1 && report.salvagedCount == 5)
    #expect(report.aside.map(\.reason) == [.tooFar] && report.aside.map(\.events) == [1...2])
  }

  @Test("Random piles give no event that was not appended, and never stop the search", arguments: 1...60)
  func randomPiles(number: Int) throws {
    let seed = UInt64(number)
    var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Int(random >> 33) % max(bound, 1)
    }
    let sample = try SampleJournal(count: 30, closing: seed % 2 == 0)
    var files: [String: [UInt8]] = [:]
    let names = sample.files.keys.sorted()
    for index in 0..<next(8) {
      var bytes = sample.files[names[next(names.count)], default: []]
      for _ in 0..<next(5) where !bytes.isEmpty {
        let place = next(bytes.count)
        let length = min(next(200), bytes.count - place)
        switch next(5) {
        case 0: bytes.removeSubrange(place..<place + length)
        case 1: bytes.insert(contentsOf: (0..<length).map { _ in UInt8(next(256)) }, at: place)
        case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: next(bytes.count))
        case 3: for offset in place..<place + length { bytes[offset] = 0 }
        default: bytes[place] ^= UInt8(1 << next(8))
        }
      }
      files["p/\(index)"] = bytes
    }
    let fileSystem = MemoryFileSystem(files)
    guard let report = try? Salvage(of: ["p"], fileSystem: fileSystem).write(to: "out") else { return }
    let lost = report.losses.compactMap(\.events)
    var cursor = try JournalReader(path: "out", fileSystem: fileSystem).cursor()
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      if Array(event.payload) != sample.payloads[Int(event.sequence) - 1] {
        #expect(
          event.payload.isEmpty && lost.contains { $0.contains(event.sequence) }, "seed \(seed), \(event.sequence)")
      }
    }
  }
}
