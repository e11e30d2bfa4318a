import Expectations
import Testing

@testable import Journal

/// Events before the first one are lost, retired or a parent's, and every copy says which.
@Suite("Lost beginnings")
struct LostBeginningTests {
  private typealias Files = [String: [UInt8]]
  private let other = JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none

  /// The files of a copy as those of another directory.
  private func moved(_ files: Files, to path: String) -> Files {
    files.filter { $0.key.hasPrefix("out/") }.reduce(into: [:]) { $0[path + $1.key.dropFirst(3)] = $1.value }
  }

  private func reader(_ files: Files, _ path: String = "out") throws -> JournalReader {
    try JournalReader(path: path, fileSystem: MemoryFileSystem(files))
  }

  /// What a copy, and each copy of a copy, says of the events before its first one.
  private func expect(
    _ lost: [ClosedRange<UInt64>], retiredBefore: UInt64? = nil, inCopiesOf files: Files,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var files = files
    for _ in 0..<3 {
      let copy = try reader(files)
      let findings = try copy.lostEvents()
      expectEqual(copy.identity.lostBeforeFirst, lost, sourceLocation: sourceLocation)
      expectEqual(findings.compactMap(\.lostEvents), lost, "\(findings)", sourceLocation: sourceLocation)
      expectEqual(copy.retirement?.firstSequence, retiredBefore, sourceLocation: sourceLocation)
      let (_, report, next) = try salvaged(moved(files, to: "j"), of: ["j"])
      expectEqual(report.losses.compactMap(\.events), lost, "\(report.losses)", sourceLocation: sourceLocation)
      expectEqual(report.isComplete, lost.isEmpty, sourceLocation: sourceLocation)
      files = next
    }
  }

  /// A journal of 90 events in small segments, with a checkpoint at 70, whose first events may be retired.
  private func retired(before: UInt64?) throws -> Files {
    let fileSystem = try SampleJournal(count: 90).fileSystem
    for name in fileSystem.files.keys where name.hasSuffix(".ckpt") { try fileSystem.remove(name) }
    var options = JournalOptions()
    options.preallocation = 0
    let journal = try JournalWriter.open(at: "j", options: options, fileSystem: fileSystem)
    let checkpoint = try journal.writeCheckpoint(sequence: 70, body: [1, 2, 3])
    if let before { #expect(try journal.retire(before: before, after: checkpoint) > 1) }
    try journal.close()
    return fileSystem.files.filter { !$0.key.hasSuffix("LOCK") }
  }

  @Test("A copy says that its first events are lost, although a checkpoint tells a later state; so do its copies")
  func lost() throws {
    var files = try retired(before: nil)
    files["j/00000000000000000001.seg"]?[224 + 16] ^= 1
    let (_, report, out) = try salvaged(files)
    #expect(report.losses.map(\.events) == [1...1] && !report.checkpoints.isEmpty)
    #expect(try reader(out).verify().isSound)
    try expect([1...1], inCopiesOf: out)
    let finding = try #require(try reader(out).lossesBeforeFirst.first)
    #expect(finding.isFromSalvage && finding.byteRange == 0..<0 && finding.verdict == .lost)
    #expect(
      finding.description.hasSuffix(
        "event 1 was lost before this journal was salvaged (JOURNAL says so, and a checkpoint tells only the state "
          + "after it); salvage the original files again, with a copy that still has it"))
    // The whole first segment.
    let segments = try reader(files, "j").segments
    files["j/" + segments[0].file] = nil
    try expect([1...(segments[1].firstSequence - 1)], inCopiesOf: salvaged(files).files)
  }

  @Test("Events that turn up again are lost no longer")
  func found() throws {
    let whole = try retired(before: nil)
    var damaged = whole
    damaged["j/00000000000000000001.seg"]?[224 + 16] ^= 1
    let copy = moved(try salvaged(damaged).files, to: "a")
    let (events, report, out) = try salvaged(copy.merging(whole) { $1 }, of: ["a", "j"])
    #expect(events.count == 90 && report.isComplete && report.identity.lostBeforeFirst == nil)
    try expectEqual(reader(out).lostEvents(), [])
  }

  @Test("A copy of a journal with retired events has its own KEPT, and what is lost after those is told apart")
  func retired() throws {
    var files = try retired(before: 40)
    let first = try #require(try reader(files, "j").retirement?.firstSequence)
    try expect([], retiredBefore: first, inCopiesOf: salvaged(files).files)
    let segments = try reader(files, "j").segments
    files["j/" + segments[0].file] = nil
    try expect([first...(segments[1].firstSequence - 1)], inCopiesOf: salvaged(files).files)
  }

  @Test("Where retired segments were about to be removed, those that are gone were retired too")
  func interruptedRetirement() throws {
    let whole = try retired(before: nil)
    let segments = try reader(whole, "j").segments
    var files = whole
    files["j/KEPT"] = try retired(before: 40)["j/KEPT"]
    files["j/" + segments[0].file] = nil
    let (_, report, out) = try salvaged(files)
    #expect(report.isComplete && report.events.lowerBound == segments[1].firstSequence)
    try expect([], retiredBefore: segments[1].firstSequence, inCopiesOf: out)
  }

  @Test("A copy that is retired itself still says what was lost before")
  func retiredCopy() throws {
    var files = try retired(before: nil)
    files["j/00000000000000000001.seg"]?[224 + 16] ^= 1
    let fileSystem = MemoryFileSystem(try salvaged(files).files.filter { !$0.key.hasSuffix("LOCK") })
    var options = JournalOptions()
    (options.segmentSizeLimit, options.preallocation) = (1 << 10, 0)
    let journal = try JournalWriter.open(at: "out", options: options, fileSystem: fileSystem)
    for _ in 0..<60 {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: 3, count: 40), label: 0)
      try journal.append(&batch)
    }
    let first = try journal.retire(before: 120, after: journal.writeCheckpoint(sequence: 130, body: [4]))
    #expect(first > 90)
    try journal.close()
    try expect([1...1], retiredBefore: first, inCopiesOf: fileSystem.files)
  }

  @Test("A copy of a fork lacks nothing, and a fork of a copy lacks what the copy lacks")
  func forks() throws {
    func fork(_ files: Files, _ path: String) throws -> Files {
      let fileSystem = MemoryFileSystem(files.filter { !$0.key.hasSuffix("LOCK") })
      let journal = try JournalWriter.fork(
        from: JournalReader(path: path, fileSystem: fileSystem), at: 70, to: "k", id: other, createdNanoseconds: 5,
        checkpoint: [5], fileSystem: fileSystem)
      for _ in 0..<3 {
        var batch = JournalBatch()
        try batch.append(payload: [9], label: 0)
        try journal.append(&batch)
      }
      try journal.close()
      return fileSystem.files.filter { $0.key.hasPrefix("k/") }
    }
    var files = try retired(before: nil)
    let sound = try fork(files, "j")
    expectEqual(sound["k/JOURNAL"]?.count, 160)
    #expect(try reader(sound, "k").identity.lostBeforeFirst == nil)
    try expect([], inCopiesOf: salvaged(sound, of: ["k"]).files)
    files["j/00000000000000000001.seg"]?[224 + 16] ^= 1
    let lossy = try fork(salvaged(files).files, "out")
    let reader = try reader(lossy, "k")
    #expect(reader.lostBeforeFirst == [1...1] && reader.lostBeginning == nil)
    try expectEqual(reader.lostEvents().map(\.cause), ["event 1 is lost"])
    try expect([1...1], inCopiesOf: salvaged(lossy, of: ["k"]).files)
  }

  @Test("Of a copy that does not say what became of its first events, they count as lost or retired")
  func unrecorded() throws {
    var files = try retired(before: nil)
    files["j/00000000000000000001.seg"]?[224 + 16] ^= 1
    var copy = moved(try salvaged(files).files, to: "a")
    var identity = try reader(copy, "a").identity
    identity.lostBeforeFirst = nil
    copy["a/JOURNAL"] = identity.encoded()
    expectEqual(copy["a/JOURNAL"]?.count, 160)
    let old = try reader(copy, "a")
    #expect(old.lostBeforeFirst == [1...1] && old.lossesBeforeFirst.first?.cause.hasSuffix(", or retired") == true)
    let (_, report, out) = try salvaged(copy, of: ["a"])
    #expect(report.losses.map(\.events) == [1...1] && report.losses.first?.certainty == .unknown)
    try expect([1...1], inCopiesOf: out)
  }

  @Test("What has the form of KEPT excuses no loss under the name of a segment, and does in a pile without names")
  func misnamed() throws {
    var files = try retired(before: nil)
    let kept = try #require(try retired(before: 40)["j/KEPT"])
    let segments = try reader(files, "j").segments
    let first = try #require(Retirement(kept, of: sampleID)?.firstSequence)
    let gone = segments.filter { $0.firstSequence < first }
    for segment in gone { files["j/" + segment.file] = nil }
    for name in ["j/" + segments[0].file, "j/KEPT.old"] {
      let (_, report, _) = try salvaged(files.merging([name: kept]) { $1 })
      expectEqual(report.losses.map(\.events), [1...(first - 1)], "\(name)")
    }
    let numbered = files.filter { $0.key.hasSuffix(".seg") || $0.key.hasSuffix("HEAD") || $0.key.hasSuffix(".ckpt") }
    var pile: Files = ["p/0": kept]
    for (index, file) in numbered.values.enumerated() { pile["p/\(index + 1)"] = file }
    let (_, report, _) = try salvaged(pile, of: ["p"])
    #expect(report.isComplete && report.events.lowerBound == first)
  }

  @Test("JOURNAL holds stretches of lost events, as many as fit, and none that are not possible")
  func encoding() throws {
    func read(_ lost: [ClosedRange<UInt64>]?, _ change: (inout FixedRecord) -> Void = { _ in })
      -> JournalIdentity.Reading
    {
      let identity = JournalIdentity(
        id: sampleID, createdNanoseconds: 1, parent: .init(id: other, sequence: 9_000, chain: 3),
        keepsHistoryDigest: true, isSalvaged: true, lostBeforeFirst: lost)
      let bytes = identity.encoded()
      guard var record = FixedRecord(bytes, size: bytes.count) else { return .damaged("") }
      change(&record)
      record.seal()
      return JournalIdentity.read(record.bytes)
    }
    for lost in [nil, [], [1...1], [2...3, 5...5, 8_999...9_000]] as [[ClosedRange<UInt64>]?] {
      guard case .sound(let identity) = read(lost) else {
        Issue.record("\(String(describing: lost))")
        continue
      }
      #expect(identity.lostBeforeFirst == lost && identity.encoded().count == 160 + 16 * (lost?.count ?? 0))
    }
    let many: [ClosedRange<UInt64>] = (1...300).map { (number: UInt64) in 10 * number...10 * number + 1 }
    guard case .sound(let identity) = read(many) else { throw JournalError(.damaged, "", remedy: "") }
    expectEqual(identity.encoded().count, 4096)
    let joined: [ClosedRange<UInt64>] = [10...551]
    expectEqual(identity.lostBeforeFirst, joined + many[55...])
    let impossible: [(Int, UInt64)] = [(84, 2), (84, UInt64(UInt32.max)), (156, 0), (156, 10), (164, 4), (164, 9_001)]
    for (offset, value) in impossible {
      let reading = read([5...7]) { record in
        if offset == 84 { record.set(UInt32(value), at: offset) } else { record.set(value, at: offset) }
      }
      guard case .damaged = reading else {
        Issue.record("\(offset): \(value)")
        continue
      }
    }
    // A reader of an earlier version looks at no flag of these, and at no byte after the domain.
    if case .sound(let identity) = read([5...7], { $0.set(UInt32(3), at: 16) }) {
      #expect(identity.lostBeforeFirst == nil && identity.parent?.sequence == 9_000)
    } else {
      Issue.record("it is not read")
    }
  }

  @Test("Stretches of numbers are joined, subtracted and intersected as sets of numbers are", arguments: 1...40)
  func stretches(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    func next(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    func some() -> [ClosedRange<UInt64>] {
      .union(
        (0..<next(6)).map { _ in
          let first = 1 + next(30)
          return first...(first + next(8))
        })
    }
    let (one, two) = (some(), some())
    func numbers(_ stretches: [ClosedRange<UInt64>]) -> [UInt64] { stretches.flatMap { Array($0) } }
    let (left, right) = (Set(numbers(one)), Set(numbers(two)))
    expectEqual(numbers(.union(one + two)), left.union(right).sorted(), "seed \(seed): \(one), \(two)")
    expectEqual(numbers(one.subtracting(two)), left.subtracting(right).sorted(), "seed \(seed): \(one), \(two)")
    expectEqual(numbers(one.intersection(two)), left.intersection(right).sorted(), "seed \(seed): \(one), \(two)")
  }
}
