import Expectations
import Testing

@testable import Journal

/// Events that are retired on purpose are told from lost ones, whatever happens while they go.
@Suite("Retention")
struct RetentionTests {
  /// A journal of 90 events in small segments, with a checkpoint at event 70.
  private func sample() throws -> (MemoryFileSystem, JournalWriter, Checkpoint) {
    let sample = try SampleJournal(count: 90)
    let fileSystem = sample.fileSystem
    for name in fileSystem.files.keys where name.hasSuffix(".ckpt") { try fileSystem.remove(name) }
    var options = JournalOptions()
    options.preallocation = 0
    let journal = try JournalWriter.open(at: "j", options: options, fileSystem: fileSystem)
    return (fileSystem, journal, try journal.writeCheckpoint(sequence: 70, body: [1, 2, 3]))
  }

  private func served(_ fileSystem: any FileSystem) throws -> [UInt64: [UInt8]] {
    var events: [UInt64: [UInt8]] = [:]
    var cursor = try JournalReader(path: "j", fileSystem: fileSystem).cursor()
    while let item = try cursor.next() {
      if case .event(let event) = item { events[event.sequence] = Array(event.payload) }
    }
    return events
  }

  @Test("Whole segments go that a checkpoint stands for, and the journal stays sound", arguments: [1, 20, 55, 71, 91])
  func wholeSegments(before: UInt64) throws {
    let (fileSystem, journal, checkpoint) = try sample()
    let segments = try JournalReader(path: "j", fileSystem: fileSystem).segments
    let first = try journal.retire(before: before, after: checkpoint)
    let expected = try #require(segments.last { $0.firstSequence <= min(before, 71) })
    expectEqual(first, expected.firstSequence)
    let reader = try JournalReader(path: "j", fileSystem: fileSystem)
    expectEqual(reader.segments, segments.filter { $0.firstSequence >= first })
    expectEqual(fileSystem.files.keys.count { $0.hasSuffix(".seg") }, reader.segments.count)
    expectEqual(reader.retirement?.firstSequence, first == 1 ? nil : first)
    var batch = JournalBatch()
    try batch.append(payload: [9], label: 0)
    try journal.append(&batch)
    try journal.close()
    let report = try JournalReader(path: "j", fileSystem: fileSystem).verify()
    #expect(report.findings == [] && report.eventCount == 92 - first && report.lastVerifiedSequence == 91)
    expectEqual(report.retirement?.checkpointSequence, first == 1 ? nil : 70)
    try expectEqual(served(fileSystem).keys.sorted(), Array(first...91))
    // Whoever opens it again, and retires the same again, changes nothing.
    let again = try JournalWriter.open(at: "j", fileSystem: fileSystem)
    expectEqual(again.recovery.findings, [])
    try expectEqual(again.retire(before: before, after: checkpoint), first)
    try again.close()
  }

  @Test("Nothing goes after a checkpoint that is not there, is damaged, or is of another history")
  func badCheckpoints() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    let before = fileSystem.files
    fileSystem.edit("j/" + checkpoint.file) { $0[$0.count - 1] ^= 1 }
    #expect {
      try journal.retire(before: 71, after: checkpoint)
    } throws: {
      "\($0)".hasPrefix("\(checkpoint.file), event 70: the checksum of its body is wrong")
    }
    fileSystem.edit("j/" + checkpoint.file) { $0[$0.count - 1] ^= 1 }
    var other = checkpoint
    other.chain ^= 1
    let forged = other.header(for: sampleID) + [1, 2, 3]
    fileSystem.edit("j/" + checkpoint.file) { $0 = forged }
    #expect {
      try journal.retire(before: 71, after: other)
    } throws: {
      "\($0)" == "\(checkpoint.file), event 70: it is of another history; write another checkpoint first"
    }
    #expect {
      try journal.retire(before: 71, after: checkpoint)
    } throws: {
      "\($0)"
        == "\(checkpoint.file), event 70: it is not there any more, or is another one; write another checkpoint first"
    }
    expectEqual(fileSystem.files.keys.sorted(), before.keys.sorted())
    try journal.close()
  }

  @Test("The checkpoint that replaces events is read from the device, before KEPT names it")
  func readBack() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    let count = fileSystem.calls.count
    #expect(try journal.retire(before: 71, after: checkpoint) > 1)
    let calls = fileSystem.calls.dropFirst(count)
    let asked = try #require(calls.firstIndex(of: "forgetCached \(checkpoint.file)"))
    let read = try #require(calls[asked...].firstIndex(of: "read \(checkpoint.file)"))
    let kept = try #require(calls.firstIndex { $0.hasSuffix("KEPT") || $0.hasSuffix("KEPT.tmp") })
    #expect(asked < read && calls[read...].contains { $0.hasPrefix("rename KEPT") }, "\(kept)")
    try journal.close()
  }

  @Test("Without room for a second copy of the checkpoint, events go only after one that this writer has written")
  func fullDisk() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    fileSystem.setFault { operation, path, _ in
      operation == "write" && path.hasSuffix(".ckpt.tmp") ? .error(OperatingSystem.noSpace) : nil
    }
    let first = try journal.retire(before: 40, after: checkpoint)
    #expect(first > 1)
    try journal.close()
    let again = try JournalWriter.open(at: "j", fileSystem: fileSystem)
    let before = fileSystem.files.keys.sorted()
    do {
      try again.retire(before: 71, after: checkpoint)
      Issue.record("there was room")
    } catch {
      #expect(error.code == .noSpace && error.file == checkpoint.file, "\(error)")
    }
    expectEqual(fileSystem.files.keys.sorted(), before)
    fileSystem.setFault(nil)
    #expect(try again.retire(before: 71, after: checkpoint) > first)
    try again.close()
    try expectEqual(JournalReader(path: "j", fileSystem: fileSystem).verify().findings, [])
  }

  @Test("At whatever call the device fails, the journal is sound, and the next try ends it")
  func everyCall() throws {
    for call in 1... {
      let (fileSystem, journal, checkpoint) = try sample()
      fileSystem.forgetCalls()
      fileSystem.setFault { operation, _, count in
        count == call && ["open", "write", "sync", "rename", "remove", "syncDirectory", "read"].contains(operation)
          ? .error(OperatingSystem.deviceError) : nil
      }
      let result = Result { try journal.retire(before: 71, after: checkpoint) }
      let callCount = fileSystem.calls.count
      fileSystem.setFault(nil)
      if case .failure(let error) = result {
        #expect((error as? JournalError)?.errorNumber == OperatingSystem.deviceError)
      }
      let report = try JournalReader(path: "j", fileSystem: fileSystem).verify()
      #expect(report.findings == [] && report.lastSequence == 90, "call \(call): \(report.findings)")
      let kept = try served(fileSystem)
      expectEqual(kept.keys.sorted(), Array((report.retirement?.firstSequence ?? 1)...90), "call \(call)")
      #expect(try journal.retire(before: 71, after: checkpoint) > 1)
      expectEqual(
        fileSystem.files.keys.count { $0.hasSuffix(".seg") },
        (try JournalReader(path: "j", fileSystem: fileSystem)).segments.count)
      try journal.close()
      if call > callCount { break }
    }
  }

  @Test("A flipped bit in KEPT is found and costs nothing, and a lost one looks like lost segments")
  func damagedRecord() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    let first = try journal.retire(before: 71, after: checkpoint)
    try journal.close()
    let files = fileSystem.files
    for offset in 0..<Format.keptSize {
      for bit in 0..<8 {
        var changed = files
        changed["j/KEPT"]?[offset] ^= 1 << UInt8(bit)
        let damaged = MemoryFileSystem(changed)
        let report = try JournalReader(path: "j", fileSystem: damaged).verify()
        #expect(report.findings.map(\.verdict) == [.indexDamaged] && report.findings[0].file == "KEPT")
        try expectEqual(served(damaged).keys.sorted(), Array(first...90))
      }
    }
    for length in 0..<Format.keptSize {
      var changed = files
      changed["j/KEPT"] = Array(changed["j/KEPT", default: []].prefix(length))
      try expectEqual(JournalReader(path: "j", fileSystem: MemoryFileSystem(changed)).verify().findings.count, 1)
    }
    var changed = files
    changed["j/KEPT"] = nil
    let report = try JournalReader(path: "j", fileSystem: MemoryFileSystem(changed)).verify()
    #expect(report.findings.map(\.lostEvents) == [1...(first - 1)] && report.findings.map(\.verdict) == [.damaged])
    // The owner can go on all the same.
    try JournalWriter.open(at: "j", fileSystem: MemoryFileSystem(changed)).close()
  }

  @Test("A missing first segment of those that are kept is a loss, and so is the last checkpoint")
  func realLosses() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    let first = try journal.retire(before: 40, after: checkpoint)
    try journal.close()
    let segments = try JournalReader(path: "j", fileSystem: fileSystem).segments
    var files = fileSystem.files
    files["j/" + segments[0].file] = nil
    let report = try JournalReader(path: "j", fileSystem: MemoryFileSystem(files)).verify()
    expectEqual(report.findings.map(\.lostEvents), [first...(segments[1].firstSequence - 1)])
    expectEqual(report.findings.first?.cause.hasPrefix("segment \(segments[0].ordinal) should be the first one"), true)
    files = fileSystem.files
    files["j/" + checkpoint.file] = nil
    let other = try JournalReader(path: "j", fileSystem: MemoryFileSystem(files)).verify()
    #expect(
      other.findings.map(\.cause) == ["no checkpoint is left that stands for the events before \(first)"]
        && !other.isSound)
  }

  @Test("Where KEPT contradicts the events, a state is derived from a sound checkpoint with which they agree")
  func contradictingRecord() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    try journal.retire(before: 40, after: checkpoint)
    try journal.close()
    let path = "j/" + Format.keptName
    let record = try #require(Retirement(fileSystem.files[path] ?? [], of: sampleID))
    var other = record
    other.chainIn ^= 1
    var files = fileSystem.files
    files[path] = other.encoded(for: sampleID)
    let reader = try JournalReader(path: "j", fileSystem: MemoryFileSystem(files))
    let report = try reader.verify()
    expectEqual(report.findings.map(\.verdict), [.damaged, .indexDamaged], "\(report.findings)")
    expectEqual(
      report.findings.last.map { "\($0)" },
      "KEPT, byte 40: the kept events begin in another way than it says (the checkpoint at event 70 is sound, and the"
        + " events agree with it); the state is derived from that checkpoint; restore KEPT from a copy")
    #expect(report.hasStart && report.lastDerivableSequence == 90)
    expectEqual(report.lastVerifiedSequence, record.firstSequence - 1)
    // Not where the checkpoint is another history's, or does not verify.
    let body = "j/" + checkpoint.file
    var forged = checkpoint
    forged.chain ^= 1
    for bytes in [forged.header(for: sampleID) + [1, 2, 3], checkpoint.header(for: sampleID) + [1, 2, 4]] {
      files[body] = bytes
      let report = try JournalReader(path: "j", fileSystem: MemoryFileSystem(files)).verify()
      #expect(!report.hasStart && report.lastDerivableSequence == record.firstSequence - 1)
    }
    // Nor after a loss.
    files = fileSystem.files
    files[path] = other.encoded(for: sampleID)
    let second = try #require(reader.segments.dropFirst().first { $0.firstSequence <= 70 })
    files["j/" + second.file]?[236] ^= 1
    let lossy = try JournalReader(path: "j", fileSystem: MemoryFileSystem(files)).verify()
    #expect(!lossy.hasStart && lossy.lastDerivableSequence == record.firstSequence - 1, "\(lossy.findings)")
  }

  @Test("A reader that was after the removed events goes on, and one before them says why it cannot")
  func readersMeanwhile() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    let reader = try JournalReader(path: "j", fileSystem: fileSystem)
    var behind = try reader.cursor(after: 88)
    var before = try reader.cursor()
    guard case .event? = try behind.next(), case .event? = try before.next() else {
      Issue.record("there are no events")
      return
    }
    let first = try journal.retire(before: 71, after: checkpoint)
    var batch = JournalBatch()
    for _ in 0..<30 {
      try batch.append(payload: [UInt8](repeating: 1, count: 100), label: 0)
      try journal.append(&batch)
    }
    var numbers: [UInt64] = []
    while let item = try behind.next() {
      if case .event(let event) = item { numbers.append(event.sequence) }
    }
    expectEqual(numbers, Array(90...120))
    #expect {
      while try before.next() != nil {}
    } throws: {
      "\($0)".hasSuffix("the events before \(first) were retired meanwhile; open the journal again, and begin there")
    }
    try journal.close()
  }

  @Test("A reader that has seen all removed events goes on, also when they were written again meanwhile")
  func seenMeanwhile() throws {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.syncPolicy = .none
    options.segmentSizeLimit = 1 << 10
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
    var batch = JournalBatch()
    for number: UInt8 in 1...5 { try batch.append(payload: [number], label: 0) }
    try journal.append(&batch)
    var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
    while try cursor.next() != nil {}
    expectEqual(cursor.lastSequence, 5)
    // The device fails to sync the first segment, and the second takes its place; the third begins with event 6.
    files.setFault { operation, path, _ in
      operation == "sync" && path.hasSuffix("1.seg") ? .error(OperatingSystem.deviceError) : nil
    }
    try journal.sync()
    try batch.append(payload: [UInt8](repeating: 6, count: 1 << 10), label: 0)
    try journal.append(&batch)
    try expectEqual(journal.retire(before: 6, after: journal.writeCheckpoint(sequence: 5, body: [])), 6)
    try expectEqual(JournalReader(path: "j", fileSystem: files).segments.map(\.ordinal), [3])
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("event 6 is not served")
      return
    }
    expectEqual(event.sequence, 6)
    try journal.close()
  }

  @Test("Whoever follows is served from a segment whose number one had that was retired without an event")
  func numberUsedBefore() throws {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    var journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
    var batch = JournalBatch()
    try batch.append(payload: [UInt8](repeating: 1, count: 1 << 10), label: 0)
    try journal.append(&batch)
    let checkpoint = try journal.writeCheckpoint(sequence: 1, body: [])
    var follower = try JournalReader(path: "j", fileSystem: files).follow(after: 1)
    func ordinals() throws -> [UInt64] { try JournalReader(path: "j", fileSystem: files).segments.map(\.ordinal) }
    /// Has a segment given up before it holds an event.
    func spoil() {
      let faults = FaultOnce(files, taken: 0, alsoTruncation: true)
      #expect(throws: JournalError.self) { try journal.append(&batch) }
      faults.stop()
    }
    try batch.append(payload: [2], label: 0)
    // The first is full, and fails to be ended.
    for _ in 1...3 { spoil() }
    #expect(try follower.nextIfThere() == nil && ordinals() == [1, 2, 3])
    #expect(try journal.retire(before: 2, after: checkpoint) == 2 && ordinals() == [3])
    try journal.close()
    journal = try JournalWriter.open(at: "j", options: options, fileSystem: files)
    spoil()
    try journal.append(&batch)
    try expectEqual(ordinals(), [3, 4])
    guard case .event(let event)? = try follower.nextIfThere() else {
      Issue.record("event 2 is not served")
      return
    }
    expectEqual(event.sequence, 2)
    try journal.close()
  }

  @Test("Whoever followed the removed events and comes back too late is told, and not given a gap")
  func lateFollower() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    let first = try journal.retire(before: 71, after: checkpoint)
    let reader = try JournalReader(path: "j", fileSystem: fileSystem)
    #expect {
      var follower = try reader.follow(after: first - 2)
      _ = try follower.nextIfThere() == nil
    } throws: {
      "\($0)"
        == "KEPT, event \(first - 1): the events before \(first) were retired; begin there, with the state of a checkpoint"
    }
    var last = try reader.follow(after: .max)
    #expect(try last.nextIfThere() == nil)
    for start in [0, first - 1] {
      var follower = try reader.follow(after: start)
      guard case .event(let event)? = try follower.nextIfThere() else {
        Issue.record("nothing is served after event \(start)")
        continue
      }
      expectEqual(event.sequence, first)
    }
  }

  @Test("A salvage of a journal with retired events counts none of them as lost, and keeps the checkpoint")
  func salvaging() throws {
    let (fileSystem, journal, checkpoint) = try sample()
    let first = try journal.retire(before: 71, after: checkpoint)
    try journal.close()
    let report = try Salvage(of: ["j"], fileSystem: fileSystem).write(to: "out")
    #expect(report.isComplete && report.events == first...90 && report.checkpoints == [70])
    #expect(report.files.contains { $0.kind == .retirement })
  }
}
