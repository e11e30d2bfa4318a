import Expectations
import AppProtection
import EventSourcing
import Forensics
import Journal
import JSON
import Synchronization
import Testing
import WireFormat

@testable import CommandSupport
@testable import PolicyCommands

/// Answers from single places of a journal: the same as from the whole journal, at a cost that does not grow with it.
@Suite("Seeking")
struct SeekingTests {
  private static let everySize: ToolEnvironment = {
    var environment = ToolEnvironment.withoutPauses
    environment.seekingSize = 0
    return environment
  }()

  /// Questions about single places, and the records that answer them.
  private static let questions: [[String]] =
    [1, 75, 76, 100, 188, 189, 250, 334, 335, 340].flatMap { number in
      [["show", "P", "\(number)", "-j"], ["state", "P", "--at", "\(number)", "-j"]]
    } + [
      ["show", "P", "end", "end~20", "-j"], ["state", "P", "-j"], ["diff", "P", "100", "120", "-j"],
      ["log", "P", "-j", "-n", "5"], ["log", "P", "-j", "-n", "40", "-r"], ["log", "P", "-j", "150..200"],
      ["log", "P", "-j", "300..", "--type", "policy.*"], ["log", "P", "-j", "1..10"], ["log", "P", "9..8"],
      ["show", "P", "9999"], ["log", "P", "end..300"], ["show", "P", "wipe.requested", "-j"],
      ["state", "P", "--at", "policy.received", "-j"], ["state", "P", "--at", "process.started", "-j"],
      ["show", "P", "wipe.requsted"], ["show", "P", "process.started#2", "-j"], ["log", "P", "-2d..-1d", "-j"],
      ["log", "P", "1980..1990", "-j"], ["state", "P", "--at", "-3h", "-j"], ["state", "P", "--at", "12:00", "-j"],
      ["show", "P", "-40m", "-j"], ["state", "P", "--at", "1980-01-01T00:00Z"], ["diff", "P", "-2d", "-1h", "-j"],
      ["stats", "P", "100..200", "-j"], ["stats", "P", "-2d..", "-j"], ["show", "P", "process.started#99"],
      ["policy", "show", "P@100", "--account", "a1", "-j"],
      ["policy", "show", "P@policy.received", "--account", "a1", "-j"],
      ["policy", "diff", "P@100", "P", "--account", "a1", "-j"],
      ["explain", "P", "managed(a1)", "--at", "120", "-j"], ["explain", "P", "managed(a1)", "--when", "-j"],
      ["blame", "P", "/accounts/a1/**", "--at", "process.started#2", "-j"],
      ["bisect", "P", "100..150", "--where", "/accounts/a1/enrollment/status = enrolledWithPolicy", "-j"],
      ["compare", "P", "P", "-j"], ["compare", "P", "--accounts", "a1,a2", "-j"],
    ]

  /// A word of a question, with the journal's path for `P`, also before a position.
  private static func word(_ word: String, _ path: String) -> String {
    word == "P" || word.hasPrefix("P@") ? path + word.dropFirst() : word
  }

  private static func run(_ question: [String], _ path: String, _ more: String...) -> ToolRun {
    ToolRun(question.map { Self.word($0, path) } + more, environment: everySize)
  }

  /// The records that say something about events or states.
  private static func answers(_ run: ToolRun) -> [Substring] {
    run.lines.filter { line in
      [
        "event", "state", "change", "totals", "type", "account", "rule", "time", "policy", "answer", "interval",
        "value",
        "flip", "firstBad", "comparison", "effect",
      ].contains {
        line.hasPrefix("{\"kind\":\"\($0)\"")
      }
    }
  }

  /// The events that the last record names as not verified.
  private static func notVerified(_ run: ToolRun) -> [ClosedRange<UInt64>] {
    (run.records.last??.object?["notVerified"]?.array ?? []).compactMap { range in
      guard let first = range.object?["first"]?.number?.integer(UInt64.self),
        let last = range.object?["last"]?.number?.integer(UInt64.self)
      else { return nil }
      return first...last
    }
  }

  /// Records without what says from which stored state the answer was computed.
  private static func plain(_ lines: [Substring]) -> [String] {
    lines.map { line in
      line.split(separator: ",").filter { !$0.hasPrefix("\"storedState\"") }.joined(separator: ",")
    }
  }

  @Test("Undamaged golden journals answer as when all is read", arguments: Repository.journals)
  func golden(name: String) {
    let path = Repository.journal(name)
    for question in Self.questions {
      let seeking = Self.run(question, path)
      let whole = Self.run(question, path, "--verify")
      expectEqual(seeking.code, whole.code, "\(question): \(seeking.notes)")
      expectEqual(Self.plain(Self.answers(seeking)), Self.plain(Self.answers(whole)), "\(question)")
    }
  }

  /// What the undamaged journal answers to each question.
  private static let sound = Result {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TailTests.copy(to: path)
      return questions.map { plain(answers(run($0, path, "--verify"))) }
    }
  }

  /// Each damage is asked every fifth question, in turn, or every one.
  private static let step = TestFiles.triesEverything ? 1 : 5

  @Test(
    "A damaged journal never answers with another event or state", arguments: TailTests.damages.indices)
  func damaged(index: Int) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TailTests.copy(to: path, with: TailTests.damages[index])
      for (question, sound) in zip(Self.questions, try Self.sound.get()).enumerated()
        .filter({ ($0.offset + index) % Self.step == 0 }).map(\.element)
      {
        let seeking = Self.run(question, path)
        let whole = Self.run(question, path, "--verify")
        // The whole log of a journal with a damaged middle knows fewer states than its stored ones.
        let allowed = Set(Self.plain(Self.answers(whole)) + sound)
        #expect(Set(Self.plain(Self.answers(seeking))).isSubset(of: allowed), "\(question)")
        guard seeking.code != whole.code || seeking.output != whole.output else { continue }
        #expect(seeking.notes.contains("not verified"), "\(question): \(seeking.notes)\(seeking.output)")
        #expect(
          seeking.code == .done || seeking.code == .different || seeking.code == whole.code, "\(question)")
        guard seeking.code != whole.code, question.contains("-j") else { continue }
        let unread = Self.notVerified(seeking)
        for lost in try JournalReader(path: path).verify().lostEvents {
          #expect(unread.contains { $0.contains(lost.lowerBound) }, "\(question): event \(lost.lowerBound) was missed")
        }
      }
    }
  }

  @Test(
    "Damage that headers, footers and HEAD show is said, as when all is read",
    arguments: TailTests.damages.filter { damage in
      damage.testDescription.contains("without its last")
        || ["byte 30", "byte -3", "file 0 is missing", "file 1 is missing", "file 4 is missing"]
          .contains { damage.testDescription.hasSuffix($0) }
    })
  func description(damage: TailTests.Damage) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TailTests.copy(to: path, with: damage)
      for (number, question) in Self.questions.enumerated()
      where question != ["log", "P", "9..8"] && (number + damage.file) % Self.step == 0 {
        let seeking = Self.run(question, path)
        let whole = Self.run(question, path, "--verify")
        #expect(seeking.code == whole.code && seeking.output == whole.output, "\(question): \(seeking.notes)")
        if damage.file < 5 { #expect(!seeking.notes.contains("not verified"), "\(question)") }
      }
    }
  }

  @Test("Headings are those of the events, and what is found between them is the same", arguments: TailTests.damages)
  func headings(damage: TailTests.Damage) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TailTests.copy(to: path, with: damage)
      guard let history = try? History<AppProtectionMachine>(at: path) else { return }
      var (events, headings): ([String], [String]) = ([], [])
      var cursor = try history.events()
      while let item = try cursor.next() {
        switch item {
        case .event(let step):
          let record = step.record
          events.append("\(record.sequence) \(record.typeName) \(record.envelope.moment.wallNanoseconds)")
        case .finding(let finding): events.append("\(finding)")
        }
      }
      try history.forEachHeading(
        after: 0, note: { headings.append("\($0)") },
        { heading in
          headings.append("\(heading.sequence) \(heading.typeName) \(heading.wallNanoseconds)")
          return true
        })
      expectEqual(headings, events)
    }
  }

  @Test("A search with a command needs only the end of a long journal, and finds what it finds when all is read")
  func searchWithCommand() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      let last = try Self.writeLong(2000, to: path)
      let question = ["bisect", "P", "--run", "test $PJ_EVENT -lt 1234", "-j"]
      let run = Self.run(question, path)
      let whole = Self.run(question, path, "--verify")
      #expect(run.code == .done && Self.answers(run) == Self.answers(whole), "\(run.notes)")
      expectEqual(Self.answers(run), [#"{"kind":"firstBad","from":1234,"to":1234}"#])
      let unread = Self.notVerified(run)
      #expect(unread.first?.lowerBound == 1 && unread.allSatisfy { $0.upperBound < last }, "\(unread)")
      #expect(Self.notVerified(whole).isEmpty)
      // Damage on the way to the end is found, and everything read.
      let segment = try #require(try TestFiles.names(in: path).filter { $0.hasSuffix(".seg") }.max())
      var bytes = try TestFiles.read("\(path)/\(segment)")
      bytes[try TestFiles.offset(ofEvent: last, in: path) + 20] ^= 1
      try TestFiles.write(bytes, to: "\(path)/\(segment)")
      let damaged = Self.run(question, path)
      #expect(damaged.code == .partial && Self.notVerified(damaged).isEmpty, "\(damaged.notes)")
    }
  }

  @Test("What was not read is named, and --verify reads everything")
  func notVerified() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      let last = try Self.writeLong(2000, to: path)
      let run = Self.run(["show", "P", "1000", "-j"], path)
      let ranges = Self.notVerified(run)
      #expect(ranges.count == 2 && ranges.first?.lowerBound == 1, "\(ranges)")
      #expect(ranges.allSatisfy { !$0.contains(1000) && !$0.contains(last) }, "\(ranges)")
      #expect(run.notes.contains("not verified, because not read: events 1–"), "\(run.notes)")
      let whole = Self.run(["show", "P", "1000", "-j"], path, "--verify")
      #expect(whole.records.last??.object?["notVerified"] == nil && whole.notes.isEmpty)
      #expect(ToolRun("show", path, "1000").notes.isEmpty, "a short journal is read as a whole")
    }
  }

  @Test("What a difference between times says on standard error, it says once")
  func times() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try Self.writeLong(2000, to: path)
      let run = Self.run(["diff", "P@1960-01-01T00:00Z", "P@end"].map { $0.replacing("P", with: path) }, path)
      let notes = run.notes.split(separator: "\n")
      #expect(!notes.isEmpty && Set(notes).count == notes.count, "\(run.notes)")
    }
  }

  @Test("A place costs as much in a journal as in one four times as long")
  func cost() throws {
    try TestFiles.withTemporaryFolder { folder in
      var costs: [[String]: [Int]] = [:]
      var segments: [Int] = []
      for count in [4_000, 16_000] {
        let path = "\(folder)/\(count)"
        try Self.writeLong(count, to: path)
        segments.append(try JournalReader(path: path).segments.count)
        for question in [
          ["show", "P", "1500"], ["state", "P", "--at", "1500"], ["diff", "P", "1500", "1510"],
          ["log", "P", "-n", "5"], ["log", "P", "-n", "5", "-r"], ["log", "P", "1500..1510"],
          ["show", "P", "end~3"], ["state", "P"], ["state", "P", "--at", "2026-10-06T08:30Z"],
          ["show", "P", "identity.switched"], ["show", "P", "process.started#2"],
          ["diff", "P@2026-10-06T08:30Z", "P@1500"], ["policy", "show", "P@1500", "--account", "a1"],
          ["explain", "P", "managed(a1)", "--at", "1500"], ["blame", "P", "/process/osVersion", "--at", "1500"],
          ["bisect", "P", "1400..1500", "--where", "/accounts/a1/enrollment/status = enrolledWithPolicy"],
        ] {
          let bytes = Mutex(0)
          var environment = Self.everySize
          environment.fileSystem = CountingFileSystem(PosixFileSystem()) { count in bytes.withLock { $0 += count } }
          let run = ToolRun(question.map { Self.word($0, path) }, environment: environment)
          #expect(run.notes.contains("not verified"), "\(question): \(run.notes)")
          costs[question, default: []].append(bytes.withLock { $0 })
        }
      }
      for (question, bytes) in costs {
        // The header and the footer of each segment, read in pieces of a few KiB; for a time, the footer twice. What
        // else is read lies in two segments, and differs by as much: one journal's last segment is nearly empty, the
        // other's nearly full.
        let more = (segments[1] - segments[0]) * 32 << 10 + 2 * Int(Self.segmentSize)
        #expect(bytes[1] < bytes[0] + more, "\(question): \(bytes) bytes read of \(segments) segments")
      }
    }
  }

  /// The size of the segments of long journals, in bytes.
  private static let segmentSize: UInt64 = 64 << 10

  /// Writes at least so many events: all those of a golden journal again and again, in small segments, with keyframes.
  /// Returns the number of the last one.
  @discardableResult
  private static func writeLong(_ count: Int, to path: String) throws -> UInt64 {
    var options = try JournalOptions(of: AppProtectionEvent.self)
    options.segmentSizeLimit = segmentSize
    options.preallocation = 0
    options.syncPolicy = .none
    let id = try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16)))
    let journal = try JournalWriter.create(at: path, id: id, createdNanoseconds: 1, options: options)
    var batch = JournalBatch()
    while journal.lastSequence < count {
      var cursor = try History<AppProtectionMachine>(at: Repository.journal("multi-identity-day")).events()
      while let item = try cursor.next() {
        guard case .event(let step) = item else { continue }
        var writer = WireWriter()
        step.record.envelope.encode(into: &writer)
        try batch.append(payload: writer.bytes, label: step.record.envelope.moment.wallNanoseconds)
        try journal.append(&batch)
      }
    }
    let last = journal.lastSequence
    try journal.close()
    _ = try History<AppProtectionMachine>(at: path).rebuildKeyframes(every: 256)
    return last
  }
}
