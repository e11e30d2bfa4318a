import Expectations
import Synchronization
import Testing
import WireFormat

@testable import EventSourcing
@testable import Journal

/// A check on several threads reports the same as a check on one.
@Suite("Checking a history on several threads")
struct CheckThreadsTests {
  private func options(_ interval: UInt64, segmentSize: UInt64 = 2048) -> (inout StoreOptions) -> Void {
    {
      $0.keyframeInterval = interval
      $0.journal.segmentSizeLimit = segmentSize
      $0.journal.preallocation = 0
    }
  }

  /// A journal of notes, moves and starts with a keyframe every few events.
  private func journal(every interval: UInt64 = 3, _ count: Int = 200) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, options(interval))
    try write(0..<count, to: store)
    try store.close()
    return journal
  }

  private func write(_ numbers: Range<Int>, to store: EventStore<Ledger>) throws {
    for number in numbers {
      let command: LedgerCommand =
        switch number % 7 {
        case 0: .open("owner \(number)")
        case 1: .start
        case 2: .move(from: 1, to: 2, Int64(number % 90))
        case 3: .note(["a \(number)", "b \(number)"])
        default: .note(["note \(number)"])
        }
      // A move is rejected before two accounts exist, or with too little money.
      _ = try? store.append(command, at: .seconds(Int64(number)))
    }
  }

  /// The report, which is the same on any number of threads.
  @discardableResult
  private func report<Machine: Reducer>(
    _ journal: TemporaryJournal, as machine: Machine.Type = Ledger.self, beyondDamage: Bool = false,
    _ what: String = "", _ location: SourceLocation = #_sourceLocation
  ) throws -> Result<CheckReport, HistoryError> {
    var history = try journal.history(machine)
    history.goesBeyondDamage = beyondDamage
    let one = result(history, threads: 1)
    for threads in [2, 5] {
      expectEqual(result(history, threads: threads), one, "\(what), on \(threads) threads", sourceLocation: location)
    }
    return one
  }

  private func result<Machine: Reducer>(
    _ history: History<Machine>, threads: Int
  ) -> Result<CheckReport, HistoryError> {
    do throws(HistoryError) {
      return .success(try history.check(threads: threads))
    } catch {
      return .failure(error)
    }
  }

  // MARK: - What is done on several threads

  /// The ledger, and how many events were folded by it.
  private enum FoldCountingLedger: Reducer {
    static let folds = Atomic<Int>(0)
    static var revision: UInt32 { Ledger.revision }
    static var initialState: LedgerState { Ledger.initialState }
    static func reduce(into state: inout LedgerState, _ event: LedgerEvent, _ context: EventContext) {
      folds.add(1, ordering: .relaxed)
      Ledger.reduce(into: &state, event, context)
    }
  }

  @Test("If everything agrees, each event is folded once, on any number of threads")
  func foldedOnce() throws {
    let journal = try journal()
    let history = try journal.history(FoldCountingLedger.self)
    var reports: [CheckReport] = []
    for threads in [1, 2, 5] {
      FoldCountingLedger.folds.store(0, ordering: .relaxed)
      reports.append(try history.check(threads: threads))
      expectEqual(FoldCountingLedger.folds.load(ordering: .relaxed), Int(reports[0].events))
    }
    #expect(reports[0].isSound && reports[0].keyframesCompared > 60 && reports[0].notes.isEmpty)
    #expect(reports.allSatisfy { $0 == reports[0] })
  }

  /// Reads ahead, and adopts nothing.
  private func ahead(
    of history: History<Ledger>, threads: Int, _ keyframes: KeyframesInOrder
  ) -> CheckAhead<Ledger> {
    CheckAhead(of: history, threads: threads, before: keyframes) { (_, _) throws(HistoryError) in
      throw .damaged(lastDerivable: 0, nil)
    }
  }

  @Test("A few stretches per thread are handed out before one is folded, and none if threads would not help")
  func stretches() throws {
    let journal = try journal()
    let history = try journal.history(Ledger.self)
    var keyframes = KeyframesInOrder(of: history.reader)
    keyframes.advance()
    #expect(!ahead(of: history, threads: 1, keyframes).isReading)
    let ahead = ahead(of: history, threads: 2, keyframes)
    defer { ahead.end() }
    var check = try history.beginCheck()
    var handedOut = 0
    var taken: [CheckAhead<Ledger>.Stretch] = []
    try history.forEachRaw(after: 0) { (event) throws(HistoryError) in
      guard ahead.isReading, ahead.keep(event) else { return }
      ahead.handOut(after: check)
      handedOut += 1
      expectEqual(ahead.isFull, handedOut - taken.count >= 8 || !ahead.isReading)
      while ahead.isFull { taken += [ahead.adoptNext(&check, &keyframes)].compactMap(\.self) }
    }
    #expect(ahead.isEmpty && !ahead.isReading && taken.count > 60 && taken.count == handedOut)
    #expect(taken[0].keyframe == nil)
    expectEqual(taken.dropFirst().map(\.keyframe?.sequence), taken.dropLast().map(\.events.last?.sequence))
  }

  @Test("Behind a mismatch nothing is read ahead")
  func behindMismatch() throws {
    let journal = try journal()
    let history = try journal.history(Ledger.self)
    var keyframes = KeyframesInOrder(of: history.reader)
    keyframes.advance()
    let ahead = ahead(of: history, threads: 2, keyframes)
    defer { ahead.end() }
    let first = keyframes.nextSequence
    var check = try history.beginCheck()
    check.recordMismatch(recorded: UnsafeRawBufferPointer(start: nil, count: 0))
    try history.forEachRaw(after: 0) { (event) throws(HistoryError) in
      if ahead.isReading, ahead.keep(event) { ahead.handOut(after: check) }
    }
    #expect(ahead.isFull && !ahead.isReading)
    expectEqual(ahead.adoptNext(&check, &keyframes)?.events.last?.sequence, first)
    #expect(ahead.isEmpty && !ahead.isFull)
  }

  @Test("A very long stretch is cut before it takes much memory")
  func longStretch() throws {
    let journal = try TemporaryJournal()
    var store = try journal.create(Ledger.self, options(0, segmentSize: 8 << 20))
    try store.close()
    var long = Envelope(type: 77, at: .seconds(1))
    long.unknownReaders = .ignorable
    long.body = [UInt8](repeating: 1, count: 1 << 20)
    try journal.appendRaw([Envelope](repeating: long, count: 20))
    store = try journal.open(Ledger.self, options(0))
    var writer = try KeyframeWriter(store.journal, after: 0) { _ in true }
    try writer.append(sequence: 20, chain: store.journal.lastChain, body: [0xff])
    try store.close()
    let history = try journal.history(Ledger.self)
    var keyframes = KeyframesInOrder(of: history.reader)
    keyframes.advance()
    let ahead = ahead(of: history, threads: 2, keyframes)
    defer { ahead.end() }
    var check = try history.beginCheck()
    var ends: [UInt64] = []
    try history.forEachRaw(after: 0) { (event) throws(HistoryError) in
      if ahead.keep(event) { ahead.handOut(after: check) }
      while ahead.isFull { ends += [ahead.adoptNext(&check, &keyframes)?.events.last?.sequence].compactMap(\.self) }
    }
    expectEqual(ends, [16, 20])
    try report(journal)
  }

  @Test("Memory for long stretches does not grow with the number of threads", arguments: [2, 16, 64])
  func manyThreads(threads: Int) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, options(0))
    var writer = try KeyframeWriter(store.journal, after: 0) { _ in true }
    for number in 1...30 { try writer.append(sequence: UInt64(7 * number), chain: 0, body: [1]) }
    try store.close()
    let history = try journal.history(Ledger.self)
    var keyframes = KeyframesInOrder(of: history.reader)
    keyframes.advance()
    let ahead = ahead(of: history, threads: threads, keyframes)
    defer { ahead.end() }
    let check = try history.beginCheck()
    let segment = SegmentName(firstSequence: 1, ordinal: 0)
    var kept: UInt64 = 0
    [UInt8](repeating: 1, count: 1 << 20).withUnsafeBytes { payload in
      while !ahead.isFull {
        kept += 1
        let event = JournalEvent(sequence: kept, chain: 0, payload: payload, segment: segment, offset: 0)
        if ahead.keep(event) { ahead.handOut(after: check) }
      }
    }
    // Sixteen events of a megabyte, with their places, exceed the limit on any number of threads.
    expectEqual(kept, 16)
  }

  @Test("A replay from another place or state, or past a keyframe, is not adopted")
  func notAdopted() throws {
    let journal = try journal()
    let history = try journal.history(Ledger.self)
    let file = try #require(try history.reader.keyframes())
    guard case .entry(let keyframe)? = file.next(after: nil) else {
      Issue.record("no keyframe")
      return
    }
    let place = keyframe.sequence
    let end = place + 3
    let state = try history.state(at: .sequence(place)).state
    let right = Replay<Ledger>(from: state, after: place, chain: keyframe.chain)
    let whole = Check<Ledger>(from: Replay(), checkpoints: [])
    var part = Check(partOf: whole, from: right, StateDigester())
    let start = part.place
    try history.forEachRaw(after: place, upTo: end) { (event) throws(HistoryError) in try part.fold(event) }
    func isAdopted(_ replay: Replay<Ledger>, before next: UInt64, revision: UInt32? = nil) -> Bool {
      var check = Check<Ledger>(from: replay, checkpoints: [])
      check.otherRevision = revision
      let isAdopted = check.adopt(part, from: start, before: next)
      expectEqual(check.replay.sequence, isAdopted ? end : replay.sequence)
      return isAdopted
    }
    #expect(isAdopted(right, before: end))
    #expect(!isAdopted(right, before: end - 1))
    #expect(!isAdopted(right, before: end, revision: 2))
    #expect(!isAdopted(Replay(from: state, after: place, chain: keyframe.chain &+ 1), before: end))
    #expect(!isAdopted(Replay(from: state, after: place - 1, chain: keyframe.chain), before: end))
    #expect(!isAdopted(Replay(from: LedgerState(), after: place, chain: keyframe.chain), before: end))
  }

  @Test("A part without a digest leaves the scheme as the last digest had it")
  func schemeOfPart() {
    var check = Check<Ledger>(from: Replay(), checkpoints: [])
    var part = Check(partOf: check, from: Replay(), StateDigester())
    let start = part.place
    check.scheme = .canonical
    var isAdopted = check.adopt(part, from: start, before: .max)
    #expect(isAdopted && check.scheme == .canonical)
    part.digestsCompared = 1
    isAdopted = check.adopt(part, from: start, before: .max)
    #expect(isAdopted && check.scheme == .merkle)
  }

  // MARK: - The same report

  @Test("A state with unencoded parts is found at the first process that continued from a keyframe")
  func forgetfulEncoding() throws {
    let journal = try TemporaryJournal()
    try journal.create(ForgetfulMachine.self, options(3)).close()
    // Each process begins with the keyframe that the one before it left, and all of them agree with it.
    for _ in 0..<20 {
      let store = try journal.open(ForgetfulMachine.self, options(3))
      for _ in 0..<3 { try store.append(.start, at: .seconds(1)) }
      try store.close()
    }
    let found = try report(journal, as: ForgetfulMachine.self).get()
    #expect(found.mismatch?.sequence == 4 && found.mismatch?.lastAgreement == 3)
  }

  @Test(
    "A reducer changed without raising its revision is found at the same event", arguments: [1, 3, 7] as [UInt64])
  func mismatch(interval: UInt64) throws {
    let journal = try journal(every: interval)
    let found = try report(journal, as: LedgerMachine<SilentlyChangedRules>.self).get()
    #expect(found.mismatch != nil && found.mismatch?.evidence != nil)
    try expectEqual(report(journal, as: LedgerMachine<NextRules>.self).get().notes.map(\.isKeyframe), [true])
    for beyond in [false, true] { try report(journal, beyondDamage: beyond) }
  }

  @Test("A mismatching keyframe is found in its place, whether its events or its state differ")
  func otherKeyframes() throws {
    for (chain, compared): (UInt32?, Int) in [(nil, 21), (0x1234, 20)] {
      let journal = try journal(every: 3, 60)
      let history = try journal.history(Ledger.self)
      let last = try history.lastSequence()
      let store = try journal.open(Ledger.self, options(0))
      let body = StateCheckpoint(
        of: LedgerState(), digest: StateDigest(of: LedgerState()), window: IdempotencyWindow(), by: Ledger.self
      ).encode()
      var writer = try KeyframeWriter(store.journal, after: last) { _ in true }
      try writer.append(sequence: last, chain: chain ?? store.journal.lastChain, body: body)
      try write(60..<90, to: store)
      try writer.append(sequence: store.lastSequence, chain: store.journal.lastChain, body: body)
      try store.close()
      let report = try report(journal).get()
      expectEqual(report.mismatch?.sequence, chain == nil ? last : store.lastSequence)
      #expect(report.keyframesCompared >= compared)
    }
  }

  @Test("Records of processes with other revisions are skipped on every thread")
  func otherRevisions() throws {
    let journal = try journal(every: 4, 150)
    typealias Raised = CheckTests.RecordingMachine<NextRules>
    let raised = try report(journal, as: Raised.self).get()
    #expect(raised.otherRevisions == [3] && raised.keyframesCompared == 0)
    // Those that this revision rebuilds are compared, and digests still are not.
    #expect(try journal.history(Raised.self).rebuildKeyframes(every: 4) > 20)
    let rebuilt = try report(journal, as: Raised.self).get()
    #expect(rebuilt.otherRevisions == [3] && rebuilt.keyframesCompared > 20 && rebuilt.isSound)
  }

  /// Random histories, and what may become of their files: every kind of report.
  @Test("Random histories, sound and altered, produce one report", arguments: 0..<12 as Range<UInt64>)
  func randomHistories(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let journal = try TemporaryJournal()
    let interval = UInt64.random(in: 1...9, using: &random)
    let size = UInt64.random(in: 1...8, using: &random) * 512
    var store = try journal.create(Ledger.self, options(interval, segmentSize: size))
    var written = 0
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let next = written + Int.random(in: 1...60, using: &random)
      try write(written..<next, to: store)
      written = next
      switch Int.random(in: 0..<6, using: &random) {
      case 0: try store.checkpoint()
      case 1: if store.lastSequence > 50 { _ = try? store.retire(before: store.lastSequence / 2) }
      case 2:
        try store.close()
        var unknown = Envelope(type: 77, at: .seconds(Int64(written)))
        unknown.unknownReaders = .ignorable
        try journal.appendRaw([unknown])
        store = try journal.open(Ledger.self, options(interval, segmentSize: size))
      case 3:
        try store.close()
        store = try journal.open(Ledger.self, options(interval, segmentSize: size))
      default: break
      }
    }
    try store.close()
    try reportAll(journal, "as it was written")
    if seed % 4 == 0 { try journal.appendRaw([Envelope(type: 78, at: .seconds(Int64(written)))]) }
    for _ in 0..<5 {
      let what = try alter(journal, using: &random)
      try reportAll(journal, what)
    }
  }

  private func reportAll(_ journal: TemporaryJournal, _ what: String) throws {
    for beyond in [false, true] {
      try report(journal, as: Ledger.self, beyondDamage: beyond, what)
      try report(journal, as: LedgerMachine<SilentlyChangedRules>.self, beyondDamage: beyond, what)
      try report(journal, as: CheckTests.RecordingMachine<NextRules>.self, beyondDamage: beyond, what)
    }
  }

  /// Changes one of the journal's files, or puts it back into order.
  private func alter(_ journal: TemporaryJournal, using random: inout SeededGenerator) throws -> String {
    let segments = journal.files.filter { $0.hasSuffix(".seg") }
    let name = try #require(segments.randomElement(using: &random))
    var bytes = try journal.contents(name)
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where bytes.count > 200:
      let place = Int.random(in: 128..<bytes.count, using: &random)
      bytes[place] ^= 0x40
      try journal.write(bytes, to: name)
      return "byte \(place) of \(name)"
    case 1 where name == segments.last:
      try journal.write(Array(bytes.dropLast(Int.random(in: 0...bytes.count / 2, using: &random))), to: name)
      return "\(name) cut short"
    case 2:
      _ = try? journal.history(Ledger.self).rebuildKeyframes(every: UInt64.random(in: 1...9, using: &random))
      return "rebuilt keyframes"
    default:
      guard journal.files.contains("KEYFRAMES") else { return "nothing" }
      bytes = try journal.contents("KEYFRAMES")
      let pages = bytes.count / 4096
      guard pages > 1 else { return "nothing" }
      let page = Int.random(in: 0..<pages, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[page * 4096 + Int.random(in: 0..<150, using: &random)] ^= 0x10
      case 1: bytes.removeLast(bytes.count - page * 4096 - 100)
      default:
        // One keyframe twice, and another one not at all: its pages say where they belong.
        bytes.replaceSubrange(page * 4096..<page * 4096 + 4096, with: bytes[0..<4096])
      }
      try journal.write(bytes, to: "KEYFRAMES")
      return "page \(page) of the keyframes"
    }
  }

  @Test("Events that a salvage could not find are skipped, or stop the check, in the same way")
  func salvaged() throws {
    let journal = try journal(every: 4, 90)
    for lost: UInt64 in [30, 31, 60] { try journal.damage(event: lost) }
    let copy = try TemporaryJournal()
    let losses = try Salvage(of: [journal.path]).write(to: copy.path).losses
    #expect(!losses.isEmpty)
    var beyond = try copy.history(Ledger.self)
    beyond.goesBeyondDamage = true
    for _ in 0..<2 {
      #expect(try report(copy).get().obstacle != nil)
      #expect(try report(copy, beyondDamage: true).get().obstacle == nil)
      #expect(try beyond.rebuildKeyframes(every: 3) > 20)
    }
  }

  @Test("After retired events, a check begins with their checkpoint, on every thread")
  func retired() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, options(5, segmentSize: 1 << 10))
    for round in 0..<4 {
      try write(round * 50..<round * 50 + 50, to: store)
      try store.checkpoint()
    }
    #expect(try store.retire(before: 120) > 1)
    try write(200..<260, to: store)
    // The reports are equal while a store is open, too.
    #expect(try report(journal).get().isSound)
    try store.close()
    let found = try report(journal).get()
    #expect(found.isSound && found.keyframesCompared > 5 && found.checkpointsCompared > 0)
  }

  @Test("If no thread can be started, or no keyframe read, everything is still checked")
  func noThreads() throws {
    let journal = try journal()
    let expected = try journal.history(Ledger.self).check(threads: 1)
    let files = HookedFileSystem()
    let history = try History<Ledger>(at: journal.path, fileSystem: files)
    try expectEqual(history.check(threads: 4), expected)
    files.endThreads()
    try expectEqual(history.check(threads: 4), expected)
    files.failOpening("KEYFRAMES")
    let without = try history.check(threads: 4)
    #expect(without == (try history.check(threads: 1)) && without.keyframesCompared == 0 && without.isSound)
  }
}
