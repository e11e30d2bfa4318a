import Expectations
import Testing

@testable import Journal

/// Writers may take back what they wrote, as long as it is not durable; readers that were there in between find out.
@Suite("Events that are taken back before they are durable")
struct TakenBackTests {
  private static let first = "j/00000000000000000001.seg"
  private static let another = "j/00000000000000000009.seg"

  private func create(_ files: MemoryFileSystem, digest: Bool = true) throws -> JournalWriter {
    var options = JournalOptions()
    options.syncPolicy = .none
    options.historyDigest = digest
    options.preallocation = 1 << 12
    return try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
  }

  private func append(_ payloads: [[UInt8]], to journal: JournalWriter) throws {
    for payload in payloads {
      var batch = JournalBatch()
      try batch.append(payload: payload, label: 0)
      try journal.append(&batch)
    }
  }

  /// The files of a journal whose first events are durable, with others after them.
  private func files(
    durable: [[UInt8]], _ others: [[UInt8]] = [], isClosed: Bool = false, digest: Bool = true
  ) throws -> [String: [UInt8]] {
    let files = MemoryFileSystem()
    let journal = try create(files, digest: digest)
    try append(durable, to: journal)
    try journal.sync()
    try append(others, to: journal)
    if isClosed { try journal.close() }
    return files.files
  }

  /// Puts the bytes of other files in place.
  private func put(_ other: [String: [UInt8]], into files: MemoryFileSystem) {
    for (path, bytes) in other { files.edit(path) { $0 = bytes } }
  }

  /// The payloads that come, and how it ends.
  private func drain(_ follower: inout JournalFollower) throws -> (
    payloads: [[UInt8]], verdicts: [Verdict], error: JournalError?
  ) {
    var payloads: [[UInt8]] = []
    var verdicts: [Verdict] = []
    do throws(JournalError) {
      while let item = try follower.nextIfThere() {
        switch item {
        case .event(let event): payloads.append(Array(event.payload))
        case .finding(let finding): verdicts.append(finding.verdict)
        }
      }
    } catch {
      return (payloads, verdicts, error)
    }
    return (payloads, verdicts, nil)
  }

  /// How long the events are that the writer put in the place of one with the payload [2, 2], after a durable one.
  static let replacements = [[2], [1], [2, 1], [30], [1, 1, 1], [2, 9000]]

  private func payloads(_ lengths: [Int]) -> [[UInt8]] {
    lengths.enumerated().map { [UInt8](repeating: UInt8(3 + $0.offset), count: $0.element) }
  }

  @Test(
    "A reader of durable events is served what became durable, and not what stood there before", arguments: replacements
  )
  func durable(lengths: [Int]) throws {
    let replacement = payloads(lengths)
    let files = MemoryFileSystem(try files(durable: [[1]], [[2, 2]]))
    var follower = try JournalReader(path: "j", fileSystem: files).follow(upTo: .durable)
    try expectEqual(drain(&follower).payloads, [[1]])
    try expectEqual(drain(&follower).payloads, [])
    put(try self.files(durable: [[1]] + replacement, [[9]]), into: files)
    let rest = try drain(&follower)
    #expect(rest.payloads == replacement && rest.verdicts == [] && rest.error == nil)
  }

  @Test("An event is read again when those before it in its batch were durable and served already")
  func durableWithinBlock() throws {
    let files = MemoryFileSystem(try files(durable: [[1], [2]], [[3], [4]]))
    var follower = try JournalReader(path: "j", fileSystem: files).follow(upTo: .durable)
    try expectEqual(drain(&follower).payloads, [[1], [2]])
    put(try self.files(durable: [[1], [2], [5], [6]]), into: files)
    try expectEqual(drain(&follower).payloads, [[5], [6]])
  }

  @Test(
    "A reader that was served what is not there any more is told so, and no other event", arguments: replacements + [[]]
  )
  func written(lengths: [Int]) throws {
    let replacement = payloads(lengths)
    let files = MemoryFileSystem(try files(durable: [[1]], [[2, 2]]))
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    try expectEqual(drain(&follower).payloads, [[1], [2, 2]])
    put(try self.files(durable: [[1]] + replacement), into: files)
    for _ in 0..<2 {
      let rest = try drain(&follower)
      #expect(rest.payloads == [] && rest.verdicts == [] && rest.error?.code == .conflict, "\(rest)")
      expectEqual(
        rest.error?.description,
        "00000000000000000001.seg, event 2: the history no longer holds what was read up to event 2: it was not durable yet, "
          + "or the file was changed; open the journal again, and read from an event on that was durable")
    }
  }

  @Test("What the device changes in events that were read is not taken for something that a writer did")
  func damaged() throws {
    let files = MemoryFileSystem(try files(durable: [[1], [2, 2]]))
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    try expectEqual(drain(&follower).payloads, [[1], [2, 2]])
    files.edit(Self.first) { $0[224 + 24 + 4] ^= 1 }
    let rest = try drain(&follower)
    #expect(rest.payloads == [] && rest.error == nil)
  }

  @Test("Where an anchor is taken back, and no event, the history goes on in its place")
  func anchor() throws {
    // It stands there, and nothing says yet that it is durable.
    let files = MemoryFileSystem(try files(durable: [[1], [2]], isClosed: true, digest: false))
    put(try self.files(durable: [[1]], [[2]], digest: false).filter { $0.key.hasSuffix("HEAD") }, into: files)
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    try expectEqual(drain(&follower).payloads, [[1], [2]])
    put(try self.files(durable: [[1], [2], [3]], [[4]], digest: false), into: files)
    let rest = try drain(&follower)
    #expect(rest.payloads == [[3], [4]] && rest.verdicts == [] && rest.error == nil, "\(rest)")
  }

  @Test(
    "A batch that could be neither finished nor cut off was read, and another segment goes on before it",
    arguments: [false, true])
  func spoiledSegment(isSame: Bool) throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append([[1]], to: journal)
    let payload: [UInt8] = [2, 2, 2, 2, 2, 2, 2, 2]
    // What is read while the batch stands there whole.
    let whole = MemoryFileSystem()
    let other = try create(whole)
    for payloads in [[[1]], [payload]] { try append(payloads, to: other) }
    let seen = MemoryFileSystem(whole.files)
    var follower = try JournalReader(path: "j", fileSystem: seen).follow()
    try expectEqual(drain(&follower).payloads, [[1], payload])
    let faults = FaultOnce(files, taken: 20, alsoTruncation: true)
    #expect(throws: JournalError.self) { try append([payload], to: journal) }
    faults.stop()
    try append([isSame ? payload : [3]], to: journal)
    try append([[4]], to: journal)
    let others = files.files.filter { $0.key != Self.first }
    for path in others.keys { _ = try seen.open(path, .createOrUpdate) }
    put(others, into: seen)
    let rest = try drain(&follower)
    if isSame {
      #expect(rest.payloads == [[4]] && rest.verdicts.allSatisfy { !$0.isDamage } && rest.error == nil, "\(rest)")
    } else {
      #expect(rest.payloads == [] && rest.error?.code == .conflict, "\(rest)")
      #expect(rest.error?.file == "00000000000000000002.seg" && rest.error?.sequence == 2)
    }
  }

  @Test(
    "What could not be synced is written again as far as it can still be read; a reader that had read more is told so",
    arguments: [0, 1, 2])
  func rewritten(lost: Int) throws {
    let payloads: [[UInt8]] = [[1], [2], [3], [4]]
    let files = MemoryFileSystem(try files(durable: [[1]], Array(payloads[1...])))
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    try expectEqual(drain(&follower).payloads, payloads)
    // The process ends, and the system drops what it could not write.
    let end = 224 + (4 - lost) * 24
    files.edit(Self.first) { bytes in for place in end..<bytes.count { bytes[place] = 0 } }
    let journal = try JournalWriter.open(at: "j", fileSystem: files)
    try expectEqual(JournalReader(path: "j", fileSystem: files).segments.map(\.firstSequence), [1, 2])
    for number in 0..<2 {
      let rest = try drain(&follower)
      #expect(rest.verdicts.allSatisfy { !$0.isDamage })
      if lost == 0 {
        #expect(rest.error == nil && rest.payloads == (number == 0 ? [] : [[9]]), "\(rest)")
      } else {
        #expect(rest.error?.code == .conflict && rest.payloads == [], "\(rest)")
      }
      if number == 0 { try append([[9]], to: journal) }
    }
    try journal.close()
  }

  /// What a follower comes across that had read ten events when the owner goes on in spite of a loss.
  private func follow(
    synced: Int, losing lose: (MemoryFileSystem) throws -> Void, appending payloads: [[UInt8]]
  ) throws -> (payloads: [[UInt8]], verdicts: [Verdict], error: JournalError?) {
    let events = (1...10).map { [UInt8($0)] }
    let files = MemoryFileSystem(
      try files(durable: Array(events[..<synced]), Array(events[synced...]), isClosed: false))
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    try expectEqual(drain(&follower).payloads, events)
    try lose(files)
    #expect(throws: JournalError.self) { try JournalWriter.open(at: "j", fileSystem: files) }
    let journal = try JournalWriter.open(at: "j", onDamage: .continueAfterVerifiedPrefix, fileSystem: files)
    if files.files[Self.another] != nil { try files.remove(Self.another) }
    try append(payloads, to: journal)
    let rest = try drain(&follower)
    try journal.close()
    return rest
  }

  @Test("A reader does not go on with another history where the owner went on before damage", arguments: [1, 5, 9])
  func givenUp(count: Int) throws {
    let rest = try follow(
      synced: 10, losing: { $0.edit(Self.first) { $0[224 + 5 * 24 + 4] ^= 1 } },
      appending: (1...count).map { [UInt8(100 + $0)] })
    #expect(rest.payloads == [] && rest.error?.code == .conflict && rest.error?.sequence == 10, "\(rest)")
  }

  @Test("A reader goes on where the owner went on after a loss elsewhere, and what it had read was written again")
  func writtenAgainAfterLoss() throws {
    let rest = try follow(
      synced: 5,
      losing: { files in
        // Another segment bears the same number, and is moved away afterwards.
        files.close(try files.open(Self.another, .replace))
        let bytes = try #require(files.files[Self.first])
        files.edit(Self.another) { $0 = bytes }
      }, appending: [[11]])
    #expect(rest.payloads == [[11]] && rest.verdicts == [] && rest.error == nil, "\(rest)")
  }

  @Test("A segment that begins again with numbers that were read is damage when it is not the next one")
  func missingBetween() throws {
    let files = MemoryFileSystem(try files(durable: [[1]], [[2], [3]]))
    var follower = try JournalReader(path: "j", fileSystem: files).follow()
    try expectEqual(drain(&follower).payloads, [[1], [2], [3]])
    let index = try ChainIndex(JournalDirectory(path: "j", fileSystem: files))
    let chain = try #require(try index.chain(after: 1))
    let header = SegmentHeader(
      id: sampleID, ordinal: 3, firstSequence: 2, chainIn: chain,
      predecessor: .init(end: .syncFailed, validLength: 152, durableLength: 152, eventCount: 1),
      createdNanoseconds: 0, digestIn: nil)
    let file = try files.open("j/00000000000000000002.seg", .replace)
    try files.writeAll(file, header.encoded(), at: 0)
    let rest = try drain(&follower)
    #expect(rest.verdicts == [.damaged] && rest.payloads == [] && rest.error == nil, "\(rest)")
  }

  @Test("What is taken back while a reader looks at an unfinished write after it is not taken for damage")
  func behindUnfinished() throws {
    let read = try files(durable: [[1]], [[2, 2]])
    var unfinished = try files(durable: [[1]], [[2, 2], [UInt8](repeating: 7, count: 100)])
    unfinished[Self.first]?[224 + 48 + 60] = 0
    let after = try files(durable: [[1], [UInt8](repeating: 3, count: 200)], [[4], [5]])
    var number = 0
    var interruptions = 0
    while true {
      number += 1
      let files = MemoryFileSystem(read)
      let interrupted = InterruptedFileSystem(files, beforeCall: number) {
        for (path, bytes) in after { files.edit(path) { $0 = bytes } }
      }
      var follower = try JournalReader(path: "j", fileSystem: interrupted).follow()
      _ = try drain(&follower)
      // It is to happen while the unfinished write is looked at.
      if interrupted.wasInterrupted { continue }
      put(unfinished, into: files)
      var rest = try drain(&follower)
      guard interrupted.wasInterrupted else { break }
      interruptions += 1
      if rest.error == nil {
        #expect(rest.payloads == [] && rest.verdicts.allSatisfy { !$0.isDamage }, "before call \(number): \(rest)")
        rest = try drain(&follower)
      }
      #expect(
        rest.payloads == [] && rest.verdicts == [] && rest.error?.code == .conflict, "before call \(number): \(rest)")
    }
    #expect(interruptions > 10)
  }

  @Test("Verifying begins again when something that it has read is taken back")
  func verifying() throws {
    let before = try files(durable: [[1]], [[2, 2]])
    let after = try files(durable: [[1], [3], [4]])
    var number = 0
    var wasInterrupted = true
    while wasInterrupted {
      number += 1
      let files = MemoryFileSystem(before)
      let interrupted = InterruptedFileSystem(files, beforeCall: number) {
        for (path, bytes) in after { files.edit(path) { $0 = bytes } }
      }
      let report = try JournalReader(path: "j", fileSystem: interrupted).verify()
      wasInterrupted = interrupted.wasInterrupted
      #expect(report.findings == [] && report.eventCount == (wasInterrupted ? 3 : 2), "before call \(number)")
    }
    #expect(number > 10)
  }
}
