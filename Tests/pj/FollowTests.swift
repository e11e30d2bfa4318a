import Expectations
import AppProtection
import EventSourcing
import Journal
import JSON
import Testing

@testable import CommandSupport
@testable import pj
@testable import PolicyCommands

/// `pj log -f` in this process: another thread writes, looks at what is printed, and ends it as an interrupt does.
@Suite("Following a log")
struct FollowTests {
  /// What a run printed and how it ended.
  private struct Run {
    var output: String
    var notes: String
    var code: ExitCode
    /// The path of the journal.
    var journal: String
    /// What was printed when the writer stopped.
    var error: (any Error)?
  }

  /// Runs the tool on a copy of a golden journal, and `body` on another thread from when it begins to follow.
  private func run(
    _ words: [String], on name: String = "interrupted-wipe", interrupting isInterrupted: Bool = true,
    output: ((String) throws -> Int32)? = nil, preparing: (_ journal: String) throws -> Void = { _ in },
    _ body: @escaping @Sendable (_ journal: String, _ output: String) throws -> Void
  ) throws -> Run {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/journal"
      let path = "\(folder)/output"
      try TestFiles.copy(Repository.journal(name), to: journal)
      try preparing(journal)
      let descriptor = try output?(path) ?? TestFiles.create(path)
      var environment = ToolEnvironment()
      let outcome = Outcome()
      environment.whenFollowing = { changes in
        let isStarted = PosixFileSystem().startThread {
          outcome.note { try body(journal, path) }
          if isInterrupted { changes.stop() }
        }
        if !isStarted { changes.stop() }
      }
      let notes = TextOutput()
      let code = PolicyJournalTool.shell.run(
        words + [journal], output: TextOutput(descriptor: descriptor, isTerminal: false), notes: notes,
        environment: environment)
      return Run(
        output: String(decoding: (try? TestFiles.read(path)) ?? [], as: UTF8.self), notes: notes.text, code: code,
        journal: journal, error: outcome.error)
    }
  }

  private final class Outcome: @unchecked Sendable {
    // Unchecked: written by one thread, which is joined by what it prints before anybody reads.
    var error: (any Error)?

    func note(_ body: () throws -> Void) {
      do { try body() } catch { self.error = error }
    }
  }

  /// Opens the journal for writing and appends a copy of one of its events.
  private static func append(_ sequence: UInt64, to path: String) throws {
    var cursor = try JournalReader(path: path).cursor(after: sequence - 1)
    guard case .event(let event)? = try cursor.next() else { return }
    let journal = try JournalWriter.open(at: path, options: JournalOptions(of: AppProtectionEvent.self))
    var batch = JournalBatch()
    try batch.append(payload: event.payload, label: 0)
    try journal.append(&batch)
    try journal.close()
  }

  @Test("Each event is printed as it comes, after the last ones that were asked for, until it is interrupted")
  func text() throws {
    let run = try run(["log", "-f", "-n", "2"]) { journal, output in
      try TestFiles.waitUntil(output, holds: "\n  22  ")
      for number in 23...25 as ClosedRange<UInt64> {
        try Self.append(20, to: journal)
        try TestFiles.waitUntil(output, holds: "\n  \(number)  ")
      }
    }
    #expect(run.error == nil && run.code == .interrupted)
    let numbers = run.output.split(separator: "\n").dropFirst().prefix(5).map { $0.prefix(4) }
    expectEqual(numbers, ["  21", "  22", "  23", "  24", "  25"])
    #expect(run.output.hasSuffix("5 of 25 events. Accounts are pseudonyms: pj help redaction\n"))
    // How often it looks while nobody writes depends on the threads.
    let end = "; waiting until a program opens it again"
    let closed = (22...25).map { "journal: the journal was closed after event \($0)\(end)" }
    let notes = run.notes.split(separator: "\n")
    #expect(notes.allSatisfy { note in closed.contains { note.hasSuffix($0) } }, "\(run.notes)")
  }

  @Test("In JSON every event is a record, filters hold, and the end says that it was interrupted")
  func json() throws {
    let run = try run(["log", "-f", "-j", "--type", "process.ended"]) { journal, output in
      try TestFiles.waitUntil(output, holds: "\"seq\":22")
      try Self.append(21, to: journal)
      try Self.append(22, to: journal)
      try TestFiles.waitUntil(output, holds: "\"seq\":24")
    }
    #expect(run.error == nil && run.code == .interrupted)
    let records = run.output.split(separator: "\n").compactMap {
      try? JSONDocument.parse(Array($0.utf8)).root.value.object
    }
    #expect(records.filter { $0["kind"]?.string == "event" }.allSatisfy { $0["type"]?.string == "process.ended" })
    expectEqual(records.last?["kind"]?.string, "end")
    #expect(run.output.contains("{\"kind\":\"end\",\"complete\":false,\"exit\":130,"))
    #expect(!run.output.contains("\"seq\":23"))
  }

  @Test(
    "With --exit-on it ends with 0 after the first event that meets the condition, whether a filter shows it or not",
    arguments: [
      (["-n", "1"], "type = process.ended", 22), (["-n", "1", "--type", "wipe.*"], "type = process.ended", 23),
      (["--since", "22"], "/process/isRunning = true", 24),
      (["--oneline", "-n", "2"], "type = process.started and seq = 24", 24),
      (["--since", "15"], "/wipes", 15), ([], "managed(a1) = true", 10),
      (["--type", "biometrics.*"], "type = process.ended", 0),
    ] as [([String], String, Int)])
  func exitOn(words: [String], condition: String, last: Int) throws {
    let run = try run(["log", "-f", "--exit-on", condition] + words, interrupting: false) { journal, output in
      guard last > 22 else { return }
      try TestFiles.waitUntil(output, holds: words.contains("wipe.*") ? "  19  " : "22 ")
      // Events 22 and 21 again: the process ends, and starts.
      try Self.append(22, to: journal)
      try Self.append(21, to: journal)
    }
    #expect(run.error == nil && run.code == .done, "\(run.notes)")
    // Of the events alone: the line with the totals begins with a number too.
    let numbers = run.output.split(separator: "\n").filter { !$0.contains("Accounts are pseudonyms") }
      .compactMap { Int($0.split(separator: " ").first ?? "") }
    if words.contains("--type") {
      expectEqual(numbers, words.contains("wipe.*") ? [19] : [], "\(run.output)")
    } else {
      expectEqual(numbers.last, last, "\(run.output)")
    }
  }

  @Test("Damage is a line at its place, and a note says so")
  func damage() throws {
    let run = try run(["log", "-f"], on: "damaged-frame") { _, output in
      try TestFiles.waitUntil(output, holds: "\n  18  ")
    }
    #expect(run.output.contains("\n   !  "))
    #expect(run.error == nil && run.code == .interrupted)
    #expect(run.notes.contains("damaged; what is shown is sound. Next: pj salvage "))
  }

  @Test("It ends by itself, and says why, when another journal is put in the place of the one that it follows")
  func replaced() throws {
    let run = try run(["log", "-f"], interrupting: false) { journal, output in
      try TestFiles.waitUntil(output, holds: "\n  22  ")
      let other = journal + ".other"
      try TestFiles.copy(Repository.journal("first-enrollment"), to: other)
      // The segment last: before it the journal is the old one still.
      for name in try TestFiles.names(in: other).reversed().sorted(by: { !$0.hasSuffix(".seg") && $1.hasSuffix(".seg") }
      ) {
        try PosixFileSystem().rename("\(other)/\(name)", to: "\(journal)/\(name)")
      }
    }
    #expect(run.error == nil && run.code == .partial)
    #expect(run.notes.contains(", which was read here, was replaced by journal "), "\(run.notes)")
    #expect(run.notes.hasSuffix("Next: pj log \(run.journal)\n"))
  }

  @Test("It ends by itself, and says why, when what it has read is cut off or gone", arguments: [true, false])
  func takenAway(isCut: Bool) throws {
    let run = try run(["log", "-f", "-j"], interrupting: false) { journal, output in
      try TestFiles.waitUntil(output, holds: "\"seq\":22")
      let segment = "\(journal)/00000000000000000001.seg"
      if isCut {
        let file = try PosixFileSystem().open(segment, .update)
        try PosixFileSystem().setSize(of: file, to: UInt64(try TestFiles.offset(ofEvent: 3, in: journal)))
        PosixFileSystem().close(file)
      } else {
        try TestFiles.removeFile(segment)
      }
    }
    #expect(run.error == nil && run.code == .partial)
    let reason = isCut ? "the file became shorter while it was read" : "the file is gone"
    // The end may be found out of place before the cut is.
    let other = "the history no longer holds what was read"
    #expect(run.notes.contains(reason) || isCut && run.notes.contains(other), "\(run.notes)")
    expectEqual(
      run.output.split(separator: "\n").last?.hasPrefix("{\"kind\":\"end\",\"complete\":false,\"exit\":3,"), true)
  }

  @Test("It ends by itself, and says what is back, when the files are restored whose events it left out as lost")
  func restored() throws {
    let segment = "00000000000000000001.seg"
    for (isCut, lost) in [(false, "event 7"), (true, "events 7–22")] {
      let run = try run(
        ["log", "-f"], interrupting: false,
        preparing: { journal in
          var bytes = try TestFiles.read("\(journal)/\(segment)")
          let end = isCut ? try TestFiles.offset(ofEvent: 8, in: journal) + 24 : bytes.count
          bytes[try TestFiles.offset(ofEvent: 7, in: journal) + 20] ^= 1
          try TestFiles.write(Array(bytes.prefix(end)), to: "\(journal)/\(segment)")
        },
        { journal, output in
          try TestFiles.waitUntil(output, holds: "\n   !  ")
          try TestFiles.write(
            try TestFiles.read("\(Repository.journal("interrupted-wipe"))/\(segment)"), to: "\(journal).part")
          try PosixFileSystem().rename("\(journal).part", to: "\(journal)/\(segment)")
        })
      #expect(run.error == nil && run.code == .partial)
      #expect(
        run.notes.contains(
          "\(run.journal): \(lost), left out here as lost, can be read again: \(segment) was restored from a copy. "
            + "Next: pj log -f \(run.journal) 7..\n"), "\(run.notes)")
    }
  }

  @Test("It names every range that is back, not only the last one")
  func restoredRanges() throws {
    let segment = "00000000000000000001.seg"
    let run = try run(
      ["log", "-f"], interrupting: false,
      preparing: { journal in
        var bytes = try TestFiles.read("\(journal)/\(segment)")
        for event in [5, 7] as [UInt64] { bytes[try TestFiles.offset(ofEvent: event, in: journal) + 20] ^= 1 }
        try TestFiles.write(bytes, to: "\(journal)/\(segment)")
      },
      { journal, output in
        try TestFiles.waitUntil(output, holds: "\n   8  ")
        try TestFiles.write(
          try TestFiles.read("\(Repository.journal("interrupted-wipe"))/\(segment)"), to: "\(journal).part")
        try PosixFileSystem().rename("\(journal).part", to: "\(journal)/\(segment)")
      })
    #expect(run.error == nil && run.code == .partial)
    #expect(
      run.notes.contains(
        "\(run.journal): event 5 and event 7, left out here as lost, can be read again: \(segment) was restored from a copy. "
          + "Next: pj log -f \(run.journal) 5..\n"), "\(run.notes)")
  }

  @Test("It ends by itself, and does not say that files were put back, when the owner goes on before what is lost")
  func givenUp() throws {
    let segment = "00000000000000000001.seg"
    let run = try run(
      ["log", "-f"], interrupting: false,
      preparing: { journal in
        let bytes = try TestFiles.read("\(journal)/\(segment)")
        let end = try TestFiles.offset(ofEvent: 7, in: journal) + 20
        let wrong = [UInt8](repeating: 9, count: bytes.count - end)
        try TestFiles.write(bytes.prefix(end) + wrong, to: "\(journal)/\(segment)")
      },
      { journal, output in
        try TestFiles.waitUntil(output, holds: "\n   !  ")
        let owner = try JournalWriter.open(
          at: journal, options: JournalOptions(of: AppProtectionEvent.self), onDamage: .continueAfterVerifiedPrefix)
        var batch = JournalBatch()
        try batch.append(payload: [1], label: 0)
        try owner.append(&batch)
        try owner.close()
      })
    #expect(run.error == nil && run.code == .partial)
    #expect(
      run.notes.contains(
        "22, left out here as lost, will not come back: the writer gave up what was damaged and continued before it. "
          + "Next: pj log -f \(run.journal)\n") && !run.notes.contains("put back"), "\(run.notes)")
  }

  @Test("A journal that is moved away while it is followed is said to be gone, with what to do")
  func movedAway() throws {
    let run = try run(["log", "-f", "-j"], interrupting: false) { journal, output in
      try TestFiles.waitUntil(output, holds: "\"seq\":22")
      try PosixFileSystem().rename(journal, to: journal + ".moved")
    }
    #expect(run.error == nil && run.code == .unreadable)
    #expect(
      run.notes.hasSuffix(
        "\(run.journal): the journal was moved or removed while it was read (there is no journal directory); find out where "
          + "it went. Next: ls -ld \(run.journal)\n"), "\(run.notes)")
  }

  @Test("It ends quietly when nobody reads any more")
  func brokenPipe() throws {
    Platform.ignoreBrokenPipes()
    let run = try run(["log", "-f"], interrupting: false, output: { _ in try TestFiles.brokenPipe() }) { _, _ in }
    #expect(run.code == .done && run.output.isEmpty)
  }

  @Test(
    "What has an end or runs backwards cannot be followed",
    arguments: [
      (["-f", "-r"], "pj log: -f and -r exclude each other. Next: pj help log\n"),
      (
        ["-f", "--until", "3"],
        "pj log: -f follows the end of the journal, but the range stops before it. Next: pj help log\n"
      ),
      (
        ["-f", "--exit-on", "tpye = a"],
        "pj log: --exit-on: column 1: unknown field \"tpye\"; write type. Next: pj help filters\n"
      ),
      (
        ["-f", "--exit-on", "/accounts ="],
        "pj log: --exit-on: column 12: expected a value, found the end; write a word or text in quotes. Next: pj help filters\n"
      ),
    ])
  func refused(words: [String], text: String) {
    let run = ToolRun(["log"] + words + [Repository.journal("interrupted-wipe")])
    #expect(run.code == .wrongUse && run.notes == text)
  }
}
