import Expectations
import Synchronization
import Testing

@testable import Journal

/// A reader is interrupted before each of its calls in turn, and the writer takes a step there.
@Suite("A reader that the writer overtakes at any of its calls")
struct InterruptedReaderTests {
  /// What the writer does meanwhile.
  enum Step: CaseIterable {
    case append, appendMuch, appendAndSync, checkpoint, close, closeAndOpen, retire, replaceCheckpoint, moveSegment
    case reinstallSegment
  }

  /// A writer whose journal has twelve events.
  private final class Author: Sendable {
    let files = MemoryFileSystem()
    let failure = Mutex<(any Error)?>(nil)
    private let journal: JournalWriter
    private let options: JournalOptions

    /// - Parameter step: What is to be taken later, for which the journal is made ready: to replace a checkpoint, it has let
    ///   go of its first events already; to put a segment in place again, it could not sync the directory.
    init(_ options: JournalOptions, before step: Step) throws {
      var options = options
      // A segment is empty with a catalogue after its header, too.
      if step == .reinstallSegment, options.preallocation == 0 { options.domain = try DomainTests.domain() }
      self.options = options
      journal = try JournalWriter.create(
        at: "j", id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
      try append(12, to: journal)
      try journal.writeCheckpoint(sequence: 5, body: [5])
      if step == .replaceCheckpoint { take(.retire) }
      guard step == .reinstallSegment else { return }
      files.setFault { operation, _, _ in operation == "syncDirectory" ? .error(OperatingSystem.noSpace) : nil }
      while journal.lastSequence < 72, (try? append(1, to: journal)) != nil {}
    }

    private func append(_ count: Int, to journal: JournalWriter) throws {
      var batch = JournalBatch()
      for sequence in Int(journal.lastSequence) + 1...Int(journal.lastSequence) + count {
        try batch.append(payload: SampleJournal.payload(sequence), label: 0)
        if sequence % 3 > 0 { try journal.append(&batch) }
      }
      if !batch.isEmpty { try journal.append(&batch) }
    }

    func take(_ step: Step) {
      do {
        switch step {
        case .append: try append(1, to: journal)
        case .appendMuch: try append(60, to: journal)
        case .appendAndSync:
          try append(2, to: journal)
          try journal.sync()
        case .checkpoint:
          try journal.writeCheckpoint(sequence: journal.lastSequence, body: [6])
          try files.remove("j/" + Checkpoint.name(5))
        case .moveSegment:
          let last = try #require(JournalReader(path: "j", fileSystem: files).catalog.segments.last)
          let other = SegmentName(firstSequence: last.name.firstSequence, ordinal: last.header.ordinal)
          try files.rename("j/" + last.file, to: "j/" + other.text)
        case .reinstallSegment:
          files.setFault(nil)
          // Past the end of the segment at whose beginning a reader may be.
          try append(60, to: journal)
        case .close: try journal.close()
        case .retire:
          try append(60, to: journal)
          let checkpoint = try journal.writeCheckpoint(sequence: journal.lastSequence, body: [6])
          try journal.retire(before: .max, after: checkpoint)
          try files.remove("j/" + Checkpoint.name(5))
        case .replaceCheckpoint:
          let last = journal.lastSequence
          try append(3, to: journal)
          try journal.writeCheckpoint(sequence: journal.lastSequence, body: [7])
          try files.remove("j/" + Checkpoint.name(last))
        case .closeAndOpen:
          try journal.close()
          let again = try JournalWriter.open(at: "j", options: options, fileSystem: files)
          try append(3, to: again)
          try again.close()
        }
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  private static var choices: [JournalOptions] {
    var choices: [JournalOptions] = []
    for (size, ahead) in [(UInt64(1 << 10), UInt64(0)), (1 << 10, 1 << 10), (1 << 20, 0)] {
      for policy in [SyncPolicy.none, .everyCommit] {
        var options = JournalOptions()
        options.segmentSizeLimit = size
        options.preallocation = ahead
        options.syncPolicy = policy
        choices.append(options)
      }
    }
    return choices
  }

  /// Does something with a journal whose writer takes the step before the first call, before the second, and so on,
  /// until there are no more calls.
  private func withEveryInterruption(
    _ step: Step, _ body: (InterruptedFileSystem, Author, String) throws -> Void
  ) throws {
    for options in Self.choices {
      var number = 0
      var wasInterrupted = true
      while wasInterrupted {
        number += 1
        let author = try Author(options, before: step)
        let files = InterruptedFileSystem(author.files, beforeCall: number) { author.take(step) }
        try body(files, author, "\(step) before call \(number), \(options)")
        #expect(author.failure.withLock { $0 } == nil)
        wasInterrupted = files.wasInterrupted
      }
      #expect(number > 10)
    }
  }

  /// Reads to the end, and expects nothing but the events after one that was read last.
  private static func drain(_ cursor: inout JournalCursor, _ sequence: inout Int, _ place: String) throws {
    while let item = try cursor.next() {
      guard case .event(let event) = item else {
        Issue.record("\(place): \(item)")
        continue
      }
      sequence += 1
      #expect(event.sequence == sequence && Array(event.payload) == SampleJournal.payload(sequence), "\(place)")
    }
  }

  @Test("Verifying finds nothing in a sound journal", arguments: Step.allCases)
  func verifying(step: Step) throws {
    try withEveryInterruption(step) { files, _, place in
      let reader = try JournalReader(path: "j", fileSystem: files)
      #expect(!reader.segments.isEmpty, "\(place)")
      let report = try reader.verify()
      let retired = (report.retirement?.firstSequence ?? 1) - 1
      #expect(report.findings == [] && report.eventCount + retired >= 12, "\(place): \(report.findings)")
      expectEqual(report.lastVerifiedSequence, report.eventCount + retired, "\(place)")
    }
  }

  @Test(
    "A cursor serves every event once", arguments: Step.allCases.filter { $0 != .retire && $0 != .replaceCheckpoint })
  func following(step: Step) throws {
    try withEveryInterruption(step) { files, author, place in
      var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
      var sequence = 0
      func drain() throws { try Self.drain(&cursor, &sequence, place) }
      try drain()
      try drain()
      // Once more, for what came after the place where it saw the end.
      if files.wasInterrupted { try drain() }
      try expectEqual(sequence, events(JournalReader(path: "j", fileSystem: author.files)).count, "\(place)")
    }
  }

  @Test(
    "A cursor of which any call fails serves every event once when it is asked again",
    arguments: Step.allCases.filter { $0 != .retire && $0 != .replaceCheckpoint })
  func failing(step: Step) throws {
    for options in Self.choices {
      var number = 0
      var hasFailed = true
      while hasFailed {
        number += 1
        let place = "\(step), call \(number), \(options)"
        let author = try Author(options, before: step)
        var cursor = try JournalReader(path: "j", fileSystem: author.files).cursor()
        var sequence = 0
        func drain() throws { try Self.drain(&cursor, &sequence, place) }
        // It has looked again before, as whoever follows has.
        for _ in 0..<2 { try drain() }
        author.take(step)
        let calls = Mutex(0)
        author.files.setFault { [number] _, _, _ in
          calls.withLock { calls in
            calls += 1
            return calls == number ? .error(OperatingSystem.deviceError) : nil
          }
        }
        hasFailed = false
        do {
          try drain()
        } catch let error as JournalError {
          hasFailed = true
          expectEqual(error.code, .inputOutput, "\(place): \(error)")
        }
        author.files.setFault(nil)
        for _ in 0..<2 { try drain() }
        #expect(author.failure.withLock { $0 } == nil)
        try expectEqual(sequence, events(JournalReader(path: "j", fileSystem: author.files)).count, "\(place)")
      }
      #expect(number > 3)
    }
  }

  @Test("A cursor whose segment is retired serves what follows, or says that it is kept no more")
  func retired() throws {
    try withEveryInterruption(.retire) { files, author, place in
      var sequence: UInt64?
      do {
        var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
        func drain() throws {
          while let item = try cursor.next() {
            guard case .event(let event) = item else {
              Issue.record("\(place): \(item)")
              continue
            }
            // It begins with what is kept.
            expectEqual(event.sequence, (sequence ?? event.sequence - 1) + 1, "\(place)")
            sequence = event.sequence
          }
        }
        for _ in 0..<3 { try drain() }
        // Once more, for what came after the place where it saw the end.
        if files.wasInterrupted { try drain() }
        let last = try JournalReader(path: "j", fileSystem: author.files).verify().lastVerifiedSequence
        expectEqual(sequence, last, "\(place)")
      } catch let error as JournalError {
        expectEqual(error.code, .retired, "\(place): \(error)")
      }
    }
  }

  @Test("A cursor that was made before the first segment serves its events")
  func beforeTheFirstSegment() throws {
    let files = MemoryFileSystem()
    do { _ = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 0, fileSystem: files) }
    try files.remove("j/00000000000000000001.seg")
    var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
    let isEmpty = try cursor.next() == nil
    let journal = try JournalWriter.open(at: "j", fileSystem: files)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    let sequence = if case .event(let event)? = try cursor.next() { event.sequence } else { UInt64(0) }
    #expect(isEmpty && sequence == 1)
    try journal.close()
  }
}
