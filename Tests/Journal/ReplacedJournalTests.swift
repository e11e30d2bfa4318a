import Expectations
import Testing

@testable import Journal

/// Somebody takes files away, cuts them or puts others in their place while a journal is followed: that is an error with a
/// reason, and no wait for what never comes.
@Suite("Following a journal whose files are taken away or replaced")
struct ReplacedJournalTests {
  private static let segment = "j/00000000000000000001.seg"

  private static let otherID = JournalID(bytes: Array(16..<32)) ?? .none

  /// A journal of this many events, in one segment unless a limit is given.
  private static func write(
    _ count: Int, of content: UInt8 = 0, size: Int = 40, limit: UInt64 = 1 << 20, id: JournalID = sampleID,
    to files: MemoryFileSystem, path: String = "j"
  ) throws {
    var options = JournalOptions()
    options.preallocation = 0
    options.segmentSizeLimit = limit
    let journal = try JournalWriter.create(at: path, id: id, createdNanoseconds: 0, options: options, fileSystem: files)
    for number in 0..<count {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number) &+ content, count: size), label: 0)
      try journal.append(&batch)
    }
    try journal.close()
  }

  /// What somebody does to the files.
  enum Change: CaseIterable {
    case otherJournal, otherJournalInSameFiles, longerOtherJournal, otherHistory, emptied, cutInsideEvent,
      cutBehindEvent
    case segmentGone, everythingGone

    func make(to files: MemoryFileSystem) throws {
      let segment = ReplacedJournalTests.segment
      switch self {
      case .otherJournal, .otherJournalInSameFiles, .longerOtherJournal, .otherHistory:
        let count = self == .longerOtherJournal ? 30 : 7
        let id = self == .otherHistory ? sampleID : ReplacedJournalTests.otherID
        try ReplacedJournalTests.write(count, of: 1, id: id, to: files, path: "n")
        for (path, bytes) in files.files where path.hasPrefix("n/") {
          let name = "j/" + path.dropFirst(2)
          if self == .otherJournalInSameFiles {
            files.edit(name) { $0 = bytes }
          } else {
            try files.rename(path, to: name)
          }
        }
      case .emptied: files.edit(segment) { $0 = [] }
      case .cutInsideEvent: files.edit(segment) { $0 = Array($0[..<(Format.segmentHeaderSize + 100)]) }
      case .cutBehindEvent:
        let place = try #require(try JournalReader(path: "j", fileSystem: files).offset(of: 3))
        files.edit(segment) { $0 = Array($0[..<Int(place)]) }
      case .segmentGone: try files.remove(segment)
      case .everythingGone: for path in files.files.keys.sorted() { try files.remove(path) }
      }
    }

    var error: String {
      let place = "00000000000000000001.seg, event 5: "
      let remedy = "; read from the beginning what is there"
      let replaced =
        "00000000000000000001.seg: journal \(sampleID), which was read here, was replaced by journal "
        + "\(ReplacedJournalTests.otherID); read the other one from its beginning, and look for this one where it was moved to"
      switch self {
      case .otherJournal, .otherJournalInSameFiles, .longerOtherJournal: return replaced
      case .otherHistory, .cutBehindEvent:
        return place
          + "the history no longer holds what was read up to event 5: it was not durable yet, or the file was changed; "
          + "open the journal again, and read from an event on that was durable"
      case .emptied, .cutInsideEvent:
        return place
          + "the file became shorter while it was read, and what was read up to event 5 is not in it any more"
          + remedy
      case .segmentGone: return place + "the file is gone, and with it what was read up to event 5" + remedy
      case .everythingGone: return "j: all files of the journal are gone; find out what removed them"
      }
    }
  }

  @Test("It is told within the time that a look at the names takes, each time it is asked", arguments: Change.allCases)
  func changed(change: Change) throws {
    let files = MemoryFileSystem(stampsNames: true)
    try Self.write(5, to: files)
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    for sequence in 1...5 as ClosedRange<UInt64> {
      guard case .event(let event)? = try follower.nextIfThere() else {
        Issue.record("event \(sequence) did not come")
        return
      }
      expectEqual(event.sequence, sequence)
    }
    #expect(try follower.nextIfThere() == nil)
    #expect(try follower.nextIfThere() == nil)
    try change.make(to: files)
    files.advance(nanoseconds: JournalChanges.longestWait)
    for _ in 0..<2 {
      let error = #expect(throws: JournalError.self) { _ = try follower.nextIfThere() == nil }
      expectEqual(error?.description, change.error)
      expectEqual(error?.code, change == .everythingGone ? .notAJournal : .conflict)
    }
  }

  @Test("Another journal of several segments is told as well, whatever they begin with", arguments: [10, 30, 90, 200])
  func severalSegments(count: Int) throws {
    let files = MemoryFileSystem(stampsNames: true)
    try Self.write(30, limit: 1 << 10, to: files)
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    while try follower.nextIfThere() != nil {}
    for path in files.files.keys.sorted() where path.hasPrefix("j/") { try files.remove(path) }
    try Self.write(count, of: 1, size: 52, limit: 1 << 10, id: Self.otherID, to: files, path: "n")
    for path in files.files.keys.sorted() where path.hasPrefix("n/") {
      try files.rename(path, to: "j/" + path.dropFirst(2))
    }
    files.advance(nanoseconds: JournalChanges.longestWait)
    let error = #expect(throws: JournalError.self) { _ = try follower.nextIfThere() == nil }
    #expect(error?.code == .conflict && error?.description.contains("was replaced by journal \(Self.otherID)") == true)
  }

  @Test("A segment without events that loses a part of its header ends the reading", arguments: [0, 100, 223])
  func headerCut(length: Int) throws {
    let files = MemoryFileSystem(stampsNames: true)
    try Self.write(0, to: files)
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    #expect(try follower.nextIfThere() == nil)
    files.edit(Self.segment) { $0 = Array($0[..<length]) }
    files.forgetCalls()
    // So that a reader that goes round and round fails, and does not hang.
    files.setFault { _, _, count in count > 20_000 ? .error(OperatingSystem.deviceError) : nil }
    let error = #expect(throws: JournalError.self) { _ = try follower.nextIfThere() == nil }
    expectEqual(error?.code, .conflict)
  }

  @Test("A file that is cut inside of an unfinished batch while its writer is waited for ends there")
  func cutWhileWaiting() throws {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.preallocation = 0
    options.syncPolicy = .none
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
    var batch = JournalBatch()
    for _ in 0..<6 { try batch.append(payload: [UInt8](repeating: 7, count: 40), label: 0) }
    try journal.append(&batch)
    files.edit(Self.segment) { $0 = Array($0[..<($0.count - 20)]) }
    files.onPauses { _ in files.edit(Self.segment) { $0 = Array($0[..<min($0.count, 310)]) } }
    var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
    var findings: [Finding] = []
    while let item = try cursor.next() {
      if case .finding(let finding) = item { findings.append(finding) }
    }
    #expect(findings.allSatisfy { $0.verdict == .torn(.short) } && findings.count == 1, "\(findings)")
    withExtendedLifetime(journal) {}
  }

  @Test("A copy of the journal in its place is followed, and so is one whose JOURNAL alone is another's")
  func copied() throws {
    let files = MemoryFileSystem(stampsNames: true)
    try Self.write(5, to: files)
    var follower = try JournalReader(path: "j", fileSystem: files).follow(after: 4)
    #expect(try follower.nextIfThere() != nil)
    #expect(try follower.nextIfThere() == nil)
    try Self.write(5, to: files, path: "n")
    for path in files.files.keys.sorted() where path.hasPrefix("n/") {
      try files.rename(path, to: "j/" + path.dropFirst(2))
    }
    #expect(try follower.nextIfThere() == nil)
    let journal = try JournalWriter.open(at: "j", fileSystem: files)
    try Self.write(1, id: Self.otherID, to: files, path: "n")
    try files.rename("n/JOURNAL", to: "j/JOURNAL")
    var batch = JournalBatch()
    try batch.append(payload: [6], label: 0)
    try journal.append(&batch)
    files.advance(nanoseconds: JournalChanges.longestWait)
    guard case .event(let event)? = try follower.nextIfThere() else {
      Issue.record("event 6 did not come")
      return
    }
    #expect(event.sequence == 6 && Array(event.payload) == [6])
    try journal.close()
  }

  @Test("A journal without events that is replaced is told as well, to readers of durable events too")
  func beforeFirstEvent() throws {
    for limit in [ReadLimit.written, .durable] {
      let files = MemoryFileSystem(stampsNames: true)
      try Self.write(0, to: files)
      for path in files.files.keys where path.hasSuffix(".seg") { try files.remove(path) }
      try files.remove("j/HEAD")
      var follower = try JournalReader(path: "j", fileSystem: files).follow(upTo: limit)
      while try follower.nextIfThere() != nil {}
      try Self.write(3, id: Self.otherID, to: files, path: "n")
      for path in files.files.keys.sorted() where path.hasPrefix("n/") {
        try files.rename(path, to: "j/" + path.dropFirst(2))
      }
      let error = #expect(throws: JournalError.self) { _ = try follower.nextIfThere() == nil }
      #expect(error?.code == .conflict && error?.file == "JOURNAL")
    }
  }

  @Test("Who waits for an event to become durable is told that the journal is another one")
  func awaitingDurable() throws {
    let files = MemoryFileSystem(stampsNames: true)
    var options = JournalOptions()
    options.syncPolicy = .none
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    var follower = try JournalReader(path: "j", fileSystem: files).follow(upTo: .durable)
    #expect(try follower.nextIfThere() == nil)
    try Self.write(3, id: Self.otherID, to: files, path: "n")
    for path in files.files.keys.sorted() where path.hasPrefix("n/") {
      try files.rename(path, to: "j/" + path.dropFirst(2))
    }
    let error = #expect(throws: JournalError.self) { _ = try follower.nextIfThere() == nil }
    expectEqual(error?.code, .conflict)
    withExtendedLifetime(journal) {}
  }
}

extension JournalReader {
  /// Where an event's frame begins.
  fileprivate func offset(of sequence: UInt64) throws -> UInt64? {
    var cursor = try cursor(after: sequence - 1)
    guard case .event(let event)? = try cursor.next() else { return nil }
    return event.offset
  }
}
