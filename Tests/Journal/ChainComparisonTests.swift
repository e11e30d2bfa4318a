import Expectations
import Testing

@testable import Journal

@Suite("The first difference of two journals, by their chains")
struct ChainComparisonTests {
  /// Numbers that look random and are the same in every run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      return mixed ^ (mixed >> 27)
    }
  }

  private static let path = SampleJournal.path

  private func write(
    _ payloads: [[UInt8]], segmentSize: UInt64, batch size: Int = 7, closing: Bool = true
  ) throws -> [String: [UInt8]] {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.segmentSizeLimit = segmentSize
    options.syncPolicy = .none
    options.historyDigest = false
    options.preallocation = 4096
    let journal = try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
    var batch = JournalBatch()
    for (index, payload) in payloads.enumerated() {
      try batch.append(payload: payload, label: 0)
      if (index + 1) % size == 0 || index + 1 == payloads.count { try journal.append(&batch) }
    }
    if closing { try journal.close() } else { try journal.sync() }
    return files.files
  }

  private func compare(
    _ one: [String: [UInt8]], _ other: [String: [UInt8]], after start: UInt64 = 0
  ) throws -> ChainComparison {
    let files = (MemoryFileSystem(one), MemoryFileSystem(other))
    return try ChainComparison(
      try JournalReader(path: Self.path, fileSystem: files.0),
      try JournalReader(path: Self.path, fileSystem: files.1), after: start)
  }

  private func payloads(_ count: Int) -> [[UInt8]] {
    (0..<count).map { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }

  private func lastBoundary(_ files: [String: [UInt8]]) -> UInt64 {
    (files.keys.compactMap { SegmentName(String($0.dropFirst(Self.path.count + 1))) }.max()?.firstSequence ?? 1) - 1
  }

  /// How the second history differs from the first.
  enum Edit: CaseIterable { case replaced, longer, inserted, removed, ending, none }

  private func edited(_ payloads: [[UInt8]], _ edit: Edit, at index: Int) -> [[UInt8]] {
    var edited = payloads
    switch edit {
    case .replaced: edited[index] = [9, 9, 9, 9]
    case .longer: edited[index] += [9, 9, 9, 9, 9, 9, 9, 9, 9]
    case .inserted: edited.insert([9, 9], at: index)
    case .removed: edited.remove(at: index)
    case .ending: edited.removeSubrange(index...)
    case .none: break
    }
    return edited
  }

  /// The number of the first event that is not the same in both; `nil` when one history is the beginning of the other.
  private func firstDifference(_ one: [[UInt8]], _ other: [[UInt8]]) -> UInt64? {
    zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }.map { UInt64($0.offset) + 1 }
  }

  @Test("Wherever two histories part and however they are cut into segments, the answer is that of their payloads")
  func randomPairs() throws {
    let count = 5200
    let base = payloads(count)
    let sizes: [UInt64] = [6 << 10, 40 << 10, 64 << 10, 200 << 10]
    let written = try sizes.map { try write(base, segmentSize: $0) }
    var generator = Generator(state: 7)
    var found = 0
    for round in 0..<60 {
      let edit = Edit.allCases[round % Edit.allCases.count]
      let index = Int.random(in: 0..<count, using: &generator)
      let second = edited(base, edit, at: index)
      let mine = Int.random(in: 0..<sizes.count, using: &generator)
      let theirs = Int.random(in: 0..<sizes.count, using: &generator)
      let other = try write(
        second, segmentSize: sizes[theirs], batch: Int.random(in: 1...40, using: &generator),
        closing: round % 3 > 0)
      let comparison = try compare(written[mine], other)
      let reversed = try compare(other, written[mine])
      let truth = firstDifference(base, second)
      let indexed = min(lastBoundary(written[mine]), lastBoundary(other))
      for outcome in [comparison.outcome, reversed.outcome] {
        if let truth, truth <= indexed {
          expectEqual(outcome, .differs(at: truth), "\(edit) at \(index), sizes \(sizes[mine]), \(sizes[theirs])")
          found += 1
        } else {
          expectEqual(outcome, .agrees(upTo: indexed), "\(edit) at \(index), sizes \(sizes[mine]), \(sizes[theirs])")
        }
      }
    }
    #expect(found >= 40)
  }

  @Test("What was flipped in one of them makes the search say less, and nothing wrong")
  func damage() throws {
    let base = payloads(5000)
    let one = try write(base, segmentSize: 30 << 10)
    let second = edited(base, .longer, at: 1700)
    let other = try write(second, segmentSize: 40 << 10)
    try expectEqual(compare(one, other).outcome, .differs(at: 1701))
    var generator = Generator(state: 3)
    var told = 0
    for _ in 0..<300 {
      var files = one
      let name = try #require(files.keys.sorted().filter { $0.hasSuffix(".seg") }.randomElement(using: &generator))
      let length = try #require(files[name]?.count)
      // Headers and footers as often as frames.
      let place = [
        Int.random(in: 0..<128, using: &generator), length - 1 - Int.random(in: 0..<200, using: &generator),
        Int.random(in: 0..<length, using: &generator),
      ][Int.random(in: 0..<3, using: &generator)]
      files[name]?[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      guard let reader = try? JournalReader(path: Self.path, fileSystem: MemoryFileSystem(files)) else { continue }
      let comparison = try ChainComparison(
        reader, try JournalReader(path: Self.path, fileSystem: MemoryFileSystem(other)))
      switch comparison.outcome {
      case .differs(let event):
        expectEqual(event, 1701)
        told += 1
      case .agrees(let event): #expect(event < 1701)
      case .unknown: break
      case .differsBefore: Issue.record("\(name) at \(place)")
      }
    }
    #expect(told > 150)
  }

  @Test("A journal that begins later is compared from there on")
  func laterBeginning() throws {
    let base = payloads(3000)
    let one = try write(base, segmentSize: 20 << 10)
    var kept = try write(edited(base, .replaced, at: 2000), segmentSize: 20 << 10)
    let segments = kept.keys.filter { $0.hasSuffix(".seg") }.sorted()
    for name in segments.prefix(2) { kept[name] = nil }
    try expectEqual(compare(one, kept).outcome, .differs(at: 2001))
    try expectEqual(compare(kept, one).outcome, .differs(at: 2001))
    var parted = try write(edited(base, .replaced, at: 3), segmentSize: 20 << 10)
    for name in segments.prefix(2) { parted[name] = nil }
    let first = try #require(SegmentName(String(segments[2].dropFirst(2)))).firstSequence
    try expectEqual(compare(one, parted).outcome, .differsBefore(first: first))
    try expectEqual(compare(one, one, after: 2500).outcome, .agrees(upTo: max(2500, lastBoundary(one))))
  }

  @Test("Journals without a segment tell nothing")
  func empty() throws {
    let one = try write(payloads(10), segmentSize: 1 << 20)
    var none = one
    for name in none.keys where name.hasSuffix(".seg") { none[name] = nil }
    try expectEqual(compare(one, none).outcome, .unknown)
    try expectEqual(compare(one, one).outcome, .agrees(upTo: 0))
    #expect(throws: JournalError.self) {
      try ChainComparison("/nowhere/one", "/nowhere/other")
    }
  }

  @Test("Fewer reads than there are segments, and all of them are counted")
  func reads() throws {
    let base = payloads(20_000)
    let one = try write(base, segmentSize: 4 << 10)
    let other = try write(edited(base, .replaced, at: 12_345), segmentSize: 4 << 10)
    let files = (MemoryFileSystem(one), MemoryFileSystem(other))
    let comparison = try ChainComparison(
      JournalReader(path: Self.path, fileSystem: files.0), JournalReader(path: Self.path, fileSystem: files.1))
    expectEqual(comparison.outcome, .differs(at: 12_346))
    let count = one.keys.filter { $0.hasSuffix(".seg") }.count
    #expect(count > 100)
    #expect(comparison.reads <= 30 && comparison.reads >= 10, "\(comparison.reads) reads, \(count) segments")
  }
}
